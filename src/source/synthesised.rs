//! Terrain of any size that is computed when it is asked for, and never held.

mod ground;

use super::{Gradient, LatticeRect, Source};
use crate::error::{Error, Result};
use crate::terrain::lattice_to_sample;
use glam::{DVec2, UVec2, Vec2};
use ground::{Ground, Place};
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// The most samples along a side: sample numbers and their sums then fit 32 bits.
const MOST_SAMPLES: u32 = 1 << 30;

/// Lattice points beyond a rectangle that its gradients look at.
const REACH: i64 = 2;

/// Ridges and valleys from noise: each height is a function of its sample's numbers alone, the same to the bit however
/// and wherever it is asked for.
#[derive(Debug, Clone, Copy)]
pub struct SynthesisedSource {
    size: [u32; 2],
    ground: Ground,
}

impl SynthesisedSource {
    /// A field of `size` samples, `spacing` metres apart along both axes; `seed` tells one ground from another.
    ///
    /// # Errors
    /// Fewer than 2 or more than 2^30 samples along a side, or a spacing that is not positive and finite.
    pub fn new(size: [u32; 2], spacing: f32, seed: u32) -> Result<Self> {
        if size.iter().any(|samples| !(2..=MOST_SAMPLES).contains(samples)) {
            return Err(Error::usage(
                format!("a field of {}×{} samples", size[0], size[1]),
                format!("2 to {MOST_SAMPLES} along a side"),
                "correct the size",
            ));
        }
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(Error::usage(
                format!("a spacing of {spacing} m"),
                "positive metres",
                "correct the spacing",
            ));
        }
        Ok(Self { size, ground: Ground { seed, spacing } })
    }

    /// The sample that a lattice point stands on.
    fn sample(&self, level: u32, i: i64, j: i64) -> UVec2 {
        let [last_x, last_z] = self.size.map(|samples| samples - 1);
        UVec2::new(lattice_to_sample(i, level, last_x), lattice_to_sample(j, level, last_z))
    }

    /// Calls `point` with the numbers of every lattice point of a rectangle, in parallel by rows.
    fn fill<T: Copy + Default + Send>(
        rect: LatticeRect,
        out: &mut Vec<T>,
        point: impl Fn(i64, i64) -> T + Sync,
    ) {
        out.clear();
        out.resize(rect.count(), T::default());
        let width = rect.size()[0].max(1) as usize;
        out.par_chunks_exact_mut(width).enumerate().for_each(|(row, values)| {
            for (column, value) in values.iter_mut().enumerate() {
                *value = point(i64::from(rect.min[0]) + column as i64, i64::from(rect.min[1]) + row as i64);
            }
        });
    }
}

impl Source for SynthesisedSource {
    fn size(&self) -> [u32; 2] {
        self.size
    }

    fn spacing(&self) -> DVec2 {
        DVec2::splat(f64::from(self.ground.spacing))
    }

    fn range(&self) -> RangeInclusive<f32> {
        -self.ground.highest()..=self.ground.highest()
    }

    fn has_empties(&self) -> bool {
        false
    }

    fn heights(&self, level: u32, rect: LatticeRect, out: &mut Vec<f32>) {
        Self::fill(rect, out, |i, j| self.ground.at(self.sample(level, i, j), 0).height);
    }

    /// Differences of the ground without the waves that are too short for the level; those count as variance.
    fn gradients(&self, level: u32, rect: LatticeRect, out: &mut Vec<Gradient>) {
        let reach = REACH as i32;
        let padded = LatticeRect {
            min: rect.min.map(|index| index.saturating_sub(reach)),
            max: rect.max.map(|index| index.saturating_add(reach)),
        };
        let mut places = Vec::new();
        Self::fill(padded, &mut places, |i, j| self.ground.at(self.sample(level, i, j), level));
        let stencil = Stencil { source: self, level, padded, places: &places };
        Self::fill(rect, out, |i, j| stencil.gradient(i, j));
    }

    fn bounds(&self, min: [i32; 2], max: [i32; 2]) -> Option<RangeInclusive<f32>> {
        let corner = |index: [i32; 2]| self.sample(0, i64::from(index[0]), i64::from(index[1]));
        let (min, max) = (corner(min), corner(max));
        if min.cmpgt(max).any() {
            return None;
        }
        let middle = min + (max - min) / 2;
        let change = self.ground.change_within((max - middle).as_vec2().length());
        let height = self.ground.at(middle, 0).height;
        let highest = self.ground.highest();
        Some((height - change).max(-highest)..=(height + change).min(highest))
    }

    /// The same everywhere: a point is at most half its triangle's longest side away from the three corners, in the mean
    /// by their weights, and no mean of changes is above the bound of the change over the mean distance.
    fn error(&self, level: u32, min: [i32; 2], max: [i32; 2]) -> f32 {
        if level == 0 || min[0] > max[0] || min[1] > max[1] {
            return 0.0;
        }
        let sides = self.size.map(|samples| (samples - 1).min(1 << level.min(MOST_SAMPLES.ilog2())) as f32);
        self.ground.change_within(0.5 * Vec2::from(sides).length())
    }
}

/// Places of a rectangle and of the lattice points around it.
struct Stencil<'a> {
    source: &'a SynthesisedSource,
    level: u32,
    padded: LatticeRect,
    places: &'a [Place],
}

impl Stencil<'_> {
    fn gradient(&self, i: i64, j: i64) -> Gradient {
        let rise = Vec2::new(self.rise([i - 1, j], [i + 1, j]), self.rise([i, j - 1], [i, j + 1]));
        let bend_x = self.rise([i, j], [i + REACH, j]) - self.rise([i - REACH, j], [i, j]);
        let bend_z = self.rise([i, j], [i, j + REACH]) - self.rise([i, j - REACH], [i, j]);
        let edge = self.is_edge(i, j);
        Gradient {
            rise: rise.to_array(),
            variance: self.place([i, j]).left_out,
            // The height over the mean of the four points two cells away; at an edge there are not four.
            relief: if edge { 0.0 } else { -0.5 * (bend_x + bend_z) },
        }
    }

    /// Metres a metre between two lattice points in one line, over the distance between the samples they stand on.
    fn rise(&self, from: [i64; 2], to: [i64; 2]) -> f32 {
        let sample = |[i, j]: [i64; 2]| self.source.sample(self.level, i, j);
        let samples = (sample(to) - sample(from)).element_sum();
        if samples == 0 {
            return 0.0;
        }
        (self.place(to).height - self.place(from).height) / (samples as f32 * self.source.ground.spacing)
    }

    fn is_edge(&self, i: i64, j: i64) -> bool {
        let here = self.source.sample(self.level, i, j);
        [[i - 1, j], [i + 1, j], [i, j - 1], [i, j + 1]]
            .iter()
            .any(|[i, j]| self.source.sample(self.level, *i, *j) == here)
    }

    fn place(&self, [i, j]: [i64; 2]) -> Place {
        let [width, _] = self.padded.size();
        let (column, row) = (i - i64::from(self.padded.min[0]), j - i64::from(self.padded.min[1]));
        self.places[(row * i64::from(width) + column) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn source() -> SynthesisedSource {
        SynthesisedSource::new([1 << 20, 777_777], 10.0, 42).expect("built")
    }

    fn heights(level: u32, min: [i32; 2], max: [i32; 2]) -> Vec<u32> {
        let mut out = vec![0.0; 7];
        source().heights(level, LatticeRect { min, max }, &mut out);
        out.iter().map(|height| height.to_bits()).collect()
    }

    /// Metres between a sample and the triangle of a level's lattice that holds it.
    fn distance(level: u32, sample: [i32; 2]) -> f64 {
        let step = 1 << level;
        let cell = sample.map(|at| at / step * step);
        let height = |x: i32, z: i32| {
            let at = [cell[0] + x, cell[1] + z];
            f64::from(f32::from_bits(heights(0, at, at.map(|index| index + 1))[0]))
        };
        let [x, z] = [0, 1].map(|axis| sample[axis] - cell[axis]);
        let [u, v] = [x, z].map(|within| f64::from(within) / f64::from(step));
        let beside = if x >= z { height(step, 0) } else { height(0, step) };
        let surface =
            (1.0 - u.max(v)) * height(0, 0) + (u - v).abs() * beside + u.min(v) * height(step, step);
        (height(x, z) - surface).abs()
    }

    proptest! {
        #[test]
        fn a_rectangle_in_pieces_and_from_level_0_is_the_same_to_the_bit(
            level in 0_u32..22, x in -3_i32..1 << 20, z in -3_i32..1 << 20, size in prop::array::uniform2(1_i32..6),
        ) {
            let (min, max) = ([x >> level, z >> level], [(x >> level) + size[0], (z >> level) + size[1]]);
            let whole = heights(level, min, max);
            let mut pieces = Vec::new();
            for j in min[1]..max[1] {
                for i in (min[0]..max[0]).rev() {
                    let piece = heights(level, [i, j], [i + 1, j + 1]);
                    let sample = source().sample(level, i64::from(i), i64::from(j)).as_ivec2();
                    let finest = heights(0, sample.to_array(), (sample + 1).to_array());
                    prop_assert_eq!(&piece, &finest);
                    pieces.insert(pieces.len() - (max[0] - 1 - i) as usize, piece[0]);
                }
            }
            prop_assert_eq!(whole, pieces);
        }

        #[test]
        fn level_0_gradients_are_differences_of_neighbours(x in 1_i32..1 << 19, z in 1_i32..1 << 19) {
            let mut gradients = Vec::new();
            source().gradients(0, LatticeRect { min: [x, z], max: [x + 1, z + 1] }, &mut gradients);
            let row: Vec<f32> = heights(0, [x - 1, z], [x + 2, z + 1]).into_iter().map(f32::from_bits).collect();
            prop_assert_eq!(gradients[0].rise[0], (row[2] - row[0]) / 20.0);
            prop_assert_eq!(gradients[0].variance, 0.0);
        }

        #[test]
        fn no_sample_is_further_from_a_lattice_than_its_error(
            level in 0_u32..14, x in 0_i32..1 << 19, z in 0_i32..1 << 19,
        ) {
            let error = source().error(level, [x, z], [x, z]);
            prop_assert!(distance(level, [x, z]) <= f64::from(error), "{}", error);
        }

        #[test]
        fn bounds_hold_what_they_bound(
            x in -9_i32..1 << 20, z in -9_i32..1 << 20, size in prop::array::uniform2(0_i32..30),
        ) {
            let (min, max) = ([x, z], [x + size[0], z + size[1]]);
            let bounds = source().bounds(min, max).expect("no empties");
            for bits in heights(0, min, [max[0] + 1, max[1] + 1]) {
                prop_assert!(bounds.contains(&f32::from_bits(bits)));
            }
        }
    }

    #[test]
    fn bounds_tighten_with_their_rectangle() {
        let width = |side: i32| {
            let bounds = source().bounds([5000, 5000], [5000 + side, 5000 + side]).expect("no empties");
            bounds.end() - bounds.start()
        };
        assert!(width(8) < width(64) && width(64) < width(1 << 16));
        assert_eq!(width(1 << 18), 2.0 * source().ground.highest());
    }

    #[test]
    fn errors_grow_with_the_level_up_to_all_that_heights_can_differ_by() {
        let errors = [0, 1, 2, 5, 8, 12, 32, u32::MAX].map(|level| source().error(level, [0; 2], [9; 2]));
        assert_eq!(errors[0], 0.0);
        assert!(errors.is_sorted());
        assert_eq!(errors[5..], [2.0 * source().ground.highest(); 3]);
        assert_eq!(source().error(3, [5, 5], [4, 9]), 0.0);
        let small = SynthesisedSource::new([3, 2], 10.0, 7).expect("a source");
        assert_eq!(small.error(9, [0; 2], [9; 2]), small.ground.change_within(0.5 * 5.0_f32.sqrt()));
    }

    /// Says how much the bound gives away, and that it could be exceeded.
    #[test]
    fn errors_are_within_forty_times_the_greatest_that_is_found() {
        for level in 1..10 {
            let middle = |n: i32, by: i32| (n * by % 20_011 * 50) >> level << level | 1 << (level - 1);
            let places = (0..300).map(|n| [middle(n, 7919), middle(n, 3571)]);
            let greatest = places.map(|at| distance(level, at)).fold(0.0, f64::max);
            let error = f64::from(source().error(level, [0; 2], [9; 2]));
            assert!(error < 40.0 * greatest, "level {level}: {greatest} of {error}");
        }
    }

    #[test]
    fn wrong_sizes_and_spacings_are_usage_errors() {
        let code = |size, spacing| SynthesisedSource::new(size, spacing, 0).expect_err("refused").exit_code();
        assert_eq!([code([1, 5], 1.0), code([5, u32::MAX], 1.0), code([5, 5], f32::NAN)], [2; 3]);
    }
}
