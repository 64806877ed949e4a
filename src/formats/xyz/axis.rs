//! From the positions along one axis to evenly spaced places.

use crate::error::{Error, Result};
use std::collections::HashMap;

/// How far a position may lie from its place, in steps: positions are written with few digits.
const TOLERANCE: f64 = 0.1;

/// The most different positions along an axis; more are no grid that could be held in memory.
const MOST_POSITIONS: usize = 1 << 18;

/// The different positions along one axis, and the line that each is first met in.
#[derive(Debug, Default)]
pub(super) struct Positions {
    first_lines: HashMap<u64, u64>,
    last: Option<f64>,
}

/// Evenly spaced places.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    start: f64,
    step: f64,
    /// How many places there are.
    pub count: u32,
}

impl Positions {
    /// Takes one more in.
    pub fn add(&mut self, position: f64, line: u64) -> Result<()> {
        // Most lists go along rows or columns, so that one of the two coordinates repeats.
        if self.last == Some(position) {
            return Ok(());
        }
        self.last = Some(position);
        // The sum makes one zero of the two.
        self.first_lines.entry((position + 0.0).to_bits()).or_insert(line);
        if self.first_lines.len() > MOST_POSITIONS {
            return Err(scattered(format!("more than {MOST_POSITIONS} different positions along one axis")));
        }
        Ok(())
    }

    /// The places on which all positions stand.
    ///
    /// # Errors
    /// Fewer than two positions, or positions off any even spacing: the first line that stands off is named.
    pub fn axis(&self, name: &str) -> Result<Axis> {
        let mut positions: Vec<f64> = self.first_lines.keys().map(|bits| f64::from_bits(*bits)).collect();
        positions.sort_by(f64::total_cmp);
        let [first, .., last] = positions[..] else {
            return Err(scattered(format!(
                "a list of points with {} positions along {name}",
                positions.len()
            )));
        };
        let least = positions.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        // Either every place has a point somewhere, or whole rows or columns are missing.
        let steps = [(positions.len() - 1) as f64, ((last - first) / least).round()];
        let axes = steps.into_iter().filter_map(|steps| Axis::between(first, last, steps));
        let mut fitting = axes.filter(|axis| axis.holds(&positions));
        fitting.next().ok_or_else(|| self.off_grid(name))
    }

    /// Blames the first line that does not follow the step that the list begins with.
    fn off_grid(&self, name: &str) -> Error {
        let mut found: Vec<(u64, f64)> =
            self.first_lines.iter().map(|(bits, line)| (*line, f64::from_bits(*bits))).collect();
        found.sort_by_key(|entry| entry.0);
        let blamed = match found[..] {
            [(_, first), (_, second), ref rest @ ..] => rest.iter().find_map(|(line, position)| {
                let places = (position - first) / (second - first);
                let is_off = (places - places.round()).abs() > TOLERANCE;
                is_off.then(|| (*line, *position, (second - first).abs()))
            }),
            _ => None,
        };
        scattered(match blamed {
            Some((line, position, step)) => {
                format!("line {line} stands at {name} {position}, off the steps of {step} before it")
            }
            None => format!("points at uneven steps along {name}"),
        })
    }
}

impl Axis {
    fn between(start: f64, last: f64, steps: f64) -> Option<Self> {
        let step = (last - start) / steps;
        let fits = (1.0..f64::from(u32::MAX)).contains(&steps) && step.is_finite() && step > 0.0;
        fits.then(|| Self { start, step, count: steps as u32 + 1 })
    }

    /// Whether sorted positions stand on places, each on one of its own.
    fn holds(&self, positions: &[f64]) -> bool {
        let mut before = None;
        positions.iter().all(|position| {
            let index = self.index(*position);
            let is_next = index.is_some() && index > before;
            before = index;
            is_next
        })
    }

    /// The place of a position, counted from the least.
    pub fn index(&self, position: f64) -> Option<usize> {
        let places = (position - self.start) / self.step;
        let near = (places - places.round()).abs() <= TOLERANCE;
        (near && (-0.5..f64::from(self.count) - 0.5).contains(&places)).then(|| places.round() as usize)
    }

    /// The least and the greatest place.
    pub fn ends(&self) -> [f64; 2] {
        [self.start, self.start + self.step * (f64::from(self.count) - 1.0)]
    }
}

fn scattered(found: String) -> Error {
    Error::input(found, "points on an even grid", "grid them first, for example with gdal_grid")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(positions: &[f64]) -> Result<Axis> {
        let mut found = Positions::default();
        for (line, position) in positions.iter().enumerate() {
            found.add(*position, line as u64 + 1)?;
        }
        found.axis("x")
    }

    #[test]
    fn any_order_rounded_digits_and_missing_places() {
        let even = axis(&[14.0, 10.0, 12.0, 10.0]).expect("even");
        assert_eq!(even, Axis { start: 10.0, step: 2.0, count: 3 });
        assert_eq!((even.ends(), even.index(14.1), even.index(13.0)), ([10.0, 14.0], Some(2), None));
        assert_eq!((even.index(8.0), even.index(16.0), even.index(f64::NAN)), (None, None, None));
        let thirds: Vec<f64> = (0..100).map(|place| (f64::from(place) / 3.0 * 1e2).round() / 1e2).collect();
        assert_eq!(axis(&thirds).expect("even").count, 100);
        assert_eq!(axis(&[0.0, 1.0, 5.0]).expect("even").count, 6);
        assert_eq!(axis(&[-0.0, 0.0, 5.0]).expect("even").count, 2);
    }

    #[test]
    fn uneven_positions_are_refused_with_the_line() {
        let refused = |positions: &[f64]| axis(positions).expect_err("uneven").to_string();
        assert!(refused(&[0.0, 1.0, 0.3, 9.0]).contains("line 3 stands at x 0.3, off the steps of 1"));
        assert!(refused(&[0.0, 1e-6, 1e9]).contains("uneven steps along x"));
        assert!(refused(&[7.0, 7.0]).contains("1 positions along x"));
        assert!(refused(&[-f64::MAX, 0.0, f64::MAX]).contains("uneven"));
    }
}
