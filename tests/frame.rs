//! What a picture costs: nothing is uploaded while the camera stands still, and only strips while it moves.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::frame::{Counts, FrameInput, Offscreen};
use orograph::passes::Look;

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
