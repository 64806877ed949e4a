//! What the samples say of every patch of a frame, for culling and density.

use super::bindings::storage_like;
use crate::clipmap::{FramePlan, PatchFacts};
use crate::gpu::{Gpu, gpu_struct};
use crate::source::Source;
use rayon::prelude::*;

gpu_struct! {
    /// As in shaders/shared/facts.wgsl.
    #[allow(missing_docs, reason = "told where they are made")]
    pub struct StoredFacts {
        pub low: f32,
        pub high: f32,
        pub errors: [f32; 6],
    }
}

/// The facts of the patches by their index in the frame.
#[derive(Debug)]
pub struct PatchBounds {
    pub(super) buffer: wgpu::Buffer,
}

impl PatchBounds {
    /// Makes room for `indices` patches.
    pub fn new(gpu: &Gpu, indices: u32) -> Self {
        let bytes = u64::from(indices) * size_of::<StoredFacts>() as u64;
        Self { buffer: storage_like(gpu, "orograph.select.bounds", bytes, wgpu::BufferUsages::STORAGE) }
    }

    /// Uploads the levels whose block has moved; returns the bytes sent.
    pub fn upload(&self, gpu: &Gpu, source: &dyn Source, plan: &FramePlan) -> u64 {
        let per_level = plan.frame.settings.patches_per_level() as u32;
        let mut bytes = 0;
        for level in &plan.bounds_levels {
            let first = level * per_level;
            let facts: Vec<_> = (first..first + per_level)
                .into_par_iter()
                .map(|index| {
                    let PatchFacts { low, high, errors } = PatchFacts::of(source, &plan.frame, index);
                    StoredFacts { low, high, errors }
                })
                .collect();
            let data = bytemuck::cast_slice(&facts);
            gpu.queue.write_buffer(&self.buffer, u64::from(first) * size_of::<StoredFacts>() as u64, data);
            bytes += data.len() as u64;
        }
        bytes
    }
}
