//! The twin of the vertex path: where each vertex of a drawn patch stands, and the triangles between them.

use crate::clipmap::{Density, FramePlan, Viewpoint};
use crate::passes::Instance;
use crate::source::{LatticeRect, Source};
use crate::terrain::{PatchGrid, is_empty, patch_vertex};
use glam::{DVec2, DVec3, DVec4};

/// A vertex as the GPU has to make it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MirrorVertex {
    /// The field's sample.
    pub sample: [i32; 2],
    /// The level whose lattice gives the height.
    pub level: u32,
    /// The height, perhaps empty.
    pub height: f32,
    /// Metres of the drawn world from the plan's anchor.
    pub offset: [f32; 3],
}

/// Where a clip position stands in a picture whose samples have come to the middles of its pixels: pixels from the upper left corner,
/// times w, and w.
pub(super) fn place_in_picture(view: &Viewpoint, clip: DVec4) -> DVec3 {
    let size = DVec2::from(view.size.map(f64::from));
    let place = DVec2::new(clip.w + clip.x, clip.w - clip.y) * 0.5 * size - view.sample_offset() * clip.w;
    place.extend(clip.w)
}

/// The vertices of a patch, row by row.
pub fn patch_vertices(plan: &FramePlan, source: &dyn Source, instance: &Instance) -> Vec<MirrorVertex> {
    let last = instance.drawn_cells(plan.frame.settings.patch_cells);
    let places = (0..=last).flat_map(|j| (0..=last).map(move |i| (i, j)));
    places
        .map(|(i, j)| {
            let Standing { sample, level, lattice, fade } = stand(plan, instance, i, j);
            let read = |sample| lattice_height(source, level, sample);
            let height = match faded_from(plan, sample, lattice).filter(|_| fade > 0) {
                Some(between) => blended(read(sample), between.map(read), fade),
                None => read(sample),
            };
            MirrorVertex { sample, level, height, offset: offset(plan, sample, height) }
        })
        .collect()
}

/// The height of a level's lattice at a sample on it.
fn lattice_height(source: &dyn Source, level: u32, sample: [i32; 2]) -> f32 {
    let index = sample.map(|at| (at + (1 << level) - 1) >> level);
    let mut heights = Vec::new();
    source.heights(level, LatticeRect { min: index, max: index.map(|at| at + 1) }, &mut heights);
    heights[0]
}

/// As `patch_blend` in shaders/shared/patch.wgsl: every product is exact, so that nothing can be fused.
fn blended(own: f32, between: [f32; 2], fade: u32) -> f32 {
    if is_empty(own) || between.into_iter().any(is_empty) {
        return own;
    }
    let there = (between[0] + between[1]) * 0.5;
    if fade == Density::FADED {
        return there;
    }
    let difference = f32::from_bits((there - own).to_bits() & 0xffff_ff00);
    own + difference * (fade as f32 / Density::FADED as f32)
}

/// The two samples of the next coarser lattice that a sample of a lattice lies midway between; `None` for one on that lattice, and
/// where the field's last line cuts the coarser cell short.
fn faded_from(plan: &FramePlan, sample: [i32; 2], lattice: u32) -> Option<[[i32; 2]; 2]> {
    let step = 1 << lattice;
    let last = plan.frame.cells;
    let between = [0, 1].map(|axis| sample[axis] < last[axis] && sample[axis] & step != 0);
    let is_cut = (0..2).any(|axis| between[axis] && sample[axis] + step > last[axis]);
    if is_cut || between == [false; 2] {
        return None;
    }
    let moved = |by: i32| [0, 1].map(|axis| if between[axis] { sample[axis] + by } else { sample[axis] });
    Some([moved(-step), moved(step)])
}

/// The three corners of a triangle as vertex indices within a patch of `drawn_cells` drawn cells.
pub fn triangle_corners(triangle: u32, drawn_cells: i32) -> [usize; 3] {
    let (cells, row) = (drawn_cells as u32, drawn_cells as u32 + 1);
    let cell = triangle / 2;
    let least = cell / cells * row + cell % cells;
    let corners = if triangle.is_multiple_of(2) {
        [least, least + row + 1, least + 1]
    } else {
        [least, least + row, least + row + 1]
    };
    corners.map(|corner| corner as usize)
}

/// Where a vertex stands, and whose heights it has.
struct Standing {
    sample: [i32; 2],
    /// The level that the height is read from: the neighbour's where that is coarser.
    level: u32,
    /// The level whose lattice the vertex stands on: coarser where the patch or the neighbour is thinned.
    lattice: u32,
    fade: u32,
}

fn stand(plan: &FramePlan, instance: &Instance, i: i32, j: i32) -> Standing {
    let own = instance.level() + instance.thinning();
    let cells = plan.frame.span(instance.level());
    let step_of = |lattice: u32| if lattice > own { 1 << lattice } else { 0 };
    let patch = PatchGrid {
        x: instance.x,
        z: instance.z,
        cells,
        step: 1 << own,
        neighbours: [0, 1, 2, 3].map(|side| [0, 1].map(|half| step_of(instance.side_lattice(side, half)))),
    };
    let vertex = patch_vertex(&patch, plan.frame.cells, i, j);
    let along = [vertex.sample[0] - instance.x, vertex.sample[1] - instance.z];
    let mut level = instance.level();
    // The coarsest lattice, and of equal ones what has faded furthest.
    let mut furthest = (own, instance.fade);
    for side in 0..4 {
        let axis = side / 2;
        if along[axis] == if side % 2 == 0 { 0 } else { cells } {
            level = level.max(instance.coarser_neighbour(side).unwrap_or(0));
            let half = usize::from(2 * along[1 - axis] >= cells);
            furthest = furthest.max((instance.side_lattice(side, half), instance.side_fade(side, half)));
        }
    }
    let (lattice, fade) = furthest;
    Standing { sample: vertex.sample, level, lattice, fade }
}

/// In the same single-precision steps as `patch_offset` in shaders/shared/patch.wgsl.
fn offset(plan: &FramePlan, sample: [i32; 2], height: f32) -> [f32; 3] {
    let height = if is_empty(height) { plan.heights[0] } else { height };
    let spacing = plan.spacing.as_vec2();
    [
        (sample[0] - plan.eye_cell[0]) as f32 * spacing.x,
        (height - plan.base_height) * plan.view.exaggeration as f32,
        (sample[1] - plan.eye_cell[1]) as f32 * spacing.y,
    ]
}
