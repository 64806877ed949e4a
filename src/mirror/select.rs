//! The twin of the select pass.

use crate::clipmap::{
    Box3, ClipmapPatch, Culling, Density, FramePlan, PatchFacts, clipmap_beside, clipmap_density_at,
    clipmap_patch_at, in_frustum,
};
use crate::passes::Instance;
use crate::source::Source;

/// A patch of the frame with what is known of it.
#[derive(Debug, Clone, Copy)]
struct Decided {
    patch: ClipmapPatch,
    has_ground: bool,
    bounds: Box3,
    density: Density,
}

/// The instance list of a plan, in the order of the indices.
pub fn select(plan: &FramePlan, source: &dyn Source) -> Vec<Instance> {
    let all = decide(plan, source);
    let is_drawn = |decided: &&Decided| {
        decided.has_ground
            && (plan.view.culling == Culling::None || in_frustum(&plan.frustum, &decided.bounds))
    };
    all.iter().flatten().filter(is_drawn).map(|decided| pack(plan, &all, decided)).collect()
}

/// The patches of a frame that hold no valid sample, which are rightly left out.
pub(super) fn patches_without_ground(plan: &FramePlan, source: &dyn Source) -> Vec<Instance> {
    let all = decide(plan, source);
    all.iter()
        .flatten()
        .filter(|decided| !decided.has_ground)
        .map(|decided| pack(plan, &all, decided))
        .collect()
}

/// Every patch by its index.
fn decide(plan: &FramePlan, source: &dyn Source) -> Vec<Option<Decided>> {
    (0..plan.frame.index_count())
        .map(|index| clipmap_patch_at(&plan.frame, index).map(|patch| decide_patch(plan, source, patch)))
        .collect()
}

fn decide_patch(plan: &FramePlan, source: &dyn Source, patch: ClipmapPatch) -> Decided {
    let facts = PatchFacts::of(source, &plan.frame, patch.index);
    let has_ground = facts.low <= facts.high;
    let bounds = plan.frustum.box_of(plan.eye_cell, patch.x, patch.z, patch.cells, facts.low, facts.high);
    let density = if has_ground {
        clipmap_density_at(&plan.frame, &plan.density, &patch, &bounds, &facts.errors)
    } else {
        Density::default()
    };
    Decided { patch, has_ground, bounds, density }
}

fn pack(plan: &FramePlan, all: &[Option<Decided>], decided: &Decided) -> Instance {
    let Decided { patch, density, .. } = decided;
    let sides = patch.neighbours.iter().zip(1..);
    let levels = sides
        .filter(|(step, _)| **step != 0)
        .fold(patch.level, |levels, (step, side)| levels | step.trailing_zeros() << (5 * side));
    let mut instance = Instance {
        index: patch.index,
        x: patch.x,
        z: patch.z,
        levels,
        density: density.thinning,
        fade: density.fade,
        fades: [0; 2],
    };
    let own = (patch.level + density.thinning, density.fade);
    for (half, index) in clipmap_beside(&plan.frame, patch).into_iter().flatten().enumerate() {
        let beside = index.and_then(|index| all[index as usize].as_ref());
        let other = beside.map(|other| (other.patch.level + other.density.thinning, other.density.fade));
        let (lattice, fade) = match other {
            Some(other) if other.0 == own.0 => (own.0, own.1.max(other.1)),
            Some(other) => own.max(other),
            None => own,
        };
        instance.density |= (lattice - patch.level) << (3 * (half + 1));
        instance.fades[half / 4] |= fade << (8 * (half % 4));
    }
    instance
}
