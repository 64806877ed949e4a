//! Counts and moments of heights, the same on any number of threads and however many rows come at once.

use super::raster::Statistics;
use super::samples::RawRange;
use rayon::prelude::*;

/// Sums that run side by side along a row, so that the processor need not wait for each.
const LANES: usize = 8;
/// Rows whose sums are held apart at once, so that narrow rasters take no more memory for sums than for heights.
const ROWS: usize = 4096;

/// What was gathered of heights so far, row after row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    valid: u64,
    empty: u64,
    least: f32,
    greatest: f32,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            valid: 0,
            empty: 0,
            least: f32::INFINITY,
            greatest: f32::NEG_INFINITY,
            mean: 0.0,
            squares: 0.0,
        }
    }
}

impl Moments {
    /// Takes in whole rows of `width` heights; what is not finite is empty.
    pub fn add_rows(&mut self, heights: &[f32], width: usize) {
        for portion in heights.chunks(width.saturating_mul(ROWS)) {
            let rows: Vec<Self> = portion.par_chunks(width).map(Self::of_row).collect();
            *self = rows.into_iter().fold(*self, Self::followed_by);
        }
    }

    /// Takes in so many rows that are all the same.
    pub fn add_repeated(&mut self, row: &[f32], times: usize) {
        let row = Self::of_row(row);
        *self = (0..times).fold(*self, |sum, _| sum.followed_by(row));
    }

    /// As the facts tell them, with the range of the stored values.
    pub fn statistics(&self, raw: &RawRange) -> Statistics {
        if self.valid == 0 {
            return Statistics { empty: self.empty, ..Statistics::default() };
        }
        Statistics {
            valid: self.valid,
            empty: self.empty,
            raw_min: finite(raw.min),
            raw_max: finite(raw.max),
            min: finite(f64::from(self.least)),
            max: finite(f64::from(self.greatest)),
            mean: finite(self.mean),
            stddev: finite((self.squares / self.valid as f64).sqrt()),
        }
    }

    fn of_row(row: &[f32]) -> Self {
        let (mut least, mut greatest) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        let (mut counts, mut sums) = ([0_u32; LANES], [0.0_f64; LANES]);
        for_lanes(row, |lane, height| {
            counts[lane] += u32::from(height.is_finite());
            sums[lane] += if height.is_finite() { f64::from(height) } else { 0.0 };
            // Comparisons with NaN are false, so it is never taken.
            least[lane] = if height < least[lane] { height } else { least[lane] };
            greatest[lane] = if height > greatest[lane] { height } else { greatest[lane] };
        });
        let valid = counts.iter().map(|count| u64::from(*count)).sum::<u64>();
        let mean = if valid == 0 { 0.0 } else { sums.iter().sum::<f64>() / valid as f64 };
        let mut squares = [0.0_f64; LANES];
        for_lanes(row, |lane, height| {
            let distance = if height.is_finite() { f64::from(height) - mean } else { 0.0 };
            squares[lane] += distance * distance;
        });
        Self {
            valid,
            empty: row.len() as u64 - valid,
            least: least.into_iter().fold(f32::INFINITY, f32::min),
            greatest: greatest.into_iter().fold(f32::NEG_INFINITY, f32::max),
            mean,
            squares: squares.iter().sum(),
        }
    }

    /// Both together, after Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing
    /// Sample Variances", 1979.
    fn followed_by(self, other: Self) -> Self {
        let valid = self.valid + other.valid;
        let share = if valid == 0 { 0.0 } else { other.valid as f64 / valid as f64 };
        let apart = other.mean - self.mean;
        Self {
            valid,
            empty: self.empty + other.empty,
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            mean: self.mean + apart * share,
            squares: self.squares + other.squares + apart * apart * self.valid as f64 * share,
        }
    }
}

/// Calls `each` with every height and the lane that it falls into.
fn for_lanes(row: &[f32], mut each: impl FnMut(usize, f32)) {
    let (groups, rest) = row.as_chunks::<LANES>();
    for group in groups {
        for (lane, height) in group.iter().enumerate() {
            each(lane, *height);
        }
    }
    for (lane, height) in rest.iter().enumerate() {
        each(lane, *height);
    }
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::EMPTY;

    fn of(heights: &[f32], width: usize) -> Moments {
        let mut moments = Moments::default();
        moments.add_rows(heights, width);
        moments
    }

    #[test]
    fn empties_are_left_out_of_every_number() {
        let raw = RawRange { min: 1.0, max: 3.0, ..RawRange::default() };
        let found = of(&[1.0, EMPTY, 3.0], 3).statistics(&raw);
        assert_eq!((found.valid, found.empty), (2, 1));
        assert_eq!(
            (found.min, found.max, found.mean, found.stddev),
            (Some(1.0), Some(3.0), Some(2.0), Some(1.0))
        );
        let none = of(&[EMPTY], 1).statistics(&RawRange::default());
        assert_eq!(none, Statistics { empty: 1, ..Statistics::default() });
    }

    #[test]
    fn rows_may_come_in_any_portions() {
        let heights: Vec<f32> = (0..35 * 19).map(|at| (at * 7919 % 1009) as f32 * 0.37 + 1e6).collect();
        let whole = of(&heights, 35);
        let mut parts = Moments::default();
        parts.add_rows(&heights[..35 * 4], 35);
        parts.add_rows(&heights[35 * 4..], 35);
        assert_eq!(parts, whole);
        let exact: Vec<f64> = heights.iter().map(|height| f64::from(*height)).collect();
        let mean = exact.iter().sum::<f64>() / exact.len() as f64;
        let squares = exact.iter().map(|height| (height - mean).powi(2)).sum::<f64>();
        let found = whole.statistics(&RawRange::default());
        let deviation = (squares / exact.len() as f64).sqrt();
        assert!(found.mean.is_some_and(|found| (found - mean).abs() < 1e-12 * mean));
        assert!(found.stddev.is_some_and(|found| (found - deviation).abs() < 1e-9 * deviation));
    }

    #[test]
    fn a_repeated_row_counts_as_often_as_it_is_said() {
        let row = [0.1_f32, EMPTY, 0.3];
        let mut repeated = Moments::default();
        repeated.add_repeated(&row, 3);
        assert_eq!(repeated, of(&row.repeat(3), 3));
    }
}
