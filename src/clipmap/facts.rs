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
