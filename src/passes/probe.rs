//! A pass that writes out what the GPU makes of a list, for checks; no part of a picture.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, read_buffer};
use wgpu::{BindGroupLayout, Buffer, BufferUsages, ComputePipeline};

/// The pass: reads the levels, the instance list and one more buffer, and writes one value an item.
#[derive(Debug)]
pub(super) struct Probe {
    label: &'static str,
    own: BindGroupLayout,
    pipeline: ComputePipeline,
}

impl Probe {
    /// Workgroups, whose threads stride over the items.
    const GROUPS: u32 = 1024;

    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub(super) fn new(gpu: &Gpu, frame: &FrameBindings, shader: Shader) -> Result<Self> {
        let module = shader.module(&gpu.device)?;
        let own = layout(gpu, shader.label, &compute_entries(&[LEVELS, READ, READ, READ_WRITE]));
        let pipeline = compute_pipeline(gpu, shader.label, &[&frame.layout, &own], &module, "main", &[]);
        Ok(Self { label: shader.label, own, pipeline })
    }

    /// The values of `count` items.
    ///
    /// # Errors
    /// The device was lost.
    pub(super) fn read<T: bytemuck::Pod>(
        &self,
        gpu: &Gpu,
        frame: &FrameBindings,
        (levels, select, asked): (&HeightLevels, &Select, &Buffer),
        count: usize,
    ) -> Result<Vec<T>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let out = storage_like(gpu, self.label, (count * size_of::<T>()) as u64, BufferUsages::STORAGE);
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            asked.as_entire_binding(),
            out.as_entire_binding(),
        ];
        let group = group(gpu, self.label, &self.own, &resources);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &frame.group, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.dispatch_workgroups(Self::GROUPS, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        read_buffer(gpu, &out, count)
    }
}
