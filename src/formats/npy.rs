//! NumPy arrays, `.npy`, of two dimensions, or of three with the band first. After NumPy's own description of
//! the format, versions 1 to 3.

mod header;

use self::header::Header;
use super::block::Block;
use super::decoded::Decoded;
use super::input::Input;
use super::layout::Order;
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};

/// The most channels that a picture has: a last dimension of two up to so many, the first being longer, is not
/// one of columns.
const MOST_CHANNELS: u64 = 4;

/// Whether the file begins with NumPy's signature.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(header::SIGNATURE)
}

/// Reads an array as heights.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let header = header::read(input)?;
    let (sample, endian) = sample_of(&header.descr)?;
    let layout = layout_of(&header)?;
    let mut decoded = Decoded::new("NumPy array", input.path.clone(), layout.size, sample.name());
    decoded.band = choose_band(layout.bands, options, &mut decoded)?;
    decoded.take_z_range(sample, options)?;
    let order = match header.fortran_order {
        true => Order::Columns(RowOrder::Top),
        false => Order::Rows(RowOrder::Top),
    };
    let band_bytes = u64::from(layout.size[0])
        .saturating_mul(u64::from(layout.size[1]))
        .saturating_mul(sample.bytes() as u64);
    let start = header.bytes.saturating_add(band_bytes.saturating_mul(u64::from(decoded.band) - 1));
    let block = Block { size: layout.size, sample, endian, start, order };
    block.read(input, None, options, &mut decoded)?;
    decoded.notes.assume("The first row of the array is taken as the northern one.");
    Ok(decoded)
}

/// Columns and rows, and how many such grids follow one another.
#[derive(Debug, PartialEq)]
struct Layout {
    size: [u32; 2],
    bands: u32,
}

fn layout_of(header: &Header) -> Result<Layout> {
    let (bands, rows, columns) = match header.shape[..] {
        [rows, columns] => (1, rows, columns),
        [rows, columns, 1] => (1, rows, columns),
        [bands, _, channels] if bands > channels && (2..=MOST_CHANNELS).contains(&channels) => {
            return Err(wrong_shape(header, "the band as first dimension"));
        }
        // In Fortran's order the bands of one place lie side by side.
        [bands, _, _] if header.fortran_order && bands > 1 => {
            return Err(wrong_shape(header, "the order of C where there are several bands"));
        }
        [bands, rows, columns] => (bands, rows, columns),
        _ => return Err(wrong_shape(header, "rows and columns, or bands, rows and columns")),
    };
    match (columns.try_into(), rows.try_into(), bands.try_into()) {
        (Ok(columns), Ok(rows), Ok(bands)) if bands > 0 => Ok(Layout { size: [columns, rows], bands }),
        _ => Err(wrong_shape(header, "dimensions from 1 to 4294967295")),
    }
}

fn wrong_shape(header: &Header, expected: &str) -> Error {
    let shape: Vec<String> = header.shape.iter().map(u64::to_string).collect();
    Error::input(
        format!("an array of shape ({})", shape.join(", ")),
        expected,
        "save one grid with numpy.save, as rows and columns",
    )
}

fn choose_band(bands: u32, options: &ReadOptions, decoded: &mut Decoded) -> Result<u32> {
    let band = options.band.unwrap_or(1);
    if !(1..=bands).contains(&band) {
        return Err(Error::usage(
            format!("band {band} is asked for"),
            format!("1 to {bands}, the first dimension of the array"),
            "correct --band",
        ));
    }
    if options.band.is_none() && bands > 1 {
        decoded.notes.assume(format!("Band 1 of {bands} is read; --band N reads another."));
    }
    Ok(band)
}

/// The type that a text such as `<f4` stands for.
fn sample_of(descr: &str) -> Result<(Sample, Endian)> {
    let unsuitable = || {
        Error::input(
            format!("a NumPy array of type {descr}"),
            "integers or floats of at most 64 bits",
            "convert it with astype, for example to float32",
        )
    };
    let (order, kind) = descr.split_at_checked(1).ok_or_else(unsuitable)?;
    let sample = match kind {
        "u1" => Sample::U8,
        "i1" => Sample::I8,
        "u2" => Sample::U16,
        "i2" => Sample::I16,
        "u4" => Sample::U32,
        "i4" => Sample::I32,
        "u8" => Sample::U64,
        "i8" => Sample::I64,
        "f2" => Sample::F16,
        "f4" => Sample::F32,
        "f8" => Sample::F64,
        _ => return Err(unsuitable()),
    };
    match order {
        "<" => Ok((sample, Endian::Little)),
        ">" => Ok((sample, Endian::Big)),
        "|" if sample.bytes() == 1 => Ok((sample, Endian::Little)),
        _ => Err(unsuitable()),
    }
}

#[cfg(test)]
mod tests;
