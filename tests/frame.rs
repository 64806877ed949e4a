//! What a picture costs: nothing is uploaded while the camera stands still, and only strips while it moves.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::frame::{Counts, FrameInput, Offscreen};
use orograph::gpu::RasterPath;
use orograph::passes::{Look, Targets};

const SIZE: [u32; 2] = [64, 48];

fn draw_along(eyes: &[DVec3]) -> Vec<Counts> {
    let gpu = gpu::gpu();
    let terrain = field::hills(700, 600, 4.0);
    let mut renderer = gpu::renderer(&gpu, &terrain, ClipmapSettings { patch_cells: 8, patches_across: 8 });
    let picture = Offscreen::new(&gpu, SIZE);
    let mut draw = |eye: DVec3| {
        let camera = Camera { pitch: -0.3, ..Camera::looking_at(eye, eye + DVec3::NEG_Z) };
        let view = Viewpoint::new(camera, SIZE);
        let input = FrameInput { view, look: Look::natural(5.0, 0.8, 2800.0), wireframe: false };
        renderer.draw(&gpu, &input, picture.view()).expect("a picture").1
    };
    eyes.iter().map(|eye| draw(*eye)).collect()
}

#[test]
fn nothing_is_uploaded_while_the_camera_stands_still() {
    let eye = DVec3::new(50.0, 90.0, 300.0);
    let counts = draw_along(&[eye, eye, eye]);
    assert!(counts[0].upload_bytes > 0 && counts[0].strips > 0);
    assert_eq!((counts[1].upload_bytes, counts[1].strips), (0, 0));
    assert_eq!((counts[2].upload_bytes, counts[2].strips), (0, 0));
}

#[test]
fn a_move_within_a_cell_uploads_no_level_and_a_longer_one_only_strips() {
    let eye = DVec3::new(50.5, 90.0, 300.5);
    let counts = draw_along(&[eye, eye + DVec3::new(0.4, 0.0, 0.2), eye + DVec3::new(70.0, 0.0, 0.0)]);
    assert_eq!(counts[1].strips, 0, "only the uniforms change");
    assert!(counts[2].strips > 0);
    assert!(counts[2].upload_bytes * 4 < counts[0].upload_bytes, "{counts:?}");
}

#[test]
fn a_picture_too_large_for_the_compute_path_takes_the_other_and_a_smaller_one_goes_back() {
    let gpu = gpu::gpu();
    let terrain = field::hills(33, 33, 4.0);
    let small = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let width = gpu.device.limits().max_texture_dimension_2d;
    let large = [width, (Targets::most_words(&gpu) / u64::from(width)) as u32 + 1];
    let input = |size| {
        let camera = Camera::looking_at(DVec3::new(0.0, 90.0, 0.0), DVec3::ZERO);
        FrameInput {
            view: Viewpoint::new(camera, size),
            look: Look::natural(5.0, 0.8, 130.0),
            wireframe: false,
        }
    };
    let mut renderer = gpu::renderer(&gpu, &terrain, small);
    for (size, path) in
        [(SIZE, RasterPath::Compute), (large, RasterPath::Vertex), (SIZE, RasterPath::Compute)]
    {
        renderer.draw_visibility(&gpu, &input(size)).expect("a picture");
        assert_eq!(renderer.path(), path, "{size:?}");
    }
    let mut asked = gpu::renderer_by(&gpu, &terrain, small, Some(RasterPath::Compute));
    let error = asked.draw_visibility(&gpu, &input(large)).expect_err("no room");
    assert!(error.to_string().contains("--raster vertex"), "{error}");
}

#[test]
fn flat_ground_has_one_colour_on_every_path() {
    let gpu = gpu::gpu();
    let flat = field::field(65, 65, 100.0, |_, _| 0.0);
    let camera = Camera::looking_at(DVec3::new(50.0, 100.0, 50.0), DVec3::new(90.0, 0.0, 70.0));
    let view = Viewpoint::new(camera, SIZE);
    let look = Look::natural(5.0, 0.8, 6400.0);
    for path in RasterPath::available(&gpu) {
        let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
        let mut renderer = gpu::renderer_by(&gpu, &flat, settings, Some(path));
        let picture = Offscreen::new(&gpu, SIZE);
        let input = FrameInput { view, look, wireframe: false };
        renderer.draw(&gpu, &input, picture.view()).expect("a picture");
        let pixels = picture.pixels(&gpu).expect("pixels");
        for channel in 0..3 {
            let least = pixels.iter().map(|pixel| pixel[channel]).min().unwrap_or_default();
            let most = pixels.iter().map(|pixel| pixel[channel]).max().unwrap_or_default();
            // The ground's own patchiness and the haze; noise of the height would be several times as much.
            assert!(most - least < 24, "{path:?}: {least} to {most}");
        }
    }
}
