//! Gullies and ribs that run straight down a slope.
//!
//! Each pivot of a grid carries a wave across its own slope, and waves of neighbouring pivots are blended (the idea of
//! Gabor noise, Lagae et al. 2009, with one wave a cell).

use super::sediment::Surface;
use crate::terrain::noise::{floor, hash, unit};
use glam::{IVec2, Vec2};
use rayon::prelude::*;

/// Gradient in metres a metre under which a slope has no direction to speak of, and its wave fades.
const LEAST_GRADIENT: f32 = 0.05;

/// One octave of gullies over a whole surface.
pub(super) struct Gullies {
    side: usize,
    /// Metres between pivots.
    spacing: f32,
    /// Metres of height a unit of wave.
    amplitude: f32,
    pivots: Vec<Pivot>,
}

#[derive(Clone, Copy)]
struct Pivot {
    /// Waves a metre along x and z: level with the slope's contour.
    across: Vec2,
    /// Where in its wave the pivot stands, in waves.
    phase: f32,
}

impl Gullies {
    /// Puts a pivot on every `stride`-th node of the surface.
    pub(super) fn new(surface: &Surface, stride: usize, wavelength: f32, amplitude: f32) -> Self {
        let side = (surface.side - 1) / stride + 1;
        let pivot = |at: usize| {
            let (x, z) = (at % side, at / side);
            let phase = unit(hash(IVec2::new(x as i32, z as i32), stride as u32));
            let gradient = surface.gradient(x * stride, z * stride);
            let contour = gradient.perp() / (gradient.length() + LEAST_GRADIENT);
            Pivot { across: contour / wavelength, phase }
        };
        let pivots = (0..side * side).into_par_iter().map(pivot).collect();
        Self { side, spacing: surface.cell * stride as f32, amplitude, pivots }
    }

    /// Metres of height at a place in metres from the surface's corner, within the surface.
    pub(super) fn height(&self, at: Vec2) -> f32 {
        let at = at / self.spacing;
        let (x, z) = (at.x as usize, at.y as usize);
        let f = at - Vec2::new(x as f32, z as f32);
        let near = &self.pivots[z * self.side + x..][..2];
        let far = &self.pivots[(z + 1) * self.side + x..][..2];
        let wave = |pivot: &Pivot, from: Vec2| crest(pivot.across.dot(from) * self.spacing + pivot.phase);
        let near = [wave(&near[0], f), wave(&near[1], f - Vec2::X)];
        let far = [wave(&far[0], f - Vec2::Y), wave(&far[1], f - Vec2::ONE)];
        let fade = f * f * (3.0 - 2.0 * f);
        let across = |[a, b]: [f32; 2]| a + fade.x * (b - a);
        self.amplitude * (across(near) + fade.y * (across(far) - across(near)))
    }
}

/// A smooth wave of period 1 between −1 and 1, with its crest at whole numbers.
fn crest(at: f32) -> f32 {
    let from_crest = 2.0 * (at - floor(at) as f32 - 0.5).abs();
    2.0 * from_crest * from_crest * (3.0 - 2.0 * from_crest) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_is_whole_and_smooth_over_its_period() {
        assert_eq!([crest(0.0), crest(0.5), crest(7.0), crest(-2.5)], [1.0, -1.0, 1.0, -1.0]);
    }

    #[test]
    fn gullies_run_down_the_slope() {
        let heights = (0..81).map(|at| (at % 9) as f32 * 40.0).collect();
        let surface = Surface { side: 9, cell: 40.0, heights };
        let gullies = Gullies::new(&surface, 2, 80.0, 1.0);
        let mut change = Vec2::ZERO;
        for at in (0..200).map(|n| Vec2::new(80.5 + (n % 20) as f32, 81.0 + (n / 20) as f32 * 7.0)) {
            let here = gullies.height(at);
            change +=
                Vec2::new(gullies.height(at + Vec2::X) - here, gullies.height(at + Vec2::Y) - here).abs();
        }
        assert!(change.y > 2.0 * change.x, "along the contour {} m, down the slope {} m", change.y, change.x);
    }
}
