//! Whole frames along the scripted flight, until the GPU is done. `orograph bench` tells the same by pass.

use divan::Bencher;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::frame::{Flight, FrameInput, Offscreen, Renderer, RendererOptions};
use orograph::gpu::{AdapterChoice, Gpu};
use orograph::passes::{Look, Output};
use orograph::source::MemorySource;
use orograph::terrain::{Terrain, synth};
use std::sync::Arc;

const SIZE: [u32; 2] = [1280, 720];

fn main() {
    divan::main();
}

/// A renderer of the demo terrain, with the camera where the flight starts.
fn stage() -> orograph::error::Result<(Gpu, Renderer, Arc<Terrain>, Camera)> {
    let gpu = Gpu::headless(&AdapterChoice::Best)?;
    let terrain = Arc::new(synth::demo()?);
    let source = Arc::new(MemorySource::new(terrain.clone()));
    let renderer = Renderer::new(
        &gpu,
        source,
        terrain.origin(),
        RendererOptions::new(ClipmapSettings::DRAWN, Output::Picture),
    )?;
    let start = Flight::start(&terrain, SIZE);
    Ok((gpu, renderer, terrain, start))
}

#[divan::bench(args = [0.0, 0.5, 1.0], sample_count = 20)]
fn frame_at(bencher: Bencher, along: f64) {
    let (gpu, mut renderer, terrain, start) = stage().unwrap_or_else(|error| panic!("{error}"));
    let picture = Offscreen::new(&gpu, SIZE);
    let camera = Flight::Flyover.camera(&start, &terrain, along);
    let view = Viewpoint::new(camera, SIZE);
    let look = Look::natural(5.5, 0.8, terrain.extent_x());
    let input = FrameInput { view, look, wireframe: false };
    bencher.bench_local(|| {
        renderer
            .draw(&gpu, &input, picture.view())
            .and_then(|_| gpu.wait())
            .unwrap_or_else(|error| panic!("{error}"));
    });
}
