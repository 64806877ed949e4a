//! Sun, sky and haze over the G-buffer, and the tone of a screen.

use super::Targets;
use super::bindings::{DEPTH, FrameBindings, IDS, compute_pipeline, entry, layout, storage_texture, texture};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::{ShaderStages, TextureSampleType, TextureViewDimension};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.light",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/look.wgsl"),
        part!("shared/visibility_id.wgsl"),
        part!("shared/visibility_read.wgsl"),
        part!("shared/tone.wgsl"),
        part!("light.wgsl"),
    ],
};

/// The pass.
#[derive(Debug)]
pub struct Light {
    own: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
    group: Option<wgpu::BindGroup>,
}

impl Light {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let stored = texture(TextureSampleType::Float { filterable: false }, TextureViewDimension::D2);
        let types = [(1, IDS), (2, DEPTH), (3, stored), (4, stored), (5, storage_texture(Targets::COLOUR))];
        let own =
            layout(gpu, SHADER.label, &types.map(|(binding, ty)| entry(binding, ShaderStages::COMPUTE, ty)));
        let pipeline = compute_pipeline(gpu, SHADER.label, frame, &own, &module, "main");
        Ok(Self { own, pipeline, group: None })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        let views = [&targets.ids, &targets.depth, &targets.albedo, &targets.normal, &targets.colour];
        let entries: Vec<_> = views
            .iter()
            .zip(1..)
            .map(|(target, binding)| wgpu::BindGroupEntry {
                binding,
                resource: wgpu::BindingResource::TextureView(&target.view),
            })
            .collect();
        self.group = Some(gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(SHADER.label),
            layout: &self.own,
            entries: &entries,
        }));
    }

    /// Records the pass.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        size: [u32; 2],
    ) {
        let mut pass = timing.compute(encoder, "light");
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.dispatch_workgroups(size[0].div_ceil(8), size[1].div_ceil(8), 1);
    }
}
