//! Undoing the TIFF predictors: differences of neighbours (TIFF 6.0, section 14) and of the bytes of floats
//! (Adobe Photoshop TIFF Technical Note 3).

use crate::error::{Error, Result};
use crate::formats::samples::{Endian, NATIVE};

/// Differences from the sample before, in an integer type of the sample's size.
const HORIZONTAL: u16 = 2;
/// Differences from the byte before, in rows that hold the most significant bytes of all samples first.
const FLOATING_POINT: u16 = 3;

/// Undoes the differences of a row in place; its samples are then in this machine's byte order.
macro_rules! add_up {
    ($row:expr, $kind:ty, $interleaved:expr, $endian:expr) => {{
        let (samples, _) = $row.as_chunks_mut::<{ size_of::<$kind>() }>();
        for channel in 0..$interleaved {
            let mut sum: $kind = 0;
            for sample in samples.iter_mut().skip(channel).step_by($interleaved) {
                let difference = match $endian {
                    Endian::Little => <$kind>::from_le_bytes(*sample),
                    Endian::Big => <$kind>::from_be_bytes(*sample),
                };
                sum = sum.wrapping_add(difference);
                *sample = sum.to_ne_bytes();
            }
        }
    }};
}

/// How the samples of a row lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowLayout {
    pub predictor: u16,
    /// Bytes of one row: its pixels' samples side by side.
    pub bytes: usize,
    /// Bytes of one sample: 1, 2, 4 or 8.
    pub sample: usize,
    /// Samples that lie side by side for one pixel.
    pub interleaved: usize,
    /// Of the samples as stored.
    pub endian: Endian,
}

impl RowLayout {
    /// Undoes the predictor on whole rows, in place.
    ///
    /// # Errors
    /// A predictor that is not known, or that does not go with the samples.
    pub fn undo(self, rows: &mut [u8]) -> Result<()> {
        let Self { interleaved, endian, .. } = self;
        let rows = rows.chunks_exact_mut(self.bytes);
        match (self.predictor, self.sample) {
            (0 | 1, _) => {}
            (HORIZONTAL, 1) => rows.for_each(|row| add_up!(row, u8, interleaved, endian)),
            (HORIZONTAL, 2) => rows.for_each(|row| add_up!(row, u16, interleaved, endian)),
            (HORIZONTAL, 4) => rows.for_each(|row| add_up!(row, u32, interleaved, endian)),
            (HORIZONTAL, 8) => rows.for_each(|row| add_up!(row, u64, interleaved, endian)),
            (FLOATING_POINT, 2) => join_bytes::<2>(rows, interleaved),
            (FLOATING_POINT, 4) => join_bytes::<4>(rows, interleaved),
            (FLOATING_POINT, 8) => join_bytes::<8>(rows, interleaved),
            (other, sample) => return Err(unknown(other, sample)),
        }
        Ok(())
    }

    /// The byte order of the samples once the predictor is undone.
    pub fn endian_after(self) -> Endian {
        if self.predictor > 1 { NATIVE } else { self.endian }
    }
}

fn unknown(predictor: u16, sample: usize) -> Error {
    Error::input(
        format!("predictor {predictor} on samples of {} bits", 8 * sample),
        "predictor 1, 2, or 3 for floats",
        "convert it, for example with gdal_translate -co PREDICTOR=1",
    )
}

/// Adds up the bytes of rows and puts the bytes of each sample together, the most significant first as stored.
fn join_bytes<'a, const BYTES: usize>(rows: impl Iterator<Item = &'a mut [u8]>, interleaved: usize) {
    let mut planes = Vec::new();
    for row in rows {
        add_up!(row, u8, interleaved, NATIVE);
        planes.clear();
        planes.extend_from_slice(row);
        let (samples, _) = row.as_chunks_mut::<BYTES>();
        let count = samples.len();
        let planes: [&[u8]; BYTES] = std::array::from_fn(|plane| &planes[plane * count..(plane + 1) * count]);
        for (at, sample) in samples.iter_mut().enumerate() {
            *sample = std::array::from_fn(|byte| match NATIVE {
                Endian::Little => planes[BYTES - 1 - byte][at],
                Endian::Big => planes[byte][at],
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undo(layout: RowLayout, mut row: Vec<u8>) -> Vec<u8> {
        layout.undo(&mut row).expect("undone");
        row
    }

    #[test]
    fn differences_of_both_byte_orders_and_of_interleaved_bands() {
        let layout = RowLayout { predictor: 2, bytes: 6, sample: 2, interleaved: 1, endian: Endian::Big };
        let expected: Vec<u8> = [256_u16, 255, 257].iter().flat_map(|sample| sample.to_ne_bytes()).collect();
        assert_eq!(undo(layout, vec![1, 0, 0xff, 0xff, 0, 2]), expected);
        let little = RowLayout { endian: Endian::Little, ..layout };
        assert_eq!(undo(little, vec![0, 1, 0xff, 0xff, 2, 0]), expected);
        let bands = RowLayout { sample: 1, interleaved: 2, ..layout };
        assert_eq!(undo(bands, vec![1, 10, 1, 10, 1, 10]), [1, 10, 2, 20, 3, 30]);
        let rows = RowLayout { sample: 1, bytes: 3, ..layout };
        assert_eq!(undo(rows, vec![1, 1, 1, 5, 0, 1]), [1, 2, 3, 5, 5, 6]);
    }

    #[test]
    fn floats_are_put_together_from_their_bytes() {
        let floats = [1.5_f32, -2.25, 1e6];
        let planes: Vec<u8> = (0..4).flat_map(|byte| floats.map(|float| float.to_be_bytes()[byte])).collect();
        let mut stored = planes.clone();
        for at in (1..stored.len()).rev() {
            stored[at] = stored[at].wrapping_sub(stored[at - 1]);
        }
        for endian in [Endian::Little, Endian::Big] {
            let layout = RowLayout { predictor: 3, bytes: 12, sample: 4, interleaved: 1, endian };
            let expected: Vec<u8> = floats.iter().flat_map(|float| float.to_ne_bytes()).collect();
            assert_eq!(undo(layout, stored.clone()), expected);
            assert_eq!(layout.endian_after(), NATIVE);
        }
    }

    #[test]
    fn a_predictor_that_does_not_fit_is_told() {
        let layout = RowLayout { predictor: 3, bytes: 2, sample: 1, interleaved: 1, endian: Endian::Little };
        let error = layout.undo(&mut [1, 2]).expect_err("refused");
        assert!(error.to_string().contains("predictor 3 on samples of 8 bits"), "{error}");
        assert!(RowLayout { predictor: 99, ..layout }.undo(&mut [1, 2]).is_err());
    }
}
