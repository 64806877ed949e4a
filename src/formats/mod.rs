//! From bytes to a raster: one file a format, sniffed by content; what was assumed is told.

mod archive;
mod ascii_grid;
mod decoded;
mod empties;
mod exr;
mod foreign;
mod geotiff;
mod hgt;
mod input;
mod netcdf;
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
mod tiles;
mod webp;

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
/// A file that is missing, unreadable, of no known format or malformed; a headerless file without the facts
/// that only the caller can give.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Raster> {
    input::Input::open(path)
        .and_then(|input| recognise::reader_of(&input, options)?(&input, options))
        .and_then(|decoded| decoded.into_raster(options))
        .map_err(|error| error.in_file(path))
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
        let dem = format!("{:144}{:6}{:6}{:6}{:6}", "MM HILL, WASH.", 1, 1, 1, 10);
        assert!(
            refusal("a.dem", dem.as_bytes())
                .contains("a USGS DEM, elevation in a format that is not read yet")
        );
        for points in ["504 8996 869\n512 8996 869.1\n520 8", "X,Y,Z\n504,8996,1333.1\n"] {
            let told = refusal("a.xyz", points.as_bytes());
            assert!(
                told.contains("a list of XYZ points") && told.contains("convert it to GeoTIFF"),
                "{told}"
            );
        }
        assert!(refusal("a.txt", b"a b c\nd e f\n").contains("not elevation data"));
        assert!(refusal("a.txt", b"0 0\n1 0\n").contains("not elevation data"));
        assert!(refusal("a.tif", b"").contains("an empty file"));
        assert!(refusal("a.tif", b"Not found").contains("starts with text \"Not found\""));
        assert!(refusal("a.dat", &[0, 1, 2, 3]).contains("starts with bytes 00 01 02 03"));
        assert!(message(read(Path::new("/nowhere/a.tif"), &ReadOptions::default())).contains("no such file"));
        let folder = std::env::temp_dir();
        assert!(message(read(&folder, &ReadOptions::default())).contains("a folder"));
    }

    #[test]
    fn content_decides_and_not_the_name() {
        let text = "ncols 2\nnrows 2\ncellsize 1\n1 2 3 4";
        let raster = TestFolder::new().read("a.tif", text.as_bytes()).expect("read");
        assert_eq!(raster.facts.format, "ESRI ASCII grid");
    }
}
