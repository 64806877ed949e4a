//! ZMap Plus grids: a header of five lines between `@` signs, then columns of words from the west, each from the
//! north. After the description of the format in the manuals of Landmark's ZMap Plus.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::Input;
use super::layout::{Order, from_edges};
use super::raster::{ReadOptions, RowOrder};
use super::samples::Sample;
use super::text_values::{TextBlock, Words, number};
use crate::error::{Error, Result};

/// Whether the first line that is no comment says `@name, GRID`.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let first = input.head_text().lines().find(|line| !line.starts_with('!'));
    first.is_some_and(|line| {
        line.starts_with('@') && line.split(',').nth(1).is_some_and(|kind| kind.trim().starts_with("GRID"))
    })
}

/// Reads a ZMap grid.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let (lines, start) = header_lines(input.head_text())?;
    let [_, format, bounds, ..] = lines;
    let mut declared = format.split(',').skip(1).take(2).map(str::trim);
    let declared = declared.find_map(EmptyValue::parse);
    let [rows, columns, west, east, south, north] = numbers(bounds)?;
    let size = [count(columns)?, count(rows)?];
    let bytes = input.bytes()?;
    let mut words = Words::new(&bytes);
    words.go_back_to(start);
    let mut decoded = Decoded::new("ZMap grid", input.path.clone(), size, Sample::F64.name());
    let block = TextBlock { size, sample: Sample::F64, order: Order::Columns(RowOrder::Top), blank: None };
    block.read(&mut words, declared, options, &mut decoded)?;
    decoded.geotransform = Some(from_edges(size, [west, east], [south, north]));
    decoded.notes.assume("The bounds are taken as those of the outer edges, not of the outer nodes.");
    Ok(decoded)
}

/// The five lines of the header, comments left out, and the bytes up to the samples.
fn header_lines(head: &str) -> Result<([&str; 5], usize)> {
    let mut found = [""; 5];
    let mut lines = head.split_inclusive('\n');
    let mut start = 0;
    for place in &mut found {
        let line = lines.by_ref().find(|line| {
            start += line.len();
            !line.starts_with('!')
        });
        *place = line.ok_or_else(|| bad_header("a header cut off", "five lines"))?;
    }
    if !found[4].starts_with('@') {
        return Err(bad_header(&format!("\"{}\" as fifth line", found[4].trim()), "@"));
    }
    Ok((found, start))
}

fn numbers(line: &str) -> Result<[f64; 6]> {
    let found: Option<Vec<f64>> = line.split(',').map(|word| number(word.trim())).collect();
    found.and_then(|found| found.try_into().ok()).ok_or_else(|| {
        bad_header(
            &format!("\"{}\" as third line", line.trim()),
            "numbers of rows and columns, and four bounds",
        )
    })
}

fn count(found: f64) -> Result<u32> {
    let fits = found.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&found);
    if fits {
        Ok(found as u32)
    } else {
        Err(bad_header(&format!("{found} rows or columns"), "whole numbers"))
    }
}

fn bad_header(found: &str, expected: &str) -> Error {
    Error::input(format!("{found} in a ZMap grid"), expected, "correct the header of the grid")
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    const HEADER: &str =
        "! made up\n@test, GRID, 4\n15, 1E+30, , 7, 1\n2, 3, 10.0, 16.0, 20.0, 26.0\n0, 0, 0\n@\n";

    #[test]
    fn columns_from_the_north_become_rows() {
        let text = format!("{HEADER}  1.0  4.0\n  2.0  1E+30\n  3.0\n 6.5\n");
        let raster = TestFolder::new().read("a.dat", text.as_bytes()).expect("read");
        assert_eq!((raster.size, &raster.heights[..4]), ([3, 2], &[1.0, 2.0, 3.0, 4.0][..]));
        assert_eq!((raster.heights[5], raster.facts.statistics.empty), (6.5, 1));
        assert_eq!(raster.facts.geotransform, Some([10.0, 2.0, 0.0, 26.0, 0.0, -3.0]));
        assert_eq!(raster.facts.nodata.as_deref(), Some("1E+30"));
        assert!(raster.facts.warnings.is_empty());
    }

    #[test]
    fn malformed_grids_are_refused() {
        let folder = TestFolder::new();
        let refused = |text: &str| message(folder.read("a.dat", text.as_bytes()));
        assert!(refused(&format!("{HEADER}1.0 2.0 3.0")).contains("3 samples; 6 for 3×2"));
        assert!(refused(&format!("{HEADER}1.0 x 3.0 4.0 5.0 6.0")).contains("\"x\" at column 0, row 1"));
        assert!(refused("@test, GRID, 4\n15, 1E+30").contains("a header cut off"));
        assert!(refused(&HEADER.replace("2, 3,", "2,")).contains("as third line"));
        assert!(refused(&HEADER.replace("2, 3,", "2, 0.5,")).contains("0.5 rows or columns"));
        assert!(refused(&HEADER.replace("2, 3,", "2, 4e9,")).contains("room for 0"));
        assert!(refused(&HEADER.replace("\n@\n", "\n1 2\n")).contains("as fifth line"));
    }
}
