//! Counts and moments of heights, the same on any number of threads.

use super::raster::Statistics;
use super::samples::RawRange;
use rayon::prelude::*;

/// Samples in one partial sum. Fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1 << 16;

/// Counts, range, mean and standard deviation of the heights that are not empty.
pub(super) fn statistics(heights: &[f32], raw: &RawRange) -> Statistics {
    let parts: Vec<(u64, f32, f32, f64)> = heights.par_chunks(CHUNK).map(part).collect();
    let valid: u64 = parts.iter().map(|part| part.0).sum();
    let empty = heights.len() as u64 - valid;
    if valid == 0 {
        return Statistics { empty, ..Statistics::default() };
    }
    let mean = parts.iter().map(|part| part.3).sum::<f64>() / valid as f64;
    let squares: Vec<f64> = heights.par_chunks(CHUNK).map(|chunk| squares_about(mean, chunk)).collect();
    let (low, high) =
        parts.iter().fold((f32::INFINITY, f32::NEG_INFINITY), |b, part| (b.0.min(part.1), b.1.max(part.2)));
    Statistics {
        valid,
        empty,
        raw_min: finite(raw.min),
        raw_max: finite(raw.max),
        min: finite(f64::from(low)),
        max: finite(f64::from(high)),
        mean: finite(mean),
        stddev: finite((squares.iter().sum::<f64>() / valid as f64).sqrt()),
    }
}

fn part(chunk: &[f32]) -> (u64, f32, f32, f64) {
    let mut found = (0, f32::INFINITY, f32::NEG_INFINITY, 0.0);
    for height in chunk.iter().filter(|height| height.is_finite()) {
        found.0 += 1;
        found.1 = found.1.min(*height);
        found.2 = found.2.max(*height);
        found.3 += f64::from(*height);
    }
    found
}

fn squares_about(mean: f64, chunk: &[f32]) -> f64 {
    chunk.iter().filter(|height| height.is_finite()).map(|height| (f64::from(*height) - mean).powi(2)).sum()
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::EMPTY;

    #[test]
    fn empties_are_left_out_of_every_number() {
        let raw = RawRange { min: 1.0, max: 3.0, ..RawRange::default() };
        let found = statistics(&[1.0, EMPTY, 3.0], &raw);
        assert_eq!((found.valid, found.empty), (2, 1));
        assert_eq!(
            (found.min, found.max, found.mean, found.stddev),
            (Some(1.0), Some(3.0), Some(2.0), Some(1.0))
        );
        let none = statistics(&[EMPTY], &RawRange::default());
        assert_eq!(none, Statistics { empty: 1, ..Statistics::default() });
    }
}
