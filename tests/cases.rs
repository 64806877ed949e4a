//! Public complaints about terrain viewers that must not happen here, as pictures.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::formats::ReadOptions;
use orograph::frame::{FrameInput, Offscreen, sample_in_turn};
use orograph::gpu::Gpu;
use orograph::mirror;
use orograph::passes::Look;
use orograph::terrain::{EMPTY, Terrain};
use std::sync::Arc;

const MAGENTA: [u8; 3] = [255, 0, 255];
const SIZE: [u32; 2] = [160, 90];

/// Poses that look down on a field about the origin, by a low-discrepancy sequence.
fn poses(count: u32, extent: f64) -> Vec<Camera> {
    let sequence = |k: u32, step: f64| (f64::from(k) * step).fract();
    (0..count)
        .map(|k| {
            let place = |step: f64| (sequence(k + 1, step) - 0.5) * extent;
            let height = 520.0 + 4000.0 * sequence(k, 0.436_159).powi(2);
            let mut camera =
                Camera::looking_at(DVec3::new(place(0.754_877), height, place(0.569_840)), DVec3::ZERO);
            camera.pitch = -0.25 - 1.32 * sequence(k, 0.313_7);
            camera
        })
        .collect()
}

/// Row 5: flat ground has the same shade up to the last column before a hole. It is mottled by nature, so that it is held against
/// the same ground without a hole.
#[test]
fn flat_ground_is_shaded_evenly_beside_empty_samples() {
    let gpu = gpu::gpu();
    let (seen, holed) = flat_ground(&gpu, 6);
    let (_, whole) = flat_ground(&gpu, 9);
    let width = SIZE[0] as usize;
    // Edge smoothing blends the outermost pixels with the background.
    let is_inner = |at: &usize| {
        let around = [0, 1, width - 1, width, width + 1];
        around.iter().all(|by| seen[at + by][0] != 0 && seen[at - by][0] != 0)
    };
    let inner: Vec<usize> = (width + 1..seen.len() - width - 1).filter(is_inner).collect();
    assert!(inner.len() > 1000, "{} pixels of ground", inner.len());
    let differs = |at: &&usize| (0..3).any(|c| holed[**at][c].abs_diff(whole[**at][c]) > 1);
    assert_eq!(inner.iter().filter(differs).count(), 0);
}

/// Ids and colours of 9 × 9 samples at 200 m seen from above, those from a column on empty.
fn flat_ground(gpu: &Gpu, columns: usize) -> (Vec<[u32; 2]>, Vec<[u8; 4]>) {
    let heights = (0..81).map(|at| if at % 9 < columns { 200.0 } else { EMPTY }).collect();
    let origin = DVec3::new(-40.0, 0.0, -40.0);
    let terrain = Arc::new(Terrain::from_vec(9, 9, 10.0, origin, heights).expect("built"));
    let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let mut renderer = gpu::renderer(gpu, &terrain, settings);
    let picture = Offscreen::new(gpu, SIZE);
    let camera = Camera::looking_at(DVec3::new(0.0, 310.0, 0.1), DVec3::new(0.0, 200.0, 0.0));
    let look = Look::natural(5.5, 0.8, 80.0).with_background(MAGENTA);
    let input = FrameInput { view: Viewpoint::new(camera, SIZE), look, wireframe: false };
    renderer.draw(gpu, &input, picture.view()).expect("a picture");
    let seen = renderer.targets().expect("targets").read_visibility(gpu).expect("visibility");
    (seen, picture.pixels(gpu).expect("pixels"))
}

/// Row 31: slits of background between detail levels, worst on steep ground.
#[test]
fn no_crack_on_a_saw_tooth_from_a_hundred_poses() {
    let gpu = gpu::gpu();
    let terrain = field::saw_tooth(513);
    let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let mut renderer = gpu::renderer(&gpu, &terrain, settings);
    let cameras = poses(100, terrain.extent_x());
    let report = mirror::verify(&gpu, &mut renderer, &cameras, SIZE, || Ok(())).expect("a report");
    assert!(report.passed, "{report:#?}");
}

/// Row 31, by the picture: nothing but ground where the whole of it lies within the field's outline, and the background as
/// it was asked for where no ground is.
#[test]
fn no_magenta_shows_through_ground_seen_from_above() {
    let gpu = gpu::gpu();
    let terrain = field::saw_tooth(513);
    let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let mut renderer = gpu::renderer(&gpu, &terrain, settings);
    let picture = Offscreen::new(&gpu, SIZE);
    let look = Look::natural(0.0, 0.8, 5000.0).with_background(MAGENTA);
    let mut draw = |number: usize, camera: Camera| {
        let view = Viewpoint { sample: sample_in_turn(number), ..Viewpoint::new(camera, SIZE) };
        renderer.draw(&gpu, &FrameInput { view, look, wireframe: false }, picture.view()).expect("a picture");
        let seen = renderer.targets().expect("targets").read_visibility(&gpu).expect("visibility");
        let pixels = picture.pixels(&gpu).expect("pixels");
        // The ids, since edge smoothing may blend a lone pixel of background.
        let background = seen.iter().filter(|[id, _]| *id == 0).count();
        (background, pixels.iter().filter(|pixel| pixel[..3] == MAGENTA).count())
    };
    for (number, mut camera) in poses(100, 2000.0).into_iter().enumerate() {
        (camera.pitch, camera.eye.y) = (-std::f64::consts::FRAC_PI_2, camera.eye.y.min(1400.0));
        assert_eq!(draw(number, camera), (0, 0), "{camera:?}");
    }
    let beside = Camera::looking_at(DVec3::new(9000.0, 1000.0, 0.0), DVec3::new(9000.0, 0.0, 1.0));
    let all = (SIZE[0] * SIZE[1]) as usize;
    assert_eq!(draw(0, beside), (all, all));
}

/// A ramp of 4×4 samples as a grey picture with a world file; the rows run north where the step of y is positive.
fn ramp(step_of_y: f64, grey: impl Fn(u8, u8) -> u8) -> Arc<Terrain> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ramp.png");
    let north_first = step_of_y < 0.0;
    let row = |stored: u8| if north_first { stored } else { 3 - stored };
    let pixels: Vec<u8> = (0..16).map(|k| grey(k % 4, row(k / 4))).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 4);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().expect("a header").write_image_data(&pixels).expect("pixels");
    std::fs::write(&file, bytes).expect("written");
    let first = if north_first { 2035.0 } else { 2005.0 };
    std::fs::write(folder.path().join("ramp.pgw"), format!("10\n0\n0\n{step_of_y}\n1005\n{first}\n"))
        .expect("written");
    let raster = orograph::formats::read(&file, &ReadOptions::default()).expect("read");
    Arc::new(raster.to_terrain().expect("a terrain"))
}

/// The picture of a terrain from straight above, north up, lit from the north-west.
fn seen_from_above(gpu: &Gpu, terrain: &Arc<Terrain>) -> Vec<[u8; 4]> {
    let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let mut renderer = gpu::renderer(gpu, terrain, settings);
    let picture = Offscreen::new(gpu, [64, 64]);
    let look = Look::natural(315_f64.to_radians(), 45_f64.to_radians(), 30.0).with_background(MAGENTA);
    let mut camera = Camera::looking_at(DVec3::new(0.0, 150.0, 1.0), DVec3::ZERO);
    camera.pitch = -std::f64::consts::FRAC_PI_2;
    let view = Viewpoint { sample: sample_in_turn(0), ..Viewpoint::new(camera, [64, 64]) };
    renderer.draw(gpu, &FrameInput { view, look, wireframe: false }, picture.view()).expect("a picture");
    picture.pixels(gpu).expect("pixels")
}

/// Row 11: a positive row step flips the picture, or turns the light.
#[test]
fn south_up_rows_give_the_same_picture_lit_from_the_north_west() {
    let gpu = gpu::gpu();
    let faces_north_west = |column: u8, row: u8| 8 * (column + row);
    let faces_south_east = |column: u8, row: u8| 48 - 8 * (column + row);
    let north_up = seen_from_above(&gpu, &ramp(-10.0, faces_north_west));
    let south_up = seen_from_above(&gpu, &ramp(10.0, faces_north_west));
    let differs = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1);
    assert!(!north_up.iter().zip(&south_up).any(differs));
    let away = seen_from_above(&gpu, &ramp(10.0, faces_south_east));
    let middle =
        |pixels: &[[u8; 4]]| -> u32 { pixels[32 * 64 + 32][..3].iter().map(|c| u32::from(*c)).sum() };
    assert!(middle(&south_up) > middle(&away) + 60, "{} {}", middle(&south_up), middle(&away));
}
