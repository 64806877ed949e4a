//! Elevation of ROI_PAC, which makes interferograms: little-endian samples in `.dem`, described by words in `.dem.rsc`
//! beside it; either may be opened. After the description of ROI_PAC's files in its manual.

use super::decoded::{Decoded, PlaneCrs, epsg_crs};
use super::header_lines::HeaderLines;
use super::input::Input;
use super::interleaved::{Interleave, Interleaved};
use super::raster::ReadOptions;
use super::samples::Sample;
use super::sidecar;
use crate::error::{Error, Result};
use crate::geo::system_named;
use std::path::PathBuf;

/// The extension of samples. ROI_PAC's other products hold no elevation.
const SAMPLES: &str = "dem";
/// The extension of headers, after that of the samples.
const HEADER: &str = "rsc";

/// Whether such a header stands beside the samples, or is the file.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    options.raster_size.is_none()
        && header_of(input).is_some_and(|(_, text)| {
            let header = HeaderLines::new(&text, ' ');
            header.text("WIDTH").is_some() && header.text("FILE_LENGTH").is_some()
        })
}

/// The path and the text of the header, which may be the file itself.
fn header_of(input: &Input) -> Option<(PathBuf, String)> {
    let file = match input.extension().as_str() {
        HEADER => input.path.clone(),
        SAMPLES => sidecar::find_appended(&input.path, ".rsc")?,
        _ => return None,
    };
    let text = sidecar::text_of(&file).ok()?;
    Some((file, text))
}

/// Reads the one band.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let missing = || {
        let expected = "a .dem and a .dem.rsc side by side";
        Error::input("one file of ROI_PAC without the other", expected, "put the other file beside it")
    };
    let (header_path, text) = header_of(input).ok_or_else(missing)?;
    let beside = match input.extension().as_str() {
        HEADER => Some(Input::open(&header_path.with_extension("")).map_err(|_| missing())?),
        _ => None,
    };
    let header = HeaderLines::new(&text, ' ');
    let size = [header.count("WIDTH")?, header.count("FILE_LENGTH")?];
    let layout = Interleaved::packed(size, 1, Sample::I16, Interleave::Rows);
    let mut decoded = Decoded::new("ROI_PAC", input.path.clone(), size, layout.sample.name());
    decoded.files.push(beside.as_ref().map_or(header_path, |samples| samples.path.clone()));
    if !options.no_scale {
        decoded.scale = optional(&header, "Z_SCALE")?.unwrap_or(1.0);
        decoded.offset = optional(&header, "Z_OFFSET")?.unwrap_or(0.0);
    }
    layout.read(beside.as_ref().unwrap_or(input), None, options, &mut decoded)?;
    place(&header, &mut decoded)?;
    Ok(decoded)
}

fn optional(header: &HeaderLines, key: &str) -> Result<Option<f64>> {
    header.text(key).map(|_| header.number(key)).transpose()
}

/// The corner of the first pixel and the steps, in degrees or in a UTM zone; images in radar geometry have none.
fn place(header: &HeaderLines, decoded: &mut Decoded) -> Result<()> {
    let [x, dx, y, dy] = ["X_FIRST", "X_STEP", "Y_FIRST", "Y_STEP"].map(|key| optional(header, key));
    if let (Some(x), Some(dx), Some(y), Some(dy)) = (x?, dx?, y?, dy?) {
        decoded.geotransform = Some([x, dx, 0.0, y, 0.0, dy]);
    }
    decoded.crs = header.text("PROJECTION").and_then(|projection| system(header, projection, decoded));
    Ok(())
}

fn system(header: &HeaderLines, projection: &str, decoded: &mut Decoded) -> Option<PlaneCrs> {
    let datum = header.text("DATUM").unwrap_or_else(|| {
        decoded.notes.assume("The datum is taken as WGS84; the header names none.");
        "WGS84"
    });
    let name = match projection.strip_prefix("UTM") {
        Some(zone) => {
            decoded.notes.assume("The UTM zone is taken as a northern one; the header does not say.");
            format!("{datum} / UTM zone {}N", zone.trim())
        }
        None => (projection == "LL").then(|| datum.to_owned())?,
    };
    let code = system_named(&name)?.code;
    Some(epsg_crs(code, "the .rsc file", &mut decoded.notes))
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    const HEADER: &str = "WIDTH            3\nFILE_LENGTH      2\nPROJECTION       LL\nDATUM            WGS84\n\
        X_FIRST          10.5\nY_FIRST          20\nX_STEP           5e-1\nY_STEP           -0.25\n\
        Z_OFFSET         1.\nZ_SCALE          2\n";

    #[test]
    fn either_file_opens_a_dem_with_scale_and_offset() {
        let folder = TestFolder::new();
        let samples: Vec<u8> = [-3_i16, 0, 1, 2, 3, 256].iter().flat_map(|v| v.to_le_bytes()).collect();
        folder.write("a.dem.rsc", HEADER.as_bytes());
        let first = folder.read("a.dem", &samples).expect("read");
        let second = folder.read("a.dem.rsc", HEADER.as_bytes()).expect("read");
        for raster in [first, second] {
            assert_eq!(raster.heights, [-5.0, 1.0, 3.0, 5.0, 7.0, 513.0]);
            assert_eq!(raster.facts.geotransform, Some([10.5, 0.5, 0.0, 20.0, 0.0, -0.25]));
            assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(4326));
            assert_eq!((raster.facts.sample_type.as_str(), raster.facts.files.len()), ("i16", 2));
        }
    }

    #[test]
    fn a_zone_is_taken_as_a_northern_one() {
        let folder = TestFolder::new();
        folder.write("a.dem.rsc", HEADER.replace("LL", "UTM11").as_bytes());
        let facts = folder.read("a.dem", &[0; 12]).expect("read").facts;
        assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_611));
        assert!(facts.assumptions.iter().any(|text| text.contains("a northern one")));
    }

    #[test]
    fn malformed_files_are_refused() {
        let folder = TestFolder::new();
        let refused = |from: &str, to: &str| {
            folder.write("a.dem.rsc", HEADER.replace(from, to).as_bytes());
            message(folder.read("a.dem", &[0; 12]))
        };
        assert!(refused("         3", "         0").contains("WIDTH 0"));
        assert!(refused("         3", "4000000000").contains("12 bytes; band 1 of 4000000000×2"));
        assert!(refused("         3", "         4").contains("12 bytes; band 1 of 4×2 samples of i16"));
        assert!(refused("X_STEP           5e-1", "X_STEP           east").contains("X_STEP east"));
        let alone = TestFolder::new();
        assert!(message(alone.read("b.dem.rsc", HEADER.as_bytes())).contains("without the other"));
    }
}
