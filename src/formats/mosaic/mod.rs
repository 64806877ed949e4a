//! Several files as one terrain: a list of them, or the tiles of a folder.
//!
//! The mosaic stands on the lattice of the finest tile. Tiles on that lattice keep their samples to the bit; a row or column that
//! neighbours share is drawn once. Where tiles overlap, finer ones come before coarser ones, and of those of one spacing the
//! one that is named first; what is empty in one is filled by the next. Tiles off the lattice are read off their own
//! triangles. Heights keep their unit where all tiles have the same, and are metres otherwise. There is no reprojection.

mod arrange;
pub(super) mod compose;
pub(super) mod extent;
mod facts;
mod folder;
pub(super) mod grid;
mod names;
mod place;
mod survey;
mod tell;
#[cfg(test)]
mod tests;

use super::decoded::Notes;
use super::raster::{PixelIs, Raster, ReadOptions};
use crate::error::{Error, Result};
use compose::compose;
use extent::{MOST_SAMPLES, check_size, lattice_over};
use facts::common;
use grid::Grid;
use std::path::{Path, PathBuf};
use survey::{Survey, Tile};

pub(super) use tell::{Gathered, name, names};

/// Samples of the mosaic that one sample of a coarse tile is spread over at most, without being taken for a mistake.
const MOST_STRETCH: u64 = 1 << 12;

/// What becomes of files that do not fit in with the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outliers {
    /// They were named, so they are an error.
    Refused,
    /// They only happen to lie in the folder, so they are left out and told.
    LeftOut,
}

/// Reads files as one terrain. A folder among them stands for the terrain files in it.
///
/// # Errors
/// No file, one that is named twice or cannot be read, tiles without a place, of different coordinate systems, or of more samples
/// than memory has room for.
pub fn read_mosaic(paths: &[PathBuf], options: &ReadOptions) -> Result<Raster> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let contents = folder::contents(path, options).map_err(|error| error.in_file(path))?;
            files.extend(contents.terrain);
        } else {
            files.push(path.clone());
        }
    }
    if let Some((at, twice)) = files.iter().enumerate().find(|(at, path)| files[..*at].contains(path)) {
        let error = Error::usage(
            format!("named twice, as file {} of the mosaic", at + 1),
            "each once",
            "name it once",
        );
        return Err(error.in_file(twice));
    }
    match files.as_slice() {
        [] => Err(Error::usage("no file", "one or more", "name the files of the mosaic")),
        [only] => super::read(only, options),
        _ => assemble(&files, options, Outliers::Refused, Notes::default()),
    }
}

/// Reads the terrain files of a folder as one terrain; a single one as it is.
///
/// # Errors
/// A folder without terrain; otherwise as [`read_mosaic`].
pub(super) fn read_folder(path: &Path, options: &ReadOptions) -> Result<Raster> {
    let contents = folder::contents(path, options)?;
    let mut notes = Notes::default();
    if !contents.others.is_empty() {
        let others = names(contents.others.iter().map(PathBuf::as_path));
        notes.assume(format!("Files of the folder that are no terrain are skipped: {others}."));
    }
    let mut raster = match contents.terrain.as_slice() {
        [] => return Err(folder::nothing_in(&contents)),
        [only] => {
            let mut raster = super::read(only, options)?;
            notes.assume(format!("The folder holds one terrain file, {}.", name(only)));
            raster.facts.assumptions.splice(0..0, notes.assumptions);
            raster
        }
        files => assemble(files, options, Outliers::LeftOut, notes)?,
    };
    raster.facts.file = path.to_owned();
    Ok(raster)
}

fn assemble(
    files: &[PathBuf],
    options: &ReadOptions,
    outliers: Outliers,
    mut notes: Notes,
) -> Result<Raster> {
    let mut survey = survey(files, options, outliers, &mut notes)?;
    let places = place::place(&mut survey, outliers, &mut notes)?;
    facts::check_systems(&survey.tiles, &mut notes)?;
    let in_metres = common(&survey.tiles, |tile| tile.unit().metres).is_none();
    let parts: Vec<compose::Tile> = survey.tiles.iter().zip(&places.grids).map(as_part).collect();
    let order = by_fineness(&parts);
    let ordered: Vec<compose::Tile> = order.iter().map(|number| parts[*number]).collect();
    let lattice = lattice_over(&ordered)?;
    check_size(&lattice)?;
    let (heights, outcome) =
        compose(&lattice, &ordered, |number| survey.tiles[order[number]].take(in_metres, options))?;
    let mut mosaic = facts::describe(&survey.tiles, &lattice, in_metres);
    facts::tell_of_outcome(&outcome, in_metres, &mut notes);
    facts::gather(&survey.tiles, &mut notes);
    mosaic.notes = notes;
    mosaic.heights = heights;
    mosaic.geotransform = places.on_map.then_some(lattice.geotransform);
    mosaic.finish(options)
}

/// Looks at every file, and stops as soon as those so far are too many for one terrain.
fn survey(files: &[PathBuf], options: &ReadOptions, outliers: Outliers, notes: &mut Notes) -> Result<Survey> {
    let mut survey = Survey::default();
    let mut next_check = MOST_SAMPLES;
    let mut first_error = None;
    for path in files {
        match survey.add(path, options).map_err(|error| error.in_file(path)) {
            Err(error) if outliers == Outliers::LeftOut => {
                notes.warn("tile-left-out", format!("left out: {error}"));
                first_error.get_or_insert(error);
            }
            outcome => outcome?,
        }
        if survey.samples() >= next_check {
            check_extent(&survey)?;
            next_check = next_check.saturating_mul(2);
        }
    }
    match first_error {
        Some(error) if survey.tiles.is_empty() => Err(error),
        _ => Ok(survey),
    }
}

/// Refuses tiles that together are too large, by those that say where they stand.
fn check_extent(survey: &Survey) -> Result<()> {
    let placed = survey.tiles.iter().filter(|tile| tile.has_place());
    let grids = placed
        .filter_map(|tile| Some((tile, Grid::upright(tile.decoded.geotransform?, tile.decoded.size)?.0)));
    let parts: Vec<compose::Tile> = grids.map(|(tile, grid)| as_part((tile, &grid))).collect();
    let ordered: Vec<compose::Tile> = by_fineness(&parts).into_iter().map(|number| parts[number]).collect();
    if ordered.is_empty() { Ok(()) } else { check_size(&lattice_over(&ordered)?) }
}

fn as_part((tile, grid): (&Tile, &Grid)) -> compose::Tile {
    let [width, depth] = grid.size.map(u64::from);
    let worth = (width * depth).saturating_mul(MOST_STRETCH);
    compose::Tile { grid: *grid, covers_rim: tile.decoded.pixel_is == PixelIs::Area, worth }
}

/// The numbers of the tiles, the finest first; those of one fineness in their own order.
fn by_fineness(parts: &[compose::Tile]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    // Rounded, so that the rounded steps of one lattice are one fineness.
    order.sort_by_key(|number| (256.0 * parts[*number].grid.cell_area().log2()).round() as i64);
    order
}
