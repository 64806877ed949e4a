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
    let label = Label::of(&bytes[start..])?;
    let description = start + LABEL_BYTES;
    let first = description + DESCRIPTION_BYTES + ACCURACY_BYTES;
    let records = bytes.get(first..).ok_or_else(|| cut(bytes.len()))?;
    check_worth(label.size, input.length)?;
    let mut decoded = Decoded::new("DTED", input.path.clone(), label.size, Sample::I16.name());
    decoded.unit = Some((LengthUnit::metre(), "the format".into()));
    decoded.pixel_is = PixelIs::Point;
    decoded.geotransform = Some(label.geotransform());
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
    fn of(label: &[u8]) -> Result<Self> {
        let text =
            |from: usize, to: usize| label.get(from..to).and_then(|bytes| std::str::from_utf8(bytes).ok());
        let number = |from, to, what: &str| -> Result<u32> {
            let found = text(from, to).unwrap_or_default();
            found.trim().parse().ok().filter(|number| *number > 0).ok_or_else(|| {
                let found = format!("{found:?} as {what} in the header");
                Error::input(found, "a positive number", "get the file again")
            })
        };
        let origin = |from, to, what: &str| {
            text(from, to).and_then(degrees).ok_or_else(|| {
                let found = format!("{:?} as {what} in the header", text(from, to).unwrap_or_default());
                Error::input(found, "degrees, minutes and seconds such as 0800000W", "get the file again")
            })
        };
        // Tenths of an arc second.
        let step = |tenths: u32| f64::from(tenths) / 36_000.0;
        Ok(Self {
            size: [number(47, 51, "columns")?, number(51, 55, "rows")?],
            origin: [origin(4, 12, "longitude")?, origin(12, 20, "latitude")?],
            step: [step(number(20, 24, "longitude step")?), step(number(24, 28, "latitude step")?)],
        })
    }

    fn geotransform(&self) -> [f64; 6] {
        let ([west, south], [dx, dy]) = (self.origin, self.step);
        let north = south + (f64::from(self.size[1]) - 0.5) * dy;
        [west - 0.5 * dx, dx, 0.0, north, 0.0, -dy]
    }
}

/// Degrees of a text such as `0794500W`: degrees, minutes, whole seconds or tenths too, and a side.
fn degrees(text: &str) -> Option<f64> {
    let text = text.trim();
    let side = text.chars().last()?;
    let digits = text.strip_suffix(side)?.split('.').next()?.trim();
    if digits.len() < 5 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (rest, seconds) = digits.split_at(digits.len() - 2);
    let (degrees, minutes) = rest.split_at(rest.len() - 2);
    let number = |text: &str| text.parse::<f64>().ok();
    let size = number(degrees)? + number(minutes)? / 60.0 + number(seconds)? / 3600.0;
    match side.to_ascii_uppercase() {
        'E' | 'N' => Some(size),
        'W' | 'S' => Some(-size),
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
    /// Finds the columns. A file that holds all of them has them in order; a partial cell says which each one is.
    fn of(records: &'a [u8], [width, depth]: [u32; 2], decoded: &mut Decoded) -> Result<Self> {
        let bytes = COLUMN_HEAD + 2 * depth as usize + COLUMN_SUM;
        let whole = records.len() / bytes >= width as usize;
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
            let named = usize::from(u16::from_be_bytes([record[4], record[5]]));
            if let Some(column) = samples.get_mut(if whole { index } else { named }) {
                *column = Some(&content[COLUMN_HEAD..]);
            }
        }
        let found = samples.iter().flatten().count();
        if found == 0 {
            return Err(cut(records.len()));
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
mod tests {
    use super::*;
    use crate::formats::raster::Raster;
    use crate::formats::test_files::{TestFolder, message};

    fn column(index: u16, samples: &[[u8; 2]]) -> Vec<u8> {
        let mut record = vec![SENTINEL, 0, 0, index as u8];
        record.extend(index.to_be_bytes());
        record.extend([0, 0]);
        record.extend(samples.iter().flatten());
        let sum: u32 = record.iter().map(|byte| u32::from(*byte)).sum();
        record.extend(sum.to_be_bytes());
        record
    }

    /// A cell of 3 columns and 2 rows, 30 seconds apart, with the columns that are given.
    fn cell(columns: &[Vec<u8>]) -> Vec<u8> {
        let mut label = format!("UHL10800000W0430000N03000300{:<19}00030002", "").into_bytes();
        label.resize(LABEL_BYTES, b' ');
        let mut description = vec![b' '; DESCRIPTION_BYTES];
        description[141..149].copy_from_slice(b"E96WGS84");
        [label, description, vec![b' '; ACCURACY_BYTES], columns.concat()].concat()
    }

    fn whole() -> [Vec<u8>; 3] {
        [
            column(0, &[[0, 1], [0, 2]]),
            column(1, &[[0x80, 3], [0xff, 0xff]]),
            column(2, &[[0xff, 0xfb], [1, 0]]),
        ]
    }

    fn read_cell(bytes: &[u8]) -> Raster {
        TestFolder::new().read("n43.dt0", bytes).expect("read")
    }

    #[test]
    fn columns_rise_northward_in_sign_and_magnitude() {
        let raster = read_cell(&cell(&whole()));
        assert_eq!((raster.heights[0], raster.heights[2]), (2.0, 256.0));
        assert!(raster.heights[1].is_nan());
        assert_eq!(raster.heights[3..], [1.0, -3.0, -5.0]);
        let step = 30.0 / 3600.0;
        let expected = [-80.0 - 0.5 * step, step, 0.0, 43.0 + 1.5 * step, 0.0, -step];
        assert_eq!(raster.facts.geotransform, Some(expected));
        let vertical = raster.facts.crs.and_then(|crs| crs.vertical).expect("named");
        assert_eq!(vertical.epsg, Some(5773));
        assert!(raster.facts.warnings.iter().any(|warning| warning.code == "twos-complement"));
    }

    #[test]
    fn tape_labels_before_the_header_are_passed_over() {
        let tape = format!("{:80}{:80}", "VOL1", "HDR1");
        assert_eq!(read_cell(&[tape.as_bytes(), &cell(&whole())].concat()).heights[3], 1.0);
    }

    #[test]
    fn a_partial_cell_has_its_columns_where_they_say() {
        let raster = read_cell(&cell(&whole()[2..]));
        assert_eq!((raster.facts.statistics.valid, raster.heights[2]), (2, 256.0));
        assert!(raster.facts.warnings.iter().any(|warning| warning.text.contains("1 of 3 columns")));
    }

    #[test]
    fn a_wrong_sum_is_told_and_forgiven() {
        let mut bytes = cell(&whole());
        *bytes.last_mut().expect("a byte") ^= 1;
        let raster = read_cell(&bytes);
        assert!(
            raster.facts.warnings.iter().any(|warning| warning.text.starts_with("the sums of 1 columns"))
        );
    }

    #[test]
    fn malformed_cells_are_refused() {
        let folder = TestFolder::new();
        let refused = |bytes: &[u8]| message(folder.read("a.dt0", bytes));
        let good = cell(&whole());
        assert!(refused(&good[..3000]).contains("cut off after 3000 bytes"));
        assert!(refused(&cell(&[])).contains("cut off"));
        let with = |at: usize, text: &[u8]| {
            let mut bytes = good.clone();
            bytes[at..at + text.len()].copy_from_slice(text);
            bytes
        };
        assert!(refused(&with(47, b"0000")).contains("as columns in the header"));
        assert!(refused(&with(47, b"99999999")).contains("9999×9999 samples in"));
        assert!(refused(&with(4, b"08x0000W")).contains("as longitude in the header"));
        assert!(refused(&with(3428, b"x")).contains("column 1 begins with byte 0x78"));
    }

    #[test]
    fn degrees_in_figures() {
        assert_eq!(degrees("0794500W"), Some(-79.75));
        assert_eq!(degrees("0430000N"), Some(43.0));
        assert_eq!(degrees("430036S"), Some(-43.01));
        assert_eq!(degrees("0430000X"), None);
        assert_eq!(degrees("W"), None);
    }
}
