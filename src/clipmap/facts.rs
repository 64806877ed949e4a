//! What the samples say of a patch, whatever the view.

use super::{ClipmapFrame, MOST_THINNING};
use crate::source::Source;

/// The heights of a patch and the errors of drawing it with fewer triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchFacts {
    /// Least height that the patch can draw; above `high` where it has no valid sample.
    pub low: f32,
    /// Greatest height.
    pub high: f32,
    /// Greatest distance in metres of a sample from the triangles with a stride of 2, 4, 8, …; infinite where a sample is empty.
    pub errors: [f32; MOST_THINNING as usize],
}

impl PatchFacts {
    /// An error is told as at least so many times the one of half the stride: a patch then has faded wholly into a stride before
    /// it begins to fade into the next.
    const GROWTH: f32 = 1.5;

    /// Those of a patch without ground.
    pub const NONE: Self =
        Self { low: f32::MAX, high: f32::MIN, errors: [f32::INFINITY; MOST_THINNING as usize] };

    /// Those of the patch of an index, drawn or not.
    ///
    /// A matched side reads the coarser lattice and an empty sample a neighbour within half a step of that, so one step is
    /// added on each side.
    pub fn of(source: &dyn Source, frame: &ClipmapFrame, index: u32) -> Self {
        let per_level = frame.settings.patches_per_level() as u32;
        let (level, in_block) = (index / per_level, (index % per_level) as i32);
        let (span, step) = (frame.span(level), frame.step(level));
        let across = frame.settings.patches_across;
        let place = [in_block % across, in_block / across];
        let first: [i32; 2] =
            std::array::from_fn(|axis| frame.origins[level as usize][axis] + place[axis] * span);
        let (min, max) = (first.map(|at| at - step), first.map(|at| at + span + step));
        if max[0] < 0 || max[1] < 0 || min[0] > frame.cells[0] || min[1] > frame.cells[1] {
            return Self::NONE;
        }
        let Some(range) = source.bounds(min, max) else { return Self::NONE };
        // Beside a hole, a side that follows a coarser one would change the hole's outline.
        let margin = if source.has_empties() { step } else { 0 };
        let (min, max) = (first.map(|at| at - margin), first.map(|at| at + span + margin));
        let most = frame.settings.patch_cells.trailing_zeros().min(MOST_THINNING);
        let mut errors = [f32::INFINITY; MOST_THINNING as usize];
        let mut least = 0.0;
        for (error, thinning) in errors.iter_mut().zip(1..=most) {
            *error = source.error(level + thinning, min, max).max(least);
            least = *error * Self::GROWTH;
        }
        Self { low: *range.start(), high: *range.end(), errors }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClipmapSettings, clipmap_frame_covering, clipmap_patches};
    use super::*;
    use crate::source::MemorySource;
    use crate::terrain::{EMPTY, Terrain};
    use glam::DVec3;
    use std::sync::Arc;

    /// The facts of the patch at the field's first cell, of ground with one empty sample.
    fn first_patch(empty: [usize; 2]) -> PatchFacts {
        let mut heights = vec![5.0; 65 * 65];
        heights[empty[1] * 65 + empty[0]] = EMPTY;
        let terrain = Terrain::from_vec(65, 65, 1.0, DVec3::ZERO, heights).expect("built");
        let source = MemorySource::new(Arc::new(terrain));
        let settings = ClipmapSettings { patch_cells: 16, patches_across: 8 };
        let frame = clipmap_frame_covering(settings, [20, 20], [64, 64]).expect("a frame");
        let patches = clipmap_patches(&frame);
        let first = patches.iter().find(|patch| [patch.x, patch.z] == [0, 0]).expect("a patch");
        PatchFacts::of(&source, &frame, first.index)
    }

    #[test]
    fn a_patch_with_a_hole_in_it_or_a_step_beside_it_is_not_thinned() {
        for beside in [[3, 3], [16, 9], [17, 9], [9, 17]] {
            assert_eq!(first_patch(beside).errors[0], f32::INFINITY, "{beside:?}");
        }
        assert_eq!(first_patch([40, 40]).errors[..4], [0.0; 4]);
    }

    #[test]
    fn errors_grow_with_the_stride() {
        let heights = (0..65 * 65).map(|n: u32| ((n % 65) as f32 * 0.7).sin()).collect();
        let terrain = Terrain::from_vec(65, 65, 1.0, DVec3::ZERO, heights).expect("built");
        let settings = ClipmapSettings { patch_cells: 16, patches_across: 8 };
        let frame = clipmap_frame_covering(settings, [20, 20], [64, 64]).expect("a frame");
        let source = MemorySource::new(Arc::new(terrain));
        let index = clipmap_patches(&frame)[0].index;
        let facts = PatchFacts::of(&source, &frame, index);
        assert!(facts.errors[0] > 0.0);
        assert!(facts.errors[..4].windows(2).all(|pair| pair[1] >= PatchFacts::GROWTH * pair[0]));
    }
}
