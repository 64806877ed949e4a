//! Rays against every triangle tried one by one, and along every kind of border.

use super::super::facet::Half;
use super::super::fixtures::{distance_to_triangle, field, holed};
use super::*;
use proptest::prelude::*;

/// The corners of every drawn triangle in world metres; `flip` draws the other diagonal.
fn triangles(terrain: &Terrain, flip: bool) -> Vec<[DVec3; 3]> {
    let [columns, rows] = terrain.cells().map(i64::from);
    let corner = |ix: i64, iz: i64| {
        let at = terrain.world_from_grid(DVec2::new(ix as f64, iz as f64));
        terrain.sample(ix, iz).map(|height| DVec3::new(at.x, height, at.y))
    };
    let halves = |(ix, iz): (i64, i64)| {
        let [a, b, c, d] = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| corner(ix + x, iz + z));
        if flip { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] }
    };
    let cells = (0..rows).flat_map(|iz| (0..columns).map(move |ix| (ix, iz)));
    cells.flat_map(halves).filter_map(|[a, b, c]| Some([a?, b?, c?])).collect()
}

fn brute(triangles: &[[DVec3; 3]], origin: DVec3, direction: DVec3, margin: f64) -> Option<f64> {
    let hits =
        triangles.iter().filter_map(|triangle| distance_to_triangle(origin, direction, *triangle, margin));
    hits.min_by(f64::total_cmp)
}

/// A point over, beside or under the field, from fractions of its box.
fn place(terrain: &Terrain, at: [f64; 3]) -> DVec3 {
    let [columns, rows] = terrain.cells().map(f64::from);
    let ground = terrain.world_from_grid(DVec2::new(at[0] * columns, at[2] * rows));
    DVec3::new(ground.x, terrain.origin().y + at[1] * 50.0, ground.y)
}

/// Whether the ray agrees with every triangle tried one by one; a ray that only grazes may do either.
fn agrees(terrain: &Terrain, triangles: &[[DVec3; 3]], origin: DVec3, target: DVec3) -> bool {
    let direction = (target - origin).normalize();
    let distance = terrain.raycast(origin, direction).map(|hit| hit.distance);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
    let [wide, narrow] = [1e-7, -1e-7].map(|margin| brute(triangles, origin, direction, margin));
    match distance {
        Some(t) => wide.is_some_and(|w| near(t, w)) || narrow.is_some_and(|n| near(t, n)),
        None => narrow.is_none(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn agrees_with_all_triangles_tried_one_by_one(
        terrain in holed(),
        from in [-1.0f64..2.0, -3.0f64..3.0, -1.0f64..2.0],
        to in [-0.1f64..1.1, -1.0f64..1.0, -0.1f64..1.1],
    ) {
        let triangles = triangles(&terrain, false);
        prop_assert!(agrees(&terrain, &triangles, place(&terrain, from), place(&terrain, to)));
    }

    #[test]
    fn from_above_it_is_the_height(terrain in holed(), at in [-0.1f64..1.1, 2.0f64..9.0, -0.1f64..1.1]) {
        let origin = place(&terrain, at);
        let hit = terrain.raycast(origin, DVec3::NEG_Y);
        let height = terrain.height_at(origin.x, origin.z).filter(|_| terrain.covers(origin.x, origin.z));
        prop_assert_eq!(hit.map(|hit| hit.position.y), height);
        let below = terrain.raycast(DVec3::new(origin.x, -1e4, origin.z), DVec3::Y);
        prop_assert_eq!(below.map(|hit| hit.position), hit.map(|hit| hit.position));
    }

    #[test]
    fn a_hit_lies_on_the_ground_and_on_the_ray(
        terrain in holed(),
        from in [-9.0f64..9.0, 1.1f64..3.0, -9.0f64..9.0],
        to in [0.0f64..1.0, -1.0f64..1.0, 0.0f64..1.0],
    ) {
        let origin = place(&terrain, from);
        let direction = place(&terrain, to) - origin;
        if let Some(hit) = terrain.raycast(origin, direction) {
            let along = origin + direction.normalize() * hit.distance;
            prop_assert!((along - hit.position).length() < 1e-6);
            prop_assert!(hit.normal.y > 0.0 && (hit.normal.length() - 1.0).abs() < 1e-12);
            if let Some(height) = terrain.height_at(hit.position.x, hit.position.z) {
                prop_assert!((height - hit.position.y).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn never_slips_through_an_edge_or_a_sample(
        mut heights in proptest::collection::vec(-5.0f32..5.0, 81),
        spacing in [0.1f64..40.0, 0.1f64..40.0],
        kind in 0usize..6, line in 1i64..8, at in -3.0f64..11.0, lift in 40.0f64..90.0,
        sample in [1i64..8, 1i64..8],
    ) {
        // The bottom of a pit: past it there is no way but into the ground.
        heights[(sample[1] * 9 + sample[0]) as usize] = -6.0;
        let terrain = Terrain::new(9, 9, spacing, DVec3::new(0.3, 12.0, -0.7), &heights).expect("built");
        let world = |u: f64, v: f64, height: f64| {
            let at = terrain.world_from_grid(DVec2::new(u, v));
            DVec3::new(at.x, terrain.origin().y + height, at.y)
        };
        let target = world(sample[0] as f64, sample[1] as f64, -6.0);
        let k = line as f64;
        let (origin, aim) = match kind {
            // Along a line of samples of either axis, along a diagonal, at a sample from afar, along a
            // diagonal and straight down.
            0 => (world(k, at, lift), world(k, 4.3, -7.0)),
            1 => (world(at, k, lift), world(4.3, k, -7.0)),
            2 => (world(at, at, lift), world(4.3, 4.3, -7.0)),
            3 => (world(at, 2.7, lift), target),
            4 => (target + DVec3::new(spacing[0], lift, spacing[1]), target),
            _ => (target + DVec3::Y * lift, target),
        };
        let hit = terrain.raycast(origin, aim - origin);
        // The field is closed under every ray that ends inside it at its lowest sample or below.
        prop_assert!(hit.is_some(), "slipped through");
        let reach = (aim - origin).length() + 1e-9;
        prop_assert!(hit.is_some_and(|hit| hit.distance <= reach));
    }
}

#[test]
fn the_other_diagonal_is_noticed() {
    let terrain = field(2, 2, &[0.0, 3.0, 3.0, 0.0]);
    let (origin, target) = (DVec3::new(0.7, 9.0, 0.2), DVec3::new(0.6, 0.0, 0.5));
    assert!(agrees(&terrain, &triangles(&terrain, false), origin, target));
    assert!(!agrees(&terrain, &triangles(&terrain, true), origin, target));
    assert!(terrain.facet(0, 0, Half::East).is_some());
}

#[test]
fn far_origins_and_odd_directions() {
    let terrain = field(3, 3, &[1.0; 9]);
    let far = DVec3::new(-1e9, 1e9 + 1.0, 1.0);
    let hit = terrain.raycast(far, DVec3::new(1.0, -1.0, 0.0)).expect("hit at the rim");
    assert!((hit.position - DVec3::new(0.0, 1.0, 1.0)).length() < 1e-6);
    let level = terrain.raycast(DVec3::new(-5.0, 1.0, 0.4), DVec3::X).expect("within the plane");
    assert_eq!((level.distance, level.normal), (5.0, DVec3::Y));
    let tiny = terrain.raycast(DVec3::new(0.3, 2.0, 0.4), DVec3::new(0.0, -1e-300, 0.0));
    assert_eq!(tiny.map(|hit| hit.distance), Some(1.0));
    for bad in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NAN, 1.0)] {
        assert_eq!(terrain.raycast(DVec3::new(1.0, 5.0, 1.0), bad), None);
        if bad != DVec3::ZERO {
            assert_eq!(terrain.raycast(bad, DVec3::NEG_Y), None);
        }
    }
    assert_eq!(terrain.raycast(DVec3::new(1.0, 5.0, 1.0), DVec3::Y), None);
}

#[test]
fn a_hole_lets_rays_through_and_its_rim_does_not() {
    let mut heights = [2.0; 25];
    heights[12] = f32::NAN;
    let terrain = field(5, 5, &heights);
    let down = |x: f64, z: f64| terrain.raycast(DVec3::new(x - 4.0, 6.0, z), DVec3::new(1.0, -1.0, 0.0));
    assert_eq!(down(2.0, 2.0), None);
    assert_eq!(down(2.5, 2.3), None);
    assert!(down(2.0, 1.0).is_some() && down(0.9, 2.0).is_some() && down(3.0, 2.5).is_some());
}
