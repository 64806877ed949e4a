//! The GPU against values computed elsewhere: the select pass decides the oracle's frames, and the drawn triangles stand at
//! the oracle's heights.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use bytemuck::Zeroable;
use common::clipmap_cases::{ClipmapCase, clipmap_cases, compare};
use common::{gpu, numbers, oracle_cases};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::frame::{FrameInput, Renderer};
use orograph::gpu::{Gpu, Timing, read_buffer};
use orograph::passes::{Frame, FrameBindings, Instance, Look, PatchBounds, Select};
use orograph::terrain::Terrain;
use std::sync::Arc;

/// The uniform of a frame alone: enough for decisions without culling.
fn uniform(case: &ClipmapCase) -> Frame {
    let frame = &case.frame;
    let mut uniform = Frame::zeroed();
    uniform.cells = frame.cells;
    uniform.levels = frame.levels;
    uniform.first_level = frame.first_level;
    uniform.patch_cells = frame.settings.patch_cells;
    uniform.patches_across = frame.settings.patches_across;
    for (slot, origin) in uniform.origins.iter_mut().zip(&frame.origins) {
        *slot = [origin[0], origin[1], 0, 0];
    }
    uniform
}

fn decide(gpu: &Gpu, case: &ClipmapCase) -> Vec<Instance> {
    let indices = case.frame.index_count();
    let mut bindings = FrameBindings::new(gpu);
    bindings.write(gpu, &uniform(case), &Look::zeroed());
    let bounds = PatchBounds::new(gpu, indices);
    let select = Select::new(gpu, &bindings, &bounds, indices).expect("the pass");
    let timing = Timing::new(gpu).expect("timing");
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    select.record(&mut encoder, &timing, &bindings);
    gpu.queue.submit([encoder.finish()]);
    let count = read_buffer::<u32>(gpu, select.draw(), 2).expect("a count")[1];
    read_buffer(gpu, select.instances(), count as usize).expect("a list")
}

/// An instance as a row of the oracle.
fn row(case: &ClipmapCase, instance: &Instance) -> Vec<i32> {
    let levels: Vec<u32> = (0..5).map(|k| instance.levels >> (5 * k) & 31).collect();
    let (step, span) = (1 << levels[0], case.frame.span(levels[0]));
    let neighbours = levels[1..].iter().map(|&level| if level == 0 { 0 } else { 1 << level });
    [instance.index as i32, levels[0] as i32, instance.x, instance.z, span, step]
        .into_iter()
        .chain(neighbours)
        .collect()
}

#[test]
fn oracle_clipmap_on_the_gpu() {
    let gpu = gpu::gpu();
    let Some(cases) = clipmap_cases() else { return };
    for (number, case) in cases.iter().enumerate() {
        let ours: Vec<_> = decide(&gpu, case).iter().map(|instance| row(case, instance)).collect();
        compare(case, &ours).unwrap_or_else(|difference| panic!("case {number}: {difference}"));
    }
}

/// The height that is drawn at a place: a camera straight above it, read in the middle of the picture.
///
/// The eye stands one height range above the field, so that depths keep their precision, and a cell is a thousand pixels wide, so
/// that the rasteriser's subpixels do not matter even where a cell rises by the whole range.
fn drawn_height(gpu: &Gpu, renderer: &mut Renderer, terrain: &Terrain, x: f64, z: f64) -> f64 {
    const SIDE: u32 = 31;
    let range = f64::from(terrain.range().end() - terrain.range().start());
    let top = terrain.origin().y + f64::from(*terrain.range().end()) + range;
    let ground = terrain.height_at(x, z).expect("ground");
    let mut camera = Camera::looking_at(DVec3::new(x, top, z), DVec3::new(x, top - 1.0, z));
    camera.near = range * 0.5;
    camera.fov_y = f64::from(SIDE) * terrain.spacing().x / 1000.0 / (top - ground);
    let view = Viewpoint { camera, size: [SIDE, SIDE], exaggeration: 1.0, cull: true };
    let input = FrameInput { view, look: Look::zeroed(), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    assert_eq!(plan.frame.first_level, 0, "the finest triangles are drawn");
    let pixels = renderer.targets().expect("targets").read_visibility(gpu).expect("pixels");
    top - camera.near / f64::from(f32::from_bits(pixels[(SIDE * SIDE / 2) as usize][1]))
}

#[test]
fn oracle_height_of_the_drawn_triangles() {
    let gpu = gpu::gpu();
    let Some(cases) = oracle_cases("height_query.json") else { return };
    let mut asked = 0;
    for (number, case) in cases.iter().enumerate() {
        let int = |key: &str| case[key].as_u64().expect("an integer") as u32;
        let heights: Vec<f32> = numbers(&case["heights"]).iter().map(|height| *height as f32).collect();
        let (spacing, origin) = (case["spacing_m"].as_f64().expect("a spacing"), numbers(&case["origin"]));
        let origin = DVec3::new(origin[0], origin[1], origin[2]);
        let terrain = Terrain::new(int("width"), int("depth"), spacing, origin, &heights).expect("a field");
        let range = f64::from(terrain.range().end() - terrain.range().start());
        let mut renderer = gpu::renderer(
            &gpu,
            &Arc::new(terrain.clone()),
            ClipmapSettings { patch_cells: 8, patches_across: 8 },
        );
        let inside = |x: f64, z: f64| {
            let (x, z) = (x - origin.x, z - origin.z);
            x > 0.0 && z > 0.0 && x < terrain.extent_x() && z < terrain.extent_z()
        };
        let points = case["points"].as_array().expect("points").iter().map(numbers);
        for point in points.filter(|point| inside(point[0], point[1])) {
            let drawn = drawn_height(&gpu, &mut renderer, &terrain, point[0], point[1]);
            let difference = (drawn - point[2]).abs();
            assert!(difference <= 1e-5 * range, "case {number} at {point:?}: {drawn}, off by {difference}");
            asked += 1;
        }
    }
    println!("{asked} points");
    assert!(asked > 0, "some point lies inside a field");
}
