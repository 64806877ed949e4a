//! From bytes to a raster: one file a format, sniffed by content; what was assumed is told.

mod archive;
mod ascii_grid;
mod block;
#[cfg(test)]
mod broken_tests;
mod bt;
mod checksum;
mod control_points;
mod decoded;
mod dted;
mod ehdr;
mod empties;
mod envi;
mod exr;
mod foreign;
mod geotiff;
mod grass_ascii;
mod gtx;
mod header_beside;
mod header_lines;
mod hgt;
mod input;
mod interleaved;
mod kro;
mod layout;
mod leveller;
mod mosaic;
mod netcdf;
mod notices;
mod npy;
mod orientation;
mod pcraster;
mod place;
mod plane_crs;
mod png;
mod pnm;
mod raster;
mod raw;
mod recognise;
mod roi_pac;
mod rraster;
mod saga;
mod samples;
mod sidecar;
mod smooth;
mod spacing;
mod statistics;
mod surfer;
mod terragen;
mod terrain_rgb;
#[cfg(test)]
mod test_files;
mod text_values;
mod tiles;
mod usgs_dem;
mod vrt;
mod webp;
mod xyz;
mod zmap;

pub use mosaic::read_mosaic;
pub use orientation::Orientation;
pub use raster::{
    ByteOrder, Crs, Facts, HeightUnit, PixelIs, PlanUnit, Raster, ReadOptions, RowOrder, SampleType,
    Statistics, Vertical, Warning,
};
pub use raw::{Answers, Guess, Reading};

use crate::error::Result;
use std::path::Path;

/// Reads a terrain file of any format that is known, recognised by its content; or the tiles of a folder, as one terrain.
///
/// # Errors
/// A file that is missing, unreadable, of no known format or malformed; a headerless file without the facts
/// that only the caller can give; tiles that do not go together.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Raster> {
    let raster = if path.is_dir() {
        mosaic::read_folder(path, options)
    } else {
        decode(path, options).and_then(|decoded| decoded.finish(options))
    };
    raster.map_err(|error| error.in_file(path))
}

/// What a file holds, with the caller's word taken over the file's.
fn decode(path: &Path, options: &ReadOptions) -> Result<decoded::Decoded> {
    let input = input::Input::open(path)?;
    decode_by(recognise::reader_of(&input, options)?, &input, options)
}

fn decode_by(
    reader: recognise::Reader,
    input: &input::Input,
    options: &ReadOptions,
) -> Result<decoded::Decoded> {
    let mut decoded = place::read(reader, input, options)?;
    decoded.settle(options)?;
    Ok(decoded)
}

/// Short names of all readers.
pub fn reader_names() -> impl Iterator<Item = &'static str> {
    recognise::names()
}

/// The short name of the reader that a file goes to.
///
/// # Errors
/// A file that is missing, unreadable or of no format that is read.
pub fn reader_name(path: &Path, options: &ReadOptions) -> Result<&'static str> {
    input::Input::open(path)
        .and_then(|input| recognise::name_of(&input, options))
        .map_err(|error| error.in_file(path))
}

/// Reads a file by the reader of a short name, whatever the file looks like.
///
/// # Errors
/// As [`read`], and a name of no reader.
pub fn read_as(name: &str, path: &Path, options: &ReadOptions) -> Result<Raster> {
    input::Input::open(path)
        .and_then(|input| decode_by(recognise::reader_named(name)?, &input, options))
        .and_then(|decoded| decoded.finish(options))
        .map_err(|error| error.in_file(path))
}

/// What is made of a headerless file, within what the options say; `None` of a file that says itself what it is, and where
/// no reading agrees with the options.
///
/// # Errors
/// A file that is missing or unreadable.
pub fn guess(path: &Path, options: &ReadOptions) -> Result<Option<Guess>> {
    let guess = |input: input::Input| match recognise::is_headerless(&input, options) {
        true => raw::guess(&input, options),
        false => Ok(None),
    };
    input::Input::open(path).and_then(guess).map_err(|error| error.in_file(path))
}

/// What a file holds, without its heights.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Everything that is told about the file.
    pub facts: Facts,
    /// SHA-256 of the heights as [`Raster::checksum`] gives it, where it was asked for.
    pub sha256: Option<String>,
}

impl Raster {
    /// The facts alone, with the checksum where it is asked for.
    pub fn into_survey(self, checksum: bool) -> Survey {
        let sha256 = checksum.then(|| self.checksum());
        Survey { facts: self.facts, sha256 }
    }
}

/// The facts that [`read`] gives. A GeoTIFF may be larger than memory: its heights are gone through and not kept.
///
/// # Errors
/// As [`read`].
pub fn survey(path: &Path, options: &ReadOptions, checksum: bool) -> Result<Survey> {
    if !path.is_dir()
        && let Some(survey) = survey_tiff(path, options, checksum).map_err(|error| error.in_file(path))?
    {
        return Ok(survey);
    }
    Ok(read(path, options)?.into_survey(checksum))
}

fn survey_tiff(path: &Path, options: &ReadOptions, checksum: bool) -> Result<Option<Survey>> {
    let input = input::Input::open(path)?;
    let is_tiff = geotiff::recognises(&input, options);
    if is_tiff { geotiff::survey(&input, options, checksum) } else { Ok(None) }
}

/// A coarse picture of about `most_samples` of a large GeoTIFF, to be looked at while [`read`] reads the whole: the same
/// ground at a wider spacing. `None` for anything that is read fast enough, or can only be read as a whole.
///
/// # Errors
/// As [`read`].
pub fn preview(path: &Path, options: &ReadOptions, most_samples: usize) -> Result<Option<Raster>> {
    let look = |input: input::Input| {
        let is_tiff = geotiff::recognises(&input, options);
        if is_tiff { geotiff::preview(&input, options, most_samples) } else { Ok(None) }
    };
    input::Input::open(path).and_then(look).map_err(|error| error.in_file(path))
}

#[cfg(test)]
mod tests {
    use super::test_files::{TestFolder, message};
    use super::*;

    /// The keys that `info --json` promises of a file's facts.
    const KEYS: &str = "file format files size type compression predictor band crs geotransform pixel_is \
        spacing_m nodata nodata_rule scale offset unit unit_m unit_source valid empty raw_min raw_max min max \
        mean stddev assumptions warnings";

    #[test]
    fn facts_have_every_key_and_never_a_nan() {
        let folder = TestFolder::new();
        for text in ["1 2 3 4", "nan nan nan nan", "inf 1e40 -1e40 5"] {
            let text = format!("ncols 2\nnrows 2\ncellsize 1\nNODATA_value nan\n{text}");
            let raster = folder.read("a.asc", text.as_bytes()).expect("read");
            let json = serde_json::to_value(&raster.facts).expect("serialised");
            let keys = json.as_object().expect("an object");
            assert!(KEYS.split_whitespace().all(|key| keys.contains_key(key)));
            assert_eq!(keys.len(), KEYS.split_whitespace().count());
            assert!(!json.to_string().contains(":NaN"));
            assert_eq!(json["min"].is_null(), raster.facts.statistics.valid == 0);
        }
    }

    #[test]
    fn the_checksum_is_that_of_the_heights_as_given() {
        let text = "ncols 2\nnrows 1\ncellsize 1\nNODATA_value -1\n1 -1";
        let raster = TestFolder::new().read("a.asc", text.as_bytes()).expect("read");
        // SHA-256 of the bytes 00 00 80 3f 00 00 c0 7f.
        assert_eq!(raster.checksum(), CHECKSUM);
    }

    const CHECKSUM: &str = "c5a9838fc5dcd30b553f91b142049c4fd057c83c043c7534ef12c4bc9439041d";

    #[test]
    fn files_that_are_no_terrain_are_named() {
        let folder = TestFolder::new();
        let refusal = |name: &str, content: &[u8]| message(folder.read(name, content));
        assert!(refusal("a.exr", &[0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0]).contains("a broken OpenEXR picture"));
        assert!(refusal("a.nc", b"\x89HDF\r\n\x1a\n").contains("a broken netCDF or HDF5 file"));
        assert!(refusal("a.txt", b"a b c\nd e f\n").contains("not elevation data"));
        assert!(refusal("a.txt", b"0 0\n1 0\n").contains("not elevation data"));
        assert!(refusal("a.tif", b"").contains("an empty file"));
        assert!(refusal("a.tif", b"Not found").contains("starts with text \"Not found\""));
        assert!(refusal("a.dat", &[0, 1, 2, 3]).contains("starts with bytes 00 01 02 03"));
        assert!(message(read(Path::new("/nowhere/a.tif"), &ReadOptions::default())).contains("no such file"));
        let folder = tempfile::tempdir().expect("a folder");
        let told = message(read(folder.path(), &ReadOptions::default()));
        assert!(told.contains("a folder without files; terrain files right in it"), "{told}");
    }

    #[test]
    fn content_decides_and_not_the_name() {
        let text = "ncols 2\nnrows 2\ncellsize 1\n1 2 3 4";
        let raster = TestFolder::new().read("a.tif", text.as_bytes()).expect("read");
        assert_eq!(raster.facts.format, "ESRI ASCII grid");
    }
}
