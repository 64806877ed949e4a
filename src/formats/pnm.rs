//! Grey pictures of the Netpbm family: PGM as text (`P2`) and as bytes (`P5`), and PFM (`Pf`), whose 32-bit
//! floats stand bottom row first. After the `pgm` and `pfm` pages of the Netpbm manual.

use super::block::Block;
use super::decoded::Decoded;
use super::input::Input;
use super::layout::Order;
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use super::text_values::{TextBlock, Words, number_of, shown};
use crate::error::{Error, Result};

/// The greatest grey value of 16 bits.
const MOST_GREY: f64 = 65535.0;

/// The words before the samples.
struct Header {
    size: [u32; 2],
    /// PGM: the greatest grey value. PFM: a factor, negative where the bytes are little-endian.
    last: f64,
    /// Bytes before the first sample.
    bytes: usize,
}

/// Whether the file begins as a grey Netpbm picture does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let named = [b"P2", b"P5", b"Pf"].iter().any(|name| input.head.starts_with(*name));
    named && input.head.get(2).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'#')
}

/// Reads a grey picture as heights.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let header = read_header(&input.head)?;
    match input.head.get(1) {
        Some(b'f') => read_floats(input, &header, options),
        _ => read_greys(input, &header, options),
    }
}

fn read_greys(input: &Input, header: &Header, options: &ReadOptions) -> Result<Decoded> {
    let greatest = header.last;
    if greatest.fract() != 0.0 || !(1.0..=MOST_GREY).contains(&greatest) {
        return Err(bad_header(format!("a greatest grey value of {greatest}"), "a whole number up to 65535"));
    }
    let sample = if greatest > 255.0 { Sample::U16 } else { Sample::U8 };
    let mut decoded = Decoded::new("PGM", input.path.clone(), header.size, sample.name());
    match options.z_range {
        Some(range) => decoded.spread([0.0, greatest], range)?,
        None => decoded.notes.assume("Grey values are taken as heights; --z-range A,B spreads them."),
    }
    let order = Order::Rows(RowOrder::Top);
    if input.head.starts_with(b"P2") {
        let bytes = input.bytes()?;
        let mut words = Words::new(&bytes);
        words.go_back_to(header.bytes);
        let block = TextBlock { size: header.size, sample, order, blank: None };
        block.read(&mut words, None, options, &mut decoded)?;
    } else {
        let start = header.bytes as u64;
        let block = Block { size: header.size, sample, endian: Endian::Big, start, order };
        block.read(input, None, options, &mut decoded)?;
    }
    check_greys(&decoded, greatest)?;
    Ok(decoded)
}

/// Grey values lie between nothing and the greatest that the header allows.
fn check_greys(decoded: &Decoded, greatest: f64) -> Result<()> {
    let found = decoded.raw;
    let wrong =
        [found.min, found.max].into_iter().find(|grey| grey.is_finite() && !(0.0..=greatest).contains(grey));
    match wrong {
        None => Ok(()),
        Some(grey) => Err(Error::input(
            format!("a grey value of {grey}"),
            format!("values from 0 to {greatest}, as the header says"),
            "get the file again",
        )),
    }
}

fn read_floats(input: &Input, header: &Header, options: &ReadOptions) -> Result<Decoded> {
    let factor = header.last;
    if factor == 0.0 || !factor.is_finite() {
        return Err(bad_header(
            format!("a factor of {factor}"),
            "a number, below zero for little-endian floats",
        ));
    }
    let endian = if factor < 0.0 { Endian::Little } else { Endian::Big };
    let mut decoded = Decoded::new("PFM", input.path.clone(), header.size, Sample::F32.name());
    if factor.abs() != 1.0 {
        decoded.notes.warn("factor-ignored", format!("the header's factor of {} is left out", factor.abs()));
    }
    let order = Order::Rows(RowOrder::Bottom);
    let block = Block { size: header.size, sample: Sample::F32, endian, start: header.bytes as u64, order };
    block.read(input, None, options, &mut decoded)?;
    Ok(decoded)
}

/// Columns, rows and the last word, which one white space parts from the samples. A comment runs from `#` to the
/// end of its line.
fn read_header(head: &[u8]) -> Result<Header> {
    let mut at = 2;
    let [columns, rows] = [read_word(head, &mut at), read_word(head, &mut at)];
    let size = [side(columns)?, side(rows)?];
    let last = read_word(head, &mut at);
    let last =
        number_of(last).ok_or_else(|| bad_header(format!("\"{}\" as last word", shown(last)), "a number"))?;
    Ok(Header { size, last, bytes: at + 1 })
}

fn side(word: &[u8]) -> Result<u32> {
    let found = std::str::from_utf8(word).ok().and_then(|text| text.parse().ok()).filter(|side| *side > 0);
    found.ok_or_else(|| bad_header(format!("\"{}\" as a side", shown(word)), "a positive whole number"))
}

fn read_word<'a>(head: &'a [u8], at: &mut usize) -> &'a [u8] {
    let rest = |at: usize| head.get(at..).unwrap_or_default();
    while let Some(byte) = head.get(*at) {
        match byte {
            b'#' => *at += rest(*at).iter().position(|byte| *byte == b'\n').unwrap_or(rest(*at).len()),
            byte if byte.is_ascii_whitespace() => *at += 1,
            _ => break,
        }
    }
    let start = *at;
    *at += rest(start).iter().position(u8::is_ascii_whitespace).unwrap_or(rest(start).len());
    head.get(start..*at).unwrap_or_default()
}

fn bad_header(found: String, expected: &str) -> Error {
    Error::input(format!("{found} in the header of a grey picture"), expected, "get the file again")
}

#[cfg(test)]
mod tests {
    use crate::formats::ReadOptions;
    use crate::formats::test_files::{TestFolder, message};

    #[test]
    fn bytes_and_words_have_the_same_heights() {
        let folder = TestFolder::new();
        let grey = |name: &str, content: &[u8]| {
            let raster = folder.read(name, content).expect("read");
            (raster.size, raster.heights, raster.facts.sample_type)
        };
        let expected = |sample: &str| ([3, 2], vec![0.0, 1.0, 2.0, 3.0, 32.0, 10.0], sample.to_owned());
        // 32 and 10 are white space as bytes: only one stands between the header and the samples.
        assert_eq!(grey("a.pgm", b"P5\n# made up\n3 2 # size\n255\n\0\x01\x02\x03 \n"), expected("u8"));
        assert_eq!(grey("b.pgm", b"P2\n3 2\n255\n0 1 2\n3 32\n10\n"), expected("u8"));
        let wide = b"P5 3 2 256\n\0\0\0\x01\0\x02\0\x03\0 \0\n";
        assert_eq!(grey("c.pgm", wide), expected("u16"));
        assert_eq!(grey("d.pgm", b"P2#\n3 2 65535 0 1 2 3 32 10"), expected("u16"));
    }

    #[test]
    fn a_range_is_spread_over_the_greys_that_the_header_allows() {
        let options = ReadOptions { z_range: Some([100.0, 200.0]), ..ReadOptions::default() };
        let raster = TestFolder::new().read_with("a.pgm", b"P2 2 1 1000 0 500", &options).expect("read");
        assert_eq!(raster.heights, [100.0, 150.0]);
    }

    #[test]
    fn floats_stand_bottom_row_first_in_either_byte_order() {
        let folder = TestFolder::new();
        let values = [1.5_f32, 2.5, -3.0, 4.0];
        let little: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let big: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
        for (header, samples) in [("Pf\n2 2\n-1.0\n", little.clone()), ("Pf\n2 2\n1.0\n", big)] {
            let raster = folder.read("a.pfm", &[header.as_bytes(), &samples].concat()).expect("read");
            assert_eq!(raster.heights, [-3.0, 4.0, 1.5, 2.5]);
            assert!(raster.facts.warnings.is_empty());
        }
        let raster = folder.read("a.pfm", &[b"Pf 2 2 -0.5\n", little.as_slice()].concat()).expect("read");
        assert_eq!((raster.heights[0], raster.facts.warnings.len()), (-3.0, 1));
    }

    #[test]
    fn malformed_pictures_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.pgm", content));
        assert!(refused(b"P5 3 2 255\n12345").contains("16 bytes; 3×2 samples of u8 after 11"));
        assert!(refused(b"P5 4000000000 4000000000 255\n1").contains("4000000000×4000000000 samples"));
        assert!(refused(b"P2 40000 40000 255\n1").contains("room for 1"));
        assert!(refused(b"P2 2 1 255\n1").contains("samples declared"));
        assert!(refused(b"P2 2 1 255\n1 x").contains("\"x\" at column 1"));
        assert!(refused(b"P2 2 1 255\n1 256").contains("a grey value of 256"));
        assert!(refused(b"P5 2 1 100\n\0\xff").contains("a grey value of 255"));
        assert!(refused(b"P5 2 1 65536\n\0\xff").contains("65536"));
        assert!(refused(b"P5 0 1 255\n").contains("\"0\" as a side"));
        assert!(refused(b"P5 -2 1 255\n").contains("\"-2\" as a side"));
        assert!(refused(b"P5 2 # no end").contains("\"\" as a side"));
        assert!(refused(b"P5 2 2").contains("as last word"));
        assert!(refused(b"Pf 2 2 0\n").contains("a factor of 0"));
        assert!(refused(b"Pf 2 2 nan\n").contains("a factor of NaN"));
    }
}
