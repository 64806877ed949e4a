//! The vertex path against the compute path, triangle by triangle, and the comparer against wrong pictures.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Culling, FramePlan, Viewpoint};
use orograph::frame::{Flight, FrameInput, Renderer};
use orograph::gpu::{Gpu, RasterPath};
use orograph::mirror::{cameras, compare_ids, compare_paths};
use orograph::passes::{DrawnPatch, Look};
use orograph::terrain::Terrain;
use std::sync::Arc;

const SMALL: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
const SIZE: [u32; 2] = [160, 90];

/// In the saw-tooth field large triangles here are cut at the near plane and at the guard band.
const AMONG_SPIKES: Camera = Camera {
    eye: DVec3::new(291.961_169_930_255_44, -254.330_266_377_802_53, -41.099_718_190_889_575),
    yaw: 1.067_671_907_792_214,
    pitch: -0.895_071_853_819_346_6,
    fov_y: 1.228_547_323_670_776_7,
    near: 0.1,
};

/// From far above the ground to a tenth of a metre over it, with the near plane nearer still.
fn descent(terrain: &Terrain) -> impl Iterator<Item = Camera> {
    const FRAMES: u32 = 16;
    let start = Camera::looking_at(DVec3::Y * 1000.0, DVec3::ZERO);
    (0..FRAMES)
        .map(move |number| Flight::Descent.camera(&start, terrain, f64::from(number) / f64::from(FRAMES - 1)))
}

fn both(gpu: &Gpu, terrain: &Arc<Terrain>) -> [Renderer; 2] {
    [RasterPath::Vertex, RasterPath::Compute].map(|path| gpu::renderer_by(gpu, terrain, SMALL, Some(path)))
}

#[test]
fn both_paths_show_the_same_triangles_but_for_rounding() {
    let gpu = gpu::gpu();
    let holed = field::field(201, 150, 5.0, |x, z| {
        let hole = ((x - 90.0).hypot(z - 70.0) < 25.0) || (x as i32 * 7 + z as i32 * 13) % 61 == 0;
        if hole { f64::NAN } else { (x * 0.1).sin() * 40.0 + z * 0.2 }
    });
    let fields = [
        ("hills", field::hills(257, 257, 4.0), 0.9999),
        ("holes", holed, 0.9999),
        ("saw-tooth", field::saw_tooth(129), 0.999),
    ];
    for (name, terrain, least) in fields {
        let mut renderers = both(&gpu, &terrain);
        let mut cameras = cameras(&**renderers[0].source(), terrain.origin(), 20, 7);
        cameras.push(AMONG_SPIKES);
        cameras.extend(descent(&terrain));
        let found = compare_paths(&gpu, &mut renderers, &cameras, SIZE, || Ok(())).expect("a comparison");
        println!("{name}: {:.6} agree, {found:?}", found.agreeing());
        assert_eq!(found.unexplained, 0, "{name}: {found:?}");
        assert!(found.agreeing() >= least && found.agreeing() < 1.0, "{name}: {found:?}");
    }
}

/// The same view of hills by one renderer.
fn drawn(gpu: &Gpu, renderer: &mut Renderer, turned: f64) -> (FramePlan, Vec<u32>, Vec<DrawnPatch>) {
    let mut camera = Camera::looking_at(DVec3::new(30.0, 130.0, 200.0), DVec3::new(0.0, 90.0, 0.0));
    camera.yaw += turned;
    let view = Viewpoint { culling: Culling::None, ..Viewpoint::new(camera, SIZE) };
    let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    let pixels = renderer.targets().expect("targets").read_visibility(gpu).expect("pixels");
    let vertices = renderer.read_patches(gpu).expect("patches");
    (plan, pixels.iter().map(|[id, _]| *id).collect(), vertices)
}

#[test]
fn a_picture_half_a_pixel_off_or_a_wrong_triangle_is_noticed() {
    let gpu = gpu::gpu();
    let [mut vertex, mut compute] = both(&gpu, &field::hills(257, 257, 4.0));
    let (plan, ids, vertices) = drawn(&gpu, &mut vertex, 0.0);
    let layout = vertex.id_layout();
    let compare = |other: &[u32]| compare_ids(&plan, layout, &vertices, [&ids, other]);
    assert_eq!(compare(&drawn(&gpu, &mut compute, 0.0).1).unexplained, 0);

    let pixel = 2.0 * (plan.view.camera.fov_y * 0.5).tan() / f64::from(SIZE[1]);
    for shift in [0.5, 0.25] {
        let shifted = compare(&drawn(&gpu, &mut compute, pixel * shift).1);
        println!("{shift} pixel off: {shifted:?}");
        assert!(shifted.unexplained > 50, "{shifted:?}");
    }
    let (one, other) = two_large(&ids);
    let swapped: Vec<u32> = ids
        .iter()
        .map(|&id| {
            if id == one {
                other
            } else if id == other {
                one
            } else {
                id
            }
        })
        .collect();
    let found = compare(&swapped);
    println!("swapped: {found:?}");
    let changed = ids.iter().zip(&swapped).filter(|(before, after)| before != after).count() as u64;
    assert!(changed > 10 && found.unexplained == changed, "{found:?}");
    assert!(compare(&ids[1..]).unexplained > 0);
}

/// The two triangles with the most pixels.
fn two_large(ids: &[u32]) -> (u32, u32) {
    let mut counts = std::collections::HashMap::new();
    for id in ids.iter().filter(|id| **id != 0) {
        *counts.entry(*id).or_insert(0) += 1;
    }
    let mut sorted: Vec<(u32, u32)> = counts.into_iter().collect();
    sorted.sort_by_key(|(id, count)| (std::cmp::Reverse(*count), *id));
    (sorted[0].0, sorted[1].0)
}
