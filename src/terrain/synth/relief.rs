//! Where the ground rises, what it is made of, and where its rivers end: functions of the place in metres from the centre.

use crate::terrain::noise::noise;
use glam::Vec2;
use rayon::prelude::*;

/// Metres that one unit of the shapes below stands for: half the field's side.
const UNIT: f32 = 10_240.0;

/// Metres of uplift a step where all shares below add up to 1.
const UPLIFT: f32 = 97.0;

/// Share of the uplift that all ground has, that the massif adds, and that the ranges add.
const BASE: f32 = 0.24;
const MASSIF: f32 = 0.6;
const RANGES: f32 = 0.42;

/// Middle and radius of the massif, and radius within which ranges rise, in units.
const MASSIF_MIDDLE: Vec2 = Vec2::new(-0.03, -0.28);
const MASSIF_RADIUS: f32 = 0.95;
const RANGES_RADIUS: f32 = 1.5;

/// Units that the shapes are bent by, and metres of the longest bends.
const BEND: f32 = 0.22;
const BEND_LENGTH: f32 = 5200.0;

/// Metres between ranges.
const RANGE_LENGTH: f32 = 6500.0;

/// Share of the uplift that the main valley takes away, and of the first height.
const VALLEY: [f32; 2] = [0.75, 0.8];

/// Where the main valley's head lies and how long it is, southward in units.
const VALLEY_HEAD: f32 = -0.35;
const VALLEY_LENGTH: f32 = 1.3;

/// Half the width of the main valley at its head, and what its length adds, in units.
const VALLEY_WIDTH: [f32; 2] = [0.07, 0.24];

/// Units that the main valley's axis lies east, curves and winds.
const VALLEY_EAST: f32 = 0.12;
const VALLEY_CURVE: f32 = 0.25;
const VALLEY_WINDING: f32 = 0.2;

/// Metres of lowering a step, per metre of √area and unit of slope.
const ERODIBILITY: f32 = 0.2;

/// Share by which rock differs in hardness, and metres of its bands.
const HARDNESS: f32 = 0.4;
const HARDNESS_LENGTH: f32 = 2600.0;

/// Metres that the first height rises from south to north, rolls, and lies below the mean of that.
const NORTHWARD: f32 = 330.0;
const ROLLING: f32 = 90.0;
const BELOW: f32 = 60.0;

/// Metres of the longest rolls of the first height.
const ROLLING_LENGTH: f32 = 7000.0;

/// Steps of uplift that the first height begins with.
const FIRST_STEPS: f32 = 1.6;

/// Evaluates `f` at every node of a square grid that starts at (−half, −half).
pub(super) fn over_grid(side: usize, cell: f32, half: f32, f: fn(Vec2) -> f32) -> Vec<f32> {
    let mut values = vec![0.0; side * side];
    values.par_chunks_exact_mut(side).enumerate().for_each(|(z, row)| {
        for (x, value) in row.iter_mut().enumerate() {
            *value = f(Vec2::new(x as f32, z as f32) * cell - half);
        }
    });
    values
}

/// Uplift in metres a step.
pub(super) fn uplift(at: Vec2) -> f32 {
    let bend = Vec2::new(octaves(at / BEND_LENGTH, 11, 3), octaves(at / BEND_LENGTH, 12, 3)) * BEND;
    let p = at / UNIT + bend;
    let massif = bump((p - MASSIF_MIDDLE).length() / MASSIF_RADIUS);
    let ranges = (0.5 + 0.5 * octaves(at / RANGE_LENGTH, 13, 3)) * bump(p.length() / RANGES_RADIUS);
    let share = BASE + MASSIF * massif + RANGES * ranges;
    UPLIFT * share * (1.0 - VALLEY[0] * main_valley(p))
}

/// 1 on the axis of the main valley, which leads from the middle to the south edge and widens on the way.
fn main_valley(p: Vec2) -> f32 {
    let down = ((p.y - VALLEY_HEAD) / VALLEY_LENGTH).clamp(0.0, 1.2);
    let winding = noise(Vec2::new(1.7 * p.y, 0.5), 17).value;
    let axis = VALLEY_EAST + VALLEY_CURVE * p.y * (1.0 - p.y) + VALLEY_WINDING * winding;
    bump((p.x - axis).abs() / (VALLEY_WIDTH[0] + VALLEY_WIDTH[1] * down)) * (2.0 * down).min(1.0)
}

/// Metres of lowering a step, per metre of √area and unit of slope: bands of harder and softer rock.
pub(super) fn erodibility(at: Vec2) -> f32 {
    ERODIBILITY * (1.0 + HARDNESS * octaves(at / HARDNESS_LENGTH, 21, 3))
}

/// Metres of height before anything is eroded; along the border, where rivers end for good.
pub(super) fn first_height(at: Vec2) -> f32 {
    let northward = (0.5 - 0.5 * at.y / UNIT).clamp(0.0, 1.1);
    let rolling = octaves(at / ROLLING_LENGTH, 41, 5);
    let ground = NORTHWARD * northward * northward + ROLLING * rolling;
    ground * (1.0 - VALLEY[1] * main_valley(at / UNIT)) - BELOW + FIRST_STEPS * uplift(at)
}

/// A smooth hill: 1 at 0, 0 from 1 on.
fn bump(t: f32) -> f32 {
    let inside = (1.0 - t * t).max(0.0);
    inside * inside
}

/// A sum of octaves of noise, each half as long and half as high.
fn octaves(at: Vec2, seed: u32, count: u32) -> f32 {
    let (mut sum, mut scale) = (0.0, 1.0);
    for octave in 0..count {
        sum += scale * noise(at / scale, seed + 1000 * octave).value;
        scale *= 0.5;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_massif_rises_north_of_the_centre_and_the_valley_sinks_south_of_it() {
        let most = |z: f32| (-9..=9).map(|x| uplift(Vec2::new(x as f32 * 1000.0, z))).fold(0.0, f32::max);
        assert!(most(-3000.0) > 1.2 * most(9000.0));
        let least = (-9..=9).map(|x| uplift(Vec2::new(x as f32 * 1000.0, 8000.0))).fold(f32::MAX, f32::min);
        assert!(least < 0.5 * most(8000.0));
    }
}
