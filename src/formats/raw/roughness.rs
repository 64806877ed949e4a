//! How rough a reading of a headerless file is, by a look at some of its rows.

use super::stream::Stream;
use super::variation::{LARGE, decode_plain, is_plausible};
use crate::error::Result;
use crate::formats::input::unreadable;
use crate::formats::samples::{Endian, Sample};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Pairs of rows that are looked at.
const PAIRS: u64 = 16;
/// Samples of a row that are looked at.
const COLUMNS: u64 = 2048;
/// What a pair of samples counts of which one is no height: more than two heights without any order, whose mean
/// difference is 1.41 mean deviations where they are spread normally.
const WILD: f64 = 2.0;

/// Where samples lie, and of what type they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub size: [u32; 2],
    pub sample: Sample,
    pub endian: Endian,
    pub header: u64,
}

/// What was met in the rows that were looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Look {
    /// The mean difference between neighbours along rows and columns, in mean deviations from the mean height:
    /// near 0 for ground, near 1.4 for noise. Rows of a wrong length do not fit those beside them, and
    /// samples of a wrong type or byte order fit nothing.
    pub roughness: f64,
    /// The sum of differences between neighbours as stored, with a large one for each that is no height: byte orders of one
    /// type are told apart by it.
    pub variation: f64,
    /// Least and greatest stored value.
    pub values: [f64; 2],
}

/// Looks at pairs of rows all over the file.
pub(super) fn look(stream: &Stream, form: &Form) -> Result<Look> {
    let mut rows = Rows::of(stream, form)?;
    let pairs = u64::from(form.size[1]).saturating_sub(1);
    let mut found = Found::default();
    for index in 0..pairs.min(PAIRS) {
        let row = index * pairs / pairs.min(PAIRS);
        let (upper, lower) = (rows.row(row)?, rows.row(row + 1)?);
        found.take(&upper, &lower);
    }
    Ok(found.look(form.sample))
}

/// Rows of a file, read where they stand.
struct Rows<'a> {
    file: File,
    form: &'a Form,
}

impl<'a> Rows<'a> {
    fn of(stream: &Stream, form: &'a Form) -> Result<Self> {
        Ok(Self { file: stream.open()?, form })
    }

    /// A row, or the first part of a long one.
    fn row(&mut self, row: u64) -> Result<Vec<f32>> {
        let Form { size: [width, _], sample, endian, header } = *self.form;
        let columns = u64::from(width).min(COLUMNS) as usize;
        let mut bytes = vec![0; columns * sample.bytes()];
        let start = header + row * u64::from(width) * sample.bytes() as u64;
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.read_exact(&mut bytes))
            .map_err(|error| unreadable(&error))?;
        let mut values = vec![0.0; columns];
        decode_plain(sample, endian, &bytes, &mut values);
        Ok(values)
    }
}

/// Sums over the pairs of rows.
#[derive(Default)]
struct Found {
    heights: Vec<f32>,
    steps: f64,
    pairs: u64,
    wild: u64,
}

impl Found {
    fn take(&mut self, upper: &[f32], lower: &[f32]) {
        let along = upper.windows(2).map(|pair| [pair[0], pair[1]]);
        let across = upper.iter().zip(lower).map(|(upper, lower)| [*upper, *lower]);
        for [one, other] in along.chain(across) {
            self.pairs += 1;
            if is_plausible(one) && is_plausible(other) {
                self.steps += f64::from(other - one).abs();
            } else {
                self.wild += 1;
            }
        }
        self.heights.extend(upper.iter().chain(lower).filter(|height| is_plausible(**height)));
    }

    fn look(&self, sample: Sample) -> Look {
        let values = || self.heights.iter().map(|height| f64::from(*height));
        let other = |codes| mean_deviation(&|| values().map(|value| other_sign(value, codes)));
        let deviation = mean_deviation(&values);
        let deviation = deviation.min(wide_codes(sample).map_or(deviation, other));
        let steps = if deviation > 0.0 { self.steps / deviation } else { 0.0 };
        Look {
            roughness: (steps + WILD * self.wild as f64) / self.pairs.max(1) as f64,
            variation: self.steps + LARGE * self.wild as f64,
            values: [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)],
        }
    }
}

/// The mean distance from the mean; 0 of nothing.
fn mean_deviation<I: Iterator<Item = f64>>(values: &impl Fn() -> I) -> f64 {
    let count = values().count().max(1) as f64;
    let mean = values().sum::<f64>() / count;
    values().map(|value| (value - mean).abs()).sum::<f64>() / count
}

/// How many codes an integer of several bytes has.
fn wide_codes(sample: Sample) -> Option<f64> {
    let [least, greatest] = sample.codes().filter(|_| sample.bytes() > 1)?;
    Some(greatest - least + 1.0)
}

/// The value of the same bytes with the other signedness. Ground about zero that is read without a sign lies in two heaps far apart:
/// against so great a deviation the few steps between them would count for nothing.
fn other_sign(value: f64, codes: f64) -> f64 {
    match value {
        negative if negative < 0.0 => negative + codes,
        upper if upper >= 0.5 * codes => upper - codes,
        lower => lower,
    }
}
