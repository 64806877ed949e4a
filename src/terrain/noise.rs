//! Noise from integer hashes, equal to the bit on every machine: only + − × ÷ and floor.

use glam::{IVec2, Vec2};

/// Sixteen evenly turned unit vectors, so that no direction of the grid is preferred.
const DIRECTIONS: [[f32; 2]; 16] = {
    const A: f32 = 0.980_785_3;
    const B: f32 = 0.831_469_6;
    const C: f32 = 0.555_570_2;
    const D: f32 = 0.195_090_32;
    [
        [A, D],
        [B, C],
        [C, B],
        [D, A],
        [-D, A],
        [-C, B],
        [-B, C],
        [-A, D],
        [-A, -D],
        [-B, -C],
        [-C, -B],
        [-D, -A],
        [D, -A],
        [C, -B],
        [B, -C],
        [A, -D],
    ]
};

/// The reciprocal of the greatest value that unit gradients reach in the middle of a cell, √½.
const TO_ONE: f32 = std::f32::consts::SQRT_2;

/// A noise value, and its change per unit of the noise's own coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Noise {
    /// Between −1 and 1.
    pub value: f32,
    /// Derivative along x and z.
    pub slope: Vec2,
}

/// Mixes lattice coordinates and a seed to 32 even bits (the finaliser is MurmurHash3's, Appleby 2008).
pub(crate) fn hash(at: IVec2, seed: u32) -> u32 {
    let mut h = seed
        ^ (at.x as u32).wrapping_mul(0x9e37_79b1)
        ^ (at.y as u32).wrapping_mul(0x85eb_ca77).rotate_left(15);
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// An even number between 0 and 1 from the upper bits of a hash.
pub(crate) fn unit(hash: u32) -> f32 {
    (hash >> 8) as f32 / 16_777_216.0
}

/// Gradient noise (Perlin 1985, with the smoother fade of 2002) at a point in units of its wavelength.
pub(crate) fn noise(at: Vec2, seed: u32) -> Noise {
    let cell = IVec2::new(floor(at.x), floor(at.y));
    noise_in_cell(cell, at - cell.as_vec2(), seed)
}

/// The greatest whole number that is not above `value`; unlike the library's, no call where the processor lacks it.
pub(crate) fn floor(value: f32) -> i32 {
    let toward_zero = value as i32;
    toward_zero - i32::from(toward_zero as f32 > value)
}

/// As [`noise`], for a point given as a lattice cell and the place within it: exact however far from zero.
pub(crate) fn noise_in_cell(cell: IVec2, f: Vec2, seed: u32) -> Noise {
    let corner = |x: i32, z: i32| {
        let direction =
            Vec2::from(DIRECTIONS[(hash(cell.wrapping_add(IVec2::new(x, z)), seed) >> 28) as usize]);
        (direction, direction.dot(f - Vec2::new(x as f32, z as f32)))
    };
    let ((ga, a), (gb, b), (gc, c), (gd, d)) = (corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1));
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let twist = a - b - c + d;
    let value = a + u.x * (b - a) + u.y * (c - a) + u.x * u.y * twist;
    let slope = ga
        + u.x * (gb - ga)
        + u.y * (gc - ga)
        + u.x * u.y * (ga - gb - gc + gd)
        + du * (Vec2::new(b - a, c - a) + Vec2::new(u.y, u.x) * twist);
    Noise { value: value * TO_ONE, slope: slope * TO_ONE }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> impl Iterator<Item = Vec2> {
        (0..500).map(|n| {
            Vec2::new(unit(hash(IVec2::new(n, 0), 1)), unit(hash(IVec2::new(n, 1), 1))) * 90.0 - 45.0
        })
    }

    #[test]
    fn values_stay_within_one_and_slopes_are_their_differences() {
        for at in places() {
            let here = noise(at, 9);
            assert!(here.value.abs() <= 1.0);
            let step = 1.0 / 128.0;
            let ahead = Vec2::new(noise(at + Vec2::X * step, 9).value, noise(at + Vec2::Y * step, 9).value);
            let behind = Vec2::new(noise(at - Vec2::X * step, 9).value, noise(at - Vec2::Y * step, 9).value);
            assert!(((ahead - behind) / (2.0 * step) - here.slope).length() < 0.01, "{at}");
        }
    }

    #[test]
    fn noise_is_zero_on_its_lattice_and_differs_by_seed() {
        assert_eq!(noise(Vec2::new(3.0, -7.0), 1).value, 0.0);
        let mean = places().map(|at| noise(at, 1).value * noise(at, 2).value).sum::<f32>() / 500.0;
        assert!(mean.abs() < 0.03, "{mean}");
    }
}
