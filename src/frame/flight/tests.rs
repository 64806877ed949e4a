//! The flights over rough ground, with and without a hole in the middle.

use super::*;
use crate::clipmap::{ClipmapSettings, Planner, Viewpoint};
use crate::source::MemorySource;
use std::sync::Arc;

const SIZE: [u32; 2] = [1280, 720];
const STEPS: u32 = 200;

/// Rough ground away from the world's origin; empty within `hole` cells of the middle.
fn rough(hole: f64) -> Terrain {
    let (width, depth) = (121, 81);
    let height = |k: u32| {
        let (x, z) = (f64::from(k % width), f64::from(k / width));
        let empty = (x - 60.0).hypot(z - 40.0) < hole;
        if empty { f32::NAN } else { ((x * 1.3).sin() * 9.0 + (z * 0.9).cos() * 7.0 + x) as f32 }
    };
    let heights: Vec<f32> = (0..width * depth).map(height).collect();
    Terrain::from_vec(width, depth, [10.0, 12.0], DVec3::new(5e5, 800.0, -4e6), heights).expect("a field")
}

fn cameras(flight: Flight, terrain: &Terrain) -> Vec<Camera> {
    let start = Flight::start(terrain, SIZE);
    (0..=STEPS).map(|step| flight.camera(&start, terrain, f64::from(step) / f64::from(STEPS))).collect()
}

fn height_over_ground(camera: &Camera, terrain: &Terrain) -> f64 {
    camera.eye.y - terrain.height_at(camera.eye.x, camera.eye.z).expect("ground")
}

#[test]
fn the_descent_shrinks_evenly_in_ratio_from_ten_kilometres_to_a_tenth_of_a_metre() {
    for terrain in [rough(0.0), rough(15.0)] {
        let heights: Vec<f64> = cameras(Flight::Descent, &terrain)
            .iter()
            .map(|camera| height_over_ground(camera, &terrain))
            .collect();
        assert!((heights[0] - 10_000.0).abs() < 1e-6);
        assert!((heights[STEPS as usize] - 0.1).abs() < 1e-6);
        let ratio = 1e-5_f64.powf(1.0 / f64::from(STEPS));
        assert!(heights.windows(2).all(|pair| (pair[1] / pair[0] - ratio).abs() < 1e-6));
    }
}

#[test]
fn the_descent_stays_over_one_place_and_turns_up_evenly() {
    let terrain = rough(15.0);
    let cameras = cameras(Flight::Descent, &terrain);
    let turn = (FRAC_PI_2 - 0.1) / f64::from(STEPS);
    for pair in cameras.windows(2) {
        assert_eq!((pair[0].eye.x, pair[0].eye.z, pair[0].yaw), (pair[1].eye.x, pair[1].eye.z, pair[1].yaw));
        assert!((pair[1].pitch - pair[0].pitch - turn).abs() < 1e-9);
        assert!(pair[1].near <= pair[0].near);
    }
    assert_eq!(cameras[0].pitch, -FRAC_PI_2);
    assert!((cameras[STEPS as usize].pitch + 0.1).abs() < 1e-9);
    let grid = terrain.grid_from_world(cameras[0].eye.x, cameras[0].eye.z);
    let apart = grid.distance(DVec2::new(60.0, 40.0));
    assert!((15.0..16.5).contains(&apart), "the hole's rim is the nearest ground: {apart}");
}

/// Where the first level is 0, the triangles under the eye are the field's own.
#[test]
fn the_descent_ends_over_ground_that_is_drawn_in_full() {
    let terrain = Arc::new(rough(0.0));
    let source = MemorySource::new(terrain.clone());
    let mut planner = Planner::new(ClipmapSettings::DRAWN, &source, terrain.origin()).expect("a planner");
    let mut first_level = 0;
    for camera in cameras(Flight::Descent, &terrain) {
        let view = Viewpoint::new(camera, SIZE);
        first_level = planner.plan(&source, &view).expect("a plan").frame.first_level;
    }
    assert_eq!(first_level, 0);
}

#[test]
fn no_flight_enters_the_ground_with_any_part_of_its_near_plane() {
    let terrain = rough(0.0);
    let [width, height] = SIZE.map(f64::from);
    for (flight, camera) in
        Flight::ALL.iter().flat_map(|flight| cameras(*flight, &terrain).into_iter().map(move |c| (flight, c)))
    {
        for corner in [[0.0, 0.0], [width, 0.0], [0.0, height], [width, height]] {
            let at = camera.eye + camera.direction_through(corner.into(), SIZE) * camera.near;
            assert!(at.y > terrain.height_at(at.x, at.z).expect("ground"), "{flight:?} {camera:?}");
        }
    }
}

#[test]
fn the_orbit_is_a_full_circle_that_looks_at_the_middle() {
    let terrain = rough(0.0);
    let (start, range) = (Flight::start(&terrain, SIZE), terrain.range());
    let middle_height = f64::from(range.start() + range.end()) * 0.5;
    let middle = terrain.origin() + DVec3::new(600.0, middle_height, 480.0);
    let cameras = cameras(Flight::Orbit, &terrain);
    for camera in &cameras {
        let (pixel, distance) = camera.project(middle, SIZE).expect("in front");
        assert!((pixel - DVec2::new(640.0, 360.0)).length() < 1e-6);
        assert!((distance - start.eye.distance(middle)).abs() < 1e-6);
        assert_eq!(camera.pitch, start.pitch);
    }
    let (first, last) = (cameras[0], cameras[STEPS as usize]);
    assert!(first.eye.distance(last.eye) < 1e-6 && (last.yaw - first.yaw - TAU).abs() < 1e-12);
    let opposite = cameras[STEPS as usize / 2].eye;
    assert!(((first.eye + opposite) * 0.5 - middle).with_y(0.0).length() < 1e-6);
}
