//! Sun, sky and haze over the G-buffer, and the tone of a screen.

use super::Targets;
use super::bindings::{
    COLOURS, FrameBindings, WORDS, compute_entries, compute_pipeline, dispatch_over, group, layout,
    storage_texture,
};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::BindingResource;

pub(super) const SHADER: Shader = Shader {
    label: "orograph.light",
    lists: &[&[
        part!("shared/frame.wgsl"),
        part!("shared/tile.wgsl"),
        part!("shared/look.wgsl"),
        part!("shared/surface.wgsl"),
        part!("shared/tone.wgsl"),
        part!("light.wgsl"),
    ]],
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
        let types = [COLOURS, WORDS, storage_texture(Targets::COLOUR)];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let groups = [&frame.layout, &own];
        let pipeline = compute_pipeline(gpu, SHADER.label, &groups, &module, "main", &[]);
        Ok(Self { own, pipeline, group: None })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        let views = [&targets.albedo, &targets.surface, &targets.colour];
        let resources = views.map(|target| BindingResource::TextureView(&target.view));
        self.group = Some(group(gpu, SHADER.label, &self.own, &resources));
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
        dispatch_over(&mut pass, size);
    }
}
