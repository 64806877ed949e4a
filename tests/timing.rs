//! The times of passes: on an adapter that draws on the CPU too, each pass is told what it takes itself.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::frame::{FrameInput, Offscreen};
use orograph::gpu::{Gpu, PassTime, RasterPath};
use orograph::passes::{Look, Reference};
use std::collections::BTreeMap;
use std::time::Instant;

const SIZE: [u32; 2] = [640, 360];
/// Of so many runs the quickest counts: other programs run beside.
const RUNS: usize = 7;

fn milliseconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64() * 1e3
}

fn quickest(run: impl FnMut() -> f64) -> f64 {
    std::iter::repeat_with(run).take(RUNS).fold(f64::INFINITY, f64::min)
}

fn keep_quickest(passes: &mut BTreeMap<String, f64>, times: Vec<PassTime>) {
    for PassTime { name, milliseconds } in times {
        let kept = passes.entry(name).or_insert(f64::INFINITY);
        *kept = kept.min(milliseconds);
    }
}

/// The quickest whole picture, and the quickest of each of its passes.
fn frame_and_passes(gpu: &Gpu, path: RasterPath) -> (f64, BTreeMap<String, f64>) {
    let terrain = field::hills(700, 600, 4.0);
    let mut renderer = gpu::renderer_by(gpu, &terrain, ClipmapSettings::DRAWN, Some(path));
    let picture = Offscreen::new(gpu, SIZE);
    let eye = DVec3::new(50.0, 90.0, 300.0);
    let camera = Camera { pitch: -0.5, ..Camera::looking_at(eye, eye + DVec3::NEG_Z) };
    let view = Viewpoint::new(camera, SIZE);
    let input = FrameInput { view, look: Look::natural(5.0, 0.8, 2800.0), wireframe: false };
    let mut passes = BTreeMap::new();
    let frame = quickest(|| {
        keep_quickest(&mut passes, renderer.draw_by_pass(gpu, &input, picture.view()).expect("a picture"));
        milliseconds(|| {
            renderer.draw(gpu, &input, picture.view()).expect("a picture");
            gpu.wait().expect("a device");
        })
    });
    (frame, passes)
}

#[test]
fn the_passes_of_a_picture_add_up_to_it_and_each_has_its_own() {
    let gpu = gpu::gpu();
    for path in RasterPath::available(&gpu) {
        let (frame, passes) = frame_and_passes(&gpu, path);
        let names: Vec<_> = passes.keys().map(String::as_str).collect();
        assert_eq!(names, ["gbuffer", "light", "present", "select", "visibility"]);
        let sum: f64 = passes.values().sum();
        assert!(sum > 0.5 * frame && sum < 2.0 * frame, "{frame} ms are not {passes:?}");
        for shading in ["gbuffer", "light", "present"] {
            assert!(passes[shading] > 0.02 * sum, "{shading} is no work for every pixel: {passes:?}");
        }
    }
}

#[test]
fn a_submission_by_itself_costs_little() {
    let gpu = gpu::gpu();
    let empty = quickest(|| {
        milliseconds(|| {
            gpu.queue.submit([]);
            gpu.wait().expect("a device");
        })
    });
    let mut reference = Reference::new(&gpu).expect("the yardstick");
    let yardstick = quickest(|| reference.measure(&gpu).expect("a device").expect("a time").milliseconds);
    assert!(empty < 0.05 * yardstick, "{empty} ms against {yardstick} ms");
}
