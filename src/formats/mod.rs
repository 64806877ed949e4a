//! From bytes to a raster: one file a format, sniffed by content; what was assumed is told.

mod ascii_grid;
mod decoded;
mod empties;
mod foreign;
mod geotiff;
mod hgt;
mod input;
mod orientation;
mod png;
mod raster;
mod raw;
mod recognise;
mod samples;
mod sidecar;
mod spacing;
mod statistics;
mod terrain_rgb;
#[cfg(test)]
mod test_files;

pub use orientation::Orientation;
pub use raster::{
    ByteOrder, Crs, Facts, HeightUnit, PixelIs, Raster, ReadOptions, RowOrder, SampleType, Statistics,
    Vertical, Warning,
};

use crate::error::Result;
use std::path::Path;

/// Reads a terrain file of any format that is known, recognised by its content.
///
/// # Errors
/// A file that is missing, unreadable, of no known format or malformed; a headerless file without the facts that only
/// the caller can give.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Raster> {
    input::Input::open(path)
        .and_then(|input| recognise::reader_of(&input, options)?(&input, options))
        .and_then(|decoded| decoded.into_raster(options))
        .map_err(|error| error.in_file(path))
}
