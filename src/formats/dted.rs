//! DTED of levels 0, 1 and 2: columns from south to north, samples in sign and magnitude, a sum over each column. After
//! MIL-PRF-89020B.

use super::decoded::{Decoded, epsg_crs};
use super::empties::EmptyValue;
use super::input::{Input, check_worth, heights_for};
use super::layout::{Order, place_lines};
use super::raster::{PixelIs, ReadOptions, RowOrder, Vertical};
use super::samples::{Decoder, Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::{EpsgSystem, LengthUnit};

const LABEL: &[u8] = b"UHL1";
/// Bytes of a user header label, and of the tape labels that may stand before it.
const LABEL_BYTES: usize = 80;
/// Bytes of the description of the data set and of its accuracy.
const DESCRIPTION_BYTES: usize = 648;
const ACCURACY_BYTES: usize = 2700;
/// Bytes before the samples of a column, and of the sum after them.
const COLUMN_HEAD: usize = 8;
const COLUMN_SUM: usize = 4;
const SENTINEL: u8 = 0xaa;

/// The code of an empty.
const NULL: i16 = -32767;
/// No place on the ground lies lower; what does was written as a two's complement.
const LOWEST: i16 = -16000;

/// Whether the file begins with a user header label, after tape labels or without.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    label_start(&input.head).is_some()
}

fn label_start(head: &[u8]) -> Option<usize> {
    [0, LABEL_BYTES, 2 * LABEL_BYTES]
        .into_iter()
        .find(|start| head[(*start).min(head.len())..].starts_with(LABEL))
}

/// Reads a cell.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let start = label_start(&bytes).ok_or_else(|| cut(bytes.len()))?;
    let (label, is_swapped) = Label::of(&bytes[start..])?;
    let description = start + LABEL_BYTES;
    let first = description + DESCRIPTION_BYTES + ACCURACY_BYTES;
    let records = bytes.get(first..).ok_or_else(|| cut(bytes.len()))?;
    check_worth(label.size, input.length)?;
    let mut decoded = Decoded::new("DTED", input.path.clone(), label.size, Sample::I16.name());
    decoded.unit = Some((LengthUnit::metre(), "the format".into()));
    decoded.pixel_is = PixelIs::Point;
    decoded.geotransform = Some(label.geotransform());
    if is_swapped {
        let text = "the header has latitude and longitude in each other's place, against the format";
        decoded.notes.warn("swapped-origin", text);
    }
    name_systems(&bytes[description..first], &mut decoded);
    let columns = Columns::of(records, label.size, &mut decoded)?;
    let empty = decoded.take_empty(Some(EmptyValue::from_number(NULL.into())), Sample::I16, options);
    let decoder = Decoder { sample: Sample::I16, endian: Endian::Big, empty, scale: 1.0, offset: 0.0 };
    decoded.heights = heights_for(label.size)?;
    let order = Order::Columns(RowOrder::Bottom);
    decoded.raw = place_lines(label.size, order, &decoder, &mut decoded.heights, |column, line| {
        columns.fill(column, line);
        Ok(())
    })?;
    Ok(decoded)
}

fn cut(bytes: usize) -> Error {
    Error::input(
        format!("a DTED file cut off after {bytes} bytes"),
        "its headers and columns",
        "get the file again",
    )
}

/// What the user header label says.
struct Label {
    size: [u32; 2],
    /// Degrees of the south-western sample.
    origin: [f64; 2],
    /// Degrees between samples.
    step: [f64; 2],
}

impl Label {
    /// Reads a label, and tells whether latitude and longitude have changed places: a first edition of the format had
    /// them so, and their sides give it away.
    fn of(label: &[u8]) -> Result<(Self, bool)> {
        let text = |from: usize, to: usize| {
            label.get(from..to).and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default()
        };
        let number = |from, to, what: &str| -> Result<u32> {
            let found = text(from, to);
            found.trim().parse().ok().filter(|number| *number > 0).ok_or_else(|| {
                let found = format!("{found:?} as {what} in the header");
                Error::input(found, "a positive number", "get the file again")
            })
        };
        // Tenths of an arc second.
        let step = |tenths: u32| f64::from(tenths) / 36_000.0;
        let corner = [text(4, 12), text(12, 20)];
        let (origin, is_swapped) = origin(corner).ok_or_else(|| {
            let found =
                format!("{:?} and {:?} as longitude and latitude in the header", corner[0], corner[1]);
            Error::input(found, "degrees, minutes and seconds such as 0800000W", "get the file again")
        })?;
        let label = Self {
            size: [number(47, 51, "columns")?, number(51, 55, "rows")?],
            origin,
            step: [step(number(20, 24, "longitude step")?), step(number(24, 28, "latitude step")?)],
        };
        Ok((label, is_swapped))
    }

    fn geotransform(&self) -> [f64; 6] {
        let ([west, south], [dx, dy]) = (self.origin, self.step);
        let north = south + (f64::from(self.size[1]) - 0.5) * dy;
        [west - 0.5 * dx, dx, 0.0, north, 0.0, -dy]
    }
}

/// Degrees of longitude and latitude, and whether they have changed places.
fn origin(corner: [&str; 2]) -> Option<([f64; 2], bool)> {
    match corner.map(degrees) {
        [Some((east, 'E' | 'W')), Some((north, 'N' | 'S'))] => Some(([east, north], false)),
        [Some((north, 'N' | 'S')), Some((east, 'E' | 'W'))] => Some(([east, north], true)),
        _ => None,
    }
}

/// Degrees of a text such as `0794500W`, and its side: degrees, minutes, whole seconds or tenths too.
fn degrees(text: &str) -> Option<(f64, char)> {
    let text = text.trim();
    let last = text.chars().last()?;
    let digits = text.strip_suffix(last)?.split('.').next()?.trim();
    if digits.len() < 5 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (rest, seconds) = digits.split_at(digits.len() - 2);
    let (degrees, minutes) = rest.split_at(rest.len() - 2);
    let number = |text: &str| text.parse::<f64>().ok();
    let size = number(degrees)? + number(minutes)? / 60.0 + number(seconds)? / 3600.0;
    match last.to_ascii_uppercase() {
        side @ ('E' | 'N') => Some((size, side)),
        side @ ('W' | 'S') => Some((-size, side)),
        _ => None,
    }
}

/// The datums that the description of the data set names.
fn name_systems(description: &[u8], decoded: &mut Decoded) {
    let text = |from: usize, to: usize| std::str::from_utf8(&description[from..to]).unwrap_or_default();
    let code = if text(144, 149) == "WGS72" { 4322 } else { 4326 };
    let mut plane = epsg_crs(code, "the data set's description", &mut decoded.notes);
    let vertical = match text(141, 144) {
        "MSL" => Some(5714),
        "E96" => Some(5773),
        _ => None,
    };
    let name = |code| {
        EpsgSystem::of_code(code).map_or_else(|| format!("EPSG:{code}"), |found| found.name.to_owned())
    };
    plane.crs.vertical = vertical.map(|code| Vertical { epsg: Some(code), name: name(code) });
    decoded.crs = Some(plane);
}

/// The columns that the file holds.
struct Columns<'a> {
    /// Where each column's samples lie; none for a column that is left out.
    samples: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    /// Finds the columns. Each says which one it is; a file that holds all of them and whose columns do not say so rightly
    /// has them in order.
    fn of(records: &'a [u8], [width, depth]: [u32; 2], decoded: &mut Decoded) -> Result<Self> {
        let bytes = COLUMN_HEAD + 2 * depth as usize + COLUMN_SUM;
        let mut named: Vec<usize> = records.chunks_exact(bytes).take(width as usize).map(column_of).collect();
        named.sort_unstable();
        let in_order = named.len() == width as usize && !named.iter().copied().eq(0..width as usize);
        if in_order {
            decoded.notes.warn("column-numbers", "columns are numbered wrongly and taken in their order");
        }
        let mut samples = vec![None; width as usize];
        let mut broken_sums = 0_u32;
        for (index, record) in records.chunks_exact(bytes).take(width as usize).enumerate() {
            if record[0] != SENTINEL {
                return Err(Error::input(
                    format!("column {} begins with byte {:#04x}", index + 1, record[0]),
                    "0xaa, which begins a column",
                    "get the file again",
                ));
            }
            let (content, sum) = record.split_at(bytes - COLUMN_SUM);
            let expected: u32 = content.iter().map(|byte| u32::from(*byte)).sum();
            broken_sums += u32::from(sum != expected.to_be_bytes());
            let place = if in_order { index } else { column_of(record) };
            if let Some(column) = samples.get_mut(place) {
                *column = Some(&content[COLUMN_HEAD..]);
            }
        }
        let found = samples.iter().flatten().count();
        if found == 0 {
            let expected = "at least one whole column";
            return Err(Error::input("a DTED file without columns", expected, "get the file again"));
        }
        if found < samples.len() {
            let text = format!("{found} of {width} columns are in the file; the others are empty");
            decoded.notes.warn("partial", text);
        }
        if broken_sums > 0 {
            decoded
                .notes
                .warn("checksum", format!("the sums of {broken_sums} columns do not fit their samples"));
        }
        let columns = Self { samples };
        columns.tell_of_complements(decoded);
        Ok(columns)
    }

    /// A column's samples as two's complements.
    fn fill(&self, column: usize, line: &mut [u8]) {
        for (index, out) in line.chunks_exact_mut(2).enumerate() {
            let stored = self.samples[column].map(|samples| [samples[2 * index], samples[2 * index + 1]]);
            out.copy_from_slice(&stored.map_or(NULL, value).to_be_bytes());
        }
    }

    fn tell_of_complements(&self, decoded: &mut Decoded) {
        let pairs = self.samples.iter().flatten().flat_map(|samples| samples.chunks_exact(2));
        let count = pairs.filter(|pair| is_complement([pair[0], pair[1]])).count();
        if count > 0 {
            let text = format!("{count} samples are two's complements, against the format, and read as such");
            decoded.notes.warn("twos-complement", text);
        }
    }
}

/// The number that a column has within its cell, from the west.
fn column_of(record: &[u8]) -> usize {
    usize::from(u16::from_be_bytes([record[4], record[5]]))
}

/// A sample in sign and magnitude.
fn magnitude(bytes: [u8; 2]) -> i16 {
    let stored = i16::from_be_bytes(bytes);
    if stored < 0 { -(stored & i16::MAX) } else { stored }
}

fn is_complement(bytes: [u8; 2]) -> bool {
    let read = magnitude(bytes);
    read < LOWEST && read != NULL
}

fn value(bytes: [u8; 2]) -> i16 {
    if is_complement(bytes) { i16::from_be_bytes(bytes) } else { magnitude(bytes) }
}

#[cfg(test)]
mod tests;
