//! Heights as whole numbers: height = code·scale + offset, empties one code of their own.

use crate::formats::Raster;
use crate::terrain::is_empty;
use rayon::prelude::*;

/// Whole numbers of one type that stand for heights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Codes {
    pub width: Width,
    pub scale: f64,
    pub offset: f64,
    /// The code of an empty; `None` where no height is empty and none is declared.
    pub empty: Option<i64>,
}

/// Integer types, as TIFF and raw files store them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
}

/// What stands in files of 16 bits: every code from the first to the last.
pub(super) const LAST: i64 = u16::MAX as i64;

impl Width {
    /// The integer type of a name such as `i16`.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::U8, Self::I8, Self::U16, Self::I16, Self::U32, Self::I32]
            .into_iter()
            .find(|width| width.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::I8 => "i8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
        }
    }

    /// The least and the greatest code.
    fn range(self) -> [i64; 2] {
        match self {
            Self::U8 => [0, u8::MAX.into()],
            Self::I8 => [i8::MIN.into(), i8::MAX.into()],
            Self::U16 => [0, u16::MAX.into()],
            Self::I16 => [i16::MIN.into(), i16::MAX.into()],
            Self::U32 => [0, u32::MAX.into()],
            Self::I32 => [i32::MIN.into(), i32::MAX.into()],
        }
    }
}

impl Codes {
    /// The source's own integers, its scale, offset and empty value with them, if they hold every height.
    pub fn of_source(raster: &Raster) -> Option<Self> {
        let facts = &raster.facts;
        let width = Width::from_name(&facts.sample_type)?;
        let declared =
            facts.nodata.as_ref().and_then(|text| text.parse::<f64>().ok()).map(|value| value as i64);
        let [least, greatest] = width.range();
        let declared = declared.filter(|code| (least..=greatest).contains(code));
        let codes = Self { width, scale: facts.scale, offset: facts.offset, empty: declared };
        if declared.is_some() || facts.statistics.empty == 0 {
            return codes.holds(raster).then_some(codes);
        }
        // Empties that a mask or a sense of what is plausible told apart need a code that no height has.
        [least, greatest, 0]
            .into_iter()
            .map(|empty| Self { empty: Some(empty), ..codes })
            .find(|codes| codes.holds(raster))
    }

    /// Sixteen bits without a sign that hold every height exactly: the heights themselves, the source's own codes, or
    /// the heights less a whole offset. `None` where there are none.
    pub fn exact(raster: &Raster) -> Option<Self> {
        let statistics = &raster.facts.statistics;
        let first = i64::from(statistics.empty > 0);
        let empty = (first > 0).then_some(0);
        let own = |scale, offset| Self { width: Width::U16, scale, offset, empty };
        let least = statistics.min.unwrap_or_default().floor();
        [own(1.0, 0.0), own(raster.facts.scale, raster.facts.offset), own(1.0, least - first as f64)]
            .into_iter()
            .find(|codes| codes.holds(raster))
    }

    /// Sixteen bits without a sign, the lowest height at the first code and the highest at the last.
    pub fn spread(raster: &Raster) -> Self {
        let statistics = &raster.facts.statistics;
        let first = i64::from(statistics.empty > 0);
        let (least, greatest) = (statistics.min.unwrap_or_default(), statistics.max.unwrap_or_default());
        let scale = if greatest > least { (greatest - least) / (LAST - first) as f64 } else { 1.0 };
        let offset = least - first as f64 * scale;
        Self { width: Width::U16, scale, offset, empty: (first > 0).then_some(0) }
    }

    /// The nearest code of a height.
    pub fn code(&self, height: f32) -> i64 {
        let [least, greatest] = self.width.range();
        match self.empty {
            Some(empty) if is_empty(height) => empty,
            _ => (((f64::from(height) - self.offset) / self.scale).round() as i64).clamp(least, greatest),
        }
    }

    /// The heights of the least and the greatest code, between which a reader spreads all codes.
    pub fn z_range(&self) -> [f64; 2] {
        self.width.range().map(|code| code as f64 * self.scale + self.offset)
    }

    /// Whether every height comes back bit for bit, and none as an empty.
    pub fn holds(&self, raster: &Raster) -> bool {
        raster.heights.par_iter().all(|height| {
            let code = self.code(*height);
            if is_empty(*height) {
                return self.empty == Some(code);
            }
            let back = (code as f64 * self.scale + self.offset) as f32;
            // Zero has two signs, and one code.
            self.empty != Some(code) && back == *height
        })
    }
}
