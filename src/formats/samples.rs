//! Stored samples to heights: every number type, both byte orders, empties told apart before scaling.

use super::empties::{EmptyValue, is_usual_fill};
use crate::terrain::EMPTY;
use half::f16;

/// Number types of stored samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sample {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
}

/// Byte order of stored samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Endian {
    Little,
    Big,
}

/// The byte order of this machine.
pub(super) const NATIVE: Endian = if cfg!(target_endian = "big") { Endian::Big } else { Endian::Little };

/// A magnitude that no height of anything reaches in any unit: float samples beyond it are fill values.
const HUGE: f64 = 1e30;

/// What was met among stored values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RawRange {
    /// Least stored value that is not empty; infinite where there is none.
    pub min: f64,
    /// The next one above it; looked for where the least is a value that programs write for "nothing here".
    pub second: f64,
    /// Greatest stored value that is not empty; negative infinite where there is none.
    pub max: f64,
    /// Samples that equal the declared empty value.
    pub declared: u64,
    /// Samples that are infinite.
    pub infinite: u64,
    /// Samples of a magnitude that no height reaches.
    pub huge: u64,
}

impl Default for RawRange {
    fn default() -> Self {
        let inf = f64::INFINITY;
        Self { min: inf, second: inf, max: -inf, declared: 0, infinite: 0, huge: 0 }
    }
}

impl RawRange {
    /// Takes one valid stored value in.
    pub fn add(&mut self, value: f64) {
        if value < self.min {
            self.second = self.min;
            self.min = value;
        } else if value > self.min && value < self.second {
            self.second = value;
        }
        self.max = self.max.max(value);
    }

    /// Both ranges as one.
    pub fn merge(mut self, other: Self) -> Self {
        let max = self.max.max(other.max);
        for value in [other.min, other.second].into_iter().filter(|value| value.is_finite()) {
            self.add(value);
        }
        Self {
            max,
            declared: self.declared + other.declared,
            infinite: self.infinite + other.infinite,
            huge: self.huge + other.huge,
            ..self
        }
    }
}

/// How stored bytes become heights.
#[derive(Debug, Clone)]
pub(super) struct Decoder {
    pub sample: Sample,
    pub endian: Endian,
    pub empty: Option<EmptyValue>,
    pub scale: f64,
    pub offset: f64,
}

impl Sample {
    /// The type's short name.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::U64 => "u64",
            Self::I64 => "i64",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Bytes of one sample.
    pub fn bytes(self) -> usize {
        match self {
            Self::U8 | Self::I8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::U64 | Self::I64 | Self::F64 => 8,
        }
    }

    /// Least and greatest code of an integer type.
    pub fn codes(self) -> Option<[f64; 2]> {
        match self {
            Self::U8 => Some([0.0, f64::from(u8::MAX)]),
            Self::I8 => Some([f64::from(i8::MIN), f64::from(i8::MAX)]),
            Self::U16 => Some([0.0, f64::from(u16::MAX)]),
            Self::I16 => Some([f64::from(i16::MIN), f64::from(i16::MAX)]),
            Self::U32 => Some([0.0, f64::from(u32::MAX)]),
            Self::I32 => Some([f64::from(i32::MIN), f64::from(i32::MAX)]),
            _ => None,
        }
    }

    /// Whether the type is a float.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32 | Self::F64)
    }
}

/// One number type as it lies in a file.
trait Stored<const BYTES: usize>: Copy + PartialEq {
    fn read(bytes: [u8; BYTES], endian: Endian) -> Self;
    fn from_empty(empty: &EmptyValue) -> Option<Self>;
    fn to_f64(self) -> f64;
    fn to_f32(self) -> f32;
}

macro_rules! stored_integer {
    ($($kind:ty, $bytes:literal;)*) => {$(
        impl Stored<$bytes> for $kind {
            fn read(bytes: [u8; $bytes], endian: Endian) -> Self {
                match endian {
                    Endian::Little => Self::from_le_bytes(bytes),
                    Endian::Big => Self::from_be_bytes(bytes),
                }
            }
            fn from_empty(empty: &EmptyValue) -> Option<Self> {
                empty.integer().and_then(|value| Self::try_from(value).ok())
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn to_f32(self) -> f32 {
                self as f32
            }
        }
    )*};
}
stored_integer! { u8, 1; i8, 1; u16, 2; i16, 2; u32, 4; i32, 4; u64, 8; i64, 8; }

macro_rules! stored_float {
    ($($kind:ty, $bytes:literal, $round:expr, $to_f64:expr, $to_f32:expr;)*) => {$(
        impl Stored<$bytes> for $kind {
            fn read(bytes: [u8; $bytes], endian: Endian) -> Self {
                match endian {
                    Endian::Little => Self::from_le_bytes(bytes),
                    Endian::Big => Self::from_be_bytes(bytes),
                }
            }
            fn from_empty(empty: &EmptyValue) -> Option<Self> {
                let rounded: Self = $round(empty.value());
                // A text just past the greatest finite value means that value.
                Some(match (rounded.is_infinite(), empty.value().is_infinite()) {
                    (true, false) if empty.value() > 0.0 => Self::MAX,
                    (true, false) => Self::MIN,
                    _ => rounded,
                })
            }
            fn to_f64(self) -> f64 {
                $to_f64(self)
            }
            fn to_f32(self) -> f32 {
                $to_f32(self)
            }
        }
    )*};
}
stored_float! {
    f16, 2, f16::from_f64, f16::to_f64, f16::to_f32;
    f32, 4, |value: f64| value as f32, f64::from, |value: f32| value;
    f64, 8, |value: f64| value, |value: f64| value, |value: f64| value as f32;
}

impl Decoder {
    /// Decodes as many samples as `out` holds; the bytes must hold at least as many.
    pub fn decode(&self, bytes: &[u8], out: &mut [f32]) -> RawRange {
        match self.sample {
            Sample::U8 => self.decode_as::<u8, 1>(bytes, out),
            Sample::I8 => self.decode_as::<i8, 1>(bytes, out),
            Sample::U16 => self.decode_as::<u16, 2>(bytes, out),
            Sample::I16 => self.decode_as::<i16, 2>(bytes, out),
            Sample::U32 => self.decode_as::<u32, 4>(bytes, out),
            Sample::I32 => self.decode_as::<i32, 4>(bytes, out),
            Sample::U64 => self.decode_as::<u64, 8>(bytes, out),
            Sample::I64 => self.decode_as::<i64, 8>(bytes, out),
            Sample::F16 => self.decode_as::<f16, 2>(bytes, out),
            Sample::F32 => self.decode_as::<f32, 4>(bytes, out),
            Sample::F64 => self.decode_as::<f64, 8>(bytes, out),
        }
    }

    fn decode_as<T: Stored<BYTES>, const BYTES: usize>(&self, bytes: &[u8], out: &mut [f32]) -> RawRange {
        let (samples, _) = bytes.as_chunks::<BYTES>();
        let samples = &samples[..out.len().min(samples.len())];
        let is_plain = self.scale == 1.0 && self.offset == 0.0;
        match (self.empty.as_ref().and_then(T::from_empty), is_plain) {
            (None, true) => self.decode_with(samples, out, |_: T| false, |stored, _| stored.to_f32()),
            (None, false) => self.decode_with(samples, out, |_: T| false, |_, value| self.scaled(value)),
            (Some(empty), true) => {
                self.decode_with(samples, out, |stored: T| stored == empty, |stored, _| stored.to_f32())
            }
            (Some(empty), false) => {
                self.decode_with(samples, out, |stored: T| stored == empty, |_, value| self.scaled(value))
            }
        }
    }

    fn scaled(&self, value: f64) -> f32 {
        (value * self.scale + self.offset) as f32
    }

    /// One loop without branches for what every sample needs; what only some blocks need is looked for after it.
    fn decode_with<T: Stored<BYTES>, const BYTES: usize>(
        &self,
        samples: &[[u8; BYTES]],
        out: &mut [f32],
        is_empty: impl Fn(T) -> bool,
        height_of: impl Fn(T, f64) -> f32,
    ) -> RawRange {
        let mut range = RawRange::default();
        let mut heights = 0_usize;
        for (height, sample) in out.iter_mut().zip(samples) {
            let stored = T::read(*sample, self.endian);
            let value = stored.to_f64();
            let is_height = !is_empty(stored) && value.abs() < HUGE;
            let found = height_of(stored, value);
            *height = if is_height && found.is_finite() { found } else { EMPTY };
            range.min = if is_height && value < range.min { value } else { range.min };
            range.max = if is_height && value > range.max { value } else { range.max };
            heights += usize::from(is_height);
        }
        let stored = || samples.iter().map(|sample| T::read(*sample, self.endian));
        if heights < samples.len() {
            range.declared = stored().filter(|stored| is_empty(*stored)).count() as u64;
            let others = || stored().filter(|stored| !is_empty(*stored)).map(T::to_f64);
            range.infinite = others().filter(|value| value.is_infinite()).count() as u64;
            range.huge = others().filter(|value| value.is_finite() && value.abs() >= HUGE).count() as u64;
        }
        if is_usual_fill(range.min) {
            let heights = stored()
                .filter(|stored| !is_empty(*stored))
                .map(T::to_f64)
                .filter(|value| value.abs() < HUGE);
            range.second = heights.filter(|value| *value > range.min).fold(f64::INFINITY, f64::min);
        }
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::is_empty;

    fn decode(decoder: &Decoder, bytes: &[u8], count: usize) -> (Vec<f32>, RawRange) {
        let mut out = vec![0.0; count];
        let range = decoder.decode(bytes, &mut out);
        (out, range)
    }

    fn decoder(sample: Sample, empty: Option<&str>) -> Decoder {
        let empty = empty.and_then(EmptyValue::parse);
        Decoder { sample, endian: Endian::Little, empty, scale: 1.0, offset: 0.0 }
    }

    #[test]
    fn emptiness_is_tested_on_stored_values_in_their_own_type() {
        let bytes: Vec<u8> = [-3.4e38_f32, 5.0, 12.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let (heights, range) = decode(&decoder(Sample::F32, Some("-3.4e+38")), &bytes, 3);
        assert!(is_empty(heights[0]) && heights[1..] == [5.0, 12.0]);
        assert_eq!((range.min, range.max, range.declared), (5.0, 12.0, 1));
        let bytes: Vec<u8> = [f32::MIN, f32::MAX].iter().flat_map(|v| v.to_le_bytes()).collect();
        let (_, range) = decode(&decoder(Sample::F32, Some("3.40282350000000011e+38")), &bytes, 2);
        assert_eq!((range.declared, range.huge), (1, 1));
    }

    #[test]
    fn scaling_follows_the_test_for_empties() {
        let scaled = Decoder { scale: 0.01, offset: 100.0, ..decoder(Sample::I16, Some("-32768")) };
        let bytes: Vec<u8> = [1234_i16, 0, 1, -32768].iter().flat_map(|v| v.to_le_bytes()).collect();
        let (heights, range) = decode(&scaled, &bytes, 4);
        assert_eq!(heights[..3], [112.34, 100.0, 100.01]);
        assert!(is_empty(heights[3]));
        assert_eq!((range.min, range.max), (0.0, 1234.0));
    }

    #[test]
    fn an_empty_value_outside_the_type_matches_nothing() {
        let (heights, _) = decode(&decoder(Sample::U8, Some("-9999")), &[241, 0], 2);
        assert_eq!(heights, [241.0, 0.0]);
        let (heights, range) = decode(&decoder(Sample::I64, Some("9007199254740993")), &[1; 8], 1);
        assert_eq!((heights.len(), range.declared), (1, 0));
    }

    #[test]
    fn ranges_merge_with_their_second_least() {
        let mut a = RawRange::default();
        let mut b = RawRange::default();
        [5.0, -9999.0].iter().for_each(|v| a.add(*v));
        [7.0, 4.0, -9999.0].iter().for_each(|v| b.add(*v));
        let both = a.merge(b);
        assert_eq!((both.min, both.second, both.max), (-9999.0, 4.0, 7.0));
    }

    #[test]
    fn both_byte_orders_and_halves() {
        let big = Decoder { endian: Endian::Big, ..decoder(Sample::I16, None) };
        assert_eq!(decode(&big, &[0x01, 0x02], 1).0, [258.0]);
        let bytes = f16::from_f32(1.5).to_le_bytes();
        assert_eq!(decode(&decoder(Sample::F16, None), &bytes, 1).0, [1.5]);
    }
}
