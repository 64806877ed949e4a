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
    let select =
        Select::new(gpu, &bindings, &bounds, (indices, case.frame.settings.patch_cells)).expect("the pass");
    let timing = Timing::new(gpu).expect("timing");
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    select.record(&mut encoder, &timing, &bindings);
    gpu.queue.submit([encoder.finish()]);
    select.read_instances(gpu).expect("a list")
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

/// Asks the shader's own `clipmap_level_at`, one thread a cell.
fn levels_at(gpu: &Gpu, case: &ClipmapCase, cells: &[[i32; 2]]) -> Vec<i32> {
    const PROBE: &str = "
        @group(0) @binding(2) var<storage, read> probe_cells: array<vec2i>;
        @group(0) @binding(3) var<storage, read_write> probe_levels: array<i32>;
        @compute @workgroup_size(64) fn probe(@builtin(global_invocation_id) id: vec3u) {
            if (id.x < arrayLength(&probe_cells)) { probe_levels[id.x] = clipmap_level_at(probe_cells[id.x]); }
        }";
    let text =
        [include_str!("../shaders/shared/frame.wgsl"), include_str!("../shaders/shared/clipmap.wgsl"), PROBE];
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(text.concat().into()),
    });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("probe"),
        compilation_options: Default::default(),
        cache: None,
    });
    let buffer = |bytes: &[u8], usage: wgpu::BufferUsages| {
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let descriptor = wgpu::BufferDescriptor {
            label: None,
            size: bytes.len() as u64,
            usage,
            mapped_at_creation: false,
        };
        let buffer = gpu.device.create_buffer(&descriptor);
        gpu.queue.write_buffer(&buffer, 0, bytes);
        buffer
    };
    let frame = buffer(bytemuck::bytes_of(&uniform(case)), wgpu::BufferUsages::UNIFORM);
    let asked = buffer(bytemuck::cast_slice(cells), wgpu::BufferUsages::STORAGE);
    let levels = buffer(&vec![0; cells.len() * 4], wgpu::BufferUsages::STORAGE);
    let entries = [(0, &frame), (2, &asked), (3, &levels)]
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(cells.len().div_ceil(64) as u32, 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    read_buffer(gpu, &levels, cells.len()).expect("levels")
}

#[test]
fn oracle_level_at_on_the_gpu() {
    let gpu = gpu::gpu();
    let Some(cases) = clipmap_cases() else { return };
    for (number, case) in cases.iter().enumerate().filter(|(_, case)| case.whole && !case.level_at.is_empty())
    {
        let cells: Vec<[i32; 2]> = case.level_at.iter().map(|row| [row[0], row[1]]).collect();
        let expected: Vec<i32> = case.level_at.iter().map(|row| row[2]).collect();
        assert_eq!(levels_at(&gpu, case, &cells), expected, "case {number}");
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
    let view = Viewpoint::new(camera, [SIDE, SIDE]);
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
