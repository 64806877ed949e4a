//! The header of a NumPy array: a Python literal such as
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, of which nothing but this form is read.

use crate::error::{Error, Result};
use crate::formats::input::{Input, unreadable};
use std::io::Read;

/// How every file begins.
pub(super) const SIGNATURE: &[u8] = b"\x93NUMPY";

/// The longest header that is read, in bytes; NumPy itself distrusts more than 10,000.
const LONGEST: u32 = 1 << 16;

/// What the header says.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    /// Byte order, kind and bytes of a sample, such as `<f4`.
    pub descr: String,
    /// Whether the first index runs fastest.
    pub fortran_order: bool,
    pub shape: Vec<u64>,
    /// Bytes of the file before the first sample.
    pub bytes: u64,
}

/// Reads the header.
///
/// # Errors
/// A header that is cut off, too long, of an unknown version, or not of the one form.
pub(super) fn read(input: &Input) -> Result<Header> {
    let cut = || malformed("a header cut off");
    let [major, _, low, high, rest @ ..] = input.head.get(6..).unwrap_or_default() else { return Err(cut()) };
    let (length, start) = match (*major, rest) {
        (1, _) => (u32::from(u16::from_le_bytes([*low, *high])), 10),
        (2 | 3, [third, fourth, ..]) => (u32::from_le_bytes([*low, *high, *third, *fourth]), 12),
        (2 | 3, _) => return Err(cut()),
        (major, _) => return Err(malformed(&format!("version {major}"))),
    };
    if length > LONGEST {
        return Err(malformed(&format!("a header of {length} bytes")));
    }
    let mut text = Vec::new();
    let source = input.read_from(start)?;
    source.take(u64::from(length)).read_to_end(&mut text).map_err(|error| unreadable(&error))?;
    if text.len() < length as usize {
        return Err(cut());
    }
    let text = std::str::from_utf8(&text).map_err(|_| malformed("a header that is no text"))?;
    parse(text, start + u64::from(length))
}

/// Reads the literal; `bytes` is where the samples begin.
fn parse(text: &str, bytes: u64) -> Result<Header> {
    let [mut descr, mut fortran_order, mut shape] = [None; 3];
    let mut rest =
        text.trim().strip_prefix('{').ok_or_else(|| malformed("a header without braces"))?.trim_start();
    while !rest.starts_with('}') {
        let (key, after) = quoted(rest).ok_or_else(|| malformed("a header without a quoted key"))?;
        let after = after.trim_start().strip_prefix(':').ok_or_else(|| malformed("a key without a value"))?;
        let (value, after) = value(after.trim_start());
        match key {
            "descr" => descr = Some(value),
            "fortran_order" => fortran_order = Some(value),
            "shape" => shape = Some(value),
            other => return Err(malformed(&format!("the key {other}"))),
        }
        let after = after.trim_start();
        rest = after.strip_prefix(',').unwrap_or(after).trim_start();
    }
    let (Some(descr), Some(fortran_order), Some(shape)) = (descr, fortran_order, shape) else {
        return Err(malformed("a header without descr, fortran_order or shape"));
    };
    Ok(Header {
        descr: descr_of(descr)?,
        fortran_order: truth(fortran_order)?,
        shape: numbers(shape)?,
        bytes,
    })
}

/// A text in quotation marks, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mark = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(mark)
}

/// A value as it is written, up to the comma or brace that ends it, and what follows.
fn value(text: &str) -> (&str, &str) {
    let mut depth = 0_usize;
    let end = text.find(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' | '}' => return depth == 0,
            _ => {}
        }
        false
    });
    text.split_at(end.unwrap_or(text.len()))
}

fn descr_of(text: &str) -> Result<String> {
    let text = text.trim();
    if text.starts_with('[') {
        return Err(malformed("records of several fields"));
    }
    match quoted(text) {
        Some((descr, "")) => Ok(descr.to_owned()),
        _ => Err(malformed("a type that is no text")),
    }
}

fn truth(text: &str) -> Result<bool> {
    match text.trim() {
        "True" => Ok(true),
        "False" => Ok(false),
        _ => Err(malformed("an order that is neither True nor False")),
    }
}

fn numbers(text: &str) -> Result<Vec<u64>> {
    let wrong = || malformed("a shape that is no tuple of whole numbers");
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')')).ok_or_else(wrong)?;
    let inner = inner.trim();
    let inner = inner.strip_suffix(',').unwrap_or(inner);
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    inner.split(',').map(|number| number.trim().parse().map_err(|_| wrong())).collect()
}

fn malformed(found: &str) -> Error {
    Error::input(
        format!("a NumPy array with {found}"),
        "one array of plain numbers, as numpy.save writes it",
        "save it again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_one_form_is_read_whatever_its_spaces_and_marks() {
        let expected = |shape: &[u64]| Header {
            descr: "<f4".into(),
            fortran_order: false,
            shape: shape.to_vec(),
            bytes: 80,
        };
        let read = |text: &str| parse(text, 80).expect("read");
        let usual = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }          \n";
        assert_eq!(read(usual), expected(&[3, 4]));
        assert_eq!(read("{\"shape\":(5,),\"descr\":\"<f4\",\"fortran_order\":False}"), expected(&[5]));
        assert_eq!(read("{'descr': '<f4', 'fortran_order': False, 'shape': ()}"), expected(&[]));
    }

    #[test]
    fn everything_else_is_refused() {
        let refused = |text: &str| parse(text, 80).expect_err("refused").to_string();
        assert!(refused("").contains("without braces"));
        assert!(refused("{'descr': '<f4'").contains("without a quoted key"));
        assert!(refused("{'descr': '<f4', 'shape': (3, 4)}").contains("fortran_order"));
        assert!(refused("{'descr' '<f4'}").contains("a key without a value"));
        assert!(refused("{'other': (((((1}").contains("the key other"));
        let with = |descr: &str, order: &str, shape: &str| {
            refused(&format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}}}"))
        };
        assert!(with("[('a', '<f4')]", "False", "(3, 4)").contains("several fields"));
        assert!(with("f4", "False", "(3, 4)").contains("no text"));
        assert!(with("'<f4'", "0", "(3, 4)").contains("neither True nor False"));
        assert!(with("'<f4'", "False", "(3, -4)").contains("no tuple"));
        assert!(with("'<f4'", "False", "(3, 4").contains("without a quoted key"));
        assert!(with("'<f4'", "False", "(3, 99999999999999999999999)").contains("no tuple"));
    }
}
