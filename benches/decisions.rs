//! What the CPU takes to decide a picture and to answer about the ground.

use divan::{Bencher, black_box};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Planner, Viewpoint, clipmap_frame_covering, clipmap_patches};
use orograph::mirror;
use orograph::source::{LatticeRect, MemorySource, Source};
use orograph::terrain::{Bounds, Errors, Terrain};
use std::sync::Arc;

fn main() {
    divan::main();
}

/// Hills of `side`² samples.
fn hills(side: u32) -> Vec<f32> {
    let place = |k: u32| (f64::from(k % side), f64::from(k / side));
    let height = |(x, z): (f64, f64)| ((x * 0.05).sin() * (z * 0.04).cos() * 300.0) as f32;
    (0..side * side).map(place).map(height).collect()
}

/// Hills of 1025² samples, 10 m apart, centred on the origin.
fn terrain() -> Arc<Terrain> {
    const SIDE: u32 = 1025;
    let corner = -f64::from(SIDE - 1) * 5.0;
    let terrain = Terrain::from_vec(SIDE, SIDE, 10.0, DVec3::new(corner, 0.0, corner), hills(SIDE));
    Arc::new(terrain.unwrap_or_else(|error| panic!("{error}")))
}

fn view() -> Viewpoint {
    let camera = Camera::looking_at(DVec3::new(0.0, 600.0, 1000.0), DVec3::new(0.0, 300.0, 0.0));
    Viewpoint::new(camera, [1920, 1080])
}

#[divan::bench(args = [1025, 16_385, 216_000])]
fn every_patch_of_a_frame(bencher: Bencher, side: i32) {
    let frame = clipmap_frame_covering(ClipmapSettings::DRAWN, [side / 2, side / 3], [side - 1, side - 1]);
    let frame = frame.unwrap_or_else(|error| panic!("{error}"));
    bencher.bench(|| clipmap_patches(black_box(&frame)));
}

#[divan::bench]
fn plan_and_mirror_the_selection(bencher: Bencher) {
    let terrain = terrain();
    let source = MemorySource::new(terrain.clone());
    let planner = Planner::new(ClipmapSettings::DRAWN, &source, terrain.origin());
    let planner = planner.unwrap_or_else(|error| panic!("{error}"));
    bencher.with_inputs(|| planner.clone()).bench_values(|mut planner| {
        planner.plan(&source, &view()).map(|plan| mirror::select(&plan, &source).len())
    });
}

#[divan::bench(args = [0, 2, 4])]
fn heights_of_a_strip(bencher: Bencher, level: u32) {
    let source = MemorySource::new(terrain());
    let rect = LatticeRect { min: [0, 0], max: [32, 65] };
    let mut heights = Vec::new();
    bencher.bench_local(|| source.heights(level, black_box(rect), &mut heights));
}

#[divan::bench(args = [1025, 2049])]
fn bounds_of_a_field(bencher: Bencher, side: u32) {
    let heights = hills(side);
    bencher.bench_local(|| Bounds::new(side, side, black_box(&heights)));
}

#[divan::bench(args = [1025, 2049])]
fn errors_of_a_field(bencher: Bencher, side: u32) {
    let heights = hills(side);
    bencher.bench_local(|| Errors::new(side, side, black_box(&heights)));
}

#[divan::bench]
fn error_of_a_patch(bencher: Bencher) {
    let terrain = terrain();
    let errors = terrain.errors();
    bencher.bench_local(|| errors.greatest(black_box(2), black_box([496, 496]), black_box([512, 512])));
}

#[divan::bench]
fn height_at(bencher: Bencher) {
    let terrain = terrain();
    bencher.bench(|| terrain.height_at(black_box(123.4), black_box(-987.6)));
}

#[divan::bench]
fn raycast_along_the_ground(bencher: Bencher) {
    let terrain = terrain();
    let (origin, direction) = (DVec3::new(-5000.0, 320.0, -4000.0), DVec3::new(1.0, -0.02, 0.9));
    bencher.bench(|| terrain.raycast(black_box(origin), black_box(direction)));
}
