//! Answers for a headerless file while they are being changed.

use crate::app::headerless::Headerless;
use crate::formats::{Answers, ReadOptions, Reading, SampleType};

/// Heights that codes are spread over at first, as a share of the longer side.
const SPREAD: f64 = 0.25;

/// Changed answers, and the ones they began with: these tell when the file was read anew.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    base: Headerless,
    /// The answers as they stand.
    pub answers: Answers,
}

impl Draft {
    /// The draft of a reading: the one there is, or a new one where the file was read anew.
    pub fn of(draft: Option<Self>, base: &Headerless) -> Self {
        draft
            .filter(|draft| draft.base == *base)
            .unwrap_or_else(|| Self { base: base.clone(), answers: base.answers })
    }

    /// Takes another width, and the depth that goes with it where one does.
    pub fn set_width(&mut self, width: u32) {
        self.answers.size = [width, self.other_side(width).unwrap_or(self.answers.size[1])];
    }

    /// Takes another depth, and the width that goes with it where one does.
    pub fn set_depth(&mut self, depth: u32) {
        self.answers.size = [self.other_side(depth).unwrap_or(self.answers.size[0]), depth];
    }

    fn other_side(&self, side: u32) -> Option<u32> {
        let bytes = self.base.bytes.checked_sub(self.answers.header_bytes)?;
        let row = u64::from(side) * self.answers.sample_type.bytes();
        let other = u32::try_from(bytes.checked_div(row)?).ok()?;
        (other > 0 && bytes.is_multiple_of(row)).then_some(other)
    }

    /// Takes another type, and the best reading of it where there is one.
    pub fn set_type(&mut self, sample_type: SampleType) {
        match self.base.readings.iter().find(|reading| reading.sample_type == sample_type) {
            Some(reading) if sample_type.bytes() != self.answers.sample_type.bytes() => {
                self.take(&reading.clone())
            }
            _ => (self.answers.sample_type, self.answers.z_range) = (sample_type, None),
        }
    }

    /// Takes a whole reading; the order of its rows stays, which no reading tells.
    pub fn take(&mut self, reading: &Reading) {
        let rows = Some(self.answers.row_order);
        self.answers = reading.answers(&ReadOptions { row_order: rows, ..ReadOptions::default() });
    }

    /// Whether a reading is the one that stands.
    pub fn is(&self, reading: &Reading) -> bool {
        let Answers { size, sample_type, byte_order, header_bytes, .. } = self.answers;
        (reading.size, reading.sample_type, reading.header_bytes) == (size, sample_type, header_bytes)
            && reading.byte_order == byte_order
    }

    /// Spreads codes over a range, or takes them as heights.
    pub fn set_spread(&mut self, spread: bool) {
        let longer = self.answers.size.into_iter().max().unwrap_or(1).saturating_sub(1);
        let top = (f64::from(longer) * self.answers.spacing.unwrap_or(1.0) * SPREAD).max(1.0).round();
        self.answers.z_range = spread.then_some([0.0, top]);
    }

    /// Why the file cannot be read this way.
    pub fn trouble(&self) -> Option<String> {
        let Answers { size: [width, depth], sample_type, z_range, .. } = self.answers;
        if width < 2 || depth < 2 {
            return Some("A terrain has at least 2 × 2 samples.".into());
        }
        if z_range.is_some_and(|[low, high]| low == high) {
            return Some("Two different heights are needed.".into());
        }
        let found = self.base.bytes;
        match self.answers.file_bytes() {
            Some(needed) if needed == found => None,
            Some(needed) => Some(format!(
                "{width} × {depth} {} take {needed} bytes with the header; the file has {found}.",
                sample_type.name()
            )),
            None => Some("More samples than can be counted.".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::headerless::Source;
    use crate::formats::{ByteOrder, RowOrder, guess};

    /// 12 × 8 whole codes of two bytes.
    fn base() -> Headerless {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.raw");
        let height = |at: u16| 500 + 9 * (at % 12) + 4 * (at / 12);
        let bytes: Vec<u8> = (0..96).flat_map(|at| height(at).to_le_bytes()).collect();
        std::fs::write(&path, bytes).expect("written");
        let found = guess(&path, &ReadOptions::default()).expect("looked at").expect("headerless");
        Headerless { answers: found.answers, source: Source::Guessed, readings: found.readings, bytes: 192 }
    }

    #[test]
    fn sides_go_together_and_what_does_not_fit_is_told() {
        let mut draft = Draft::of(None, &base());
        assert_eq!((draft.answers.size, draft.trouble()), ([12, 8], None));
        draft.set_width(24);
        assert_eq!((draft.answers.size, draft.trouble()), ([24, 4], None));
        draft.set_depth(6);
        assert_eq!(draft.answers.size, [16, 6]);
        draft.set_width(7);
        let told = "7 × 6 u16 take 84 bytes with the header; the file has 192.";
        assert_eq!((draft.answers.size, draft.trouble().as_deref()), ([7, 6], Some(told)));
        draft.set_width(96);
        assert_eq!(draft.trouble().as_deref(), Some("A terrain has at least 2 × 2 samples."));
        draft.set_width(0);
        assert!(draft.trouble().is_some());
        draft.answers.size = [u32::MAX; 2];
        (draft.answers.sample_type, draft.answers.header_bytes) = (SampleType::F64, u64::MAX);
        assert_eq!(draft.trouble().as_deref(), Some("More samples than can be counted."));
    }

    #[test]
    fn readings_and_types_are_taken_whole_and_rows_stay() {
        let base = base();
        let mut draft = Draft::of(None, &base);
        draft.answers.row_order = RowOrder::Bottom;
        assert!(draft.is(&base.readings[0]));
        draft.set_type(SampleType::U8);
        assert_eq!((draft.answers.sample_type, draft.trouble()), (SampleType::U8, None));
        draft.set_type(SampleType::I16);
        draft.set_type(SampleType::U16);
        assert_eq!((draft.answers.row_order, draft.trouble()), (RowOrder::Bottom, None));
        draft.take(&base.readings[0]);
        assert_eq!((draft.answers.size, draft.answers.byte_order), ([12, 8], ByteOrder::Little));
        draft.set_spread(true);
        assert_eq!(draft.answers.z_range.map(|range| range[0]), Some(0.0));
        draft.set_spread(false);
        assert_eq!(draft.answers.z_range, None);
    }

    #[test]
    fn a_draft_lasts_until_the_file_is_read_anew() {
        let base = base();
        let mut draft = Draft::of(None, &base);
        draft.set_width(24);
        assert_eq!(Draft::of(Some(draft.clone()), &base), draft);
        let read = Headerless { answers: draft.answers, source: Source::Told, ..base };
        let next = Draft::of(Some(draft.clone()), &read);
        assert_eq!((next.answers, next == draft), (draft.answers, false));
    }
}
