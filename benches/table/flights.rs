//! Frames by pass along the scripted flights over the demo terrain.

use crate::markdown::{milliseconds, table};
use orograph::camera::{Camera, pixel_angle};
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::error::Result;
use orograph::frame::{Flight, FrameInput, FrameTimes, Offscreen, Renderer, RendererOptions, detail_on};
use orograph::gpu::{Gpu, RasterPath};
use orograph::passes::{DrawCounts, Look, Output};
use orograph::source::MemorySource;
use orograph::terrain::Terrain;
use std::sync::Arc;

/// Sizes of the pictures, and frames of a flight.
pub fn scale(gpu: &Gpu) -> (&'static [[u32; 2]], u32) {
    if gpu.draws_on_cpu() { (&[[1280, 720]], 24) } else { (&[[1920, 1080], [3840, 2160]], 240) }
}

/// What pictures of a size are drawn with unless told otherwise.
pub fn options(gpu: &Gpu, size: [u32; 2], path: Option<RasterPath>) -> RendererOptions {
    let angle = pixel_angle(Camera::FOV_Y, size);
    let settings = ClipmapSettings::for_picture(angle, detail_on(gpu, path).triangle_pixels);
    RendererOptions { path, ..RendererOptions::new(settings, Output::Picture) }
}

/// One flight in pictures of one size by one path.
struct Flown {
    name: String,
    times: FrameTimes,
    /// Mean over the flight.
    triangles: u64,
    /// Those of the same patches with a stride of 1.
    uniform: u64,
}

/// The times as a table.
///
/// # Errors
/// A picture that cannot be drawn.
pub fn figures(gpu: &Gpu, demo: &Arc<Terrain>) -> Result<String> {
    let (sizes, frames) = scale(gpu);
    let mut all = Vec::new();
    for &size in sizes {
        for path in RasterPath::rasterisers(gpu).into_iter().rev() {
            for flight in Flight::ALL {
                all.push(fly(gpu, demo, (size, path, flight), frames)?);
            }
        }
    }
    let passes = pass_names(&all);
    let heading = [&["p50 ms a frame".to_owned(), "frame".to_owned()], &passes[..], &titles()].concat();
    let rows: Vec<_> = all.iter().map(|flown| row(flown, &passes)).collect();
    Ok(table(&heading, &rows))
}

/// Every pass of any flight, in the order in which they are met.
fn pass_names(all: &[Flown]) -> Vec<String> {
    let mut names = Vec::new();
    for (name, _) in all.iter().flat_map(|flown| flown.times.passes()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn titles() -> [String; 5] {
    ["frame p99", "until done", "CPU", "triangles", "of the uniform"].map(str::to_owned)
}

fn row(flown: &Flown, passes: &[String]) -> Vec<String> {
    let times = &flown.times;
    let pass = |name: &String| {
        let found = times.passes().find(|(known, _)| known == name);
        found.map_or_else(|| "–".to_owned(), |(_, times)| milliseconds(times.p50_ms))
    };
    let frame = times.frame();
    [flown.name.clone(), milliseconds(frame.p50_ms)]
        .into_iter()
        .chain(passes.iter().map(pass))
        .chain([frame.p99_ms, times.wall().p50_ms, times.cpu().p50_ms].map(milliseconds))
        .chain([flown.triangles, flown.uniform].map(|count| count.to_string()))
        .collect()
}

fn fly(
    gpu: &Gpu,
    terrain: &Arc<Terrain>,
    (size, path, flight): ([u32; 2], RasterPath, Flight),
    frames: u32,
) -> Result<Flown> {
    eprintln!("flying the {} at {}×{} by the {} path", flight.name(), size[0], size[1], path.name());
    let options = options(gpu, size, Some(path));
    let source = Arc::new(MemorySource::new(terrain.clone()));
    let mut renderer = Renderer::new(gpu, source, terrain.origin(), options)?;
    let picture = Offscreen::new(gpu, size);
    let start = Flight::start(terrain, size);
    let look = Look::natural(315_f64.to_radians(), 45_f64.to_radians(), terrain.extent_x());
    let (mut times, mut triangles) = (FrameTimes::default(), Vec::new());
    let input = |along: f64| {
        let camera = flight.camera(&start, terrain, along);
        let view = Viewpoint { detail: detail_on(gpu, Some(path)), ..Viewpoint::new(camera, size) };
        FrameInput { view, look, wireframe: false }
    };
    renderer.draw(gpu, &input(0.0), picture.view())?;
    gpu.wait()?;
    renderer.finished_times();
    for number in 0..frames {
        let along = f64::from(number) / f64::from(frames.max(2) - 1);
        times.draw(gpu, &mut renderer, &input(along), picture.view())?;
        triangles.push(renderer.drawn(gpu)?);
    }
    let sum =
        |count: fn(&DrawCounts) -> u32| triangles.iter().map(|counts| u64::from(count(counts))).sum::<u64>();
    let patches = sum(|counts| counts.drawn_patches);
    let uniform = patches * options.settings.triangles_per_patch() / triangles.len() as u64;
    let triangles = sum(|counts| counts.drawn_triangles) / triangles.len() as u64;
    let name = format!("{}×{} {} {}", size[0], size[1], path.name(), flight.name());
    Ok(Flown { name, times, triangles, uniform })
}
