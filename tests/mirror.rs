//! The CPU mirror against the GPU, and each comparer against a wrong twin.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Culling, Detail, FramePlan, Viewpoint};
use orograph::frame::{FrameInput, Renderer, RendererOptions};
use orograph::gpu::{AdapterChoice, Gpu, RasterPath};
use orograph::mirror::{
    Outlines, Report, cameras, cell_counts, compare_lists, compare_pixels, compare_vertices, crack_pixels,
    mirror_pixels, patch_vertices, select, top_left, verify,
};
use orograph::passes::{Instance, Look, Output};
use orograph::source::MemorySource;
use orograph::terrain::Terrain;
use std::sync::Arc;

const SMALL: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
const SIZE: [u32; 2] = [160, 90];

/// Holds both paths against the mirror.
fn hold(terrain: &Arc<Terrain>, settings: ClipmapSettings, count: u32) {
    let gpu = gpu::gpu();
    let paths = RasterPath::available(&gpu);
    assert_eq!(paths.len(), 3, "the software adapter can take every path");
    for path in paths {
        let mut renderer = gpu::renderer_by(&gpu, terrain, settings, Some(path));
        let cameras = cameras(&**renderer.source(), terrain.origin(), count, 7);
        let report = verify(&gpu, &mut renderer, &cameras, SIZE, || Ok(())).expect("a report");
        assert!(report.passed, "{:?}, {settings:?}: {report:#?}", terrain.size());
    }
}

#[test]
fn gpu_and_mirror_agree_on_fields_of_any_size() {
    for (width, depth) in [(2, 2), (2, 300), (33, 17), (257, 257), (400, 151)] {
        hold(&field::hills(width, depth, 4.0), SMALL, 20);
    }
}

#[test]
fn gpu_and_mirror_agree_with_other_settings() {
    for (patch_cells, patches_across) in [(4, 8), (16, 16), (6, 12), (32, 8)] {
        hold(&field::hills(300, 277, 4.0), ClipmapSettings { patch_cells, patches_across }, 10);
    }
}

#[test]
fn gpu_and_mirror_agree_beside_holes() {
    let terrain = field::field(201, 150, 5.0, |x, z| {
        let hole = ((x - 90.0).hypot(z - 70.0) < 25.0) || (x as i32 * 7 + z as i32 * 13) % 61 == 0;
        if hole { f64::NAN } else { (x * 0.1).sin() * 40.0 + z * 0.2 }
    });
    hold(&terrain, SMALL, 20);
}

#[test]
fn gpu_and_mirror_agree_on_lesser_adapters_by_the_path_that_they_can_take() {
    let terrain = field::field(201, 150, 5.0, |x, z| {
        if (x - 90.0).hypot(z - 70.0) < 25.0 { f64::NAN } else { (x * 0.1).sin() * 40.0 + z * 0.2 }
    });
    for (features, path) in
        [(wgpu::Features::empty(), RasterPath::Vertex), (wgpu::Features::SHADER_INT64, RasterPath::Compute32)]
    {
        let gpu = Gpu::headless_with(&AdapterChoice::Software, features).expect("an adapter");
        let mut renderer = gpu::renderer(&gpu, &terrain, SMALL);
        assert_eq!(renderer.path(), path);
        let cameras = cameras(&**renderer.source(), terrain.origin(), 20, 3);
        let report = verify(&gpu, &mut renderer, &cameras, SIZE, || Ok(())).expect("a report");
        assert!(report.passed, "{report:#?}");
    }
}

/// One picture of hills, for the wrong twins.
fn drawn(gpu: &Gpu) -> (Renderer, FramePlan, Vec<Instance>) {
    let terrain = field::hills(257, 257, 4.0);
    let mut renderer = gpu::renderer(gpu, &terrain, SMALL);
    let camera = Camera::looking_at(DVec3::new(30.0, 130.0, 200.0), DVec3::new(0.0, 90.0, 0.0));
    let view = Viewpoint::new(camera, SIZE);
    let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    let list = renderer.select().read_instances(gpu).expect("a list");
    (renderer, plan, list)
}

#[test]
fn a_wrong_decision_or_order_is_noticed() {
    let gpu = gpu::gpu();
    let (renderer, plan, list) = drawn(&gpu);
    let mirror = select(&plan, &**renderer.source());
    assert_eq!(compare_lists(&list, &mirror), Default::default());
    let mut neighbour = mirror.clone();
    neighbour[0].levels ^= 1 << 5;
    assert_eq!(compare_lists(&list, &neighbour).decisions, 1);
    let mut swapped = mirror.clone();
    swapped.swap(0, 1);
    assert_eq!(compare_lists(&list, &swapped).order, 2);
    assert_eq!(compare_lists(&list, &mirror[1..]).decisions, 1);
}

#[test]
fn a_patch_left_out_or_doubled_is_noticed() {
    let gpu = gpu::gpu();
    let (_, plan, _) = drawn(&gpu);
    let mut all = plan.clone();
    all.view.culling = Culling::None;
    let terrain = field::hills(257, 257, 4.0);
    let source = MemorySource::new(terrain);
    let mut list = select(&all, &source);
    assert_eq!(cell_counts(&plan.frame, &list), (0, 0));
    let doubled = list[3];
    list.push(doubled);
    assert!(cell_counts(&plan.frame, &list).1 >= 64);
    list.retain(|instance| instance.index != doubled.index);
    assert!(cell_counts(&plan.frame, &list).0 >= 64);
}

#[test]
fn a_height_one_bit_off_or_a_moved_vertex_is_noticed() {
    let gpu = gpu::gpu();
    let (renderer, plan, list) = drawn(&gpu);
    let probes = renderer.read_patches(&gpu).expect("patches");
    let source = renderer.source().clone();
    let mirror: Vec<_> = list.iter().flat_map(|instance| patch_vertices(&plan, &*source, instance)).collect();
    assert_eq!(compare_vertices(&plan, renderer.path(), &probes, &mirror).mismatches, 0);
    let mut wrong = mirror.clone();
    wrong[5].height = f32::from_bits(wrong[5].height.to_bits() ^ 1);
    wrong[9].sample[0] += 1;
    assert_eq!(compare_vertices(&plan, renderer.path(), &probes, &wrong).mismatches, 2);
    let shifted: Vec<_> = mirror
        .iter()
        .map(|vertex| {
            let mut moved = *vertex;
            moved.offset[0] += 0.5;
            moved
        })
        .collect();
    assert!(
        compare_vertices(&plan, renderer.path(), &probes, &shifted).max_subpixels > Report::POSITION_BOUND
    );
}

#[test]
fn a_hole_in_the_picture_is_a_crack_and_sky_is_none() {
    let gpu = gpu::gpu();
    let (renderer, plan, list) = drawn(&gpu);
    let pixels = renderer.targets().expect("targets").read_visibility(&gpu).expect("pixels");
    let mut ids: Vec<u32> = pixels.iter().map(|[id, _]| *id).collect();
    assert!(ids.contains(&0), "some sky is seen");
    let source = renderer.source();
    let patches: Vec<_> = list.iter().map(|instance| patch_vertices(&plan, &**source, instance)).collect();
    assert_eq!(crack_pixels(&plan, &ids, &patches), 0);
    let middle = (SIZE[1] / 2 * SIZE[0] + SIZE[0] / 2) as usize;
    assert_ne!(ids[middle], 0);
    ids[middle] = 0;
    assert_eq!(crack_pixels(&plan, &ids, &patches), 1);
}

/// A flat field seen straight down so that lattice lines run through the middles of pixels: one cell is ten pixels.
fn drawn_on_pixel_middles(gpu: &Gpu) -> (Renderer, FramePlan) {
    const ODD: [u32; 2] = [161, 91];
    let flat = field::field(65, 65, 4.0, |_, _| 0.0);
    let mut renderer = gpu::renderer_by(gpu, &flat, SMALL, Some(RasterPath::Compute));
    let mut camera = Camera::looking_at(DVec3::new(0.0, 100.0, 0.0), DVec3::ZERO);
    camera.fov_y = 2.0 * (0.4 * f64::from(ODD[1]) / 200.0).atan();
    let view = Viewpoint { detail: Detail::UNIFORM, ..Viewpoint::new(camera, ODD) };
    let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    (renderer, plan)
}

#[test]
fn a_wrong_fill_rule_or_depth_is_noticed() {
    let gpu = gpu::gpu();
    let (renderer, plan) = drawn_on_pixel_middles(&gpu);
    let pixels = renderer.targets().expect("targets").read_visibility(&gpu).expect("pixels");
    assert!(pixels.iter().all(|[id, _]| *id != 0), "every pixel is ground, on edges too");
    let outlines = Outlines::read(&gpu, &renderer, &plan).expect("outlines");
    let right = mirror_pixels(&plan, renderer.id_layout(), top_left, &outlines);
    assert_eq!(compare_pixels(&pixels, &right), 0);
    let bottom_right = mirror_pixels(&plan, renderer.id_layout(), |dx, dy| !top_left(dx, dy), &outlines);
    assert!(compare_pixels(&pixels, &bottom_right) > 1000);
    let mut nearer = right;
    nearer[100] += 1 << 32;
    assert_eq!(compare_pixels(&pixels, &nearer), 1);
}

/// Steep ground with cells of 100 m, seen from half a metre above it: most of the picture shows triangles that the near plane or the guard
/// band cuts.
fn drawn_from_low(gpu: &Gpu, options: RendererOptions) -> (Renderer, FramePlan) {
    let rough = field::field(65, 65, 100.0, |x, z| 3000.0 * (x * 0.031).sin() * (z * 0.023).cos());
    let source = Arc::new(MemorySource::new(rough.clone()));
    let mut renderer = Renderer::new(gpu, source, rough.origin(), options).expect("a renderer");
    let ground = rough.height_at(10.0, 20.0).expect("ground");
    let eye = DVec3::new(10.0, ground + 0.5, 20.0);
    let mut camera = Camera::looking_at(eye, eye + DVec3::new(40.0, 30.0, 10.0));
    camera.near = 0.05;
    let view = Viewpoint::new(camera, SIZE);
    let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    (renderer, plan)
}

fn pixels(gpu: &Gpu, renderer: &Renderer) -> Vec<[u32; 2]> {
    renderer.targets().expect("targets").read_visibility(gpu).expect("pixels")
}

#[test]
fn clipped_triangles_are_mirrored_and_a_moved_corner_of_one_is_noticed() {
    let gpu = gpu::gpu();
    let options = RendererOptions::new(SMALL, Output::Picture);
    let (renderer, plan) = drawn_from_low(&gpu, options);
    let pixels = pixels(&gpu, &renderer);
    let mut outlines = Outlines::read(&gpu, &renderer, &plan).expect("outlines");
    let mirror = mirror_pixels(&plan, renderer.id_layout(), top_left, &outlines);
    assert_eq!(compare_pixels(&pixels, &mirror), 0);
    let is_clipped = |id: u32| outlines.clipped.iter().any(|(clipped, _)| *clipped == id);
    let shown: Vec<u32> = pixels.iter().map(|[id, _]| *id).filter(|id| is_clipped(*id)).collect();
    assert!(shown.len() > 1000, "{} of {} pixels show clipped triangles", shown.len(), pixels.len());
    let moved = outlines.clipped.iter_mut().find(|(id, _)| *id == shown[0]).expect("the triangle");
    moved.1.corners[1] += 25_600;
    let mirror = mirror_pixels(&plan, renderer.id_layout(), top_left, &outlines);
    assert!(compare_pixels(&pixels, &mirror) > 0);
}

#[test]
fn a_picture_is_the_same_when_the_lists_of_large_triangles_are_full() {
    let gpu = gpu::gpu();
    let options = RendererOptions::new(SMALL, Output::Picture);
    let (roomy, _) = drawn_from_low(&gpu, options);
    let expected = pixels(&gpu, &roomy);
    for shares in [0, 1, 20, 300] {
        let (narrow, _) = drawn_from_low(&gpu, RendererOptions { shares, ..options });
        assert!(pixels(&gpu, &narrow) == expected, "room for {shares} shares");
    }
}

/// Here every box has few pixels, however large its triangle is.
#[test]
fn a_picture_of_few_pixels_is_mirrored() {
    let gpu = gpu::gpu();
    let gentle = field::field(65, 65, 100.0, |x, z| 40.0 * (x * 0.031).sin() * (z * 0.023).cos());
    let mut renderer = gpu::renderer_by(&gpu, &gentle, SMALL, Some(RasterPath::Compute));
    for (size, above) in
        [[1, 1], [16, 16], [3, 60]].into_iter().flat_map(|size| [1.0, 8.0, 30.0].map(|y| (size, y)))
    {
        let eye = DVec3::new(30.0, gentle.height_at(30.0, 40.0).expect("ground") + above, 40.0);
        for yaw in 0..16 {
            let camera =
                Camera { pitch: -0.9, yaw: f64::from(yaw) * 0.4, ..Camera::looking_at(eye, DVec3::ZERO) };
            let view = Viewpoint::new(camera, size);
            let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
            let plan = renderer.draw_visibility(&gpu, &input).expect("a picture");
            let outlines = Outlines::read(&gpu, &renderer, &plan).expect("outlines");
            let mirror = mirror_pixels(&plan, renderer.id_layout(), top_left, &outlines);
            assert_eq!(compare_pixels(&pixels(&gpu, &renderer), &mirror), 0, "{size:?}, {above} m, {yaw}");
        }
    }
}
