//! Comparers: the GPU's lists and vertices against the mirror's.

use super::MirrorVertex;
use super::vertices::place_in_picture;
use crate::clipmap::{ClipmapFrame, FramePlan, Viewpoint};
use crate::gpu::RasterPath;
use crate::passes::{DrawnPatch, Instance, VertexProbe};
use glam::{DMat4, DVec2, DVec4};
use std::collections::HashMap;

/// Mismatches between two instance lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Indices drawn on one side alone, or drawn otherwise.
    pub decisions: u64,
    /// Places of the list that hold another index.
    pub order: u64,
}

/// Compares the GPU's instance list with the mirror's.
pub fn compare_lists(gpu: &[Instance], mirror: &[Instance]) -> Comparison {
    let by_index: HashMap<u32, &Instance> =
        mirror.iter().map(|instance| (instance.index, instance)).collect();
    let equal = gpu.iter().filter(|instance| by_index.get(&instance.index) == Some(instance)).count();
    let longest = gpu.len().max(mirror.len());
    let in_place = gpu.iter().zip(mirror).filter(|(a, b)| a.index == b.index).count();
    Comparison { decisions: (longest - equal.min(longest)) as u64, order: (longest - in_place) as u64 }
}

/// Cells of the field held by no patch and by more than one.
///
/// Patches start and end on multiples of the settings' patch cells, so squares of that size are counted, each with the
/// cells that the field has of it.
pub fn cell_counts(frame: &ClipmapFrame, instances: &[Instance]) -> (u64, u64) {
    let unit = frame.settings.patch_cells;
    let squares = frame.cells.map(|cells| (cells as u32).div_ceil(unit as u32) as i32);
    let mut counts = vec![0u32; (squares[0] * squares[1]) as usize];
    for instance in instances {
        let side = 1 << instance.level();
        let (x0, z0) = (instance.x.div_euclid(unit), instance.z.div_euclid(unit));
        for z in z0.max(0)..(z0 + side).min(squares[1]) {
            for x in x0.max(0)..(x0 + side).min(squares[0]) {
                counts[(z * squares[0] + x) as usize] += 1;
            }
        }
    }
    let (mut missing, mut twice) = (0, 0);
    for (count, place) in counts.iter().zip(0..) {
        let at = [place % squares[0], place / squares[0]];
        let cells: u64 = (0..2).map(|axis| (frame.cells[axis] - at[axis] * unit).min(unit) as u64).product();
        missing += if *count == 0 { cells } else { 0 };
        twice += if *count > 1 { cells } else { 0 };
    }
    (missing, twice)
}

/// What comparing vertices found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct VertexComparison {
    /// Vertices that stand on another sample or level, or whose height has other bits.
    pub mismatches: u64,
    /// Greatest difference between two heights, metres.
    pub max_height_error: f64,
    /// Greatest distance between the GPU's and the mirror's place in the picture, in 1/256 pixel.
    pub max_subpixels: f64,
}

/// Compares the GPU's vertices with the mirror's, which come in the same order.
pub fn compare_vertices(
    plan: &FramePlan,
    path: RasterPath,
    gpu: &[DrawnPatch],
    mirror: &[MirrorVertex],
) -> VertexComparison {
    let matrix = plan.view.camera.clip_from_offset(plan.anchor, plan.view.size).as_dmat4();
    let count: usize = gpu.iter().map(|patch| patch.vertices.len()).sum();
    let mut found =
        VertexComparison { mismatches: count.abs_diff(mirror.len()) as u64, ..Default::default() };
    for (ours, theirs) in mirror.iter().zip(gpu.iter().flat_map(|patch| &patch.vertices)) {
        // A comparison with NaN is never true: what is not finite has to be told apart.
        let is_finite = theirs.clip.iter().all(|value| value.is_finite());
        let same_place = is_finite && [theirs.x, theirs.z] == ours.sample && theirs.level == ours.level;
        if !same_place || theirs.height_bits != ours.height.to_bits() {
            found.mismatches += 1;
            let difference = f64::from(f32::from_bits(theirs.height_bits)) - f64::from(ours.height);
            found.max_height_error = found.max_height_error.max(difference.abs());
        }
        if let Some(subpixels) = distance_in_picture(plan, path, &matrix, theirs, ours) {
            found.max_subpixels = found.max_subpixels.max(subpixels);
        }
    }
    found
}

/// `None` for a vertex that stands outside the picture or before the near plane. On the compute path the place is the snapped one.
fn distance_in_picture(
    plan: &FramePlan,
    path: RasterPath,
    matrix: &DMat4,
    gpu: &VertexProbe,
    mirror: &MirrorVertex,
) -> Option<f64> {
    let [x, y, z] = mirror.offset.map(f64::from);
    let exact = *matrix * DVec4::new(x, y, z, 1.0);
    if exact.w < plan.view.camera.near || exact.x.abs() > exact.w || exact.y.abs() > exact.w {
        return None;
    }
    let place = |clip: DVec4| place_in_picture(&plan.view, clip).truncate() / clip.w * Viewpoint::SUBPIXELS;
    let theirs = match path {
        RasterPath::Vertex => place(DVec4::from_array(gpu.clip.map(f64::from))),
        RasterPath::Compute | RasterPath::Compute32 => {
            DVec2::new(f64::from(gpu.snapped[0]), f64::from(gpu.snapped[1]))
        }
    };
    Some(theirs.distance(place(exact)))
}
