//! Files that stand beside a raster: world files and projection texts.

use super::decoded::PlaneCrs;
use super::input::Input;
use super::raster::Crs;
use crate::geo::read_projection_text;
use std::path::{Path, PathBuf};

/// Longest sidecar that is read, in bytes; real ones have a few hundred.
const LONGEST: u64 = 1 << 16;

/// The text of a file beside the raster, its extension in whichever case exists.
pub(super) fn text_beside(path: &Path, extension: &str) -> Option<(PathBuf, String)> {
    beside(path, extension).into_iter().find_map(|beside| {
        let length = std::fs::metadata(&beside).ok()?.len();
        let bytes = (length <= LONGEST).then(|| std::fs::read(&beside).ok()).flatten()?;
        Some((beside, String::from_utf8_lossy(&bytes).into_owned()))
    })
}

/// A file of samples beside its header, its extension in whichever case exists.
pub(super) fn input_beside(path: &Path, extension: &str) -> Option<Input> {
    beside(path, extension).into_iter().find_map(|beside| Input::open(&beside).ok())
}

fn beside(path: &Path, extension: &str) -> [PathBuf; 2] {
    [extension.to_owned(), extension.to_uppercase()].map(|extension| path.with_extension(extension))
}

/// The geotransform of the first world file of the given extensions.
pub(super) fn world_file(path: &Path, extensions: &[&str]) -> Option<(PathBuf, [f64; 6])> {
    extensions.iter().find_map(|extension| {
        let (file, text) = text_beside(path, extension)?;
        Some((file, geotransform_of_world_file(&text)?))
    })
}

/// A world file's six numbers place the middle of the first pixel; a geotransform places its corner.
fn geotransform_of_world_file(text: &str) -> Option<[f64; 6]> {
    let numbers: Vec<f64> =
        text.split_whitespace().map_while(|word| word.trim_end_matches(',').parse().ok()).collect();
    let &[a, d, b, e, c, f] = numbers.as_slice() else { return None };
    Some([c - 0.5 * a - 0.5 * b, a, b, f - 0.5 * d - 0.5 * e, d, e])
}

/// The coordinate reference system of a `.prj` file.
pub(super) fn projection_file(path: &Path) -> Option<(PathBuf, PlaneCrs)> {
    let (file, text) = text_beside(path, "prj")?;
    let found = read_projection_text(&text)?;
    let crs = Crs { epsg: found.epsg, name: found.name, source: ".prj".into(), vertical: None };
    Some((file, PlaneCrs { crs, geographic: found.geographic, unit: found.unit }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_file_places_the_middle_of_the_first_pixel() {
        let found = geotransform_of_world_file("8.0\n0\n0\n-8.0\n504.0\n8996.0\n");
        assert_eq!(found, Some([500.0, 8.0, 0.0, 9000.0, 0.0, -8.0]));
        assert_eq!(geotransform_of_world_file("8.0\n0\n0"), None);
        assert_eq!(geotransform_of_world_file("words"), None);
    }
}
