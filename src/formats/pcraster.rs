//! PCRaster maps: a header of 256 bytes, then rows from the north. After the description of the CSF format,
//! version 2.

use super::block::{Block, f64_at, u16_at, u32_at};
use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::Input;
use super::layout::Order;
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};

/// How every file begins.
const SIGNATURE: &[u8] = b"RUU CROSS SYSTEM MAP FORMAT";

/// Bytes before the samples.
const HEADER_BYTES: u64 = 256;

/// Whether the file begins as PCRaster maps do.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(SIGNATURE)
}

/// Reads a PCRaster map.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let head = &input.head;
    let endian = endian_of(head)?;
    let number = |at: usize| f64_at(head, at, endian);
    let size = [u32_at(head, 104, endian)?, u32_at(head, 100, endian)?];
    let (sample, missing) = sample_of(u16_at(head, 66, endian)?)?;
    let [west, north, dx, dy, turn] = [number(84)?, number(92)?, number(108)?, number(116)?, number(124)?];
    if turn != 0.0 {
        return Err(Error::input(
            format!("a PCRaster map turned by {turn}"),
            "one that is not turned",
            "convert it to GeoTIFF, for example with gdal_translate",
        ));
    }
    let mut decoded = Decoded::new("PCRaster", input.path.clone(), size, sample.name());
    let order = Order::Rows(RowOrder::Top);
    let block = Block { size, sample, endian, start: HEADER_BYTES, order };
    block.read(input, EmptyValue::parse(missing), options, &mut decoded)?;
    decoded.geotransform = Some([west, dx, 0.0, north, 0.0, -dy]);
    Ok(decoded)
}

/// The byte order in which the header's mark is one.
fn endian_of(head: &[u8]) -> Result<Endian> {
    const MARK: usize = 46;
    for endian in [Endian::Little, Endian::Big] {
        if u32_at(head, MARK, endian)? == 1 {
            return Ok(endian);
        }
    }
    Err(Error::input("a PCRaster map of no known byte order", "its mark to be 1", "get the file again"))
}

/// The sample type of a cell representation, and what stands for a missing value in it.
fn sample_of(representation: u16) -> Result<(Sample, &'static str)> {
    match representation {
        0x00 => Ok((Sample::U8, "255")),
        0x04 => Ok((Sample::I8, "-128")),
        0x11 => Ok((Sample::U16, "65535")),
        0x15 => Ok((Sample::I16, "-32768")),
        0x22 => Ok((Sample::U32, "4294967295")),
        0x26 => Ok((Sample::I32, "-2147483648")),
        0x5a => Ok((Sample::F32, "nan")),
        0xdb => Ok((Sample::F64, "nan")),
        other => Err(Error::input(
            format!("PCRaster cells of representation {other:#04x}"),
            "integers or floats",
            "get the file again",
        )),
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    /// A header for 2 columns and 1 row, 5 apart from (10, 20) at the north-west.
    fn header(representation: u16, turn: f64) -> Vec<u8> {
        let mut file = vec![0; 256];
        file[..27].copy_from_slice(super::SIGNATURE);
        file[46] = 1;
        file[66..68].copy_from_slice(&representation.to_le_bytes());
        for (at, number) in [(84, 10.0_f64), (92, 20.0), (108, 5.0), (116, 5.0), (124, turn)] {
            file[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        file[100] = 1;
        file[104] = 2;
        file
    }

    #[test]
    fn integers_and_floats_with_missing_values() {
        let folder = TestFolder::new();
        let raster = folder.read("a.map", &[header(0x15, 0.0), vec![7, 0, 0, 0x80]].concat()).expect("read");
        assert_eq!((raster.size, raster.heights[0], raster.facts.statistics.empty), ([2, 1], 7.0, 1));
        assert_eq!(raster.facts.geotransform, Some([10.0, 5.0, 0.0, 20.0, 0.0, -5.0]));
        let floats = [1.5_f32.to_le_bytes(), [0xff; 4]].concat();
        let raster = folder.read("b.map", &[header(0x5a, 0.0), floats].concat()).expect("read");
        assert_eq!((raster.heights[0], raster.facts.statistics.empty), (1.5, 1));
        assert_eq!(raster.facts.sample_type, "f32");
    }

    #[test]
    fn malformed_maps_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.map", content));
        assert!(refused(&header(0x5a, 0.0)).contains("2×1 samples of f32"));
        assert!(refused(&header(0x5a, 0.5)).contains("turned by 0.5"));
        assert!(refused(&header(0x77, 0.0)).contains("representation 0x77"));
        assert!(refused(super::SIGNATURE).contains("cut off after 27 bytes"));
        let mut unmarked = header(0x5a, 0.0);
        unmarked[46] = 2;
        assert!(refused(&unmarked).contains("no known byte order"));
    }
}
