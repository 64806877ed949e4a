//! `bench`: frame times by pass over a scripted flight, and sizes.

use super::interrupt;
use super::options::{Conduct, Gpu, Inputs, LeavingOut, PictureSize, Reading};
use super::render::check_size;
use super::report::Report;
use super::results;
use super::stage::Stage;
use super::values;
use crate::camera::Camera;
use crate::error::Result;
use crate::frame::{Flight, FrameInput, FrameTimes, Offscreen, Percentiles};
use crate::passes::DrawCounts;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// The arguments of `bench`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to draw; the demo terrain where nothing is named.
    #[command(flatten)]
    pub inputs: Inputs,
    /// How many frames the flight has
    #[arg(long, value_name = "N", default_value = "60", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub frames: u32,
    /// Where the flight goes: down over the ground, about the middle, or from 10 km above it to 0.1 m
    #[arg(long, value_name = "FLIGHT", default_value = Flight::default().name(), value_parser = values::flight())]
    pub flight: Flight,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// How the file is read.
    #[command(flatten)]
    pub reading: Reading,
    /// How large the pictures are.
    #[command(flatten)]
    pub picture: PictureSize,
    /// What is drawn with.
    #[command(flatten)]
    pub gpu: Gpu,
    /// What may be left out.
    #[command(flatten)]
    pub leaving_out: LeavingOut,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Median {
    p50_ms: f64,
}

/// What is printed; the field names are the keys of `bench --json`.
#[derive(Debug, Serialize)]
struct Found {
    adapter: String,
    raster: &'static str,
    size: [u32; 2],
    flight: &'static str,
    frames: u32,
    field: [u32; 2],
    /// GPU time of each pass; where timestamps are missing or wrong, the time of each in a second drawing, pass by pass.
    passes: BTreeMap<String, Percentiles>,
    /// GPU time of all passes but the reference; where timestamps are missing or wrong, time until the picture is done.
    frame: Percentiles,
    /// Time from the beginning of a picture until it is done.
    wall: Percentiles,
    /// Time that the CPU takes to plan, upload and record.
    cpu: Median,
    patches_tested: u32,
    /// Of the flight's mean frame, as triangles are.
    patches_drawn: u64,
    triangles: u64,
    /// As many as the patches would have with a stride of 1.
    uniform_triangles: u64,
    gpu_bytes: u64,
    host_bytes: Option<usize>,
    upload_bytes_per_frame: f64,
    /// From the start of the command to the first picture.
    first_picture_ms: f64,
}

/// Flies and prints the times.
///
/// # Errors
/// The input cannot be read, or there is nothing to draw with.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let start = Instant::now();
    let input = arguments.inputs.only(true)?;
    let mut stage = Stage::open(
        &input,
        &arguments.reading.options(),
        (&arguments.gpu, &arguments.leaving_out),
        (arguments.picture.size, Camera::FOV_Y),
        report,
    )?;
    check_size(&stage, arguments.picture.size)?;
    let found = fly(&mut stage, arguments, report, start)?;
    if arguments.json {
        results::print_json(&found)?;
    } else {
        results::print(&text(&found))?;
    }
    Ok(())
}

fn fly(stage: &mut Stage, arguments: &Arguments, report: &Report, start: Instant) -> Result<Found> {
    let size = arguments.picture.size;
    let opened_ms = milliseconds(start);
    let mut times = FrameTimes::default();
    times.take_reference(&stage.gpu)?;
    let begin = Instant::now();
    let picture = Offscreen::new(&stage.gpu, size);
    let first = stage.frame(&Default::default(), &Default::default(), size);
    stage.renderer.draw(&stage.gpu, &first, picture.view())?;
    stage.gpu.wait()?;
    let first_picture_ms = opened_ms + milliseconds(begin);
    let (mut patches_tested, mut drawn, mut upload_bytes) = (0, Vec::new(), 0);
    let progress = report.progress("flying", u64::from(arguments.frames));
    for number in 0..arguments.frames {
        let along = f64::from(number) / f64::from(arguments.frames.max(2) - 1);
        let camera = arguments.flight.camera(&first.view.camera, &stage.terrain, along);
        let input = FrameInput { view: crate::clipmap::Viewpoint { camera, ..first.view }, ..first };
        let counts = times.draw(&stage.gpu, &mut stage.renderer, &input, picture.view())?;
        upload_bytes += counts.upload_bytes;
        patches_tested = counts.patches_tested;
        drawn.push(stage.renderer.drawn(&stage.gpu)?);
        progress.step();
        interrupt::check()?;
    }
    let mean = |count: fn(&DrawCounts) -> u32| {
        drawn.iter().map(|counts| u64::from(count(counts))).sum::<u64>() / drawn.len() as u64
    };
    let (patches_drawn, triangles) =
        (mean(|counts| counts.drawn_patches), mean(|counts| counts.drawn_triangles));
    let uniform = stage.renderer.settings().triangles_per_patch();
    Ok(Found {
        adapter: stage.gpu.facts.name.clone(),
        raster: stage.renderer.path().name(),
        size,
        flight: arguments.flight.name(),
        frames: arguments.frames,
        field: stage.terrain.size(),
        passes: times.passes().map(|(name, times)| (name.to_owned(), times)).collect(),
        frame: times.frame(),
        wall: times.wall(),
        cpu: Median { p50_ms: times.cpu().p50_ms },
        patches_tested,
        patches_drawn,
        triangles,
        uniform_triangles: patches_drawn * uniform,
        gpu_bytes: stage.renderer.gpu_bytes(),
        host_bytes: memory_stats::memory_stats().map(|stats| stats.physical_mem),
        upload_bytes_per_frame: upload_bytes as f64 / f64::from(arguments.frames),
        first_picture_ms,
    })
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn text(found: &Found) -> String {
    let row = |name: &str, p: &Percentiles| {
        format!("  {name:<12} {:>9.3} {:>9.3} {:>9.3} {:>9.3}\n", p.p50_ms, p.p95_ms, p.p99_ms, p.max_ms)
    };
    let passes: String = found.passes.iter().map(|(name, times)| row(name, times)).collect();
    let megabytes = |bytes: f64| bytes / 1e6;
    format!(
        "{}, {} path, {}×{} pixels, {} frames of the {}\n  {:<12} {:>9} {:>9} {:>9} {:>9}  ms\n{passes}{}\
         cpu {:.3} ms, first picture {:.0} ms\n\
         {} of {} patches, {} triangles of {}, {:.1} MB on the GPU, {:.3} MB uploaded a frame\n",
        found.adapter,
        found.raster,
        found.size[0],
        found.size[1],
        found.frames,
        found.flight,
        "pass",
        "p50",
        "p95",
        "p99",
        "max",
        row("frame", &found.frame),
        found.cpu.p50_ms,
        found.first_picture_ms,
        found.patches_drawn,
        found.patches_tested,
        found.triangles,
        found.uniform_triangles,
        megabytes(found.gpu_bytes as f64),
        megabytes(found.upload_bytes_per_frame),
    )
}
