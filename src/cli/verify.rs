//! `verify`: the CPU mirror checks what the GPU decides and draws.

use super::interrupt;
use super::options::{Conduct, Gpu, Inputs, LeavingOut, Reading};
use super::render::check_size;
use super::report::Report;
use super::results;
use super::stage::Stage;
use super::values;
use crate::camera::Camera;
use crate::error::{Error, Result};
use crate::gpu::RasterPath;
use crate::mirror::{self, IdComparison, cameras, compare_paths};

/// The arguments of `verify`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to draw; the demo terrain where nothing is named.
    #[command(flatten)]
    pub inputs: Inputs,
    /// How many pictures to compare
    #[arg(long, value_name = "N", default_value = "50", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub cameras: u32,
    /// Where the cameras stand: the same seed, the same places
    #[arg(long, value_name = "S", default_value = "1", allow_negative_numbers = true)]
    pub seed: u64,
    /// Size of each picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = values::size)]
    pub size: [u32; 2],
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
    /// How the file is read.
    #[command(flatten)]
    pub reading: Reading,
    /// What is drawn with.
    #[command(flatten)]
    pub gpu: Gpu,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// Draws, compares, and prints what was found.
///
/// # Errors
/// The input cannot be read, there is nothing to draw with, or any mismatch.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let input = arguments.inputs.only(true)?;
    let mut stage = Stage::open(
        &input,
        &arguments.reading.options(),
        (&arguments.gpu, &LeavingOut::default()),
        (arguments.size, Camera::FOV_Y),
        report,
    )?;
    check_size(&stage, arguments.size)?;
    let (found, ids) = compare(&mut stage, arguments, report)?;
    match &found[..] {
        [one] if arguments.json => results::print_json(one)?,
        all if arguments.json => results::print_json(&all)?,
        all => {
            let blocks: Vec<String> = all.iter().map(text).chain(ids.as_ref().map(ids_text)).collect();
            results::print(&blocks.join("\n"))?
        }
    };
    if found.iter().all(|found| found.passed) {
        return Ok(());
    }
    Err(Error::failed(
        format!("GPU and CPU, or two rasterisers, differ with seed {}", arguments.seed),
        "0 differences, missing cells and cracks",
        "report the adapter, the file and the seed",
    )
    .in_file(input.name()))
}

/// Each path against the mirror, and where there are two, also with each other.
fn compare(
    stage: &mut Stage,
    arguments: &Arguments,
    report: &mut Report,
) -> Result<(Vec<mirror::Report>, Option<IdComparison>)> {
    let source = stage.renderer.source().clone();
    let places = cameras(&*source, stage.terrain.origin(), arguments.cameras, arguments.seed);
    let paths = match arguments.gpu.path() {
        Some(_) => vec![stage.renderer.path()],
        None => RasterPath::rasterisers(&stage.gpu),
    };
    let rounds = if paths.len() == 2 { 3 } else { 1 };
    let progress = report.progress("comparing", u64::from(arguments.cameras) * rounds);
    let tick = || {
        progress.step();
        interrupt::check()
    };
    let mut found = Vec::new();
    for path in &paths {
        stage.switch_to(*path)?;
        found.push(mirror::verify(&stage.gpu, &mut stage.renderer, &places, arguments.size, tick)?);
    }
    let [one, other] = paths[..] else { return Ok((found, None)) };
    let mut both = [stage.renderer_by(one)?, stage.renderer_by(other)?];
    let ids = compare_paths(&stage.gpu, &mut both, &places, arguments.size, tick)?;
    for found in &mut found {
        found.ids_agree = Some(ids.agreeing());
        found.passed &= ids.unexplained == 0;
    }
    Ok((found, Some(ids)))
}

fn text(found: &mirror::Report) -> String {
    let rows = [
        ("adapter", format!("{}, {} path", found.adapter, found.raster)),
        ("pictures", format!("{}", found.cameras)),
        (
            "decisions",
            format!(
                "{}: {} differ, {} out of order",
                found.patch_decisions, found.decision_mismatches, found.order_mismatches
            ),
        ),
        (
            "vertices",
            format!(
                "{}: {} differ, heights by {} m at most, places by {:.4} of 1/256 pixel",
                found.vertices, found.vertex_mismatches, found.max_height_error, found.position_max_subpixels
            ),
        ),
        ("cells", format!("{}: {} missing, {} twice", found.cells, found.cells_missing, found.cells_twice)),
        (
            "pixels",
            format!(
                "{}: {} cracks, {} changed by culling{}",
                found.pixels,
                found.crack_pixels,
                found.culled_pixels,
                rasterised(found)
            ),
        ),
        ("passed", (if found.passed { "yes" } else { "no" }).to_owned()),
    ];
    rows.iter().map(|(label, value)| format!("{label:<10} {value}\n")).collect()
}

/// How the paths compare with each other.
fn ids_text(ids: &IdComparison) -> String {
    format!(
        "both paths {:.4} % of {} pixels show the same triangle; {} differ beside outlines, {} at equal depth, {} otherwise\n",
        ids.agreeing() * 100.0,
        ids.pixels,
        ids.beside_outlines,
        ids.equally_deep,
        ids.unexplained
    )
}

/// How the pixels compare with the CPU rasteriser's, where they are compared.
fn rasterised(found: &mirror::Report) -> String {
    found
        .pixel_mismatches
        .map_or_else(String::new, |mismatches| format!(", {mismatches} differ from the CPU rasteriser"))
}
