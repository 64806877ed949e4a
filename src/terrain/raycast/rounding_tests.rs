//! Rays at the places where rounding decides: edges, samples, rims, and the ray's own start.
//!
//! A ray that falls more steeply than the ground crosses it once, so where it is aimed is where it must hit.
//! Most fields lie near the world's origin: far from it a rounded target misses its edge by so much that
//! nothing is at stake.

use super::super::fixtures::field;
use super::*;
use glam::Vec2Swizzles;
use proptest::prelude::*;
use proptest::sample::select;
use std::f64::consts::TAU;

/// Samples along a side; three blocks of the pyramid.
const SIDE: u32 = 20;
const COUNT: usize = (SIDE * SIDE) as usize;
/// The last sample of a side.
const LAST: f64 = (SIDE - 1) as f64;

fn square(spacing: [f64; 2], origin: DVec3, heights: &[f32]) -> Terrain {
    Terrain::new(SIDE, SIDE, spacing, origin, heights).expect("a field")
}

/// Fields without holes of any spacing, at most `away` metres from the world's origin.
fn rough(away: f64) -> impl Strategy<Value = Terrain> {
    let heights = prop::collection::vec(-50.0f32..50.0, COUNT);
    let spacing = [0.1f64..40.0, 0.1f64..40.0];
    let origin = [-away..away, -away..away, -away..away];
    (spacing, origin, heights).prop_map(|(spacing, origin, heights)| square(spacing, origin.into(), &heights))
}

/// Fields with holes whose numbers are so short in binary that a sum of them is exact.
fn short() -> impl Strategy<Value = Terrain> {
    let samples = prop::collection::vec((0i16..400, 0u8..10), COUNT);
    (samples, 0u8..4, select(vec![0.125f64, 0.75, 1.0, 5.0, 30.0])).prop_map(|(samples, holes, spacing)| {
        let height = |(height, chance): &(i16, u8)| (*chance >= holes).then(|| f32::from(*height) / 8.0);
        let mut heights: Vec<f32> = samples.iter().map(|sample| height(sample).unwrap_or(f32::NAN)).collect();
        // A field needs one valid sample.
        heights[0] = 0.0;
        square([spacing; 2], DVec3::new(-512.0, 64.0, 4096.0), &heights)
    })
}

/// The world position of a point of the ground, from grid coordinates.
fn on_ground(terrain: &Terrain, grid: DVec2) -> Option<DVec3> {
    let at = terrain.world_from_grid(grid);
    terrain.height_in_grid(grid).map(|height| DVec3::new(at.x, height + terrain.origin().y, at.y))
}

/// Rise that no triangle exceeds in any direction, metres a metre.
fn steepest(terrain: &Terrain) -> f64 {
    let relief = f64::from(*terrain.range().end()) - f64::from(*terrain.range().start());
    relief / terrain.spacing().x + relief / terrain.spacing().y
}

/// A point on an edge: a sample, on a line along z or x, or on a diagonal.
fn on_edge(kind: usize, cell: [u32; 2], share: f64) -> DVec2 {
    let cell = DVec2::from(cell.map(f64::from));
    let beside = [DVec2::ZERO, DVec2::Y, DVec2::X, DVec2::ONE][kind];
    (cell + beside * share).min(DVec2::splat(LAST))
}

/// First point of a side of the field and the way along it: west, east, north, south.
fn edge(side: usize) -> (DVec2, DVec2) {
    let first = [DVec2::ZERO, DVec2::X, DVec2::ZERO, DVec2::Y][side] * LAST;
    (first, if side < 2 { DVec2::Y } else { DVec2::X })
}

/// A ray `steeper` times as steep as the ground, aimed at a grid point `lift` metres away; its hit and that
/// distance.
fn crossing(terrain: &Terrain, grid: DVec2, azimuth: f64, steeper: f64, lift: f64) -> (Option<Hit>, f64) {
    let target = on_ground(terrain, grid).expect("ground");
    let back = DVec3::new(azimuth.cos(), steeper * steepest(terrain), azimuth.sin()).normalize();
    (terrain.raycast(target + back * lift, -back), lift)
}

/// A steep ray that passes over a grid point along `way`, from 2^`away` steps off; its hit and the distance
/// of the point.
///
/// `None` where the path over the ground does not run over a triangle before or after the point: it then only
/// touches a corner.
fn rim_hit(terrain: &Terrain, grid: DVec2, way: DVec2, away: u32) -> Option<(Option<Hit>, f64)> {
    let beside = |sign: f64| {
        let grid = grid + way * sign * 1e-3;
        terrain.clamped(grid) == grid && terrain.facet_at(grid).is_some()
    };
    let runs_over = way != DVec2::ZERO && (beside(-1.0) || beside(1.0));
    let target = on_ground(terrain, grid).filter(|_| runs_over)?;
    let fall = (steepest(terrain) * 4.0).ceil() + 1.0;
    let back = DVec3::new(-way.x, fall, -way.y) * f64::from(1u32 << away) / 1024.0;
    Some((terrain.raycast(target + back, -back), back.length()))
}

/// Rough heights in eighths of a metre, the same at every run.
fn fixed_height(i: usize) -> f32 {
    ((i as u32).wrapping_mul(2_654_435_761) >> 23) as f32 / 8.0
}

fn within(hit: Option<Hit>, distance: f64, tolerance: f64) -> bool {
    hit.is_some_and(|hit| (hit.distance - distance).abs() <= tolerance)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn crosses_the_ground_where_it_is_aimed_on_an_edge(
        terrain in rough(1.0), kind in 0usize..4, cell in [1..SIDE - 2, 1..SIDE - 2], share in 0.0f64..1.0,
        azimuth in 0.0f64..TAU, steeper in 1.01f64..9.0, lift in 0.1f64..300.0,
    ) {
        let (hit, expected) = crossing(&terrain, on_edge(kind, cell, share), azimuth, steeper, lift);
        prop_assert!(within(hit, expected, 1e-6), "{hit:?}, {lift} m");
    }

    #[test]
    fn no_ray_from_above_the_ground_ends_below_it(
        terrain in rough(1.0), kind in 0usize..4, cell in [1..SIDE - 2, 1..SIDE - 2], share in 0.0f64..1.0,
        from in [0.0f64..LAST, 0.0f64..LAST], lift in 0.0f64..30.0,
    ) {
        let target = on_ground(&terrain, on_edge(kind, cell, share)).expect("ground");
        let above = terrain.world_from_grid(from.into());
        let (low, high) = (f64::from(*terrain.range().start()), f64::from(*terrain.range().end()));
        let origin = DVec3::new(above.x, terrain.origin().y + high + lift + 0.01, above.y);
        // On through the edge until it is surely below.
        let floor = terrain.origin().y + low - 0.01;
        let end = origin + (target - origin) * (origin.y - floor) / (origin.y - target.y);
        if terrain.covers(end.x, end.z) {
            let hit = terrain.raycast(origin, end - origin);
            prop_assert!(hit.is_some_and(|hit| hit.distance <= (end - origin).length()), "{hit:?}");
        }
    }

    #[test]
    fn a_rim_is_hit_from_both_sides_and_along_it(
        terrain in short(), cell in [0..SIDE, 0..SIDE], kind in 0usize..4,
        share in select(vec![0.25f64, 0.5, 0.875]), way in [-3i32..4, -3i32..4], away in 0u32..24,
    ) {
        let (grid, way) = (on_edge(kind, cell, share), DVec2::from(way.map(f64::from)));
        if let Some((hit, distance)) = rim_hit(&terrain, grid, way, away) {
            prop_assert!(within(hit, distance, 1e-9 * (1.0 + distance)), "{hit:?}, {distance} m to {grid}");
        }
    }

    #[test]
    fn the_fields_edge_is_hit_from_any_distance_and_slope(
        terrain in short(), side in 0usize..4, at in 0u32..SIDE * 4 - 3,
        way in [1i32..9, -30i32..31, -8i32..9], away in 0u32..30,
    ) {
        let [inward, down, sideways] = way.map(f64::from);
        let (first, along) = edge(side);
        let grid = first + along * f64::from(at) / 4.0;
        let flat = (DVec2::splat(LAST / 2.0) - first).signum() * along.yx() * inward + along * sideways;
        let beside = grid + flat * 1e-3;
        let runs_inside = terrain.clamped(beside) == beside && terrain.facet_at(beside).is_some();
        let Some(target) = on_ground(&terrain, grid).filter(|_| runs_inside) else { return Ok(()) };
        let back = DVec3::new(-flat.x, down, -flat.y) * f64::from(1u32 << away) / 1024.0;
        let (hit, distance) = (terrain.raycast(target + back, -back), back.length());
        prop_assert!(within(hit, distance, 1e-9 * (1.0 + distance)), "{hit:?}, {distance} m to {grid}");
    }

    #[test]
    fn a_ray_that_starts_on_the_ground_hits_it_there(
        terrain in rough(1e7),
        at in [prop_oneof![Just(0.0), Just(LAST), 0.0..LAST], prop_oneof![Just(0.0), Just(LAST), 0.0..LAST]],
        toward in [-1i32..2, -1i32..2, -1i32..2],
    ) {
        let world = terrain.world_from_grid(at.into());
        let toward = DVec3::from(toward.map(f64::from));
        let height = terrain.height_at(world.x, world.y).expect("ground");
        if toward != DVec3::ZERO && terrain.covers(world.x, world.y) {
            let hit = terrain.raycast(DVec3::new(world.x, height, world.y), toward);
            prop_assert!(hit.is_some_and(|hit| (0.0..1e-6).contains(&hit.distance)), "{hit:?}");
        }
    }

    #[test]
    fn a_ray_within_flat_ground_hits_its_rim(
        height in -9000.0f32..9000.0, base in -1e4f64..1e4, spacing in 0.1f64..40.0,
        z in 0.2f64..0.8, away in 0.0f64..1e5, turn in -0.9f64..0.9,
    ) {
        let terrain = square([spacing; 2], DVec3::new(0.0, base, 0.0), &[height; COUNT]);
        let rim = DVec3::new(0.0, f64::from(height) + base, z * terrain.extent_z());
        let direction = DVec3::new(turn.cos(), 0.0, turn.sin());
        let hit = terrain.raycast(rim - direction * away, direction);
        prop_assert!(within(hit, away, 1e-6), "{hit:?}, {away} m");
    }

    #[test]
    fn flat_ground_is_hit_from_straight_above_and_below(
        height in -9000.0f32..9000.0, base in -1e4f64..1e4, away in 0u32..40, up: bool,
    ) {
        let terrain = square([1.0; 2], DVec3::new(0.0, base, 0.0), &[height; COUNT]);
        let distance = f64::from(1u32 << (away / 2)) * f64::from(1u32 << (away - away / 2));
        let direction = if up { DVec3::Y } else { DVec3::NEG_Y };
        let ground = DVec3::new(3.25, f64::from(height) + base, 7.1);
        let hit = terrain.raycast(ground - direction * distance, direction);
        prop_assert!(within(hit, distance, 1e-9 * (1e5 + distance)), "{hit:?}, {distance} m");
    }
}

#[test]
fn a_lone_peak_or_pit_of_a_fine_field_is_never_slipped_through() {
    for (height, lift) in [(3.63, 6.0), (-6.0, 6.0), (3.63, 4.0), (3.63, 60.0)] {
        for sample in [[1, 1], [3, 2], [4, 4], [2, 6], [7, 7]] {
            let mut heights = [0.0f32; 81];
            heights[sample[1] * 9 + sample[0]] = height;
            let terrain = Terrain::new(9, 9, 0.1, DVec3::new(3e5, 12.0, -7e6), &heights).expect("a field");
            let target = on_ground(&terrain, DVec2::new(sample[0] as f64, sample[1] as f64)).expect("ground");
            for step in 0..=80 {
                let from = terrain.world_from_grid(DVec2::new(f64::from(step) / 10.0, 2.7));
                let origin = DVec3::new(from.x, 12.0 + lift, from.y);
                let end = target + (target - origin).normalize() * 1e-4;
                let below = terrain.height_at(end.x, end.z).is_some_and(|height| height > end.y);
                let hit = terrain.raycast(origin, target - origin);
                let reach = (target - origin).length() + 1e-6;
                assert!(!below || hit.is_some_and(|hit| hit.distance <= reach), "{height} {sample:?} {step}");
            }
        }
    }
}

#[test]
fn a_ray_along_the_rim_of_a_hole_hits_it() {
    let mut heights = [2.0; 25];
    heights[12] = f32::NAN;
    let terrain = field(5, 5, &heights);
    // The rim's line z = 1 lies north of the hole; a third of a cell has no short binary form.
    let hit = terrain.raycast(DVec3::new(4.0 / 3.0, 3.0, 1.0), DVec3::new(1.0, -3.0, 0.0));
    assert!(within(hit, (10.0f64 / 9.0).sqrt(), 1e-12), "{hit:?}");
}

#[test]
fn every_inner_edge_of_a_field_is_closed_from_every_side() {
    let heights: Vec<f32> = (0..COUNT).map(fixed_height).collect();
    let terrain = square([0.1, 7.3], DVec3::new(0.3, 12.0, -0.7), &heights);
    for cell in (1..SIDE - 2).flat_map(|z| (1..SIDE - 2).map(move |x| [x, z])) {
        for (kind, turn) in (0..4).flat_map(|kind| (0..16).map(move |turn| (kind, turn))) {
            let azimuth = 0.1 + f64::from(turn) * TAU / 16.0;
            let (hit, lift) = crossing(&terrain, on_edge(kind, cell, 0.37), azimuth, 1.1, 61.0);
            assert!(within(hit, lift, 1e-9), "{cell:?}, {kind}, {azimuth}: {hit:?}");
        }
    }
}

#[test]
fn every_rim_of_a_field_is_closed_from_every_side() {
    let hole = |i: usize| i * 7 % 11 < 2 && i > 0;
    let heights: Vec<f32> = (0..COUNT).map(|i| if hole(i) { f32::NAN } else { fixed_height(i) }).collect();
    let terrain = square([0.75; 2], DVec3::new(-512.0, 64.0, 4096.0), &heights);
    let ways = (-1..=1).flat_map(|z| (-1..=1).map(move |x| DVec2::new(f64::from(x), f64::from(z))));
    for cell in (0..SIDE).flat_map(|z| (0..SIDE).map(move |x| [x, z])) {
        for (kind, way) in (0..4).flat_map(|kind| ways.clone().map(move |way| (kind, way))) {
            let grid = on_edge(kind, cell, 0.25);
            let Some((hit, distance)) = rim_hit(&terrain, grid, way, 13) else { continue };
            assert!(within(hit, distance, 1e-9 * (1.0 + distance)), "{grid} along {way}: {hit:?}");
        }
    }
}
