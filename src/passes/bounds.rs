//! The least and greatest height of every patch of a frame, for culling.

use super::bindings::storage_like;
use crate::clipmap::{ClipmapFrame, FramePlan};
use crate::gpu::Gpu;
use crate::source::Source;

/// The bounds of the patches by their index in the frame.
#[derive(Debug)]
pub struct PatchBounds {
    pub(super) buffer: wgpu::Buffer,
}

impl PatchBounds {
    /// Makes room for `indices` patches.
    pub fn new(gpu: &Gpu, indices: u32) -> Self {
        let usage = wgpu::BufferUsages::STORAGE;
        Self { buffer: storage_like(gpu, "orograph.select.bounds", u64::from(indices) * 8, usage) }
    }

    /// Uploads the levels whose block has moved; returns the bytes sent.
    pub fn upload(&self, gpu: &Gpu, source: &dyn Source, plan: &FramePlan) -> u64 {
        let per_level = plan.frame.settings.patches_per_level() as u32;
        let mut bytes = 0;
        for level in &plan.bounds_levels {
            let first = level * per_level;
            let bounds: Vec<_> =
                (first..first + per_level).map(|index| patch_bounds(source, &plan.frame, index)).collect();
            let data = bytemuck::cast_slice(&bounds);
            gpu.queue.write_buffer(&self.buffer, u64::from(first) * 8, data);
            bytes += data.len() as u64;
        }
        bytes
    }
}

/// Bounds of every height that the patch of an index can draw, drawn or not; the wrong way round where there is none.
///
/// A matched side reads the coarser lattice and an empty sample a neighbour within half a step of that, so one step is
/// added on each side.
pub fn patch_bounds(source: &dyn Source, frame: &ClipmapFrame, index: u32) -> [f32; 2] {
    let per_level = frame.settings.patches_per_level() as u32;
    let (level, in_block) = (index / per_level, (index % per_level) as i32);
    let (span, step) = (frame.span(level), frame.step(level));
    let across = frame.settings.patches_across;
    let place = [in_block % across, in_block / across];
    let min = std::array::from_fn(|axis| frame.origins[level as usize][axis] + place[axis] * span - step);
    let max: [i32; 2] = min.map(|first| first + span + 2 * step);
    if max[0] < 0 || max[1] < 0 || min[0] > frame.cells[0] || min[1] > frame.cells[1] {
        return [f32::MAX, f32::MIN];
    }
    source.bounds(min, max).map_or([f32::MAX, f32::MIN], |range| [*range.start(), *range.end()])
}
