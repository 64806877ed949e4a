use super::*;
use glam::DVec3;
use proptest::prelude::*;

fn terrain_of(size: [u32; 2], spacing: [f64; 2], height: impl Fn(u32, u32) -> f32) -> Terrain {
    let heights = (0..size[1]).flat_map(|z| (0..size[0]).map(move |x| (x, z))).map(|(x, z)| height(x, z));
    Terrain::from_vec(size[0], size[1], spacing, DVec3::ZERO, heights.collect()).expect("built")
}

fn read(terrain: &Terrain, level: u32, min: [i32; 2], max: [i32; 2]) -> Vec<Gradient> {
    let mut out = vec![Gradient::default(); 2];
    Gradients::new(terrain).read(terrain, level, LatticeRect { min, max }, &mut out);
    out
}

fn all_of(terrain: &Terrain, level: u32) -> Vec<Gradient> {
    read(terrain, level, [0, 0], terrain.cells().map(|cells| cells.div_ceil(1 << level) as i32 + 1))
}

/// Deterministic unevenness, for what has to hold anywhere.
fn rough(x: u32, z: u32) -> f32 {
    let hash = x.wrapping_mul(0x9e37_79b9).rotate_left(13) ^ z.wrapping_mul(0x85eb_ca6b);
    (hash.wrapping_mul(0xc2b2_ae35) >> 16) as f32 / 8192.0
}

#[test]
fn a_plane_is_even_up_to_its_rim_and_beside_holes_at_every_level() {
    let plane = |x: u32, z: u32| {
        if (x, z) == (20, 0) || (x, z) == (36, 7) || (8..14).contains(&x) && (9..13).contains(&z) {
            EMPTY
        } else {
            (3 * x) as f32 - (5 * z) as f32
        }
    };
    let terrain = terrain_of([37, 22], [2.0, 4.0], plane);
    for level in 0..8 {
        for gradient in all_of(&terrain, level).iter().filter(|g| **g != Gradient::default()) {
            assert!((gradient.rise[0] - 1.5).abs() < 2e-3, "{level} {gradient:?}");
            assert!((gradient.rise[1] + 1.25).abs() < 2e-3, "{level} {gradient:?}");
            assert!(gradient.variance < 1e-3 && gradient.relief.abs() < 2e-3, "{level} {gradient:?}");
        }
    }
}

#[test]
fn an_empty_sample_has_no_gradient_and_a_lone_one_is_flat() {
    let terrain = terrain_of([5, 5], [1.0, 1.0], |x, z| if (x, z) == (2, 2) { 7.0 } else { EMPTY });
    assert!(all_of(&terrain, 0).iter().all(|gradient| *gradient == Gradient::default()));
}

#[test]
fn relief_at_level_0_is_height_over_the_four_samples_two_cells_away() {
    let terrain = terrain_of([9, 9], [2.0, 2.0], rough);
    let around = (rough(2, 4) + rough(6, 4) + rough(4, 2) + rough(4, 6)) / 4.0;
    let gradient = read(&terrain, 0, [4, 4], [5, 5])[0];
    assert!((gradient.relief - (rough(4, 4) - around) / 2.0).abs() < 1e-5);
    let ridge = terrain_of([65, 65], [1.0, 1.0], |x, _| -(x as f32 - 32.0).abs());
    for level in 0..4 {
        let crest = read(&ridge, level, [32 >> level, 1], [(32 >> level) + 1, 2])[0];
        assert!(crest.relief > 0.1, "{level} {crest:?}");
    }
}

#[test]
fn variance_is_the_spread_of_the_rises_that_were_averaged() {
    // Rises of ±1 in equal shares at level 0 average to 0 with variance 1, whatever the level.
    let folded = terrain_of([257, 9], [1.0, 1.0], |x, _| {
        let phase = x % 8;
        if phase < 4 { phase as f32 } else { 8.0 - phase as f32 }
    });
    let far = read(&folded, 5, [4, 0], [5, 1])[0];
    // At the folds the central difference is 0: a quarter of the samples.
    assert!(far.rise[0].abs() < 1e-2 && (far.variance - 0.75).abs() < 2e-2, "{far:?}");
}

proptest! {
    #[test]
    fn a_level_is_the_tent_average_of_the_level_below(
        size in prop::array::uniform2(2_u32..18), holes in any::<bool>(), level in 1_u32..4,
    ) {
        let holed = |x: u32, z: u32| if holes && x % 3 == 1 && z % 3 == 1 { EMPTY } else { rough(x, z) };
        let terrain = terrain_of(size, [1.0, 3.0], holed);
        let points = |level: u32| size.map(|samples| (samples - 1).div_ceil(1 << level) as i64 + 1);
        prop_assume!(points(level - 1) != [2, 2]);
        let (below, here) = (all_of(&terrain, level - 1), all_of(&terrain, level));
        let valid = |i: i64, j: i64| {
            let [width, depth] = points(level - 1);
            ((0..width).contains(&i) && (0..depth).contains(&j)).then(|| below[(j * width + i) as usize])
        };
        for (n, gradient) in here.iter().enumerate() {
            let [width, _] = points(level);
            let [last_x, last_z] = points(level - 1).map(|points| points - 1);
            let (i, j) = ((n as i64 % width * 2).min(last_x), (n as i64 / width * 2).min(last_z));
            let mut sum = [0.0_f64; 2];
            let mut total = 0.0;
            for (dj, di) in (-1..=1).flat_map(|dj| (-1..=1).map(move |di| (dj, di))) {
                let weight = f64::from((2 - i32::abs(di)) * (2 - i32::abs(dj)));
                // A default gradient is taken for an empty; on this ground no valid one is.
                if let Some(point) =
                    valid(i + i64::from(di), j + i64::from(dj)).filter(|p| *p != Gradient::default())
                {
                    total += weight;
                    sum[0] += weight * f64::from(point.rise[0]);
                    sum[1] += weight * f64::from(point.rise[1]);
                }
            }
            for (rise, sum) in gradient.rise.into_iter().zip(sum) {
                let expected = if total == 0.0 { 0.0 } else { sum / total };
                prop_assert!((f64::from(rise) - expected).abs() < 4e-3 * (1.0 + expected.abs()));
            }
        }
    }

    #[test]
    fn pieces_give_what_the_whole_gives(
        level in 0_u32..5, min in prop::array::uniform2(-4_i32..20), extent in prop::array::uniform2(1_i32..9),
    ) {
        let terrain = terrain_of([19, 30], [1.0, 1.0], rough);
        let max = [min[0] + extent[0], min[1] + extent[1]];
        let whole = read(&terrain, level, min, max);
        let rows: Vec<Gradient> =
            (min[1]..max[1]).flat_map(|z| read(&terrain, level, [min[0], z], [max[0], z + 1])).collect();
        prop_assert_eq!(whole, rows);
    }
}
