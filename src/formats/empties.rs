//! Which samples are empty: the declared value, and values that cannot be heights.

use super::decoded::Notes;
use super::samples::{RawRange, Sample};
use crate::terrain::EMPTY;

/// The least height that an undeclared fill value must stay clear of, in stored units: no dry land lies
/// lower, and a sea floor never jumps to it from a fill value's depth without anything between.
const LEAST_PLAUSIBLE: f64 = -1000.0;

/// Values that programs write for "nothing here" and often forget to declare.
const USUAL_FILLS: [f64; 4] = [-9999.0, -32768.0, -32767.0, -99999.0];

/// An empty value as it was declared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EmptyValue {
    text: String,
    value: f64,
    integer: Option<i128>,
}

impl EmptyValue {
    /// Reads a declared text such as `-9999`, `nan` or `-3.4e+38`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
        let value: f64 = text.parse().ok()?;
        Some(Self { text: text.to_owned(), value, integer: text.parse().ok().or_else(|| whole(value)) })
    }

    /// From a number.
    pub fn from_number(value: f64) -> Self {
        Self { text: value.to_string(), value, integer: whole(value) }
    }

    /// As it was declared.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As a float; NaN where NaN was declared.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// As an integer, where it is one.
    pub fn integer(&self) -> Option<i128> {
        self.integer
    }

    /// Whether a sample type can hold the value at all.
    fn fits(&self, sample: Sample) -> bool {
        match sample {
            Sample::U64 => self.integer.is_some_and(|value| u64::try_from(value).is_ok()),
            Sample::I64 => self.integer.is_some_and(|value| i64::try_from(value).is_ok()),
            _ => sample.codes().is_none_or(|[least, greatest]| {
                self.integer.is_some_and(|value| (least..=greatest).contains(&(value as f64)))
            }),
        }
    }
}

fn whole(value: f64) -> Option<i128> {
    (value.fract() == 0.0 && value.abs() < 1e30).then_some(value as i128)
}

/// The sentence on how empties were told apart, before undeclared ones are looked for.
pub(super) fn rule(empty: Option<&EmptyValue>, sample: Sample) -> String {
    let own = match empty {
        Some(empty) if empty.value().is_nan() => "NaN is empty".to_owned(),
        Some(empty) if empty.fits(sample) => {
            format!("stored values equal to {} as {} are empty", empty.text(), sample.name())
        }
        Some(empty) => format!("{} lies outside {}: no stored value is empty", empty.text(), sample.name()),
        None => "no empty value is declared".to_owned(),
    };
    if sample.is_float() && empty.is_none_or(|empty| !empty.value().is_nan()) {
        format!("{own}; NaN, infinities and magnitudes from 1e30 on are empty in any case")
    } else {
        own
    }
}

/// Tells of values that were taken as empty though nothing declares them.
pub(super) fn tell_of_implausible(range: &RawRange, notes: &mut Notes) {
    if range.infinite > 0 {
        notes.warn("infinite-values", format!("{} samples are infinite and taken as empty", range.infinite));
    }
    if range.huge > 0 {
        let count = range.huge;
        notes.warn(
            "undeclared-empty",
            format!("{count} samples of magnitude 1e30 or more are taken as empty"),
        );
    }
}

/// Whether a stored value is one that programs write for "nothing here".
pub(super) fn is_usual_fill(stored: f64) -> bool {
    USUAL_FILLS.contains(&stored)
}

/// A fill value that nothing declares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Undeclared {
    stored: f64,
    as_height: f32,
}

impl Undeclared {
    /// The least stored value, where it is a usual fill and every other value lies far above it.
    pub fn find(range: &RawRange, scale: f64, offset: f64) -> Option<Self> {
        let stored = range.min;
        let far_below = range.second >= LEAST_PLAUSIBLE && range.second.is_finite();
        let as_height = (stored * scale + offset) as f32;
        (is_usual_fill(stored) && far_below).then_some(Self { stored, as_height })
    }

    /// Empties its samples and counts them.
    pub fn empty(&self, heights: &mut [f32]) -> u64 {
        let mut count = 0;
        for height in heights.iter_mut().filter(|height| **height == self.as_height) {
            *height = EMPTY;
            count += 1;
        }
        count
    }

    /// Tells of so many emptied samples. Returns the sentence to add to the rule.
    pub fn tell(&self, count: u64, notes: &mut Notes) -> String {
        let fill = self.stored;
        notes.warn(
            "undeclared-empty",
            format!(
                "{count} samples are {fill}, all others are above {LEAST_PLAUSIBLE}: taken as empty, undeclared; \
                 --nodata none keeps them"
            ),
        );
        format!("{fill} is empty, undeclared, because every other value lies far above it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(values: &[f64]) -> RawRange {
        let mut range = RawRange::default();
        values.iter().for_each(|value| range.add(*value));
        range
    }

    #[test]
    fn declared_texts() {
        assert!(EmptyValue::parse("nan\0").is_some_and(|empty| empty.value().is_nan()));
        assert_eq!(EmptyValue::parse(" -9999.0 ").and_then(|empty| empty.integer()), Some(-9999));
        assert_eq!(
            EmptyValue::parse("18446744073709551615").and_then(|e| e.integer()),
            Some(i128::from(u64::MAX))
        );
        assert_eq!(EmptyValue::parse("none"), None);
        let outside = EmptyValue::from_number(-9999.0);
        assert_eq!(rule(Some(&outside), Sample::U8), "-9999 lies outside u8: no stored value is empty");
        assert_eq!(rule(Some(&outside), Sample::I16), "stored values equal to -9999 as i16 are empty");
        assert_eq!(
            rule(None, Sample::F32),
            "no empty value is declared; NaN, infinities and magnitudes from 1e30 on are empty in any case"
        );
    }

    #[test]
    fn an_undeclared_fill_far_below_everything_is_emptied_and_told() {
        let mut notes = Notes::default();
        let mut heights = [100.0, -9999.0, 107.0];
        let found = Undeclared::find(&range(&[100.0, -9999.0, 107.0]), 1.0, 0.0).expect("a fill value");
        assert_eq!(found.empty(&mut heights), 1);
        assert!(heights[1].is_nan());
        assert!(found.tell(1, &mut notes).starts_with("-9999 is empty"));
        assert_eq!(notes.warnings.len(), 1);
    }

    #[test]
    fn a_sea_floor_keeps_its_depths_and_a_plain_of_one_value_its_height() {
        assert_eq!(Undeclared::find(&range(&[-9998.0, -9999.0]), 1.0, 0.0), None);
        assert_eq!(Undeclared::find(&range(&[-9999.0, -9999.0]), 1.0, 0.0), None);
    }
}
