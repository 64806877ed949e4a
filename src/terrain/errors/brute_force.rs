//! The truth about errors, sample by sample and in 64 bits.

use super::super::{EMPTY, is_empty};
use super::Errors;
use proptest::prelude::*;

/// A field that need not be a terrain.
#[derive(Debug)]
pub struct Field {
    pub size: [u32; 2],
    pub heights: Vec<f32>,
}

pub fn noise(n: u32, seed: u32) -> u32 {
    (n ^ seed).wrapping_mul(2_654_435_761) >> 8
}

/// Noise, waves far from height 0, waves with holes, and stairs.
pub fn field() -> impl Strategy<Value = Field> {
    (2_u32..70, 2_u32..70, any::<u32>(), 0..4).prop_map(|(width, depth, seed, kind)| {
        let height = |n: u32| {
            let (x, z) = ((n % width) as f32, (n / width) as f32);
            let waves = (x * 0.3 + seed as f32 * 1e-3).sin() * 40.0 + (z * 0.2).cos() * x;
            match kind {
                0 => noise(n, seed) as f32 * (2e5 / 16_777_216.0) - 1e5,
                1 => waves - 99_000.0,
                2 if noise(n, seed).is_multiple_of(97) => EMPTY,
                2 => waves,
                _ => ((x + z * 2.0) / 9.0).floor(),
            }
        };
        Field { size: [width, depth], heights: (0..width * depth).map(height).collect() }
    })
}

impl Field {
    pub fn errors(&self) -> Errors {
        Errors::new(self.size[0], self.size[1], &self.heights)
    }

    fn height(&self, x: i64, z: i64) -> f64 {
        f64::from(self.heights[(z * i64::from(self.size[0]) + x) as usize])
    }

    /// First and last line of the lattice cell that a sample stands in; of two, the later.
    pub fn lines(&self, axis: usize, sample: i64, step: i64) -> [i64; 2] {
        let last = i64::from(self.size[axis]) - 1;
        let first = sample.min(last - 1) / step * step;
        [first, (first + step).min(last)]
    }

    /// The distance of one sample, from the triangle that holds it and its weights there.
    fn distance(&self, [x, z]: [i64; 2], step: i64) -> f64 {
        let [[x0, x1], [z0, z1]] = [self.lines(0, x, step), self.lines(1, z, step)];
        let (u, v) = ((x - x0) as f64 / (x1 - x0) as f64, (z - z0) as f64 / (z1 - z0) as f64);
        let beside = if u >= v { [x1, z0] } else { [x0, z1] };
        let (far, aside) = (u.min(v), (u - v).abs());
        let weights = [([x0, z0], 1.0 - far - aside), (beside, aside), ([x1, z1], far)];
        // An empty corner without weight is none of this sample's business.
        let held = weights.into_iter().filter(|(_, weight)| *weight != 0.0);
        let surface: f64 = held.map(|([x, z], weight)| weight * self.height(x, z)).sum();
        (self.height(x, z) - surface).abs()
    }

    fn samples(&self, min: [i64; 2], max: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
        let clamp = |index: i64, axis: usize| index.clamp(0, i64::from(self.size[axis]) - 1);
        let columns = clamp(min[0], 0)..=clamp(max[0], 0);
        (clamp(min[1], 1)..=clamp(max[1], 1)).flat_map(move |z| columns.clone().map(move |x| [x, z]))
    }

    /// The truth by looking at every sample.
    pub fn greatest(&self, level: u32, min: [i64; 2], max: [i64; 2]) -> f64 {
        let distances = self.samples(min, max).map(|at| self.distance(at, 1 << level));
        distances.fold(0.0, |greatest, d| if d.is_nan() || d > greatest { d } else { greatest })
    }

    /// Metres that rounding may be wrong by.
    pub fn slack(&self) -> f64 {
        let heights = self.heights.iter().filter(|height| !is_empty(**height));
        let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], h| [low.min(*h), high.max(*h)]);
        f64::from(high - low) * 1e-5
    }

    pub fn has_empty(&self, min: [i64; 2], max: [i64; 2]) -> bool {
        self.samples(min, max).any(|[x, z]| self.height(x, z).is_nan())
    }
}
