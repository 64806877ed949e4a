//! ESRI ASCII grid: a header of keys, then numbers in any arrangement of lines.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::Input;
use super::layout::Order;
use super::raster::{PixelIs, ReadOptions, RowOrder};
use super::samples::Sample;
use super::text_values::{TextBlock, Words, is_whole, number, number_of};
use crate::error::{Error, Result};

/// Keys that may begin the header.
const FIRST_KEYS: &[&str] = &[
    "ncols",
    "nrows",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
    "nodata",
];

/// The header's facts.
#[derive(Debug, Default)]
struct Header {
    columns: Option<u32>,
    rows: Option<u32>,
    /// x, y of the lower left, and whether they mean the cell's middle.
    left: Option<(f64, bool)>,
    lower: Option<(f64, bool)>,
    cell: [Option<f64>; 2],
    nodata: Option<String>,
}

/// Whether the file begins with a key of the header.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let head = &input.head[..input.head.len().min(256)];
    let text = String::from_utf8_lossy(head);
    let mut words = text.split_whitespace();
    words.next().is_some_and(|word| FIRST_KEYS.iter().any(|key| word.eq_ignore_ascii_case(key)))
        && words.next().is_some_and(|word| number(word).is_some())
}

/// Reads an ESRI ASCII grid.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let mut words = Words::new(&bytes);
    let header = read_header(&mut words)?;
    let size = header.size()?;
    let whole = is_whole(words.rest()) && header.nodata.as_ref().is_none_or(|text| is_whole(text.as_bytes()));
    let sample = if whole { Sample::I32 } else { Sample::F32 };
    let mut decoded = Decoded::new("ESRI ASCII grid", input.path.clone(), size, sample.name());
    let declared = header.nodata.as_deref().and_then(EmptyValue::parse);
    let block = TextBlock { size, sample, order: Order::Rows(RowOrder::Top), blank: None };
    block.read(&mut words, declared, options, &mut decoded)?;
    header.place(&mut decoded)?;
    Ok(decoded)
}

/// Reads keys and their values until a word that is a number stands where a key would.
fn read_header(words: &mut Words) -> Result<Header> {
    let mut header = Header::default();
    loop {
        let before = words.place();
        let Some(word) = words.next() else { break };
        if number_of(word).is_some_and(|value| value.is_finite()) {
            words.go_back_to(before);
            break;
        }
        let key = String::from_utf8_lossy(word).to_ascii_lowercase();
        let value = words.next().map(|value| String::from_utf8_lossy(value).into_owned()).unwrap_or_default();
        if !header.take(&key, &value)? {
            // NaN or a stray word among the samples: those are judged with the samples.
            words.go_back_to(before);
            break;
        }
    }
    Ok(header)
}

impl Header {
    /// Takes a key and its value in; false where the key is unknown.
    fn take(&mut self, key: &str, value: &str) -> Result<bool> {
        let float = || {
            let found = number(value).filter(|found| found.is_finite());
            found.ok_or_else(|| bad_header(format!("{key} {value}"), "a finite number"))
        };
        let count = || {
            let found = float()?;
            let whole = found.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&found);
            if whole {
                Ok(found as u32)
            } else {
                Err(bad_header(format!("{key} {value}"), "a positive whole number"))
            }
        };
        let step = || {
            let found = float()?;
            if found > 0.0 {
                Ok(found)
            } else {
                Err(bad_header(format!("{key} {value}"), "a positive number"))
            }
        };
        match key {
            "ncols" => self.columns = Some(count()?),
            "nrows" => self.rows = Some(count()?),
            "xllcorner" | "xllcenter" => self.left = Some((float()?, key.ends_with("center"))),
            "yllcorner" | "yllcenter" => self.lower = Some((float()?, key.ends_with("center"))),
            "cellsize" => self.cell = [Some(step()?); 2],
            "dx" => self.cell[0] = Some(step()?),
            "dy" => self.cell[1] = Some(step()?),
            "nodata_value" | "nodata" => self.nodata = Some(value.to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn size(&self) -> Result<[u32; 2]> {
        match (self.columns, self.rows) {
            (Some(columns), Some(rows)) => Ok([columns, rows]),
            _ => Err(bad_header("a header without ncols or nrows".into(), "both")),
        }
    }

    /// The lower left corner or middle of the grid, as a geotransform of its upper left corner.
    fn place(&self, decoded: &mut Decoded) -> Result<()> {
        let [Some(dx), Some(dy)] = self.cell else {
            return Err(bad_header("a header without cellsize".into(), "cellsize, or dx and dy"));
        };
        let (left, in_middle) = self.left.unwrap_or((0.0, false));
        let (lower, lower_in_middle) = self.lower.unwrap_or((0.0, false));
        if self.left.is_none() || self.lower.is_none() {
            decoded.notes.assume("The lower left corner is taken as 0, 0; the header does not give it.");
        }
        let left = if in_middle { left - 0.5 * dx } else { left };
        let lower = if lower_in_middle { lower - 0.5 * dy } else { lower };
        decoded.geotransform = Some([left, dx, 0.0, lower + dy * f64::from(decoded.size[1]), 0.0, -dy]);
        decoded.pixel_is = if in_middle && lower_in_middle { PixelIs::Point } else { PixelIs::Area };
        Ok(())
    }
}

fn bad_header(found: String, expected: &str) -> Error {
    Error::input(found, expected, "correct the header of the grid")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::test_files::{TestFolder, message};
    use crate::terrain::is_empty;

    const HEAD: &str = "ncols 3\nnrows 3\nxllcorner 10\nyllcorner 20\ncellsize 2\n";

    fn read_text(text: &str) -> Result<crate::formats::Raster> {
        TestFolder::new().read("a.asc", text.as_bytes())
    }

    #[test]
    fn a_declared_empty_value_is_a_hole() {
        let raster =
            read_text(&format!("{HEAD}NODATA_value -9999\n100 101 102\n103 -9999 104\n105 106 107\n"))
                .expect("read");
        let found = raster.facts.statistics;
        assert_eq!((found.valid, found.empty, found.min, found.max), (8, 1, Some(100.0), Some(107.0)));
        assert!(is_empty(raster.heights[4]));
        assert_eq!(raster.facts.geotransform, Some([10.0, 2.0, 0.0, 26.0, 0.0, -2.0]));
        assert_eq!(raster.facts.sample_type, "i32");
        let terrain = raster.to_terrain().expect("built");
        assert_eq!((terrain.range(), terrain.sample(1, 1)), (100.0..=107.0, None));
    }

    #[test]
    fn an_undeclared_one_is_a_hole_with_a_warning_unless_overruled() {
        let text = format!("{HEAD}100 101 102 103 -9999 104 105 106 107");
        let raster = read_text(&text).expect("read");
        assert_eq!(raster.facts.statistics.min, Some(100.0));
        assert!(raster.facts.warnings.iter().any(|warning| warning.code == "undeclared-empty"));
        let options = ReadOptions { nodata: Some(100.0), ..ReadOptions::default() };
        let raster = TestFolder::new().read_with("a.asc", text.as_bytes(), &options).expect("read");
        assert_eq!((raster.facts.statistics.min, raster.facts.statistics.empty), (Some(-9999.0), 1));
    }

    #[test]
    fn rows_may_span_lines_and_middles_shift_by_half_a_cell() {
        let text =
            "NCOLS 2\r\nNROWS 2\r\nXLLCENTER 1\r\nYLLCENTER 1\r\ndx 2\r\ndy 4\r\n1.5\r\n2\r\n3 4e0\r\n";
        let raster = read_text(text).expect("read");
        assert_eq!(raster.heights, [1.5, 2.0, 3.0, 4.0]);
        assert_eq!(raster.facts.geotransform, Some([0.0, 2.0, 0.0, 7.0, 0.0, -4.0]));
        assert_eq!(raster.facts.pixel_is, PixelIs::Point);
    }

    #[test]
    fn malformed_grids_are_refused_with_what_was_found() {
        let short = message(read_text(&format!("{HEAD}10 20 30 40 50 60 70 80")));
        assert!(short.contains("8 samples; 9 for 3×3"), "{short}");
        assert!(message(read_text(&format!("{HEAD}1 2 3 4 5 6 7 8 9 10"))).contains("10 samples; 9"));
        assert!(
            message(read_text(&format!("{HEAD}1 2 3 four 5 6 7 8 9")))
                .contains("\"four\" at column 0, row 1")
        );
        assert!(
            message(read_text("ncols 1000000000\nnrows 1000000000\ncellsize 1\n1 2")).contains("room for")
        );
        assert!(message(read_text("ncols 2\nnrows 1\n1 2")).contains("without cellsize"));
        assert!(message(read_text("ncols 2\nnrows 1\ncellsize nan\n1 2")).contains("cellsize nan"));
        assert!(message(read_text("ncols 0\nnrows 1\ncellsize 1\n")).contains("ncols 0"));
    }

    #[test]
    fn the_empty_value_may_be_the_first_of_the_header() {
        let text = "NODATA_value -1\nncols 2\nnrows 1\ncellsize 1\n5 -1\n";
        let raster = TestFolder::new().read("a.asc", text.as_bytes()).expect("read");
        assert!(raster.heights[0] == 5.0 && raster.heights[1].is_nan());
    }
}
