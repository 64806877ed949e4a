//! Ground without end: a height for every pair of sample numbers, from noise alone.

use crate::terrain::noise::{floor, hash, noise_in_cell};
use glam::{IVec2, UVec2, Vec2};

/// Samples along the longest octave's wavelength, as a power of two; the shortest octave has two.
const LONGEST: u32 = 10;

/// Metres of an octave's height a metre of its wavelength.
const RUGGEDNESS: f32 = 0.095;

/// How much an octave fades where the ones before it are steep: valley floors and ridges stay smooth, flanks do not pile up.
const DAMPING: f32 = 9.0;

/// Samples, as a power of two, along the wavelength of the bends that keep ridges from running straight.
const BEND: u32 = 9;

/// Wavelengths that a place is bent by at most, along each axis.
const BEND_SHARE: f32 = 0.2;

/// The steepest that [`noise_in_cell`] can be, a unit of its coordinates: 2.93, over all places, directions and gradients.
///
/// Slope is linear in the four corners' unit gradients, so the greatest is a sum of four lengths, searched over the cell.
const STEEPEST: f32 = 3.0;

/// The greatest change of that slope a unit of its coordinates, found in the same way: 13.06.
const SHARPEST: f32 = 13.5;

/// The greatest change of 1/(1 + s²) a unit of s: 3√3/8.
const FADE_CHANGE: f32 = 0.65;

/// Mean square slope of a ridged octave a unit of its coordinates, measured.
const ROUGHNESS: f32 = 5.0;

/// Ridged noise whose octaves fade on the flanks of longer ones (after Quilez 2008), bent by slower noise.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground {
    /// Tells one ground from another.
    pub seed: u32,
    /// Metres between samples.
    pub spacing: f32,
}

/// The ground at a sample, of the octaves that were asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    /// Metres.
    pub height: f32,
    /// Variance of the rise that the octaves left out would add.
    pub left_out: f32,
}

impl Ground {
    /// The greatest distance from 0 that a height can have, in metres: all octaves at their highest.
    pub(super) fn highest(&self) -> f32 {
        (1..=LONGEST).map(|octave| self.amplitude(octave)).sum()
    }

    /// The ground at a sample, from the octaves with at least `2^(level + 1)` samples a wave.
    pub(super) fn at(&self, sample: UVec2, level: u32) -> Place {
        let bend = self.bend(sample);
        let (mut height, mut slope, mut fade) = (0.0, Vec2::ZERO, 1.0);
        for octave in (level + 1..=LONGEST).rev() {
            let (cell, within) = split(sample + self.shift(octave), octave, bend);
            let wave = noise_in_cell(cell, within, self.seed.wrapping_add(octave));
            slope += RUGGEDNESS * wave.slope;
            fade = 1.0 / (1.0 + DAMPING * slope.length_squared());
            height += self.amplitude(octave) * fade * (1.0 - 2.0 * wave.value.abs());
        }
        let octaves_left_out = level.min(LONGEST) as f32;
        Place { height, left_out: octaves_left_out * ROUGHNESS * (RUGGEDNESS * fade) * (RUGGEDNESS * fade) }
    }

    /// The most that the height can differ from that at a sample within `reach` samples of it, in metres.
    ///
    /// Each octave's change is at most its own and its fade's, and either cannot change by more than it spans. Concave in
    /// `reach`, as sums and minima of its multiples are.
    pub(super) fn change_within(&self, reach: f32) -> f32 {
        let bent = reach * (1.0 + std::f32::consts::SQRT_2 * BEND_SHARE * STEEPEST);
        let (mut change, mut slope_change) = (0.0, 0.0);
        for octave in (1..=LONGEST).rev() {
            let waves = bent / wavelength(octave);
            slope_change += RUGGEDNESS * (SHARPEST * waves).min(2.0 * STEEPEST);
            let fade_change = (FADE_CHANGE * DAMPING.sqrt() * slope_change).min(1.0);
            let wave_change = (2.0 * STEEPEST * waves).min(2.0);
            change += self.amplitude(octave) * (wave_change + fade_change).min(2.0);
        }
        change
    }

    fn amplitude(&self, octave: u32) -> f32 {
        RUGGEDNESS * wavelength(octave) * self.spacing
    }

    /// Samples that an octave is shifted by: noise is 0 at its lattice points, and those of all octaves must not meet.
    fn shift(&self, octave: u32) -> UVec2 {
        let hash = hash(IVec2::new(octave as i32, 0), self.seed);
        UVec2::new(hash, hash >> 16) & ((1 << LONGEST) - 1)
    }

    /// Samples that a place is moved by before its octaves are read.
    fn bend(&self, sample: UVec2) -> Vec2 {
        let (cell, within) = split(sample + self.shift(0), BEND, Vec2::ZERO);
        let along = |seed: u32| noise_in_cell(cell, within, self.seed ^ seed).value;
        Vec2::new(along(0x5bd1), along(0xe995)) * (BEND_SHARE * wavelength(BEND))
    }
}

/// Samples along an octave's wave.
fn wavelength(octave: u32) -> f32 {
    (1_u32 << octave) as f32
}

/// The cell of an octave's lattice that a moved sample falls in, and its place within it: exact at any distance, since
/// only the place within the cell is a float.
fn split(sample: UVec2, octave: u32, moved: Vec2) -> (IVec2, Vec2) {
    let whole = sample >> octave;
    let place = ((sample & ((1 << octave) - 1)).as_vec2() + moved) / wavelength(octave);
    let carried = IVec2::new(floor(place.x), floor(place.y));
    (whole.as_ivec2() + carried, place - carried.as_vec2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GROUND: Ground = Ground { seed: 3, spacing: 10.0 };

    #[test]
    fn the_roughness_left_out_is_about_what_an_octave_has() {
        let mut sum = 0.0;
        for n in 0..4000_u32 {
            let at = Vec2::new((n % 61) as f32 * 1.37, (n / 61) as f32 * 1.91);
            let cell = IVec2::new(floor(at.x), floor(at.y));
            sum += 4.0 * noise_in_cell(cell, at - cell.as_vec2(), 8).slope.length_squared() / 4000.0;
        }
        assert!((sum / ROUGHNESS).ln().abs() < 0.7, "{sum}");
    }

    #[test]
    fn far_from_zero_neighbouring_samples_differ_as_they_do_near_it() {
        let steepest = |from: u32| {
            (from..from + 4000)
                .map(|x| {
                    let height = |x| GROUND.at(UVec2::new(x, 77), 0).height;
                    (height(x + 1) - height(x)).abs()
                })
                .fold(0.0, f32::max)
        };
        assert!((steepest(0) / steepest((1 << 30) - 9000)).ln().abs() < 0.7);
    }

    proptest! {
        #[test]
        fn no_height_leaves_the_bound_of_its_surroundings(
            x in 64_u32..1 << 20, z in 64_u32..1 << 20, reach in 1_u32..64, dx in -1.0_f32..1.0, dz in -1.0_f32..1.0,
        ) {
            let here = GROUND.at(UVec2::new(x, z), 0).height;
            let half = reach as f32 * std::f32::consts::FRAC_1_SQRT_2;
            let there = UVec2::new(
                x.saturating_add_signed((dx * half) as i32),
                z.saturating_add_signed((dz * half) as i32),
            );
            let change = (GROUND.at(there, 0).height - here).abs();
            prop_assert!(change <= GROUND.change_within(reach as f32));
            prop_assert!(here.abs() <= GROUND.highest());
        }
    }
}
