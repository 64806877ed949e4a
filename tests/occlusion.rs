//! Patches that nearer ground hides are left out, and no other: the picture stays the same, whatever was drawn before.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::{DVec2, DVec3};
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Culling, Detail, Viewpoint};
use orograph::frame::{FrameInput, Renderer, RendererOptions};
use orograph::gpu::{Gpu, RasterPath};
use orograph::mirror::{Shown, culled_pixels, shown_pixels, verify};
use orograph::passes::{DrawCounts, Look, Output};
use orograph::source::{Gradient, LatticeRect, MemorySource, Source};
use orograph::terrain::Terrain;
use std::ops::RangeInclusive;
use std::sync::Arc;

const SMALL: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 16 };
const SIZE: [u32; 2] = [320, 180];

/// Hills behind a ridge that runs from west to east.
fn ridge() -> Arc<Terrain> {
    field::field(513, 513, 10.0, |x, z| {
        let hills = (x * 0.11).sin() * (z * 0.13).cos() * 20.0 + (x * 0.9 + z * 0.7).sin();
        hills + 260.0 * (-((z - 300.0) / 14.0).powi(2)).exp()
    })
}

/// South of the ridge, low over the ground, looking north at it.
fn in_the_valley() -> Camera {
    let eye = DVec3::new(35.0, 60.0, 840.0);
    Camera { pitch: 0.15, ..Camera::looking_at(eye, eye + DVec3::NEG_Z) }
}

fn input(camera: Camera, culling: Culling) -> FrameInput {
    let view = Viewpoint { culling, ..Viewpoint::new(camera, SIZE) };
    FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false }
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, camera: Camera, culling: Culling) -> (Vec<Shown>, DrawCounts) {
    renderer.draw_visibility(gpu, &input(camera, culling)).expect("a picture");
    (shown_pixels(gpu, renderer).expect("pixels"), renderer.drawn(gpu).expect("counts"))
}

#[test]
fn what_a_ridge_hides_is_not_drawn_and_nothing_is_lost() {
    let gpu = gpu::gpu();
    let terrain = ridge();
    for path in RasterPath::available(&gpu) {
        let mut renderer = gpu::renderer_by(&gpu, &terrain, SMALL, Some(path));
        let (all, in_view) = draw(&gpu, &mut renderer, in_the_valley(), Culling::Frustum);
        assert_eq!(in_view.drawn_triangles, in_view.triangles);
        let mut drawn = Vec::new();
        for _ in 0..4 {
            let (shown, counts) = draw(&gpu, &mut renderer, in_the_valley(), Culling::Occlusion);
            assert_eq!(culled_pixels(&all, &shown), 0, "{path:?}");
            assert_eq!((counts.patches, counts.triangles), (in_view.patches, in_view.triangles));
            drawn.push(counts.drawn_triangles);
        }
        let share = f64::from(drawn[3]) / f64::from(in_view.triangles);
        println!("{path:?}: {drawn:?} of {} triangles, {share:.3}", in_view.triangles);
        assert!(share < 0.5, "{share}");
        renderer.forget_history();
        let (shown, counts) = draw(&gpu, &mut renderer, in_the_valley(), Culling::Occlusion);
        assert_eq!(culled_pixels(&all, &shown), 0, "{path:?}");
        assert_eq!(counts.drawn_triangles, counts.triangles, "without history nothing is hidden");
    }
}

/// Fields with steep ground, holes and odd sizes.
fn fields() -> [(&'static str, Arc<Terrain>); 4] {
    let holed = field::field(301, 250, 5.0, |x, z| {
        let hole = ((x - 90.0).hypot(z - 70.0) < 25.0) || (x as i32 * 7 + z as i32 * 13) % 61 == 0;
        if hole { f64::NAN } else { (x * 0.1).sin() * 40.0 + (z * 0.07).cos() * 50.0 }
    });
    let steep = field::field(257, 199, 30.0, |x, z| 900.0 * (x * 0.09).sin() * (z * 0.07).cos());
    [("ridge", ridge()), ("holes", holed), ("steep", steep), ("saw-tooth", field::saw_tooth(129))]
}

/// Cameras on and low over the ground, where most is hidden, each unlike the one before, at heights of the drawn world.
fn low_cameras(terrain: &Terrain, exaggeration: f64) -> Vec<Camera> {
    let extent = DVec2::new(terrain.extent_x(), terrain.extent_z());
    (0..24)
        .map(|number| {
            let place = |share: f64| (f64::from(number) * share).fract() * 1.1 - 0.55;
            let plan = DVec2::new(place(0.618_034), place(0.754_878)) * extent;
            let ground = terrain.height_at(plan.x, plan.y).unwrap_or(0.0) * exaggeration;
            let above = [0.3, 2.0, 20.0, 150.0][number as usize % 4];
            Camera {
                eye: DVec3::new(plan.x, ground + above, plan.y),
                yaw: f64::from(number) * 2.4,
                pitch: f64::from(number % 5) * 0.1 - 0.3,
                fov_y: 0.4 + 0.2 * f64::from(number % 6),
                near: [0.1, 1.0][number as usize % 2],
            }
        })
        .collect()
}

#[test]
fn no_pixel_changes_whatever_was_drawn_before() {
    let gpu = gpu::gpu();
    for (name, terrain) in fields() {
        for (exaggeration, detail) in [(1.0, Detail::DRAWN), (4.0, Detail::UNIFORM)] {
            for path in RasterPath::available(&gpu) {
                let mut renderer = gpu::renderer_by(&gpu, &terrain, SMALL, Some(path));
                let (mut drawn, mut in_view) = (0, 0);
                for camera in low_cameras(&terrain, exaggeration) {
                    let mut by = |culling| {
                        let mut input = input(camera, culling);
                        (input.view.exaggeration, input.view.detail) = (exaggeration, detail);
                        renderer.draw_visibility(&gpu, &input).expect("a picture");
                        let counts = renderer.drawn(&gpu).expect("counts");
                        (shown_pixels(&gpu, &renderer).expect("pixels"), counts)
                    };
                    let (all, _) = by(Culling::None);
                    for turn in 0..3 {
                        let (shown, counts) = by(Culling::Occlusion);
                        assert_eq!(culled_pixels(&all, &shown), 0, "{name}, {path:?}, {turn}, {camera:?}");
                        if turn == 2 {
                            drawn += counts.drawn_triangles;
                            in_view += counts.triangles;
                        }
                    }
                }
                let share = f64::from(drawn) / f64::from(in_view);
                println!("{name} × {exaggeration}, {path:?}: {share:.3} of {in_view} triangles");
            }
        }
    }
}

/// A field whose patches are said to be lower than they are.
struct Understated(MemorySource);

impl Source for Understated {
    fn size(&self) -> [u32; 2] {
        self.0.size()
    }
    fn spacing(&self) -> DVec2 {
        self.0.spacing()
    }
    fn range(&self) -> RangeInclusive<f32> {
        self.0.range()
    }
    fn has_empties(&self) -> bool {
        self.0.has_empties()
    }
    fn heights(&self, level: u32, rect: LatticeRect, out: &mut Vec<f32>) {
        self.0.heights(level, rect, out);
    }
    fn gradients(&self, level: u32, rect: LatticeRect, out: &mut Vec<Gradient>) {
        self.0.gradients(level, rect, out);
    }
    fn bounds(&self, min: [i32; 2], max: [i32; 2]) -> Option<RangeInclusive<f32>> {
        let bounds = self.0.bounds(min, max)?;
        Some(*bounds.start()..=bounds.start() + (bounds.end() - bounds.start()) * 0.5)
    }
    fn error(&self, level: u32, min: [i32; 2], max: [i32; 2]) -> f32 {
        self.0.error(level, min, max)
    }
}

#[test]
fn a_patch_that_is_wrongly_hidden_is_noticed() {
    let gpu = gpu::gpu();
    let terrain = ridge();
    let eye = DVec3::new(35.0, 300.0, 1500.0);
    let camera = Camera { pitch: -0.1, ..Camera::looking_at(eye, eye + DVec3::NEG_Z) };
    for path in RasterPath::available(&gpu) {
        let options = RendererOptions { path: Some(path), ..RendererOptions::new(SMALL, Output::Picture) };
        let source = Arc::new(Understated(MemorySource::new(terrain.clone())));
        let mut renderer = Renderer::new(&gpu, source, terrain.origin(), options).expect("a renderer");
        let (all, _) = draw(&gpu, &mut renderer, camera, Culling::None);
        let (in_frustum, _) = draw(&gpu, &mut renderer, camera, Culling::Frustum);
        assert_eq!(culled_pixels(&all, &in_frustum), 0, "the frustum reaches beyond what is wrong");
        let lost: Vec<u64> = (0..3)
            .map(|_| culled_pixels(&all, &draw(&gpu, &mut renderer, camera, Culling::Occlusion).0))
            .collect();
        println!("{path:?}: {lost:?} pixels lost");
        assert!(lost[2] > 50, "{path:?}: {lost:?}");
        let report = verify(&gpu, &mut renderer, &[camera], SIZE, || Ok(())).expect("a report");
        assert!(report.culled_pixels > 50 && !report.passed, "{report:#?}");
    }
}

#[test]
fn a_pixel_of_another_patch_triangle_or_depth_is_noticed() {
    let gpu = gpu::gpu();
    let mut renderer = gpu::renderer(&gpu, &ridge(), SMALL);
    let (all, _) = draw(&gpu, &mut renderer, in_the_valley(), Culling::None);
    for change in [
        |shown: &mut Shown| shown.patch = None,
        |shown: &mut Shown| shown.triangle ^= 1,
        |shown: &mut Shown| shown.depth_bits -= 1,
    ] {
        let mut wrong = all.clone();
        change(&mut wrong[SIZE[0] as usize * 150]);
        assert_eq!(culled_pixels(&all, &wrong), 1);
    }
    assert_eq!(culled_pixels(&all, &all[..100]), all.len() as u64 - 100);
}
