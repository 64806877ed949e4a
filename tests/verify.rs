//! The CPU mirror against the GPU on fields from the least to millions of samples, with settings from end to end.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use orograph::camera::Camera;
use orograph::clipmap::ClipmapSettings;
use orograph::frame::{Renderer, RendererOptions};
use orograph::gpu::{Gpu, RasterPath};
use orograph::mirror::{cameras, verify};
use orograph::passes::Output;
use orograph::source::{MemorySource, Source};
use orograph::terrain::Terrain;
use std::sync::Arc;

/// Few pixels, since vertices cost more here.
const SIZE: [u32; 2] = [48, 27];
const CAMERAS: u32 = 6;
/// Cells along a patch and patches across: the least and the most that can be drawn of each, and some between, not powers of two too.
const SETTINGS: [(i32, i32); 10] =
    [(4, 8), (64, 8), (4, 64), (64, 64), (16, 16), (8, 32), (6, 12), (10, 20), (48, 8), (32, 24)];
/// The path is taken in turn; the default where a block is too large for the lists of a compute path.
const PATHS: [Option<RasterPath>; 3] = [None, Some(RasterPath::Vertex), Some(RasterPath::Compute32)];

/// Places for a field, seen through ever longer lenses in turn, so that a picture of few pixels shows the finest level too.
fn zoomed(source: &dyn Source, terrain: &Terrain, number: usize) -> Vec<Camera> {
    let mut cameras =
        cameras(source, terrain.origin(), CAMERAS, u64::from(terrain.size()[0]) + number as u64);
    for (turn, camera) in cameras.iter_mut().enumerate() {
        // Another lens with every setting.
        camera.fov_y /= [1.0, 6.0, 36.0, 200.0][(turn + number) % 4];
    }
    cameras
}

/// Verifies a field with every setting, each with other cameras, and gives the number of vertices that were compared.
fn hold(gpu: &Gpu, terrain: &Arc<Terrain>, settings: &[(i32, i32)]) -> u64 {
    let source: Arc<dyn Source> = Arc::new(MemorySource::new(terrain.clone()));
    let mut vertices = 0;
    for (number, &(patch_cells, patches_across)) in settings.iter().enumerate() {
        let settings = ClipmapSettings { patch_cells, patches_across };
        let path = PATHS[number % PATHS.len()];
        let options = RendererOptions { path, ..RendererOptions::new(settings, Output::Picture) };
        let mut renderer = Renderer::new(gpu, source.clone(), terrain.origin(), options).expect("a renderer");
        let cameras = zoomed(&*source, terrain, number);
        let report = verify(gpu, &mut renderer, &cameras, SIZE, || Ok(())).expect("a report");
        assert!(report.passed, "{:?}, {settings:?}: {report:#?}", terrain.size());
        vertices += report.vertices;
    }
    vertices
}

#[test]
fn gpu_and_mirror_agree_on_small_and_narrow_fields_with_all_settings() {
    let gpu = gpu::gpu();
    for (width, depth) in [(2, 2), (2, 65), (7, 1021), (257, 129)] {
        let vertices = hold(&gpu, &field::hills(width, depth, 4.0), &SETTINGS);
        assert!(vertices > 10_000, "{width}×{depth}: {vertices}");
    }
}

#[test]
fn gpu_and_mirror_agree_on_a_field_of_odd_size_with_all_settings() {
    let gpu = gpu::gpu();
    let vertices = hold(&gpu, &field::hills(701, 997, 4.0), &SETTINGS);
    assert!(vertices > 100_000, "{vertices}");
}

#[test]
fn gpu_and_mirror_agree_on_twelve_million_samples() {
    let gpu = gpu::gpu();
    let vertices = hold(&gpu, &field::hills(4097, 3001, 4.0), &SETTINGS[..5]);
    assert!(vertices > 100_000, "{vertices}");
}
