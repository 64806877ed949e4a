//! Files that are no terrain, or terrain in a format that is not read: refused by name.

use super::input::Input;
use crate::error::Error;

/// What to say of a format, and the bytes that begin its files.
const SIGNATURES: &[(&str, &[u8])] = &[
    ("a JPEG picture", &[0xff, 0xd8, 0xff]),
    ("a JPEG 2000 picture", b"\0\0\0\x0cjP  "),
    ("a GIF picture", b"GIF8"),
    ("a Windows bitmap", b"BM"),
    ("a PPM picture", b"P6"),
    ("a PFM picture in colour", b"PF"),
    ("a Leveller document", b"trrn"),
    ("a Northwood grid", b"HGPC1"),
    ("a Magellan BLX map", &[0x04, 0, 0x66, 0]),
    ("a Magellan BLX map", &[0, 0x04, 0, 0x66]),
    ("an ERDAS Imagine file", b"EHFA_HEADER_TAG"),
    ("an ENVI header without its samples", b"ENVI"),
    ("a Lerc blob", b"Lerc2 "),
    ("a Lerc blob", b"CntZImage "),
    ("a GRIB file", b"GRIB"),
    ("a web page", b"<!DOCTYPE html"),
    ("a web page", b"<html"),
    ("an XML document", b"<?xml"),
    ("a PDF document", b"%PDF"),
    ("a 7-Zip archive", b"7z\xbc\xaf\x27\x1c"),
    ("a point cloud in LAS", b"LASF"),
    ("a TIFF header of an unknown version", b"II"),
    ("a TIFF header of an unknown version", b"MM"),
];

/// The formats that are read, for messages.
pub(super) const READ: &str = "GeoTIFF, HGT, DTED, USGS DEM, grids of text or floats, netCDF, PNG, EXR, tiles of terrain-RGB or raw samples";

/// The error for a file that no reader takes.
pub(super) fn refusal(input: &Input) -> Error {
    if let Some(name) = signature(input) {
        return Error::input(name, READ, "convert it, for example with gdal_translate");
    }
    if input.is_text() {
        return Error::input(
            format!("not elevation data, starts with text \"{}\"", input.first_words()),
            READ,
            "check where the file came from",
        );
    }
    let first: Vec<String> = input.head.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    Error::input(
        format!("no known format, starts with bytes {}", first.join(" ")),
        READ,
        "for headerless samples give --raster-size and --type",
    )
}

fn signature(input: &Input) -> Option<&'static str> {
    if input.head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    SIGNATURES.iter().find(|entry| input.head.starts_with(entry.1)).map(|entry| entry.0)
}
