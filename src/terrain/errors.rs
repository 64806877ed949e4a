//! How far the coarser lattices of a field are from its samples.

#[cfg(test)]
mod brute_force;
mod cell;

use super::Terrain;
use super::pyramid::{Block, Pyramid};
use cell::Lattice;
use rayon::prelude::*;

/// A distance of at least 0 in metres as the upper half of an f32, rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rounded(u16);

impl Rounded {
    /// Infinity stays infinity, and 0 stays 0; others grow by at most 1/128.
    fn up(distance: f32) -> Self {
        let bits = distance.to_bits();
        Self((bits >> 16) as u16 + u16::from(bits & 0xffff != 0))
    }

    fn metres(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

impl Block for Rounded {
    const NONE: Self = Self(0);

    fn join(self, other: Self) -> Self {
        self.max(other)
    }
}

/// The vertical distances between a field's samples and the triangles of its lattices, in metres of stored height.
///
/// Line i of level l's lattice stands on sample min(i·2^l, last). Each of its cells is split as a drawn cell is: along
/// the diagonal from its north-western to its south-eastern corner, by the fractions of its own extents where the field's
/// last line cuts it off.
///
/// Two bytes a lattice cell and the maxima over them: less than a byte a sample.
#[derive(Debug, Clone)]
pub struct Errors {
    /// From level 1 to the first whose one cell holds the field.
    levels: Vec<Pyramid<Rounded>>,
}

impl Errors {
    /// Measures every lattice of `width × depth` heights, row-major, x fastest; a height that is not finite is empty.
    ///
    /// Looks at each sample once a level, levels and rows in parallel.
    ///
    /// # Panics
    /// Where `heights` is shorter than `width × depth`, or the field has no sample.
    pub fn new(width: u32, depth: u32, heights: &[f32]) -> Self {
        let last = [width as usize - 1, depth as usize - 1];
        let top = last[0].max(last[1]).next_power_of_two().trailing_zeros().max(1);
        let measure = |level: u32| {
            let lattice = Lattice::new(last, 1 << level, heights);
            Pyramid::new(last, 1 << level, |x, z| Rounded::up(lattice.error(x, z)))
        };
        Self { levels: (1..=top).into_par_iter().map(measure).collect() }
    }

    /// The greatest distance in metres between a sample of an inclusive rectangle, clamped to the field, and the
    /// triangles of a level's lattice.
    ///
    /// Never smaller than the truth, rounding of f32 aside: infinite where a lattice cell that the rectangle meets has an
    /// empty sample, on its sides too. Looks at no more than nine values, so it may be larger: it counts whole lattice
    /// cells, and is the truth, rounded up by 1 %, where the rectangle is a square of 2^n × 2^n of them at a multiple of
    /// 2^n, or up to 3×3 such squares. A lattice cell that shares only a line of samples with the rectangle does not
    /// count. 0 at level 0, which is the samples themselves, and where `max` is below `min`.
    pub fn greatest(&self, level: u32, min: [i64; 2], max: [i64; 2]) -> f32 {
        let Some(above) = level.checked_sub(1) else { return 0.0 };
        let blocks = &self.levels[(above as usize).min(self.levels.len() - 1)];
        blocks.over(min, max).map_or(0.0, Rounded::metres)
    }
}

impl Terrain {
    /// The distances between the samples and the lattices of every level, measured by the first call.
    pub fn errors(&self) -> &Errors {
        let [width, depth] = self.size();
        if let Some(known) = self.errors.get() {
            return known;
        }
        // Not within the cell: a thread that waits there for parts of the work may be handed a call of this, and would wait for itself.
        let measured = Errors::new(width, depth, self.heights());
        self.errors.get_or_init(|| measured)
    }

    /// Whether bounds and errors have been measured.
    #[cfg(test)]
    pub(crate) fn is_measured(&self) -> bool {
        self.bounds.get().is_some() && self.errors.get().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::super::EMPTY;
    use super::brute_force::{Field, field, noise};
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_sample_is_further_than_the_answer(
            field in field(), level in 0_u32..9, min in [-9_i64..75, -9_i64..75], span in [0_i64..80, 0_i64..80],
        ) {
            let max = [min[0] + span[0], min[1] + span[1]];
            let (truth, answer) = (field.greatest(level, min, max), field.errors().greatest(level, min, max));
            if level == 0 {
                prop_assert_eq!(answer, 0.0);
            } else if field.has_empty(min, max) || truth.is_nan() {
                prop_assert_eq!(answer, f32::INFINITY);
            } else {
                let lost = truth - f64::from(answer);
                prop_assert!(lost <= if answer == 0.0 { field.slack() } else { 0.0 }, "{truth} {answer}");
            }
        }

        #[test]
        fn squares_of_lattice_cells_are_the_truth_rounded_up(
            field in field(), level in 1_u32..9, power in 0_u32..4, at in [0_i64..70, 0_i64..70],
            across in [1_i64..4, 1_i64..4],
        ) {
            let side = (1_i64 << level) << power;
            let min = [0, 1].map(|axis| field.lines(axis, at[axis] % i64::from(field.size[axis]), side)[0]);
            let max = [min[0] + side * across[0], min[1] + side * across[1]];
            let (truth, answer) = (field.greatest(level, min, max), field.errors().greatest(level, min, max));
            if field.has_empty(min, max) {
                prop_assert_eq!(answer, f32::INFINITY);
            } else {
                prop_assert!(f64::from(answer) <= (truth + field.slack()) * (1.0 + 1.0 / 128.0));
            }
        }

        #[test]
        fn rounding_goes_up_keeps_order_and_stays_close(a in 0.0_f32..2e5, b in 0.0_f32..2e5) {
            let (up_a, up_b) = (Rounded::up(a), Rounded::up(b));
            prop_assert!(up_a.metres() >= a && up_a.metres() <= a * (1.0 + 1.0 / 128.0));
            prop_assert_eq!(up_a.join(up_b), Rounded::up(a.max(b)));
        }
    }

    /// Holds the reference to account: it tells the diagonals apart, and so would a pass that took the wrong one.
    #[test]
    fn ground_folded_along_the_split_has_no_error_and_along_the_other_diagonal_it_has() {
        let folded = |east: i64| {
            let height = |n: i64| 2.0 * ((n % 5 - 4 * east).abs() - n / 5).max(0) as f32;
            Field { size: [5, 5], heights: (0..25).map(height).collect() }
        };
        let both = |field: Field| {
            [field.greatest(2, [0; 2], [4; 2]), f64::from(field.errors().greatest(2, [0; 2], [4; 2]))]
        };
        assert_eq!(both(folded(0)), [0.0, 0.0]);
        let [truth, answer] = both(folded(1));
        assert!(truth == 4.0 && (4.0..4.04).contains(&answer), "{truth} {answer}");
    }

    #[test]
    fn a_raised_sample_is_told_at_every_level_and_past_the_last() {
        let mut heights = vec![0.0; 9 * 9];
        heights[4] = 8.0;
        let errors = Field { size: [9, 9], heights }.errors();
        // A corner of level 2's cells: a quarter of the way down its side they are 6 m too high.
        let expected = [0.0, 4.0, 6.0, 8.0, 8.0, 8.0];
        for (level, expected) in [0, 1, 2, 3, 4, u32::MAX].into_iter().zip(expected) {
            let answer = errors.greatest(level, [0, 0], [8, 8]);
            assert!(answer >= expected && answer <= expected * 1.01, "level {level}: {answer}");
        }
    }

    #[test]
    fn flat_ground_and_slopes_that_floats_hold_have_no_error() {
        for (size, slope) in [([33, 65], 3.0), ([61, 47], 0.0)] {
            let heights = (0..size[0] * size[1]).map(|n| slope * (n % size[0]) as f32 - 7001.0).collect();
            let errors = Field { size, heights }.errors();
            assert!((0..9).all(|level| errors.greatest(level, [0; 2], [99; 2]) == 0.0));
        }
    }

    #[test]
    fn a_line_of_samples_that_cells_share_counts_for_one_and_an_empty_on_it_for_both() {
        let mut heights = vec![0.0; 17 * 17];
        heights[2 * 17 + 10] = 5.0;
        heights[13 * 17 + 8] = EMPTY;
        let errors = Field { size: [17, 17], heights }.errors();
        let at = |min, max| errors.greatest(3, min, max);
        assert_eq!(at([0, 0], [8, 8]), 0.0);
        assert!(at([8, 0], [16, 8]) >= 5.0 && at([9, 0], [9, 0]) >= 5.0);
        assert_eq!([at([0, 8], [8, 16]), at([8, 8], [16, 16])], [f32::INFINITY; 2]);
        assert_eq!([at([5, 5], [4, 9]), errors.greatest(0, [0; 2], [16; 2])], [0.0; 2]);
    }

    #[test]
    fn heights_that_no_float_can_tell_apart_are_infinitely_far() {
        let heights = vec![f32::MAX, 0.0, f32::MIN, 0.0, f32::MAX, 0.0, f32::MIN, 0.0, f32::MAX];
        let errors = Field { size: [3, 3], heights }.errors();
        assert_eq!(errors.greatest(1, [0; 2], [2; 2]), f32::INFINITY);
        assert_eq!(Rounded::up(f32::MAX).metres(), f32::INFINITY);
    }

    #[test]
    fn terrain_measures_once_in_less_than_a_byte_a_sample() {
        let heights: Vec<f32> = (0..129 * 129).map(|n| noise(n, 1) as f32).collect();
        let terrain = Terrain::new(129, 129, 1.0, DVec3::ZERO, &heights).expect("built");
        assert!(std::ptr::eq(terrain.errors(), terrain.errors()));
        let bytes: usize =
            terrain.errors().levels.iter().map(|level| level.count() * size_of::<Rounded>()).sum();
        assert!(bytes < heights.len(), "{bytes}");
        assert_eq!(terrain.errors().levels.len(), 7);
    }
}
