//! Files that are no terrain, or terrain in a format that is not read: refused by name.

use super::input::Input;
use crate::error::Error;

/// What to say of a format, and the bytes that begin its files.
const SIGNATURES: &[(&str, &[u8])] = &[
    ("a NumPy array", b"\x93NUMPY"),
    ("a JPEG picture", &[0xff, 0xd8, 0xff]),
    ("a JPEG 2000 picture", b"\0\0\0\x0cjP  "),
    ("a GIF picture", b"GIF8"),
    ("a Windows bitmap", b"BM"),
    ("a PGM picture", b"P2"),
    ("a PGM picture", b"P5"),
    ("a PPM picture", b"P6"),
    ("a PFM picture", b"Pf"),
    ("a DTED file", b"UHL1"),
    ("a DTED file", b"VOL1"),
    ("a Terragen terrain", b"TERRAGEN"),
    ("a Surfer ASCII grid", b"DSAA"),
    ("a Surfer 6 grid", b"DSBB"),
    ("a Surfer 7 grid", b"DSRB"),
    ("a Binary Terrain file", b"binterr"),
    ("a Leveller document", b"trrn"),
    ("an ERDAS Imagine file", b"EHFA_HEADER_TAG"),
    ("a PCRaster map", b"RUU CROSS SYSTEM MAP FORMAT"),
    ("an ENVI header", b"ENVI"),
    ("a Lerc blob", b"Lerc2 "),
    ("a Lerc blob", b"CntZImage "),
    ("a GRIB file", b"GRIB"),
    ("a GDAL virtual raster", b"<VRTDataset"),
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
pub(super) const READ: &str =
    "GeoTIFF, SRTM .hgt, ESRI ASCII grid, netCDF, PNG, EXR, tiles of terrain-RGB or raw samples";

/// The error for a file that no reader takes.
pub(super) fn refusal(input: &Input) -> Error {
    // Before the signatures, some of which a free text may begin with.
    if let Some(name) = unsigned(input) {
        return Error::input(
            format!("{name}, elevation in a format that is not read yet"),
            READ,
            "convert it to GeoTIFF, for example with gdal_translate",
        );
    }
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

/// Formats of elevation that no first bytes tell.
fn unsigned(input: &Input) -> Option<&'static str> {
    if is_usgs_dem(&input.head) {
        return Some("a USGS DEM");
    }
    (input.is_text() && are_points(&input.head)).then_some("a list of XYZ points")
}

/// Whether a first record of a USGS DEM stands here: after a free text, numbers in six columns each for the pattern
/// of its elevations and its plane coordinate system.
fn is_usgs_dem(head: &[u8]) -> bool {
    const PATTERNS: [i32; 2] = [1, 4];
    const SYSTEMS: [i32; 5] = [-9999, 0, 1, 2, 3];
    let number = |columns: std::ops::Range<usize>| -> Option<i32> {
        std::str::from_utf8(head.get(columns)?).ok()?.trim_start().parse().ok()
    };
    number(150..156).is_some_and(|pattern| PATTERNS.contains(&pattern))
        && number(156..162).is_some_and(|system| SYSTEMS.contains(&system))
}

/// Whether every line but a heading is three numbers. The last line may be cut off.
fn are_points(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut lines = whole.lines().filter(|line| !line.trim().is_empty()).peekable();
    if lines.peek().is_some_and(|line| !line.contains(|c: char| c.is_ascii_digit())) {
        lines.next();
    }
    lines.peek().is_some() && lines.all(is_point)
}

fn is_point(line: &str) -> bool {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let words: Vec<&str> = line.split(is_gap).filter(|word| !word.is_empty()).collect();
    words.len() == 3 && words.iter().all(|word| word.parse::<f64>().is_ok())
}

fn signature(input: &Input) -> Option<&'static str> {
    if input.head.get(257..262) == Some(b"ustar") {
        return Some("a tar archive");
    }
    SIGNATURES.iter().find(|entry| input.head.starts_with(entry.1)).map(|entry| entry.0)
}
