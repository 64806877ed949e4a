//! GRASS ASCII raster: a header of bounds and counts, then rows of words from the north. After the manual of
//! `r.in.ascii`.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::header_lines::HeaderLines;
use super::input::Input;
use super::layout::{Order, from_edges};
use super::raster::{ReadOptions, RowOrder};
use super::samples::Sample;
use super::text_values::{TextBlock, Words, is_whole};
use crate::error::Result;

/// Keys that every header has, in any order.
const KEYS: [&str; 6] = ["north", "south", "east", "west", "rows", "cols"];

/// Keys that a header may have besides.
const MORE_KEYS: [&str; 3] = ["null", "type", "multiplier"];

/// Whether the lines before the samples have all keys.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let text = input.head_text();
    let header = HeaderLines::new(text, ':');
    text.split(':').next().is_some_and(is_key) && KEYS.iter().all(|key| header.text(key).is_some())
}

fn is_key(word: &str) -> bool {
    KEYS.iter().chain(&MORE_KEYS).any(|key| word.trim().eq_ignore_ascii_case(key))
}

/// Reads a GRASS ASCII raster.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let text = input.head_text();
    let end = header_length(text);
    let header = HeaderLines::new(&text[..end], ':');
    let size = [header.count("cols")?, header.count("rows")?];
    let x = [header.number("west")?, header.number("east")?];
    let y = [header.number("south")?, header.number("north")?];
    let mut words = Words::new(&bytes);
    words.go_back_to(end);
    let sample = if is_whole(words.rest()) { Sample::I32 } else { Sample::F32 };
    let mut decoded = Decoded::new("GRASS ASCII raster", input.path.clone(), size, sample.name());
    if header.text("multiplier").is_some() && !options.no_scale {
        decoded.scale = header.number("multiplier")?;
    }
    let block = TextBlock { size, sample, order: Order::Rows(RowOrder::Top), blank: Some("*") };
    let declared = header.text("null").and_then(EmptyValue::parse);
    block.read(&mut words, declared, options, &mut decoded)?;
    decoded.geotransform = Some(from_edges(size, x, y));
    Ok(decoded)
}

/// Bytes of the lines that begin with a key.
fn header_length(text: &str) -> usize {
    let is_header = |line: &&str| line.split_once(':').is_some_and(|(key, _)| is_key(key));
    text.split_inclusive('\n').take_while(is_header).map(str::len).sum()
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    const HEADER: &str = "north: 26\nsouth: 20\neast: 16\nwest: 10\nrows: 2\ncols: 3\n";

    #[test]
    fn whole_numbers_and_stars() {
        let folder = TestFolder::new();
        let raster = folder.read("a.txt", format!("{HEADER}1 2 3\n4 5 6").as_bytes()).expect("read");
        assert_eq!((raster.size, raster.heights[5]), ([3, 2], 6.0));
        assert_eq!(raster.facts.geotransform, Some([10.0, 2.0, 0.0, 26.0, 0.0, -3.0]));
        assert_eq!(raster.facts.sample_type, "i32");
        let text = format!("type: float\r\n{HEADER}null: -9\nmultiplier: 2\n* 2 3\n4 -9 6.5");
        let raster = folder.read("a.txt", text.as_bytes()).expect("read");
        assert_eq!((raster.heights[1], raster.heights[5], raster.facts.statistics.empty), (4.0, 13.0, 2));
        assert_eq!((raster.facts.sample_type.as_str(), raster.facts.scale), ("f32", 2.0));
    }

    #[test]
    fn malformed_rasters_are_refused() {
        let folder = TestFolder::new();
        let refused = |text: &str| message(folder.read("a.txt", text.as_bytes()));
        assert!(refused(&format!("{HEADER}1.5 2 3 4 5")).contains("5 samples; 6 for 3×2"));
        assert!(refused(&format!("{HEADER}1 2 3 4 5 x6")).contains("\"x6\" at column 2, row 1"));
        assert!(refused(&HEADER.replace("rows: 2", "rows: 0")).contains("rows 0"));
        assert!(refused(&HEADER.replace("rows: 2", "rows: 2000000000")).contains("room for 0"));
        assert!(refused(&HEADER.replace("east: 16", "east: 16W")).contains("east 16W"));
        assert!(refused(&HEADER.replace("rows: 2", "")).contains("not elevation data"));
    }
}
