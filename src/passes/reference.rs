//! A fixed small compute pass, timed in every run of a bench as the yardstick.

use super::bindings::{
    FrameBindings, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};

pub(super) const SHADER: Shader = Shader { label: "orograph.reference", parts: &[part!("reference.wgsl")] };

/// The pass: 65,536 threads of 1,024 dependent multiplications and additions.
#[derive(Debug)]
pub struct Reference {
    group: wgpu::BindGroup,
    pipeline: wgpu::ComputePipeline,
}

impl Reference {
    const THREADS: u32 = 65_536;

    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let own = layout(gpu, SHADER.label, &compute_entries(&[READ_WRITE]));
        let bytes = u64::from(Self::THREADS) * 4;
        let results = storage_like(gpu, "orograph.reference.results", bytes, wgpu::BufferUsages::STORAGE);
        let group = group(gpu, SHADER.label, &own, &[results.as_entire_binding()]);
        Ok(Self { group, pipeline: compute_pipeline(gpu, SHADER.label, frame, &own, &module, "main") })
    }

    /// Records the pass.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder, timing: &Timing, frame: &FrameBindings) {
        let mut pass = timing.compute(encoder, "reference");
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.dispatch_workgroups(Self::THREADS / 64, 1, 1);
    }
}
