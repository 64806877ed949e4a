//! Which reader a file goes to: the one table of formats.

use super::decoded::Decoded;
use super::foreign;
use super::input::Input;
use super::raster::ReadOptions;
use super::tiles::{mbtiles, pmtiles};
use super::{
    archive, ascii_grid, bt, dted, ehdr, envi, exr, geotiff, grass_ascii, gtx, hgt, kro, leveller, netcdf,
    npy, pcraster, png, pnm, raw, roi_pac, rraster, saga, surfer, terragen, usgs_dem, vrt, webp, xyz, zmap,
};
use crate::error::{Error, Result};

/// Reads one format.
pub(super) type Reader = fn(&Input, &ReadOptions) -> Result<Decoded>;

/// One format that can be read: its short name, what tells it apart, and its reader.
struct Format {
    name: &'static str,
    recognises: fn(&Input, &ReadOptions) -> bool,
    read: Reader,
}

/// The short name of the last format, which takes what says nothing about itself.
const HEADERLESS: &str = "raw";

/// Lists formats by their modules, which give them their names.
macro_rules! formats {
    ($($module:ident),* $(,)?) => {
        /// Every format, tried in this order: first those that content alone tells, then those that need a name
        /// or the caller's word. A new format is one more word.
        const FORMATS: &[Format] = &[$(Format {
            name: stringify!($module),
            recognises: $module::recognises,
            read: $module::read,
        }),*];
    };
}

formats![
    geotiff,
    png,
    webp,
    exr,
    netcdf,
    mbtiles,
    pmtiles,
    envi,
    archive,
    vrt,
    terragen,
    surfer,
    pnm,
    npy,
    bt,
    pcraster,
    kro,
    saga,
    rraster,
    dted,
    leveller,
    ehdr,
    roi_pac,
    ascii_grid,
    grass_ascii,
    zmap,
    usgs_dem,
    xyz,
    gtx,
    hgt,
    raw,
];

/// The short names of all readers, in the order in which they are tried.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.name)
}

/// The short name of the reader that takes a file.
///
/// # Errors
/// As [`reader_of`].
pub(super) fn name_of(input: &Input, options: &ReadOptions) -> Result<&'static str> {
    format_of(input, options).map(|format| format.name)
}

/// The reader of a short name.
///
/// # Errors
/// A name of no reader.
pub(super) fn reader_named(name: &str) -> Result<Reader> {
    FORMATS.iter().find(|format| format.name == name).map(|format| format.read).ok_or_else(|| {
        let names: Vec<&str> = names().collect();
        Error::usage(format!("the format \u{201c}{name}\u{201d}"), names.join(", "), "choose one of them")
    })
}

/// The reader of a file.
///
/// # Errors
/// A file of a format that is known but not read, or of no known format.
pub(super) fn reader_of(input: &Input, options: &ReadOptions) -> Result<Reader> {
    format_of(input, options).map(|format| format.read)
}

fn format_of(input: &Input, options: &ReadOptions) -> Result<&'static Format> {
    FORMATS.iter().find(|format| (format.recognises)(input, options)).ok_or_else(|| foreign::refusal(input))
}

/// Whether a file says nothing about itself and is read all the same.
pub(super) fn is_headerless(input: &Input, options: &ReadOptions) -> bool {
    name_of(input, options).is_ok_and(|name| name == HEADERLESS)
}
