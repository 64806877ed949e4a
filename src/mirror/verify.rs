//! The whole check: many cameras, both sides, one report.

use super::culling::{compare_culling, shown_pixels};
use super::select::patches_without_ground;
use super::{
    Outlines, cell_counts, compare_lists, compare_pixels, compare_vertices, crack_pixels, mirror_pixels,
    patch_vertices, select, top_left,
};
use crate::camera::Camera;
use crate::clipmap::{Culling, Detail, FramePlan, Viewpoint};
use crate::error::Result;
use crate::frame::{FrameInput, Renderer, sample_in_turn};
use crate::gpu::{Gpu, RasterPath};
use crate::passes::{DrawnPatch, Instance, Look};
use crate::source::Source;
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

/// What to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerifyOptions {
    /// How many cameras.
    pub cameras: u32,
    /// Where they stand.
    pub seed: u64,
    /// Picture size in pixels.
    pub size: [u32; 2],
}

/// What was found; the field names are the keys of `verify --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Name of the adapter.
    pub adapter: String,
    /// Which rasteriser filled the visibility buffer.
    pub raster: &'static str,
    /// Pictures compared.
    pub cameras: u32,
    /// Patch indices decided.
    pub patch_decisions: u64,
    /// Indices decided otherwise.
    pub decision_mismatches: u64,
    /// Places of the lists that hold another index.
    pub order_mismatches: u64,
    /// Vertices compared.
    pub vertices: u64,
    /// Vertices on another sample or level, or whose height has other bits.
    pub vertex_mismatches: u64,
    /// Greatest difference of two heights, metres.
    pub max_height_error: f64,
    /// Field cells counted.
    pub cells: u64,
    /// Cells drawn by no patch.
    pub cells_missing: u64,
    /// Cells drawn by more than one.
    pub cells_twice: u64,
    /// Pixels looked at.
    pub pixels: u64,
    /// Background pixels whose ray meets the mirror's triangles.
    pub crack_pixels: u64,
    /// Greatest distance of a vertex in the picture from the mirror's, 1/256 pixel.
    pub position_max_subpixels: f64,
    /// Pixels whose id or depth differs from the CPU rasteriser's; none is compared on the vertex path.
    pub pixel_mismatches: Option<u64>,
    /// Pixels that change where patches are left out for what hides them.
    pub culled_pixels: u64,
    /// Share of pixels with the same id on both paths, 0 … 1; none where one path alone was checked.
    pub ids_agree: Option<f64>,
    /// Pixels of the splat pass compared.
    pub splat_pixels: u64,
    /// Greatest difference of a splat pixel.
    pub splat_max_error: f64,
    /// Vertices of the carve patch compared.
    pub carve_vertices: u64,
    /// Greatest difference of a carve height.
    pub carve_max_error: f64,
    /// Whether all holds.
    pub passed: bool,
}

impl Report {
    /// Vertices may stand this far from the mirror's in the picture, 1/256 pixel: a driver may fuse multiply and add.
    pub const POSITION_BOUND: f64 = 4.0;

    /// A report of nothing yet.
    pub fn new(adapter: &str, path: RasterPath) -> Self {
        Self {
            adapter: adapter.to_owned(),
            raster: path.name(),
            cameras: 0,
            patch_decisions: 0,
            decision_mismatches: 0,
            order_mismatches: 0,
            vertices: 0,
            vertex_mismatches: 0,
            max_height_error: 0.0,
            cells: 0,
            cells_missing: 0,
            cells_twice: 0,
            pixels: 0,
            crack_pixels: 0,
            position_max_subpixels: 0.0,
            pixel_mismatches: (path != RasterPath::Vertex).then_some(0),
            culled_pixels: 0,
            ids_agree: None,
            splat_pixels: 0,
            splat_max_error: 0.0,
            carve_vertices: 0,
            carve_max_error: 0.0,
            passed: false,
        }
    }

    fn judge(mut self) -> Self {
        let mismatches = self.decision_mismatches + self.order_mismatches + self.vertex_mismatches;
        let cells = self.cells_missing + self.cells_twice;
        self.passed = self.cameras > 0
            && mismatches + cells + self.crack_pixels == 0
            && self.culled_pixels + self.pixel_mismatches.unwrap_or(0) == 0
            && self.position_max_subpixels <= Self::POSITION_BOUND;
        self
    }
}

/// Draws from every camera, each at another sample of its pixels, and compares. Each in turn draws as fine as a GPU, so but no
/// vertex slid, as coarse as a CPU, and the rings as they are. `tick` is called after each; it may end the work early by returning an error.
///
/// # Errors
/// The device was lost, a frame could not be planned, or `tick` said so.
pub fn verify(
    gpu: &Gpu,
    renderer: &mut Renderer,
    cameras: &[Camera],
    size: [u32; 2],
    mut tick: impl FnMut() -> Result<()>,
) -> Result<Report> {
    let mut report = Report::new(&gpu.facts.name, renderer.path());
    for (number, camera) in cameras.iter().enumerate() {
        let exaggeration = exaggeration_in_turn(number);
        // As high over the ground as without.
        let camera = Camera { eye: camera.eye * DVec3::new(1.0, exaggeration, 1.0), ..*camera };
        let (sample, detail) = (sample_in_turn(number), detail_in_turn(number));
        let view = Viewpoint { exaggeration, sample, detail, ..Viewpoint::new(camera, size) };
        let look = Look::natural(0.0, 1.0, 1.0);
        verify_view(gpu, renderer, &FrameInput { view, look, wireframe: false }, &mut report)?;
        tick()?;
    }
    Ok(report.judge())
}

/// Every fourth picture has its heights exaggerated.
fn exaggeration_in_turn(number: usize) -> f64 {
    if number % 4 == 3 { 3.0 } else { 1.0 }
}

/// What may be left out of the picture of a number when many are checked.
fn detail_in_turn(number: usize) -> Detail {
    let thinned = Detail { continuous: false, ..Detail::DRAWN };
    [Detail::DRAWN, thinned, Detail::COARSE, Detail::UNIFORM][number % 4]
}

fn verify_view(gpu: &Gpu, renderer: &mut Renderer, input: &FrameInput, report: &mut Report) -> Result<()> {
    let source = renderer.source().clone();
    let mut all = *input;
    all.view.culling = Culling::None;
    let plan = renderer.draw_visibility(gpu, &all)?;
    let everything = renderer.select().read_instances(gpu)?;
    let mirror_everything = select(&plan, &*source);
    compare_into(report, &plan, &everything, &mirror_everything);
    let bare = patches_without_ground(&plan, &*source);
    let (missing, twice) = cell_counts(&plan.frame, &[everything, bare].concat());
    report.cells += plan.frame.cells.iter().map(|&cells| cells as u64).product::<u64>();
    report.cells_missing += missing;
    report.cells_twice += twice;
    let shown = shown_pixels(gpu, renderer)?;
    report.culled_pixels += compare_culling(gpu, renderer, input, &shown)?;

    let plan = renderer.draw_visibility(gpu, input)?;
    let seen = renderer.select().read_instances(gpu)?;
    let mirror_seen = select(&plan, &*source);
    compare_into(report, &plan, &seen, &mirror_seen);
    let outlines = Outlines::read(gpu, renderer, &plan)?;
    verify_vertices(renderer, &plan, &mirror_seen, &outlines.patches, report);
    verify_pixels(gpu, renderer, &plan, &mirror_everything, &outlines, report)?;
    report.cameras += 1;
    Ok(())
}

fn compare_into(report: &mut Report, plan: &FramePlan, gpu: &[Instance], mirror: &[Instance]) {
    let comparison = compare_lists(gpu, mirror);
    report.patch_decisions += u64::from(plan.frame.index_count());
    report.decision_mismatches += comparison.decisions;
    report.order_mismatches += comparison.order;
}

fn verify_vertices(
    renderer: &Renderer,
    plan: &FramePlan,
    mirror: &[Instance],
    drawn: &[DrawnPatch],
    report: &mut Report,
) {
    let source = renderer.source();
    let expected: Vec<_> =
        mirror.par_iter().flat_map_iter(|instance| patch_vertices(plan, &**source, instance)).collect();
    let found = compare_vertices(plan, renderer.path(), drawn, &expected);
    report.vertices += expected.len() as u64;
    report.vertex_mismatches += found.mismatches;
    report.max_height_error = report.max_height_error.max(found.max_height_error);
    report.position_max_subpixels = report.position_max_subpixels.max(found.max_subpixels);
}

fn verify_pixels(
    gpu: &Gpu,
    renderer: &Renderer,
    plan: &FramePlan,
    mirror: &[Instance],
    outlines: &Outlines,
    report: &mut Report,
) -> Result<()> {
    let Some(targets) = renderer.targets() else { return Ok(()) };
    let pixels = targets.read_visibility(gpu)?;
    let source = renderer.source();
    let patches: Vec<_> =
        mirror.par_iter().map(|instance| patch_vertices(plan, &**source, instance)).collect();
    let ids: Vec<u32> = pixels.iter().map(|[id, _]| *id).collect();
    report.pixels += ids.len() as u64;
    report.crack_pixels += crack_pixels(plan, &ids, &patches);
    if let Some(mismatches) = &mut report.pixel_mismatches {
        let mirror = mirror_pixels(plan, renderer.id_layout(), top_left, outlines);
        *mismatches += compare_pixels(&pixels, &mirror);
    }
    Ok(())
}

/// Cameras all over a field, reproducible by seed: near the ground, in the air, outside, below, straight down, at every zoom.
pub fn cameras(source: &dyn Source, origin: DVec3, count: u32, seed: u64) -> Vec<Camera> {
    let mut random = Random(seed);
    let spacing = source.spacing();
    let extent = DVec3::new(
        f64::from(source.size()[0] - 1) * spacing.x,
        f64::from(*source.range().end() - *source.range().start()),
        f64::from(source.size()[1] - 1) * spacing.y,
    );
    let (low, high) = (f64::from(*source.range().start()), f64::from(*source.range().end()));
    let reach = extent.x.max(extent.z);
    (0..count)
        .map(|number| {
            let outside = number % 5 == 3;
            let spread = if outside { 3.0 } else { 1.0 };
            let mut place = || (random.next() - 0.5) * spread + 0.5;
            let (x, z) = (place() * extent.x, place() * extent.z);
            // Height over the field's top in decades, from a thousandth of the field's side to twice it.
            let above = reach * 0.002 * 1000f64.powf(random.next());
            let y = match number % 5 {
                0 => low + (high - low) * random.next(),
                1 => high + reach * 0.001,
                4 if number % 10 == 4 => low - above * 0.1,
                _ => high + above,
            };
            let pitch = match number % 5 {
                2 => -std::f64::consts::FRAC_PI_2,
                _ => -1.4 + 1.6 * random.next(),
            };
            let near = (spacing.min_element() * 0.01).min(0.1);
            let eye = origin + DVec3::new(x, y, z);
            Camera {
                eye,
                yaw: random.next() * std::f64::consts::TAU,
                pitch,
                fov_y: 0.5 + random.next() * 0.8,
                near,
            }
        })
        .collect()
}

/// Steele, Lea and Flood's SplitMix64: a small generator whose numbers are the same everywhere.
struct Random(u64);

impl Random {
    /// Evenly from 0 up to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
