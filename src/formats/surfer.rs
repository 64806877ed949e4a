//! Surfer grids, `.grd`, in their three forms: ASCII (`DSAA`), Surfer 6 (`DSBB`) and Surfer 7 (`DSRB`). Nodes
//! stand on the bounds, south row first. After Golden Software's published file formats.

use super::block::{Block, f64_at, u16_at, u32_at};
use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::{Input, unreadable};
use super::layout::{Order, from_nodes};
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use super::text_values::{TextBlock, Words, number_of, shown};
use crate::error::{Error, Result};
use std::io::Read;

/// Stands for a blanked node where the file does not say otherwise.
const BLANK: &str = "1.70141e38";

/// The most sections of a Surfer 7 file that are looked through; real files have three or four.
const MOST_SECTIONS: usize = 1000;

/// Whether the file begins as one of the three forms does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let is_text = input.head.starts_with(b"DSAA") && input.head.get(4).is_some_and(u8::is_ascii_whitespace);
    is_text || input.head.starts_with(b"DSBB") || input.head.starts_with(b"DSRB")
}

/// Reads a Surfer grid of any form.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    match input.head.get(..4) {
        Some(b"DSAA") => read_ascii(input, options),
        Some(b"DSBB") => read_surfer_6(input, options),
        _ => read_surfer_7(input, options),
    }
}

/// Numbers of columns and rows, then the bounds of x, y and z, then the rows as words.
fn read_ascii(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let mut words = Words::new(&bytes);
    words.next();
    let size = [count(&mut words, "columns")?, count(&mut words, "rows")?];
    let mut bounds = [0.0; 6];
    for bound in &mut bounds {
        *bound = header_number(&mut words, "bounds")?;
    }
    let [west, east, first, last, ..] = bounds;
    let rows = if first > last { RowOrder::Top } else { RowOrder::Bottom };
    let mut decoded = Decoded::new("Surfer ASCII grid", input.path.clone(), size, Sample::F64.name());
    let block = TextBlock { size, sample: Sample::F64, order: Order::Rows(rows), blank: None };
    block.read(&mut words, EmptyValue::parse(BLANK), options, &mut decoded)?;
    decoded.geotransform = from_nodes(size, [west, east], [first.min(last), first.max(last)]);
    Ok(decoded)
}

fn header_number(words: &mut Words, what: &str) -> Result<f64> {
    let word = words.next().unwrap_or_default();
    number_of(word).ok_or_else(|| {
        Error::input(
            format!("\"{}\" for the {what} of a Surfer grid", shown(word)),
            "numbers of columns and rows, and six bounds",
            "correct the header of the grid",
        )
    })
}

fn count(words: &mut Words, what: &str) -> Result<u32> {
    let found = header_number(words, what)?;
    if found.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&found) {
        return Ok(found as u32);
    }
    Err(Error::input(format!("{found} {what}"), "a positive whole number", "correct the header of the grid"))
}

/// A header of fixed fields, then 32-bit floats.
fn read_surfer_6(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    const HEADER_BYTES: u64 = 56;
    let number = |at: usize| f64_at(&input.head, at, Endian::Little);
    let side = |at: usize| u16_at(&input.head, at, Endian::Little).map(u32::from);
    let size = [side(4)?, side(6)?];
    let mut decoded = Decoded::new("Surfer 6 grid", input.path.clone(), size, Sample::F32.name());
    decoded.geotransform = from_nodes(size, [number(8)?, number(16)?], [number(24)?, number(32)?]);
    let block = south_first(size, Sample::F32, HEADER_BYTES);
    block.read(input, EmptyValue::parse(BLANK), options, &mut decoded)?;
    Ok(decoded)
}

fn south_first(size: [u32; 2], sample: Sample, start: u64) -> Block {
    Block { size, sample, endian: Endian::Little, start, order: Order::Rows(RowOrder::Bottom) }
}

/// Sections, each with a name and a length; the one on the grid describes the 64-bit floats of the one on the
/// data.
fn read_surfer_7(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let sections = sections(input)?;
    let [grid, data] = [b"GRID", b"DATA"].map(|name| sections.iter().find(|section| section.name == *name));
    let (Some(grid), Some(data)) = (grid, data) else {
        return Err(Error::input(
            "a Surfer 7 file without a grid",
            "its GRID and DATA",
            "get the file again",
        ));
    };
    let mut header = Vec::new();
    let source = input.read_from(grid.start)?;
    source.take(u64::from(grid.bytes)).take(72).read_to_end(&mut header).map_err(|e| unreadable(&e))?;
    let number = |at: usize| f64_at(&header, at, Endian::Little);
    let size = [u32_at(&header, 4, Endian::Little)?, u32_at(&header, 0, Endian::Little)?];
    let [west, south, dx, dy, turn, blank] =
        [number(8)?, number(16)?, number(24)?, number(32)?, number(56)?, number(64)?];
    let mut decoded = Decoded::new("Surfer 7 grid", input.path.clone(), size, Sample::F64.name());
    if turn != 0.0 {
        decoded
            .notes
            .warn("rotation-ignored", format!("a rotation of {turn} is declared, which no version uses"));
    }
    let last = size.map(|samples| f64::from(samples) - 1.0);
    decoded.geotransform = from_nodes(size, [west, west + dx * last[0]], [south, south + dy * last[1]]);
    check_data(data, size)?;
    let declared = EmptyValue::parse(&format!("{blank:e}"));
    south_first(size, Sample::F64, data.start).read(input, declared, options, &mut decoded)?;
    Ok(decoded)
}

/// The samples of one section must not be looked for in the next.
fn check_data(data: &Section, [columns, rows]: [u32; 2]) -> Result<()> {
    let needed = u128::from(columns) * u128::from(rows) * 8;
    if needed <= u128::from(data.bytes) {
        return Ok(());
    }
    Err(Error::input(
        format!("a DATA section of {} bytes", data.bytes),
        format!("{needed} for {columns}×{rows} samples of f64"),
        "get the file again",
    ))
}

/// A part of a Surfer 7 file.
#[derive(Debug)]
struct Section {
    name: [u8; 4],
    /// Bytes of the file before its content.
    start: u64,
    bytes: u32,
}

fn sections(input: &Input) -> Result<Vec<Section>> {
    const HEADER_BYTES: u64 = 8;
    let mut found = Vec::new();
    let mut at = 0;
    while at + HEADER_BYTES <= input.length && found.len() < MOST_SECTIONS {
        let mut header = [0; HEADER_BYTES as usize];
        input.read_from(at)?.read_exact(&mut header).map_err(|error| unreadable(&error))?;
        let [a, b, c, d, length @ ..] = header;
        let bytes = u32::from_le_bytes(length);
        let start = at + HEADER_BYTES;
        found.push(Section { name: [a, b, c, d], start, bytes });
        at = start + u64::from(bytes);
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
