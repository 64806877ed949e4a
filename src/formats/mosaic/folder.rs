//! A folder of tiles: which of its files are terrain.

use crate::error::{Error, Result};
use crate::formats::ReadOptions;
use crate::formats::input::{Input, unreadable};
use crate::formats::recognise;
use std::path::{Path, PathBuf};

/// Extensions of files that stand beside a raster and are read with it, or that only refer to others: in lower case.
const COMPANIONS: &[&str] = &["prj", "hdr", "xml", "ovr", "msk", "tab", "aux", "clr", "vrt", "wld"];

/// What a folder holds.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Contents {
    /// Files of terrain, by name.
    pub terrain: Vec<PathBuf>,
    /// Other files, by name; hidden files and companions of rasters are not among them.
    pub others: Vec<PathBuf>,
}

/// Looks through a folder, not through those within it.
///
/// # Errors
/// A folder that cannot be listed.
pub(super) fn contents(folder: &Path, options: &ReadOptions) -> Result<Contents> {
    let entries = std::fs::read_dir(folder).map_err(|error| unreadable(&error))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<std::io::Result<Vec<_>>>()
        .map_err(|error| unreadable(&error))?;
    paths.retain(|path| path.is_file() && !is_hidden(path) && !is_companion(path));
    paths.sort();
    let is_terrain = |path: &PathBuf| {
        let reader = Input::open(path).and_then(|input| recognise::reader_of(&input, options));
        reader.is_ok()
    };
    let (terrain, others) = paths.into_iter().partition(is_terrain);
    Ok(Contents { terrain, others })
}

/// The error for a folder without terrain.
pub(super) fn nothing_in(contents: &Contents) -> Error {
    let found = match contents.others.len() {
        0 => "a folder without files".to_owned(),
        _ => format!(
            "a folder without terrain: {}",
            super::names(contents.others.iter().map(PathBuf::as_path))
        ),
    };
    Error::input(found, "terrain files right in it", "name the folder that holds them")
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Whether a file goes with another, by its extension; those of world files have three or four letters and end in w.
fn is_companion(path: &Path) -> bool {
    let extension = path.extension().map(|text| text.to_string_lossy().to_lowercase()).unwrap_or_default();
    let is_world_file = (3..=4).contains(&extension.len()) && extension.ends_with('w') && extension != "raw";
    is_world_file || COMPANIONS.contains(&extension.as_str())
}
