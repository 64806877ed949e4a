//! A fixed small compute pass, timed in every run of a bench as the yardstick that machines are compared by.

use super::bindings::{READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like};
use crate::error::Result;
use crate::gpu::{Gpu, PassTime, Shader, Timing, part};

pub(super) const SHADER: Shader =
    Shader { label: "orograph.reference", lists: &[&[part!("reference.wgsl")]] };

/// The pass: 65,536 threads of 1,024 dependent multiplications and additions.
#[derive(Debug)]
pub struct Reference {
    group: wgpu::BindGroup,
    pipeline: wgpu::ComputePipeline,
    timing: Timing,
}

impl Reference {
    /// Its name among the passes.
    pub const NAME: &'static str = "reference";
    const THREADS: u32 = 65_536;

    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let own = layout(gpu, SHADER.label, &compute_entries(&[READ_WRITE]));
        let bytes = u64::from(Self::THREADS) * 4;
        let results = storage_like(gpu, "orograph.reference.results", bytes, wgpu::BufferUsages::STORAGE);
        let group = group(gpu, SHADER.label, &own, &[results.as_entire_binding()]);
        let pipeline = compute_pipeline(gpu, SHADER.label, &[&own], &module, "main", &[]);
        let timing = if gpu.has_pass_timestamps() { Timing::new(gpu)? } else { Timing::by_submission(gpu)? };
        Ok(Self { group, pipeline, timing })
    }

    /// Runs the pass by itself and waits for its time.
    ///
    /// # Errors
    /// The device was lost.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<Option<PassTime>> {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = self.timing.compute(&mut encoder, Self::NAME);
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.group, &[]);
            pass.dispatch_workgroups(Self::THREADS / 64, 1, 1);
        }
        self.timing.resolve(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        self.timing.end_frame()?;
        gpu.wait()?;
        Ok(self.timing.finished().and_then(|times| times.into_iter().next()))
    }
}
