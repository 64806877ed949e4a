//! What grows with the field: the same ground from the same place costs the same in fields of 1k² to 64k² samples, but for one
//! more level a doubling. `cargo bench --bench table` tells the times.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;
#[path = "../benches/table/fields.rs"]
mod fields;

use common::gpu;
use glam::DVec3;
use orograph::clipmap::{ClipmapSettings, Extents};
use orograph::frame::{FrameInput, Renderer, RendererOptions};
use orograph::gpu::{Gpu, RasterPath};
use orograph::passes::{Look, Output};
use std::sync::Arc;

/// Small blocks, so that a small picture shows several rings.
const SETTINGS: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
const SIZE: [u32; 2] = [640, 360];

fn renderer(gpu: &Gpu, side: u32, path: Option<RasterPath>) -> Renderer {
    let source = Arc::new(fields::field(side).expect("a field"));
    let options = RendererOptions { path, ..RendererOptions::new(SETTINGS, Output::Picture) };
    Renderer::new(gpu, source, DVec3::ZERO, options).expect("a renderer")
}

/// Patches tested and triangles drawn.
fn counts(gpu: &Gpu, side: u32) -> (u32, u64) {
    let mut renderer = renderer(gpu, side, None);
    let look = Look::natural(5.0, 0.8, 1e4);
    let input = FrameInput { view: fields::view(SIZE), look, wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    (plan.frame.index_count(), u64::from(renderer.drawn(gpu).expect("a device").triangles))
}

#[test]
fn the_same_view_draws_no_more_triangles_in_a_larger_field() {
    let gpu = gpu::gpu();
    let counts = fields::SIDES.map(|side| counts(&gpu, side));
    let (_, fewest) = counts[0];
    assert!(fewest > 0);
    for pair in counts.windows(2) {
        assert_eq!(pair[1].0 - pair[0].0, 2 * SETTINGS.patches_per_level() as u32, "{counts:?}");
        assert!(pair[1].1 * 10 <= fewest * 11, "{counts:?}");
    }
}

#[test]
fn each_doubling_adds_the_bytes_of_one_level() {
    let gpu = gpu::gpu();
    let textures = |side: u32| Extents::new(SETTINGS, [side as i32 - 1; 2]).texture_bytes();
    let layers = textures(fields::SIDES[3]) - textures(fields::SIDES[3] / 2);
    for path in RasterPath::rasterisers(&gpu) {
        // The smallest is left out: a layer of gradients is larger than it.
        let bytes = [1, 2, 3].map(|k| renderer(&gpu, fields::SIDES[k], Some(path)).gpu_bytes());
        let (first, second) = (bytes[1] - bytes[0], bytes[2] - bytes[1]);
        assert_eq!(first, second, "{path:?}: {bytes:?}");
        assert_eq!(first, 2 * layers, "{path:?}: one level a doubling, and nothing else");
    }
}
