//! Pictures of several samples a pixel: how much of a pixel an edge covers, what stays as it was, and whether a wrong place is noticed.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use bytemuck::Zeroable;
use common::{field, gpu};
use glam::{DVec2, DVec3};
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, FramePlan, Viewpoint};
use orograph::frame::{
    EIGHT_SAMPLES, FOUR_SAMPLES, FrameInput, ONE_SAMPLE, Offscreen, Renderer, SIXTEEN_SAMPLES, TWO_SAMPLES,
};
use orograph::gpu::{Gpu, RasterPath};
use orograph::mirror::{
    MirrorVertex, Report, compare_ids, compare_vertices, crack_pixels, patch_vertices, select,
};
use orograph::passes::{Frame, Look};
use orograph::terrain::Terrain;
use std::sync::Arc;

const SMALL: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
const SIZE: [u32; 2] = [160, 90];
const PATHS: [RasterPath; 2] = [RasterPath::Vertex, RasterPath::Compute];

type Pixels = Vec<[u8; 4]>;

fn renderers(gpu: &Gpu, terrain: &Arc<Terrain>) -> [Renderer; 2] {
    PATHS.map(|path| gpu::renderer_by(gpu, terrain, SMALL, Some(path)))
}

fn averaged(gpu: &Gpu, renderer: &mut Renderer, input: &FrameInput, samples: &[[i32; 2]]) -> Pixels {
    let picture = Offscreen::new(gpu, input.view.size);
    renderer.draw_samples(gpu, input, samples, picture.view()).expect("a picture");
    picture.pixels(gpu).expect("pixels")
}

fn smoothed(gpu: &Gpu, renderer: &mut Renderer, input: &FrameInput) -> Pixels {
    let picture = Offscreen::new(gpu, input.view.size);
    renderer.draw(gpu, input, picture.view()).expect("a picture");
    picture.pixels(gpu).expect("pixels")
}

/// Hills under a sky.
fn hills() -> (Arc<Terrain>, FrameInput) {
    let camera = Camera::looking_at(DVec3::new(30.0, 130.0, 200.0), DVec3::new(0.0, 90.0, 0.0));
    let look = Look::natural(5.0, 0.8, 1000.0);
    (field::hills(257, 257, 4.0), FrameInput { view: Viewpoint::new(camera, SIZE), look, wireframe: false })
}

/// A flat field that is black before white, so that a pixel's light is the part of it that the field leaves free; seen with the
/// camera turned by some radians.
fn black_on_white(turned: f64) -> (Arc<Terrain>, FrameInput) {
    let mut camera = Camera::looking_at(DVec3::new(0.0, 150.0, 330.0), DVec3::ZERO);
    camera.yaw += turned;
    let look = Look { background: [1.0; 4], ..Look::zeroed() };
    let view = Viewpoint::new(camera, SIZE);
    (field::field(65, 65, 4.0, |_, _| 0.0), FrameInput { view, look, wireframe: false })
}

/// The corners of a flat field in the picture, in order about it.
fn outline(terrain: &Terrain, view: &Viewpoint) -> [DVec2; 4] {
    let (origin, x, z) = (terrain.origin(), terrain.extent_x(), terrain.extent_z());
    [[0.0, 0.0], [x, 0.0], [x, z], [0.0, z]].map(|[x, z]| {
        view.camera.project(origin + DVec3::new(x, 0.0, z), view.size).expect("before the eye").0
    })
}

/// How far a place lies within the outline, pixels; negative outside.
fn depth_within(outline: &[DVec2; 4], place: DVec2) -> f64 {
    let side = |k: usize| {
        let (from, to) = (outline[k], outline[(k + 1) % 4]);
        (to - from).normalize().perp_dot(place - from)
    };
    (0..4).map(side).fold(f64::INFINITY, f64::min)
}

/// The part of a pixel within the outline: the middles of 64 by 64 squares.
fn area_within(outline: &[DVec2; 4], corner: DVec2) -> f64 {
    const SIDE: u32 = 64;
    let place = |k: u32| (DVec2::new(f64::from(k % SIDE), f64::from(k / SIDE)) + 0.5) / f64::from(SIDE);
    let within = (0..SIDE * SIDE).filter(|&k| depth_within(outline, corner + place(k)) > 0.0).count();
    within as f64 / f64::from(SIDE * SIDE)
}

fn linear(byte: u8) -> f64 {
    let encoded = f64::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// Half a step of 8 bits where it is widest in linear light.
const ROUNDING: f64 = 0.0045;
/// How far snapping may move an outline, pixels: both paths place vertices on 1/256 pixel here.
const APART: f64 = 1.0 / 256.0;

/// What a picture makes of the outline that runs through its pixels.
#[derive(Debug, Default)]
struct Edges {
    /// Pixels that the outline crosses.
    crossed: u32,
    /// Greatest difference of a pixel's light from the part that is free.
    worst: f64,
    /// The mean difference over the pixels that are crossed.
    mean: f64,
}

/// Holds every pixel to the samples that lie beyond the outline.
fn hold(outline: &[DVec2; 4], samples: &[[i32; 2]], pixels: &Pixels) -> Edges {
    let mut found = Edges::default();
    for (pixel, k) in pixels.iter().zip(0..) {
        let corner = DVec2::new(f64::from(k % SIZE[0]), f64::from(k / SIZE[0]));
        let light = linear(pixel[1]);
        let depth = |sample: &[i32; 2]| {
            depth_within(outline, corner + 0.5 + DVec2::from(sample.map(f64::from)) / 256.0)
        };
        let share = |far: f64| {
            samples.iter().filter(|sample| depth(sample) < far).count() as f64 / samples.len() as f64
        };
        let expected = share(-APART) - ROUNDING..=share(APART) + ROUNDING;
        assert!(expected.contains(&light), "{corner}: {light} is not within {expected:?}");
        let free = 1.0 - area_within(outline, corner);
        if free > 0.0 && free < 1.0 {
            found.crossed += 1;
            found.mean += light - free;
        }
        found.worst = found.worst.max((light - free).abs());
    }
    found.mean /= f64::from(found.crossed);
    found
}

#[test]
fn an_edge_leaves_as_much_light_as_samples_lie_beyond_it() {
    // The most that any straight edge can be off with these places, by trying every edge through one of them at 720 angles: an
    // edge along rows or columns by 1/16, others by more.
    const MOST_OF_SIXTEEN: f64 = 0.172;
    let gpu = gpu::gpu();
    let (terrain, input) = black_on_white(0.11);
    let outline = outline(&terrain, &input.view);
    for (mut renderer, path) in renderers(&gpu, &terrain).into_iter().zip(PATHS) {
        for samples in [&ONE_SAMPLE[..], &TWO_SAMPLES, &FOUR_SAMPLES, &EIGHT_SAMPLES, &SIXTEEN_SAMPLES] {
            let found = hold(&outline, samples, &averaged(&gpu, &mut renderer, &input, samples));
            println!("{path:?}, {} samples: {found:?}", samples.len());
            assert!(found.crossed > 300 && found.mean.abs() < 0.03, "{found:?}");
            assert!(samples.len() < 16 || found.worst < MOST_OF_SIXTEEN + ROUNDING + APART, "{found:?}");
        }
    }
}

#[test]
fn a_level_horizon_is_within_a_sixteenth_of_its_area() {
    let gpu = gpu::gpu();
    for shift in 0..8 {
        let (terrain, mut input) = black_on_white(0.0);
        // The horizon moves through its row of pixels, a seventh at a time.
        input.view.camera.pitch += f64::from(shift) / 7.0 * input.view.camera.fov_y / f64::from(SIZE[1]);
        let outline = outline(&terrain, &input.view);
        let (row, columns) = (outline[0].y.floor(), outline[0].x.ceil() as u32..outline[1].x.floor() as u32);
        for mut renderer in renderers(&gpu, &terrain) {
            let pixels = averaged(&gpu, &mut renderer, &input, &SIXTEEN_SAMPLES);
            for column in columns.clone() {
                let light = linear(pixels[(row as u32 * SIZE[0] + column) as usize][1]);
                let free = 1.0 - area_within(&outline, DVec2::new(f64::from(column), row));
                assert!((light - free).abs() <= 1.0 / 16.0 + ROUNDING + APART, "{light}, {free}");
            }
        }
    }
}

#[test]
fn every_colour_comes_back_from_linear_light_as_it_was() {
    let gpu = gpu::gpu();
    let (terrain, mut input) = hills();
    // Straight up, where nothing but background is.
    (input.view.camera.pitch, input.view.size) = (1.5, [8, 4]);
    let mut renderer = gpu::renderer(&gpu, &terrain, SMALL);
    for value in 0..=255 {
        let colour = [value, 255 - value, value ^ 0x55];
        input.look = Look::natural(0.0, 1.0, 1.0).with_background(colour);
        for samples in [&ONE_SAMPLE[..], &FOUR_SAMPLES] {
            let pixels = averaged(&gpu, &mut renderer, &input, samples);
            assert!(pixels.iter().all(|pixel| pixel[..3] == colour), "{colour:?}: {:?}", pixels[0]);
        }
    }
}

#[test]
fn samples_leave_no_trace_in_the_next_picture_and_cost_no_level() {
    let gpu = gpu::gpu();
    let (terrain, input) = hills();
    for mut renderer in renderers(&gpu, &terrain) {
        let picture = Offscreen::new(&gpu, SIZE);
        let counts = renderer.draw_samples(&gpu, &input, &EIGHT_SAMPLES, picture.view()).expect("a picture");
        assert!(counts.len() == 8 && counts[0].strips > 0);
        let uniforms = (size_of::<Frame>() + size_of::<Look>()) as u64;
        assert!(counts[1..].iter().all(|count| count.strips == 0 && count.upload_bytes == uniforms));
        let after = smoothed(&gpu, &mut renderer, &input);
        let mut fresh = gpu::renderer_by(&gpu, &terrain, SMALL, Some(renderer.path()));
        assert!(after == smoothed(&gpu, &mut fresh, &input));
    }
}

#[test]
fn both_paths_show_the_same_mean_but_for_edges() {
    let gpu = gpu::gpu();
    let (terrain, input) = hills();
    let [vertex, compute] =
        renderers(&gpu, &terrain).map(|mut renderer| averaged(&gpu, &mut renderer, &input, &SIXTEEN_SAMPLES));
    let difference = |(a, b): (&[u8; 4], &[u8; 4])| (0..3).map(|k| a[k].abs_diff(b[k])).max().unwrap_or(0);
    let differences: Vec<u8> = vertex.iter().zip(&compute).map(difference).collect();
    let beyond = |step: u8| differences.iter().filter(|difference| **difference > step).count();
    println!("{} pixels differ, {} by more than a step of 8 bits", beyond(0), beyond(1));
    assert!(beyond(1) * 1000 < differences.len(), "{}", beyond(1));
}

/// A picture at a sample: its plan, its ids, and how far the vertices stand from where a mirror says.
struct Seen {
    plan: FramePlan,
    ids: Vec<u32>,
    patches: Vec<Vec<MirrorVertex>>,
}

impl Seen {
    fn draw(gpu: &Gpu, renderer: &mut Renderer, input: &FrameInput, sample: [i32; 2]) -> Self {
        let view = Viewpoint { sample, ..input.view };
        let plan = renderer.draw_visibility(gpu, &FrameInput { view, ..*input }).expect("a picture");
        let pixels = renderer.targets().expect("targets").read_visibility(gpu).expect("pixels");
        let source = renderer.source();
        let list = select(&plan, &**source);
        let patches = list.iter().map(|instance| patch_vertices(&plan, &**source, instance)).collect();
        Self { plan, ids: pixels.iter().map(|[id, _]| *id).collect(), patches }
    }

    /// As a mirror sees it that believes in another sample.
    fn believed(&self, sample: [i32; 2]) -> FramePlan {
        let view = Viewpoint { sample, ..self.plan.view };
        FramePlan { view, ..self.plan.clone() }
    }
}

#[test]
fn a_mirror_that_looks_at_another_sample_is_noticed() {
    let gpu = gpu::gpu();
    let (terrain, input) = hills();
    for mut renderer in renderers(&gpu, &terrain) {
        let middle = Seen::draw(&gpu, &mut renderer, &input, [0, 0]);
        for sample in [[112, -64], [-112, -128], [-16, 127], [0, -112]] {
            let seen = Seen::draw(&gpu, &mut renderer, &input, sample);
            let patches = renderer.read_patches(&gpu).expect("patches");
            let mirror: Vec<_> = seen.patches.iter().flatten().copied().collect();
            let (right, wrong) = (&seen.plan, &seen.believed([0, 0]));
            let path = renderer.path();
            let subpixels = |plan: &FramePlan| compare_vertices(plan, path, &patches, &mirror).max_subpixels;
            let cracks = |plan: &FramePlan| crack_pixels(plan, &seen.ids, &seen.patches);
            println!("{path:?} at {sample:?}: {} cracks if taken for the middle", cracks(wrong));
            assert!(subpixels(right) <= Report::POSITION_BOUND);
            // The vertex path's own positions are never read back: its pictures tell.
            assert!(path == RasterPath::Vertex || subpixels(wrong) > Report::POSITION_BOUND);
            assert_eq!(cracks(right), 0);
            // Background from higher up in the pixels, where the middles see ground.
            assert!(sample[1] >= 0 || cracks(wrong) > 0);
            let pair = [&seen.ids[..], &middle.ids];
            let found = compare_ids(right, renderer.id_layout(), &patches, pair);
            assert!(found.unexplained > 50, "{found:?}");
        }
    }
}
