//! The lattice of a level: which sample each index stands on, and what it reads there.

use super::{EMPTY, Terrain, is_empty};

/// The highest level with a meaning: at it a step is longer than any field.
const LAST_LEVEL: u32 = 32;

/// The sample, along one axis, that lattice index `index` of a level stands on: min(index·2^level, last), and 0 before
/// the field.
pub fn lattice_to_sample(index: i64, level: u32, last: u32) -> u32 {
    let index = index.clamp(0, i64::from(last));
    (index << level.min(LAST_LEVEL)).min(i64::from(last)) as u32
}

/// The stored height at lattice point (i, j) of a level.
///
/// Above level 0 an empty point takes the nearest valid sample within half a step, first in row order among equals;
/// [`EMPTY`] where there is none.
pub fn lattice_sample(terrain: &Terrain, level: u32, i: i64, j: i64) -> f32 {
    let [width, depth] = terrain.size();
    let x = i64::from(lattice_to_sample(i, level, width - 1));
    let z = i64::from(lattice_to_sample(j, level, depth - 1));
    let step = 1 << level.min(LAST_LEVEL);
    lattice_source(terrain, [x, z], step).map_or(EMPTY, |[x, z]| terrain.stored(x, z))
}

/// The sample that gives a lattice point on sample `at` its height: that sample where it is valid, and above step 1 the
/// nearest valid one within half a step, first in row order among equals.
pub fn lattice_source(terrain: &Terrain, at: [i64; 2], step: i64) -> Option<[i64; 2]> {
    if !is_empty(terrain.stored(at[0], at[1])) {
        return Some(at);
    }
    if step > 1 { nearest_valid(terrain, at, step / 2) } else { None }
}

/// Widens the search by doubling, so that a near neighbour costs little at a coarse level.
fn nearest_valid(terrain: &Terrain, at: [i64; 2], half_step: i64) -> Option<[i64; 2]> {
    let [width, depth] = terrain.size();
    let furthest = i64::from(width.max(depth));
    let mut radius = 1;
    loop {
        let found = nearest_within(terrain, at, radius);
        if found.is_some() || radius >= half_step.min(furthest * 2) {
            return found;
        }
        radius = (radius * 2).min(half_step);
    }
}

/// The nearest valid sample within `radius` samples, first in row order among equals.
fn nearest_within(terrain: &Terrain, [x, z]: [i64; 2], radius: i64) -> Option<[i64; 2]> {
    let [width, depth] = terrain.size().map(i64::from);
    let mut nearest = None;
    let mut best = radius * radius + 1;
    for sz in (z - radius).max(0)..=(z + radius).min(depth - 1) {
        let dz2 = (sz - z) * (sz - z);
        if dz2 >= best {
            continue;
        }
        let reach = (best - 1 - dz2).isqrt();
        for sx in (x - reach).max(0)..=(x + reach).min(width - 1) {
            let distance2 = (sx - x) * (sx - x) + dz2;
            if distance2 < best && !is_empty(terrain.stored(sx, sz)) {
                (nearest, best) = (Some([sx, sz]), distance2);
            }
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use proptest::prelude::*;

    fn holed_terrain() -> impl Strategy<Value = Terrain> {
        (2_u32..20, 2_u32..20, 0.0_f64..0.99).prop_flat_map(|(width, depth, share)| {
            let count = (width * depth) as usize;
            prop::collection::vec(prop::bool::weighted(share), count).prop_filter_map(
                "needs one valid sample",
                move |empty| {
                    let heights: Vec<f32> =
                        empty.iter().enumerate().map(|(n, e)| if *e { EMPTY } else { n as f32 }).collect();
                    Terrain::from_vec(width, depth, 1.0, DVec3::ZERO, heights).ok()
                },
            )
        })
    }

    /// Every sample in row order, with no shortcut.
    fn by_brute_force(terrain: &Terrain, level: u32, i: i64, j: i64) -> f32 {
        let [width, depth] = terrain.size().map(i64::from);
        let step = 1_i64 << level;
        let (x, z) = ((i.max(0) * step).min(width - 1), (j.max(0) * step).min(depth - 1));
        let reach2 = if level == 0 { 0 } else { (step / 2) * (step / 2) };
        let mut nearest = (reach2 + 1, EMPTY);
        for (n, stored) in terrain.heights().iter().enumerate() {
            let (dx, dz) = (n as i64 % width - x, n as i64 / width - z);
            if !is_empty(*stored) && dx * dx + dz * dz < nearest.0 {
                nearest = (dx * dx + dz * dz, *stored);
            }
        }
        nearest.1
    }

    proptest! {
        #[test]
        fn a_lattice_point_reads_what_a_full_search_finds(
            terrain in holed_terrain(), level in 0_u32..7, i in -2_i64..24, j in -2_i64..24,
        ) {
            let read = lattice_sample(&terrain, level, i, j);
            prop_assert_eq!(read.to_bits(), by_brute_force(&terrain, level, i, j).to_bits());
        }
    }

    #[test]
    fn the_last_sample_is_a_lattice_line_at_every_level() {
        for level in [0, 1, 5, 31, 40] {
            assert_eq!(lattice_to_sample(i64::MAX, level, 77), 77);
            assert_eq!(lattice_to_sample(0, level, 77), 0);
            assert_eq!(lattice_to_sample(-4, level, 77), 0);
        }
        assert_eq!([3, 4, 5].map(|i| lattice_to_sample(i, 4, 77)), [48, 64, 77]);
    }
}
