//! The twin of the vertex path: where each vertex of a drawn patch stands, and the triangles between them.

use crate::clipmap::FramePlan;
use crate::passes::Instance;
use crate::source::{LatticeRect, Source};
use crate::terrain::is_empty;

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

/// The level of an instance.
pub fn level_of(instance: &Instance) -> u32 {
    instance.levels & 31
}

/// The vertices of a patch, row by row.
pub fn patch_vertices(plan: &FramePlan, source: &dyn Source, instance: &Instance) -> Vec<MirrorVertex> {
    let last = plan.frame.settings.patch_cells;
    let mut heights = Vec::new();
    let places = (0..=last).flat_map(|j| (0..=last).map(move |i| (i, j)));
    places
        .map(|(i, j)| {
            let (sample, level) = patch_vertex(plan, instance, i, j);
            let index = sample.map(|at| (at + (1 << level) - 1) >> level);
            let rect = LatticeRect { min: index, max: index.map(|at| at + 1) };
            source.heights(level, rect, &mut heights);
            let height = heights[0];
            MirrorVertex { sample, level, height, offset: offset(plan, sample, height) }
        })
        .collect()
}

/// The three corners of a triangle as vertex indices within a patch of `patch_cells` drawn cells.
pub fn triangle_corners(triangle: u32, patch_cells: i32) -> [usize; 3] {
    let (cells, row) = (patch_cells as u32, patch_cells as u32 + 1);
    let cell = triangle / 2;
    let least = cell / cells * row + cell % cells;
    let corners = if triangle % 2 == 0 {
        [least, least + row + 1, least + 1]
    } else {
        [least, least + row, least + row + 1]
    };
    corners.map(|corner| corner as usize)
}

fn patch_vertex(plan: &FramePlan, instance: &Instance, i: i32, j: i32) -> ([i32; 2], u32) {
    let own = level_of(instance);
    let neighbour = |side: u32| (instance.levels >> (5 * (side + 1))) & 31;
    let (last, cells) = (plan.frame.settings.patch_cells, plan.frame.cells);
    let mut at = [instance.x + (i << own), instance.z + (j << own)];
    let beside = |k: i32, low: u32, high: u32| match k {
        0 => neighbour(low),
        k if k == last => neighbour(high),
        _ => 0,
    };
    let (beside_x, beside_z) = (beside(i, 0, 1), beside(j, 2, 3));
    let mut level = own;
    for (axis, coarser) in [(1, beside_x), (0, beside_z)] {
        if coarser != 0 {
            if at[axis] < cells[axis] {
                at[axis] = at[axis] >> coarser << coarser;
            }
            level = level.max(coarser);
        }
    }
    ([at[0].min(cells[0]), at[1].min(cells[1])], level)
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
