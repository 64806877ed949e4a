//! Heights in proportion to the ground where a headerless file says neither range nor spacing.

use super::guess::Reading;
use crate::formats::notices::is_normalised;
use crate::formats::raster::{ReadOptions, SampleType};

/// Heights of the earth's surface in metres: stored values among these are taken for metres.
const METRES: std::ops::RangeInclusive<f64> = -11_500.0..=9_500.0;
/// Spacings of well-known data, metres.
const SPACINGS: [f64; 6] = [1.0, 2.0, 5.0, 10.0, 30.0, 90.0];
/// The greatest relief that is plausible, as a share of the longer side.
const STEEPEST: f64 = 1.0 / 3.0;
/// The range that codes without a meaning in metres are spread over, as a share of the longer side.
const SPREAD: f64 = 0.25;

/// What makes a picture in proportion.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Proportion {
    pub z_range: Option<[f64; 2]>,
    pub spacing: Option<f64>,
}

/// Range and spacing that the options give, or plausible ones.
///
/// Values that can be metres are kept, and the samples moved apart until the relief is plausible. Codes that cannot, and floats
/// of 0 to 1, are spread over a share of the longer side.
pub(super) fn of(reading: &Reading, options: &ReadOptions) -> Proportion {
    let (z_range, spacing) = (options.z_range, options.spacing);
    let [low, high] = reading.values;
    let relief = high - low;
    let longer = f64::from(reading.size[0].max(reading.size[1]).saturating_sub(1));
    if z_range.is_some() || !(relief.is_finite() && relief > 0.0) {
        return Proportion { z_range, spacing };
    }
    let is_float = matches!(reading.sample_type, SampleType::F16 | SampleType::F32 | SampleType::F64);
    let are_metres = METRES.contains(&low) && METRES.contains(&high);
    let is_flat = is_float && is_normalised(reading.values);
    if is_flat || (!are_metres && !is_float) {
        let top = (longer * spacing.unwrap_or(1.0) * SPREAD).max(1.0).round();
        return Proportion { z_range: Some([0.0, top]), spacing };
    }
    let apart = || SPACINGS.into_iter().find(|metres| relief <= longer * metres * STEEPEST);
    let apart = spacing.or_else(|| if are_metres { apart().or(SPACINGS.last().copied()) } else { None });
    Proportion { z_range, spacing: apart.filter(|metres| spacing.is_some() || *metres > 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::ByteOrder;

    fn found(sample_type: SampleType, values: [f64; 2]) -> Proportion {
        let (size, byte_order) = ([1025, 513], ByteOrder::Little);
        let reading =
            Reading { size, sample_type, byte_order, header_bytes: 0, roughness: 0.1, score: 0.1, values };
        of(&reading, &ReadOptions::default())
    }

    #[test]
    fn metres_move_apart_and_codes_are_spread() {
        let metres = found(SampleType::F32, [399.0, 956.0]);
        assert_eq!(metres, Proportion { z_range: None, spacing: Some(2.0) });
        assert_eq!(found(SampleType::U16, [100.0, 300.0]), Proportion::default());
        let codes = found(SampleType::U16, [0.0, 65_535.0]);
        assert_eq!(codes, Proportion { z_range: Some([0.0, 256.0]), spacing: None });
        let normalised = found(SampleType::F32, [0.0, 1.0]);
        assert_eq!(normalised.z_range, Some([0.0, 256.0]));
        assert_eq!(found(SampleType::F32, [0.0, 5e7]), Proportion::default());
        assert_eq!(found(SampleType::U16, [7.0, 7.0]), Proportion::default());
    }

    #[test]
    fn what_is_said_stays() {
        let reading = Reading {
            size: [65, 65],
            sample_type: SampleType::U16,
            byte_order: ByteOrder::Little,
            header_bytes: 0,
            roughness: 0.1,
            score: 0.1,
            values: [0.0, 65_535.0],
        };
        let options = ReadOptions { spacing: Some(10.0), ..ReadOptions::default() };
        assert_eq!(of(&reading, &options), Proportion { z_range: Some([0.0, 160.0]), spacing: Some(10.0) });
        let options = ReadOptions { z_range: Some([5.0, 9.0]), ..ReadOptions::default() };
        assert_eq!(of(&reading, &options), Proportion { z_range: Some([5.0, 9.0]), spacing: None });
    }
}
