//! Where the levels of the clipmap are read from.
//!
//! Lattice index i of level l stands on sample min(i·2^l, last): heights are point samples, never averages. Gradients are
//! averages, for shading alone.

mod gradients;
mod memory;
mod synthesised;

pub use memory::MemorySource;
pub use synthesised::SynthesisedSource;

use glam::DVec2;
use std::ops::RangeInclusive;

/// A rectangle of lattice indices of one level, half-open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LatticeRect {
    /// First index along x and z.
    pub min: [i32; 2],
    /// One past the last index along x and z.
    pub max: [i32; 2],
}

impl LatticeRect {
    /// Indices along x and z.
    pub fn size(&self) -> [u32; 2] {
        std::array::from_fn(|axis| (self.max[axis] - self.min[axis]).max(0) as u32)
    }

    /// Indices in all.
    pub fn count(&self) -> usize {
        self.size().iter().map(|&n| n as usize).product()
    }
}

/// The slope of the ground about one lattice point, averaged over its level's cell.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gradient {
    /// Rise in metres a metre eastward and southward.
    pub rise: [f32; 2],
    /// Variance of the rise within the average, both axes together.
    pub variance: f32,
    /// Height over the surroundings, in metres a metre of the level's cell: positive on ridges, negative in valleys.
    pub relief: f32,
}

/// Anything that levels can be read from.
pub trait Source: Send + Sync {
    /// Samples along x and z.
    fn size(&self) -> [u32; 2];

    /// Metres between samples along x and z.
    fn spacing(&self) -> DVec2;

    /// Bounds of every height.
    fn range(&self) -> RangeInclusive<f32>;

    /// Whether any sample may be empty.
    fn has_empties(&self) -> bool;

    /// Replaces `out` with the heights of a rectangle of the lattice, row-major. An index off the lattice takes its edge's; an empty lattice point above level 0 takes the nearest valid
    /// sample within half a step, first in row order; [`crate::terrain::EMPTY`] where there is none.
    fn heights(&self, level: u32, rect: LatticeRect, out: &mut Vec<f32>);

    /// Replaces `out` with the gradients of a rectangle of the lattice, row-major.
    fn gradients(&self, level: u32, rect: LatticeRect, out: &mut Vec<Gradient>);

    /// Bounds of the heights of every sample in a rectangle of samples, inclusive at both ends and clamped to the field; may be wider
    /// than the truth. `None` where all are empty.
    fn bounds(&self, min: [i32; 2], max: [i32; 2]) -> Option<RangeInclusive<f32>>;

    /// The greatest vertical distance, in metres of stored height, between a sample of a rectangle of samples, inclusive at
    /// both ends and clamped to the field, and the triangles of a level's lattice; may be larger than the truth, and is
    /// never smaller but by rounding.
    ///
    /// Infinite where a lattice cell that the rectangle meets has an empty sample, on its sides too. A cell that shares
    /// only a line of samples with the rectangle is not met. 0 at level 0, and where `max` is below `min`.
    fn error(&self, level: u32, min: [i32; 2], max: [i32; 2]) -> f32;
}
