//! Which reader a file goes to: the one table of formats.

use super::decoded::Decoded;
use super::foreign;
use super::input::Input;
use super::raster::ReadOptions;
use super::{ascii_grid, geotiff, hgt, png, raw};
use crate::error::Result;

/// Reads one format.
pub(super) type Reader = fn(&Input, &ReadOptions) -> Result<Decoded>;

/// One format that can be read: what tells it apart, and its reader.
struct Format {
    recognises: fn(&Input, &ReadOptions) -> bool,
    read: Reader,
}

/// Every format that says what it is, tried in this order: first those that content alone tells, then those that need a
/// name. A new format is one more row. What no row takes may be headerless.
const FORMATS: &[Format] = &[
    Format { recognises: geotiff::recognises, read: geotiff::read },
    Format { recognises: png::recognises, read: png::read },
    Format { recognises: ascii_grid::recognises, read: ascii_grid::read },
    Format { recognises: hgt::recognises, read: hgt::read },
];

/// The reader of a file.
///
/// # Errors
/// A file of a format that is known but not read, or of no known format.
pub(super) fn reader_of(input: &Input, options: &ReadOptions) -> Result<Reader> {
    match format_of(input, options) {
        Some(format) => Ok(format.read),
        None if raw::recognises(input, options) => Ok(raw::read),
        None => Err(foreign::refusal(input)),
    }
}

/// Whether a file says nothing about itself and is read all the same.
pub(super) fn is_headerless(input: &Input, options: &ReadOptions) -> bool {
    format_of(input, options).is_none() && raw::recognises(input, options)
}

fn format_of(input: &Input, options: &ReadOptions) -> Option<&'static Format> {
    FORMATS.iter().find(|format| (format.recognises)(input, options))
}
