//! SAGA grids: samples in `.sdat`, described by lines in `.sgrd` beside it; either may be opened. After the
//! format's description in the SAGA manual.

use super::block::Block;
use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::header_lines::HeaderLines;
use super::input::Input;
use super::layout::{Order, from_nodes};
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use super::sidecar;
use crate::error::{Error, Result};
use crate::geo::LengthUnit;
use std::path::PathBuf;

/// Extensions of the header and of the samples.
const EXTENSIONS: [&str; 2] = ["sgrd", "sdat"];

/// Whether the file is a header of SAGA's, or samples beside one.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let is_header = |text: &str| {
        let header = HeaderLines::new(text, '=');
        header.text("DATAFORMAT").is_some() && header.text("CELLCOUNT_X").is_some()
    };
    is_header(input.head_text()) || (input.extension() == EXTENSIONS[1] && header_beside(input).is_some())
}

fn header_beside(input: &Input) -> Option<(PathBuf, String)> {
    sidecar::text_beside(&input.path, EXTENSIONS[0])
}

/// Reads a SAGA grid.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let missing = |extension: &str| {
        Error::input(
            format!("a SAGA grid without its .{extension} file"),
            "both files side by side",
            "put the other file beside it",
        )
    };
    let (header_path, text) = header_beside(input).ok_or_else(|| missing(EXTENSIONS[0]))?;
    let data = match input.extension().as_str() {
        "sdat" => None,
        _ => Some(sidecar::input_beside(&input.path, EXTENSIONS[1]).ok_or_else(|| missing(EXTENSIONS[1]))?),
    };
    let header = HeaderLines::new(&text, '=');
    let size = [header.count("CELLCOUNT_X")?, header.count("CELLCOUNT_Y")?];
    let sample = sample_of(header.text("DATAFORMAT").unwrap_or_default())?;
    let is_true = |key: &str| header.text(key).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let block = Block {
        size,
        sample,
        endian: if is_true("BYTEORDER_BIG") { Endian::Big } else { Endian::Little },
        start: header.text("DATAFILE_OFFSET").and_then(|bytes| bytes.parse().ok()).unwrap_or(0),
        order: Order::Rows(if is_true("TOPTOBOTTOM") { RowOrder::Top } else { RowOrder::Bottom }),
    };
    let mut decoded = Decoded::new("SAGA grid", input.path.clone(), size, sample.name());
    decoded.files.push(data.as_ref().map_or(header_path, |data| data.path.clone()));
    if header.text("Z_FACTOR").is_some() && !options.no_scale {
        decoded.scale = header.number("Z_FACTOR")?;
    }
    let declared = header.text("NODATA_VALUE").and_then(EmptyValue::parse);
    block.read(data.as_ref().unwrap_or(input), declared, options, &mut decoded)?;
    place(&header, &mut decoded)?;
    let unit = header.text("UNIT").and_then(LengthUnit::from_name);
    decoded.unit = unit.map(|unit| (unit, ".sgrd".into()));
    Ok(decoded)
}

/// The header gives the south-western node and one step for both axes.
fn place(header: &HeaderLines, decoded: &mut Decoded) -> Result<()> {
    let [west, south] = [header.number("POSITION_XMIN")?, header.number("POSITION_YMIN")?];
    let step = header.number("CELLSIZE")?;
    let [east, north] = [(west, 0), (south, 1)].map(|(least, axis)| {
        let steps: f64 = f64::from(decoded.size[axis]) - 1.0;
        least + step * steps
    });
    decoded.geotransform = from_nodes(decoded.size, [west, east], [south, north]);
    Ok(())
}

fn sample_of(name: &str) -> Result<Sample> {
    match name.to_ascii_uppercase().as_str() {
        "BYTE_UNSIGNED" => Ok(Sample::U8),
        "BYTE" => Ok(Sample::I8),
        "SHORTINT_UNSIGNED" => Ok(Sample::U16),
        "SHORTINT" => Ok(Sample::I16),
        "INTEGER_UNSIGNED" => Ok(Sample::U32),
        "INTEGER" => Ok(Sample::I32),
        "FLOAT" => Ok(Sample::F32),
        "DOUBLE" => Ok(Sample::F64),
        other => Err(Error::input(
            format!("SAGA samples of type {}", other.chars().take(20).collect::<String>()),
            "integers of 1, 2 or 4 bytes, or floats",
            "save the grid with another type",
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    fn header(format: &str, order: &str) -> String {
        format!(
            "NAME\t= test\nUNIT\t= ft\nDATAFILE_OFFSET\t= 1\nDATAFORMAT\t= {format}\nBYTEORDER_BIG\t= TRUE\n\
            POSITION_XMIN\t= 10.0\nPOSITION_YMIN\t= 20.0\nCELLCOUNT_X\t= 3\nCELLCOUNT_Y\t= 2\nCELLSIZE\t= 2.0\n\
            Z_FACTOR\t= 2.0\nNODATA_VALUE\t= -99999.0\nTOPTOBOTTOM\t= {order}\n"
        )
    }

    fn samples() -> Vec<u8> {
        let values = [1.0_f32, 2.0, 3.0, -99999.0, 5.0, 6.0];
        [vec![0], values.iter().flat_map(|value| value.to_be_bytes()).collect()].concat()
    }

    #[test]
    fn either_file_opens_the_grid() {
        let folder = TestFolder::new();
        folder.write("a.sdat", &samples());
        let first = folder.read("a.sgrd", header("FLOAT", "FALSE").as_bytes()).expect("read");
        let second = folder.read("a.sdat", &samples()).expect("read");
        for raster in [&first, &second] {
            assert_eq!(raster.heights[1..], [10.0, 12.0, 2.0, 4.0, 6.0]);
            assert!(raster.heights[0].is_nan());
            assert_eq!(raster.facts.geotransform, Some([9.0, 2.0, 0.0, 23.0, 0.0, -2.0]));
            assert_eq!((raster.unit_m, raster.facts.files.len()), (0.3048, 2));
        }
        assert!(second.facts.file.ends_with("a.sdat") && second.facts.files[1].ends_with("a.sgrd"));
        let turned = folder.read("a.sgrd", header("FLOAT", "TRUE").as_bytes()).expect("read");
        assert_eq!(turned.heights[..3], [2.0, 4.0, 6.0]);
    }

    #[test]
    fn malformed_grids_are_refused() {
        let folder = TestFolder::new();
        let refused = |text: &str| message(folder.read("a.sgrd", text.as_bytes()));
        assert!(refused(&header("FLOAT", "FALSE")).contains("without its .sdat file"));
        folder.write("a.sdat", &samples()[..24]);
        assert!(refused(&header("FLOAT", "FALSE")).contains("24 bytes; 3×2 samples of f32 after 1"));
        assert!(refused(&header("BIT", "FALSE")).contains("type BIT"));
        assert!(refused(&header("FLOAT", "FALSE").replace("= 3\n", "= 0\n")).contains("CELLCOUNT_X 0"));
        assert!(
            refused(&header("BYTE", "FALSE").replace("CELLSIZE\t= 2.0", "")).contains("without CELLSIZE")
        );
        let huge = header("BYTE", "FALSE").replace("= 3\n", "= 4000000000\n");
        assert!(refused(&huge).contains("4000000000×2"));
    }
}
