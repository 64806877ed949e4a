//! The grids of R's `raster` package: samples in `.gri`, described by lines in `.grd` beside it; either may be
//! opened. After the package's own description of its format.

use super::block::Block;
use super::decoded::{Decoded, Notes, PlaneCrs};
use super::empties::EmptyValue;
use super::header_lines::HeaderLines;
use super::input::Input;
use super::layout::{Order, from_edges};
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use super::sidecar;
use crate::error::{Error, Result};
use crate::geo::read_projection_text;

/// How a header begins.
const FIRST_LINE: &str = "[general]";

/// Whether the file is such a header, or samples beside one.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let is_header = |text: &str| text.trim_start().starts_with(FIRST_LINE) && text.contains("[georeference]");
    let beside = || sidecar::text_beside(&input.path, "grd");
    is_header(input.head_text())
        || (input.extension() == "gri" && beside().is_some_and(|found| is_header(&found.1)))
}

/// Reads a grid of one band, or one of several that follow one another.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let missing = || {
        Error::input(
            "one file of an R raster without the other",
            "a .grd and a .gri side by side",
            "put the other file beside it",
        )
    };
    let (header_path, text) = sidecar::text_beside(&input.path, "grd").ok_or_else(missing)?;
    let data = match input.extension().as_str() {
        "gri" => None,
        _ => Some(sidecar::input_beside(&input.path, "gri").ok_or_else(missing)?),
    };
    let header = HeaderLines::new(&text, '=');
    let size = [header.count("ncols")?, header.count("nrows")?];
    let sample = sample_of(header.text("datatype").unwrap_or_default())?;
    let mut decoded = Decoded::new("R raster", input.path.clone(), size, sample.name());
    decoded.files.push(data.as_ref().map_or(header_path, |data| data.path.clone()));
    decoded.band = choose_band(&header, options)?;
    let is_big = header.text("byteorder").is_some_and(|order| order.eq_ignore_ascii_case("big"));
    let band_bytes =
        u64::from(size[0]).saturating_mul(u64::from(size[1])).saturating_mul(sample.bytes() as u64);
    let block = Block {
        size,
        sample,
        endian: if is_big { Endian::Big } else { Endian::Little },
        start: band_bytes.saturating_mul(u64::from(decoded.band) - 1),
        order: Order::Rows(RowOrder::Top),
    };
    let declared = header.text("nodatavalue").and_then(EmptyValue::parse);
    block.read(data.as_ref().unwrap_or(input), declared, options, &mut decoded)?;
    let x = [header.number("xmin")?, header.number("xmax")?];
    let y = [header.number("ymin")?, header.number("ymax")?];
    decoded.geotransform = Some(from_edges(size, x, y));
    decoded.crs = projection(&header, &mut decoded.notes);
    Ok(decoded)
}

fn choose_band(header: &HeaderLines, options: &ReadOptions) -> Result<u32> {
    let bands = if header.text("nbands").is_some() { header.count("nbands")? } else { 1 };
    let follow = header.text("bandorder").is_some_and(|order| order.eq_ignore_ascii_case("BSQ"));
    if bands > 1 && !follow {
        return Err(Error::input(
            format!("an R raster of {bands} bands side by side"),
            "one band, or bandorder=BSQ",
            "save one layer of it",
        ));
    }
    match options.band.unwrap_or(1) {
        band if (1..=bands).contains(&band) => Ok(band),
        band => Err(Error::usage(
            format!("band {band} is asked for"),
            format!("1 to {bands}, the bands of the raster"),
            "correct --band",
        )),
    }
}

/// Newer files give well-known text, older ones PROJ's.
fn projection(header: &HeaderLines, notes: &mut Notes) -> Option<PlaneCrs> {
    let found = ["wkt", "projection"].iter().find_map(|key| read_projection_text(header.text(key)?))?;
    Some(PlaneCrs::of_text(found, ".grd", notes))
}

fn sample_of(name: &str) -> Result<Sample> {
    match name {
        "INT1U" | "LOG1S" => Ok(Sample::U8),
        "INT1S" => Ok(Sample::I8),
        "INT2U" => Ok(Sample::U16),
        "INT2S" => Ok(Sample::I16),
        "INT4U" => Ok(Sample::U32),
        "INT4S" => Ok(Sample::I32),
        "FLT4S" => Ok(Sample::F32),
        "FLT8S" => Ok(Sample::F64),
        other => Err(Error::input(
            format!("R raster samples of type {}", other.chars().take(20).collect::<String>()),
            "INT1U to INT4S, FLT4S or FLT8S",
            "save the raster with another datatype",
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::ReadOptions;
    use crate::formats::test_files::{TestFolder, message};

    const HEADER: &str = "[general]\ncreator=R\n[georeference]\nnrows=2\nncols=3\nxmin=10\nymin=20\nxmax=16\n\
        ymax=26\n[data]\ndatatype=INT2S\nbyteorder=big\nnbands=1\nnodatavalue=-9999\n";

    fn samples() -> Vec<u8> {
        [1_i16, 2, 3, -9999, 5, 6].iter().flat_map(|value| value.to_be_bytes()).collect()
    }

    #[test]
    fn either_file_opens_the_grid() {
        let folder = TestFolder::new();
        folder.write("a.gri", &samples());
        let first = folder.read("a.grd", HEADER.as_bytes()).expect("read");
        let second = folder.read("a.gri", &samples()).expect("read");
        for raster in [first, second] {
            assert_eq!((raster.heights[0], raster.heights[5], raster.facts.statistics.empty), (1.0, 6.0, 1));
            assert_eq!(raster.facts.geotransform, Some([10.0, 2.0, 0.0, 26.0, 0.0, -3.0]));
            assert_eq!((raster.facts.sample_type.as_str(), raster.facts.files.len()), ("i16", 2));
        }
    }

    #[test]
    fn bands_may_follow_one_another() {
        let folder = TestFolder::new();
        let two = |order: &str| HEADER.replace("nbands=1", &format!("nbands=2\nbandorder={order}"));
        folder.write("a.gri", &[samples(), 7_i16.to_be_bytes().repeat(6)].concat());
        let options = ReadOptions { band: Some(2), ..ReadOptions::default() };
        let raster = folder.read_with("a.grd", two("BSQ").as_bytes(), &options).expect("read");
        assert_eq!((raster.heights[0], raster.facts.band), (7.0, 2));
        assert!(message(folder.read("a.grd", two("BIL").as_bytes())).contains("2 bands side by side"));
        let error = folder.read_with("a.grd", HEADER.as_bytes(), &options).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn the_system_is_read_from_the_header() {
        let folder = TestFolder::new();
        folder.write("a.gri", &samples());
        let text = r#"wkt=GEOGCRS["WGS 84",UNIT["degree",0.01745],ID["EPSG",4326]]"#;
        let raster = folder.read("a.grd", format!("{HEADER}{text}\n").as_bytes()).expect("read");
        assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(4326));
    }

    #[test]
    fn malformed_rasters_are_refused() {
        let folder = TestFolder::new();
        let refused = |text: &str| message(folder.read("a.grd", text.as_bytes()));
        assert!(refused(HEADER).contains("without the other"));
        folder.write("a.gri", &samples()[..11]);
        assert!(refused(HEADER).contains("11 bytes; 3×2 samples of i16"));
        assert!(refused(&HEADER.replace("INT2S", "CPLX")).contains("type CPLX"));
        assert!(refused(&HEADER.replace("nrows=2", "nrows=-2")).contains("nrows -2"));
        assert!(refused(&HEADER.replace("INT2S", "INT1U").replace("xmin=10", "")).contains("without xmin"));
    }
}
