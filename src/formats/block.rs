//! Samples that lie in one piece behind a header: what most binary grids are.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::{Input, heights_for, unreadable};
use super::layout::{Order, place_lines};
use super::raster::ReadOptions;
use super::samples::{Decoder, Endian, Sample};
use crate::error::{Error, Result};
use std::io::Read;

/// Where the samples lie in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// Columns and rows.
    pub size: [u32; 2],
    pub sample: Sample,
    pub endian: Endian,
    /// Bytes of the file before the first sample.
    pub start: u64,
    pub order: Order,
}

impl Block {
    /// Reads the heights, north row first, with the scale and offset that `decoded` has.
    ///
    /// # Errors
    /// A size of nothing, or a file that is too short for it.
    pub fn read(
        &self,
        input: &Input,
        declared: Option<EmptyValue>,
        options: &ReadOptions,
        decoded: &mut Decoded,
    ) -> Result<()> {
        self.check_length(input.length)?;
        let empty = decoded.take_empty(declared, self.sample, options);
        let [scale, offset] = [decoded.scale, decoded.offset];
        let decoder = Decoder { sample: self.sample, endian: self.endian, empty, scale, offset };
        decoded.heights = heights_for(self.size)?;
        let mut source = input.read_from(self.start)?;
        decoded.raw = place_lines(self.size, self.order, &decoder, &mut decoded.heights, |_, stored| {
            source.read_exact(stored).map_err(|error| unreadable(&error))
        })?;
        Ok(())
    }

    /// Before anything is allocated, so that no header asks for more than its file is worth.
    fn check_length(&self, length: u64) -> Result<()> {
        let [width, depth] = self.size;
        let samples = u64::from(width) * u64::from(depth);
        let needed = samples.checked_mul(self.sample.bytes() as u64).and_then(|b| b.checked_add(self.start));
        if needed.is_some_and(|needed| needed <= length) {
            return Ok(());
        }
        Err(Error::input(
            format!("{length} bytes"),
            format!("{width}×{depth} samples of {} after {} bytes of header", self.sample.name(), self.start),
            "get the file again",
        ))
    }
}

/// A little-endian or big-endian number within a header, or an error that the header is cut.
macro_rules! field {
    ($name:ident, $kind:ty, $bytes:literal) => {
        pub(super) fn $name(header: &[u8], at: usize, endian: Endian) -> Result<$kind> {
            let bytes = header.get(at..).and_then(|rest| rest.first_chunk::<$bytes>());
            let bytes = *bytes.ok_or_else(|| header_cut(header.len()))?;
            Ok(match endian {
                Endian::Little => <$kind>::from_le_bytes(bytes),
                Endian::Big => <$kind>::from_be_bytes(bytes),
            })
        }
    };
}
field!(u16_at, u16, 2);
field!(u32_at, u32, 4);
field!(f32_at, f32, 4);
field!(f64_at, f64, 8);

fn header_cut(bytes: usize) -> Error {
    Error::input(format!("a header cut off after {bytes} bytes"), "the whole header", "get the file again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::raster::RowOrder;
    use crate::formats::test_files::TestFolder;

    /// The heights of six bytes 1 to 6 after one byte of header, as 2 columns and 3 rows.
    fn heights(order: Order) -> Vec<f32> {
        let folder = TestFolder::new();
        let path = folder.write("a.bin", &[0, 1, 2, 3, 4, 5, 6]);
        let input = Input::open(&path).expect("opened");
        let block = Block { size: [2, 3], sample: Sample::U8, endian: Endian::Little, start: 1, order };
        let mut decoded = Decoded::new("test", path, block.size, "u8");
        let empty = Some(EmptyValue::from_number(4.0));
        block.read(&input, empty, &ReadOptions::default(), &mut decoded).expect("read");
        assert_eq!((decoded.raw.min, decoded.raw.max, decoded.raw.declared), (1.0, 6.0, 1));
        // Zero stands for the empty sample, which equals nothing.
        decoded.heights.iter().map(|height| if height.is_nan() { 0.0 } else { *height }).collect()
    }

    #[test]
    fn rows_and_columns_from_either_end() {
        assert_eq!(heights(Order::Rows(RowOrder::Top)), [1.0, 2.0, 3.0, 0.0, 5.0, 6.0]);
        assert_eq!(heights(Order::Rows(RowOrder::Bottom)), [5.0, 6.0, 3.0, 0.0, 1.0, 2.0]);
        assert_eq!(heights(Order::Columns(RowOrder::Top)), [1.0, 0.0, 2.0, 5.0, 3.0, 6.0]);
        assert_eq!(heights(Order::Columns(RowOrder::Bottom)), [3.0, 6.0, 2.0, 5.0, 1.0, 0.0]);
    }

    #[test]
    fn a_file_too_short_is_refused_before_anything_is_allocated() {
        let block = |size, start| Block {
            size,
            sample: Sample::F64,
            endian: Endian::Big,
            start,
            order: Order::Rows(RowOrder::Top),
        };
        assert!(block([2, 3], 10).check_length(58).is_ok());
        let error = block([2, 3], 10).check_length(57).expect_err("refused").to_string();
        assert!(error.contains("57 bytes; 2×3 samples of f64 after 10 bytes"), "{error}");
        assert!(block([u32::MAX; 2], u64::MAX).check_length(u64::MAX).is_err());
    }

    #[test]
    fn header_fields_in_both_orders_and_cut() {
        let header = [0, 0x12, 0x34, 0, 0];
        assert_eq!(u16_at(&header, 1, Endian::Big).ok(), Some(0x1234));
        assert_eq!(u32_at(&header, 1, Endian::Little).ok(), Some(0x3412));
        let error = f64_at(&header, 0, Endian::Big).expect_err("cut").to_string();
        assert!(error.contains("cut off after 5 bytes"), "{error}");
    }
}
