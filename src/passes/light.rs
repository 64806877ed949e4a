//! Sun, sky and haze over the G-buffer, and the tone of a screen.

use super::bindings::{
    FrameBindings, compute_entries, compute_pipeline, group, layout, storage_texture, texture,
};
use super::{Seen, Targets};
use crate::error::Result;
use crate::gpu::{Gpu, RasterPath, Shader, Timing, part};
use wgpu::{BindingResource, TextureSampleType, TextureViewDimension};

/// Over the vertex path's visibility.
pub(super) const SHADER: Shader = Shader {
    label: "orograph.light",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/look.wgsl"),
        part!("shared/visibility_id.wgsl"),
        part!("shared/visibility_read.wgsl"),
        part!("shared/visibility_textures.wgsl"),
        part!("shared/tone.wgsl"),
        part!("light.wgsl"),
    ],
};

/// Over the compute path's visibility.
pub(super) const SHADER_OVER_WORDS: Shader = Shader {
    label: "orograph.light.over_words",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/look.wgsl"),
        part!("shared/visibility_id.wgsl"),
        part!("shared/visibility_read.wgsl"),
        part!("shared/visibility_words.wgsl"),
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
    pub fn new(gpu: &Gpu, frame: &FrameBindings, seen: &Seen) -> Result<Self> {
        let shader = match seen.path() {
            RasterPath::Vertex => SHADER,
            RasterPath::Compute | RasterPath::Compute32 => SHADER_OVER_WORDS,
        };
        let module = shader.module(&gpu.device)?;
        let stored = texture(TextureSampleType::Float { filterable: false }, TextureViewDimension::D2);
        let types = [stored, stored, storage_texture(Targets::COLOUR)];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let groups = [&frame.layout, &own, &seen.layout];
        let pipeline = compute_pipeline(gpu, SHADER.label, &groups, &module, "main", &[]);
        Ok(Self { own, pipeline, group: None })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        let views = [&targets.albedo, &targets.normal, &targets.colour];
        let resources = views.map(|target| BindingResource::TextureView(&target.view));
        self.group = Some(group(gpu, SHADER.label, &self.own, &resources));
    }

    /// Records the pass.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        seen: &Seen,
        size: [u32; 2],
    ) {
        let mut pass = timing.compute(encoder, "light");
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &seen.group, &[]);
        pass.dispatch_workgroups(size[0].div_ceil(8), size[1].div_ceil(8), 1);
    }
}
