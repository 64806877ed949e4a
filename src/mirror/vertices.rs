//! The twin of the vertex path: where each vertex of a drawn patch stands, and the triangles between them.

use crate::clipmap::{FramePlan, Viewpoint};
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

/// The level of an instance.
pub fn level_of(instance: &Instance) -> u32 {
    instance.levels & 31
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
    let last = plan.frame.settings.patch_cells;
    let mut heights = Vec::new();
    let places = (0..=last).flat_map(|j| (0..=last).map(move |i| (i, j)));
    places
        .map(|(i, j)| {
            let (sample, level) = stand(plan, instance, i, j);
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
    let corners = if triangle.is_multiple_of(2) {
        [least, least + row + 1, least + 1]
    } else {
        [least, least + row, least + row + 1]
    };
    corners.map(|corner| corner as usize)
}

/// The sample and the level of a vertex, by the rule of every patch.
fn stand(plan: &FramePlan, instance: &Instance, i: i32, j: i32) -> ([i32; 2], u32) {
    let level = level_of(instance);
    let step_of = |level: u32| if level == 0 { 0 } else { 1 << level };
    let patch = PatchGrid {
        x: instance.x,
        z: instance.z,
        cells: plan.frame.span(level),
        step: plan.frame.step(level),
        neighbours: [1, 2, 3, 4].map(|side| step_of((instance.levels >> (5 * side)) & 31)),
    };
    let vertex = patch_vertex(&patch, plan.frame.cells, i, j);
    (vertex.sample, vertex.step.trailing_zeros())
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
