//! Which reader a file goes to: the one table of formats.

use super::decoded::Decoded;
use super::foreign;
use super::input::Input;
use super::raster::ReadOptions;
use super::{archive, ascii_grid, exr, geotiff, hgt, netcdf, png, raw, tiles, webp};
use crate::error::Result;

/// Reads one format.
pub(super) type Reader = fn(&Input, &ReadOptions) -> Result<Decoded>;

/// One format that can be read: what tells it apart, and its reader.
struct Format {
    recognises: fn(&Input, &ReadOptions) -> bool,
    read: Reader,
}

/// Every format, tried in this order: first those that content alone tells, then those that need a name or
/// the caller's word. A new format is one more row.
const FORMATS: &[Format] = &[
    Format { recognises: geotiff::recognises, read: geotiff::read },
    Format { recognises: png::recognises, read: png::read },
    Format { recognises: webp::recognises, read: webp::read },
    Format { recognises: exr::recognises, read: exr::read },
    Format { recognises: netcdf::recognises, read: netcdf::read },
    Format { recognises: tiles::mbtiles::recognises, read: tiles::mbtiles::read },
    Format { recognises: tiles::pmtiles::recognises, read: tiles::pmtiles::read },
    Format { recognises: archive::recognises, read: archive::read },
    Format { recognises: ascii_grid::recognises, read: ascii_grid::read },
    Format { recognises: hgt::recognises, read: hgt::read },
    Format { recognises: raw::recognises, read: raw::read },
];

/// The reader of a file.
///
/// # Errors
/// A file of a format that is known but not read, or of no known format.
pub(super) fn reader_of(input: &Input, options: &ReadOptions) -> Result<Reader> {
    match FORMATS.iter().find(|format| (format.recognises)(input, options)) {
        Some(format) => Ok(format.read),
        None => Err(foreign::refusal(input)),
    }
}
