//! What is told of heights that came out of a picture or a game tool: steps of eight bits, also within sixteen, and floats
//! of 0 to 1.

use super::decoded::Decoded;
use super::raster::ReadOptions;
use crate::error::{Error, Result};

/// What codes of sixteen bits are multiples of that were made of eight: `v·257` uses the whole range, `v·256` leaves the
/// low byte zero.
const OF_EIGHT_BITS: [f64; 2] = [257.0, 256.0];
/// How far a code may be from whole after it was scaled to a height and back.
const ROUNDING: f64 = 0.01;
/// The least span of values that are taken for normalised; ground of less relief may be metres.
const LEAST_SPAN: f64 = 0.25;

/// Tells what there is to tell, and gives the step between codes in the file's height unit; floats have none. `unit_m`: metres
/// in the height unit, where one is named.
///
/// # Errors
/// A range is asked for, and the values are floats that are not within 0 and 1.
pub(super) fn tell(decoded: &mut Decoded, options: &ReadOptions, unit_m: Option<f64>) -> Result<Option<f64>> {
    let Some(bits) = integer_bits(&decoded.sample_type) else {
        tell_of_floats(decoded, options, unit_m.is_some())?;
        return Ok(None);
    };
    let step = decoded.scale.abs();
    let metres = |step: f64| format!("step {:.2} m", step * unit_m.unwrap_or(1.0));
    if bits <= 8 && !decoded.is_text {
        decoded.notes.warn("8-bit", format!("{bits}-bit source, {}", metres(step)));
    } else if let (Some(factor), true) = (decoded.common_factor, decoded.raw.max > decoded.raw.min) {
        // Flat ground tells nothing.
        let step = step * factor;
        let text =
            format!("16-bit file of 8-bit steps, all codes are multiples of {factor}, {}", metres(step));
        decoded.notes.warn("8-bit-steps", text);
        return Ok(Some(step));
    }
    Ok(Some(step))
}

/// Whether values, least and greatest, fill a good part of 0 … 1 and nothing else.
pub(super) fn is_normalised([low, high]: [f64; 2]) -> bool {
    low >= 0.0 && high <= 1.0 && high - low >= LEAST_SPAN
}

/// Bits of an integer type by its name; `None` for floats.
fn integer_bits(sample_type: &str) -> Option<u32> {
    sample_type.strip_prefix(['u', 'i'])?.parse().ok()
}

fn tell_of_floats(decoded: &mut Decoded, options: &ReadOptions, has_unit: bool) -> Result<()> {
    let values = [decoded.raw.min, decoded.raw.max];
    if options.z_range.is_some() && !options.no_scale {
        return check_spread(values);
    }
    let is_plain = decoded.scale == 1.0 && decoded.offset == 0.0;
    if is_plain && !has_unit && is_normalised(values) {
        decoded.notes.warn("normalised", "values span 0…1, looks normalised; --z-range A,B gives heights");
    }
    Ok(())
}

/// Holds values that were spread to the range that floats are spread from.
fn check_spread([low, high]: [f64; 2]) -> Result<()> {
    if low >= 0.0 && high <= 1.0 || low > high {
        return Ok(());
    }
    Err(Error::usage(
        format!("--z-range for values of {low} to {high}"),
        "floats within 0 and 1, or whole codes",
        "leave --z-range out",
    ))
}

/// Which factors all codes of sixteen bits have in common, as far as heights were looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonFactors {
    scale: f64,
    offset: f64,
    left: [bool; OF_EIGHT_BITS.len()],
}

impl CommonFactors {
    /// For heights that are about to be looked at; `None` where they are no codes of sixteen bits.
    pub fn of(decoded: &Decoded) -> Option<Self> {
        let is_wide = integer_bits(&decoded.sample_type) == Some(16) && !decoded.is_text;
        let (scale, offset) = (decoded.scale, decoded.offset);
        is_wide.then_some(Self { scale, offset, left: [true; OF_EIGHT_BITS.len()] })
    }

    /// Looks at heights.
    pub fn add(&mut self, heights: &[f32]) {
        let (scale, offset) = (self.scale, self.offset);
        for (left, factor) in self.left.iter_mut().zip(OF_EIGHT_BITS) {
            let is_multiple = |height: &f32| {
                let code = (f64::from(*height) - offset) / scale;
                let rest = code - (code / factor).round() * factor;
                !height.is_finite() || rest.abs() < ROUNDING
            };
            *left = *left && heights.iter().all(is_multiple);
        }
    }

    /// The factor of all heights that were looked at.
    pub fn found(&self) -> Option<f64> {
        OF_EIGHT_BITS.into_iter().zip(self.left).find(|(_, left)| *left).map(|(factor, _)| factor)
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::TestFolder;
    use crate::formats::{HeightUnit, Raster, ReadOptions, SampleType};

    fn options(sample_type: SampleType, z_range: Option<[f64; 2]>) -> ReadOptions {
        ReadOptions {
            raster_size: Some([2, 2]),
            sample_type: Some(sample_type),
            z_range,
            ..ReadOptions::default()
        }
    }

    fn codes(codes: [u16; 4], z_range: Option<[f64; 2]>) -> Raster {
        let bytes: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        let options = options(SampleType::U16, z_range);
        TestFolder::new().read_with("a.raw", &bytes, &options).expect("read")
    }

    fn floats(values: [f32; 4], z_range: Option<[f64; 2]>) -> crate::error::Result<Raster> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        TestFolder::new().read_with("a.r32", &bytes, &options(SampleType::F32, z_range))
    }

    fn told(raster: &Raster) -> Vec<(&str, &str)> {
        let warnings = raster.facts.warnings.iter();
        warnings.map(|warning| (warning.code.as_str(), warning.text.as_str())).collect()
    }

    #[test]
    fn a_low_byte_that_says_nothing_is_told() {
        let zeroed = "16-bit file of 8-bit steps, all codes are multiples of 256, step 256.00 m";
        assert_eq!(told(&codes([0, 256, 512, 65_280], None)), [("8-bit-steps", zeroed)]);
        let spread = "16-bit file of 8-bit steps, all codes are multiples of 257, step 3.92 m";
        assert_eq!(told(&codes([0, 257, 514, 65_535], Some([0.0, 1000.0]))), [("8-bit-steps", spread)]);
        assert_eq!(told(&codes([0, 256, 513, 65_280], None)), []);
        assert_eq!(told(&codes([256; 4], None)), []);
    }

    #[test]
    fn floats_of_zero_to_one_are_told_and_spread_on_demand() {
        let found = floats([0.0, 0.25, 0.5, 1.0], None).expect("read");
        assert_eq!(found.heights, [0.0, 0.25, 0.5, 1.0]);
        let text = "values span 0…1, looks normalised; --z-range A,B gives heights";
        assert_eq!(told(&found), [("normalised", text)]);
        let spread = floats([0.0, 0.25, 0.5, 1.0], Some([100.0, 300.0])).expect("read");
        assert_eq!(spread.heights, [100.0, 150.0, 200.0, 300.0]);
        assert_eq!((told(&spread).len(), spread.facts.statistics.raw_max), (0, Some(1.0)));
        let in_feet = ReadOptions { z_unit: Some(HeightUnit::Foot), ..options(SampleType::F32, None) };
        let bytes: Vec<u8> = [0.0_f32, 0.25, 0.5, 1.0].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(told(&TestFolder::new().read_with("a.r32", &bytes, &in_feet).expect("read")), []);
        for metres in [[0.0, 0.1, 0.2, 0.1], [0.0, 0.5, 1.0, 1.5], [-0.5, 0.0, 0.5, 1.0]] {
            assert_eq!(told(&floats(metres, None).expect("read")), [], "{metres:?}");
        }
        let error = floats([399.0, 500.0, 600.0, 956.0], Some([0.0, 10.0])).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("--z-range for values of 399 to 956"), "{error}");
    }
}
