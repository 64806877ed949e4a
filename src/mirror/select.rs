//! The twin of the select pass.

use crate::clipmap::{ClipmapPatch, FramePlan, clipmap_patch_at, in_frustum};
use crate::passes::{Instance, patch_bounds};
use crate::source::Source;

/// The instance list of a plan, in the order of the indices.
pub fn select(plan: &FramePlan, source: &dyn Source) -> Vec<Instance> {
    (0..plan.frame.index_count())
        .filter_map(|index| clipmap_patch_at(&plan.frame, index))
        .filter(|patch| is_drawn(plan, source, patch))
        .map(|patch| pack(&patch))
        .collect()
}

/// The patches of a frame that hold no valid sample, which are rightly left out.
pub(super) fn patches_without_ground(plan: &FramePlan, source: &dyn Source) -> Vec<Instance> {
    (0..plan.frame.index_count())
        .filter_map(|index| clipmap_patch_at(&plan.frame, index))
        .filter(|patch| {
            let [low, high] = patch_bounds(source, &plan.frame, patch.index);
            low > high
        })
        .map(|patch| pack(&patch))
        .collect()
}

fn is_drawn(plan: &FramePlan, source: &dyn Source, patch: &ClipmapPatch) -> bool {
    let [low, high] = patch_bounds(source, &plan.frame, patch.index);
    let bounds = plan.frustum.box_of(plan.eye_cell, patch.x, patch.z, patch.cells, low, high);
    low <= high && (!plan.view.cull || in_frustum(&plan.frustum, &bounds))
}

fn pack(patch: &ClipmapPatch) -> Instance {
    let sides = patch.neighbours.iter().zip(1..);
    let levels = sides
        .filter(|(step, _)| **step != 0)
        .fold(patch.level, |levels, (step, side)| levels | step.trailing_zeros() << (5 * side));
    Instance { index: patch.index, x: patch.x, z: patch.z, levels }
}
