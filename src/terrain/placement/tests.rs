//! Placed fields against fields built in place and against their own triangles.

use super::super::facet::Half;
use super::super::fixtures::{field, holed};
use super::*;
use glam::{DQuat, UVec2};
use proptest::prelude::*;

fn placements() -> impl Strategy<Value = Placement> {
    let position = [-1e5f64..1e5, -1e3f64..1e3, -1e5f64..1e5];
    let scale = [0.05f64..20.0, 0.05f64..20.0, 0.05f64..20.0];
    (position, -9.0f64..9.0, scale).prop_map(|(position, turn, scale)| {
        Placement::new(position.into(), turn, scale.into()).expect("placed")
    })
}

/// The corners of a drawn triangle in the world outside.
fn corners(placed: &Placed, cell: [i64; 2], half: Half) -> Option<[DVec3; 3]> {
    let terrain = placed.terrain;
    let [columns, rows] = terrain.cells().map(i64::from);
    let [ix, iz] = [cell[0] % columns, cell[1] % rows];
    let corner = |x: i64, z: i64| {
        let at = terrain.world_from_grid(DVec2::new((ix + x) as f64, (iz + z) as f64));
        terrain.sample(ix + x, iz + z).map(|height| placed.world_from_field(DVec3::new(at.x, height, at.y)))
    };
    let beside = if half == Half::East { corner(1, 0) } else { corner(0, 1) };
    Some([corner(0, 0)?, beside?, corner(1, 1)?])
}

/// The unit normal of a triangle that points up.
fn normal_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    let normal = (b - a).cross(c - a).normalize();
    normal * normal.y.signum()
}

proptest! {
    #[test]
    fn rays_and_heights_find_every_triangle_where_it_was_put(
        terrain in holed(), placement in placements(), cell in [0i64..12, 0i64..12], east: bool,
        toward in [-1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0],
    ) {
        let placed = terrain.placed(placement);
        let half = if east { Half::East } else { Half::South };
        if let Some(triangle) = corners(&placed, cell, half) {
            let (centre, normal) = (triangle.iter().sum::<DVec3>() / 3.0, normal_of(triangle));
            // So near that no other triangle is between.
            let flat = triangle.map(|corner| corner.with_y(0.0));
            let size = (flat[1] - flat[0]).length().min((flat[2] - flat[1]).length());
            let back = DVec3::from(toward) * size * 0.01 + normal * size * 0.02;
            prop_assert!(placed.covers(centre.x, centre.z));
            let height = placed.height_at(centre.x, centre.z).expect("ground");
            let steep = normal.x.hypot(normal.z) / normal.y;
            prop_assert!((height - centre.y).abs() < 1e-8 * (1.0 + steep), "{} {}", height, centre.y);
            let hit = placed.raycast(centre + back, -back).expect("a hit");
            prop_assert!((hit.position - centre).length() < 1e-6 * (1.0 + steep));
            prop_assert!((hit.distance - back.length()).abs() < 1e-6 * (1.0 + steep));
            prop_assert!((hit.normal - normal).length() < 1e-6, "{} {}", hit.normal, normal);
        }
    }

    #[test]
    fn points_come_back_from_the_world(
        terrain in holed(), placement in placements(), point in [-1e5f64..1e5, -1e4f64..1e4, -1e5f64..1e5],
    ) {
        let placed = terrain.placed(placement);
        let there = placed.world_from_field(DVec3::from(point) + terrain.origin());
        let back = placed.field_from_world(there) - terrain.origin();
        prop_assert!((back - DVec3::from(point)).length() < 1e-6);
    }

    #[test]
    fn a_scaled_field_is_one_of_scaled_samples(
        terrain in holed(), position in [-1e5f64..1e5, -1e3f64..1e3, -1e5f64..1e5],
        scale in [0.05f64..20.0, 0.05f64..20.0], at in [-0.2f64..1.2, -0.2f64..1.2],
    ) {
        let rise = 4.0;
        let scaled = DVec3::new(scale[0], rise, scale[1]);
        let placed = terrain.placed(Placement::new(position.into(), 0.0, scaled).expect("placed"));
        let heights: Vec<f32> = terrain.heights().iter().map(|height| height * rise as f32).collect();
        let [width, depth] = terrain.size();
        let spacing = (terrain.spacing() * DVec2::from(scale)).to_array();
        let same = Terrain::new(width, depth, spacing, terrain.origin() + DVec3::from(position), &heights);
        let same = same.expect("a field");
        let (x, z) = same.world_from_grid(DVec2::from(at) * UVec2::from(same.cells()).as_dvec2()).into();
        let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() < 1e-3,
            (a, b) => a.is_none() && b.is_none(),
        };
        prop_assert!(near(placed.height_at(x, z), same.height_at(x, z)));
        prop_assert!(near(placed.slope_at(x, z), same.slope_at(x, z)));
        let [a, b] = [placed.normal_at(x, z), same.normal_at(x, z)];
        prop_assert!(a.zip(b).is_none_or(|(a, b)| (a - b).length() < 1e-5));
        prop_assert_eq!(placed.covers(x, z), same.covers(x, z));
    }

    #[test]
    fn a_plane_has_one_normal_and_slope_however_it_is_put(
        placement in placements(), rise in [-3.0f32..3.0, -3.0f32..3.0], at in [1.0f64..3.0, 1.0f64..3.0],
    ) {
        let height = |i: u8| rise[0] * f32::from(i % 5) + rise[1] * f32::from(i / 5);
        let heights: Vec<f32> = (0..25).map(height).collect();
        let terrain = field(5, 5, &heights);
        let placed = terrain.placed(placement);
        let normal = normal_of(corners(&placed, [0, 0], Half::East).expect("ground"));
        let there = placed.world_from_field(DVec3::new(at[0], 0.0, at[1]));
        let query = placed.normal_at(there.x, there.z);
        let shading = placed.shading_normal_at(there.x, there.z);
        prop_assert!(query.is_some_and(|query| (query - normal).length() < 1e-5));
        prop_assert!(shading.is_some_and(|shading| (shading - normal).length() < 1e-5));
        let slope = placed.slope_at(there.x, there.z).expect("ground");
        prop_assert!((slope - normal.y.min(1.0).acos()).abs() < 1e-4);
    }
}

#[test]
fn the_default_changes_nothing() {
    let terrain = Terrain::new(3, 2, 1.0, DVec3::new(7.0, 2.0, -3.0), &[1.0, 2.0, 5.0, 4.0, 0.5, 6.0]);
    let terrain = terrain.expect("a field");
    let placed = terrain.placed(Placement::default());
    assert_eq!(Placement::new(DVec3::ZERO, 0.0, DVec3::ONE).expect("placed"), Placement::default());
    for (x, z) in [(7.0, -3.0), (8.3, -2.4), (20.0, 0.0), (f64::NAN, 0.0)] {
        assert_eq!(placed.height_at(x, z), terrain.height_at(x, z));
        let normals = placed.normal_at(x, z).zip(terrain.normal_at(x, z));
        assert!(normals.is_none_or(|(ours, theirs)| (ours - theirs).length() < 1e-15));
        assert_eq!(placed.covers(x, z), terrain.covers(x, z));
        let down = DVec3::new(0.1, -2.0, 0.2);
        let (ours, theirs) =
            (placed.raycast(DVec3::new(x, 30.0, z), down), terrain.raycast(DVec3::new(x, 30.0, z), down));
        assert_eq!(ours.map(|hit| hit.distance), theirs.map(|hit| hit.distance));
    }
    assert_eq!(placed.raycast(DVec3::ZERO, DVec3::ZERO), None);
}

#[test]
fn a_turn_is_about_y_and_the_corner_and_quarters_keep_the_rim() {
    let terrain = field(5, 3, &[1.0; 15]);
    let position = DVec3::new(100.0, 10.0, -50.0);
    for (quarter, far) in [(0, [4.0, 2.0]), (1, [2.0, -4.0]), (2, [-4.0, -2.0]), (-1, [-2.0, 4.0])] {
        let turn = f64::from(quarter) * FRAC_PI_2;
        let placed = terrain.placed(Placement::new(position, turn, DVec3::ONE).expect("placed"));
        let corner = placed.world_from_field(DVec3::new(4.0, 1.0, 2.0));
        assert_eq!(corner, position + DVec3::new(far[0], 1.0, far[1]));
        assert!(placed.covers(corner.x, corner.z) && placed.covers(100.0, -50.0));
        assert!(!placed.covers(corner.x + far[0] * 1e-9, corner.z));
        assert_eq!(placed.height_at(corner.x, corner.z), Some(11.0));
    }
    let placed = terrain.placed(Placement::new(position, 0.7, DVec3::splat(2.0)).expect("placed"));
    let turned = DQuat::from_rotation_y(0.7) * DVec3::new(2.0, 0.0, 6.0) + position;
    assert!((placed.world_from_field(DVec3::new(1.0, 0.0, 3.0)) - turned).length() < 1e-12);
}

#[test]
fn transforms_without_an_inverse_are_refused() {
    let message =
        |position, turn, scale| Placement::new(position, turn, scale).expect_err("refused").to_string();
    assert!(message(DVec3::ZERO, f64::NAN, DVec3::ONE).starts_with("a field turned by NaN; finite radians"));
    assert!(message(DVec3::INFINITY, 0.0, DVec3::ONE).starts_with("a field moved by [inf, inf, inf]"));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
        assert!(message(DVec3::ZERO, 0.0, DVec3::new(1.0, bad, 1.0)).starts_with("a field scaled by [1, "));
    }
}
