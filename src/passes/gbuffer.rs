//! From visibility to albedo, normal, roughness and distance.

use super::bindings::{
    FrameBindings, LEVELS, READ, compute_entries, compute_pipeline, dispatch_over, group, layout,
    storage_texture, texture,
};
use super::parts::PROJECTION;
use super::{GradientLevels, HeightLevels, Seen, Select, Targets};
use crate::error::Result;
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};
use wgpu::{BindingResource, BindingType, SamplerBindingType, TextureSampleType, TextureViewDimension};

const READING: &[Part] =
    &[part!("shared/tile.wgsl"), part!("shared/look.wgsl"), part!("shared/visibility_read.wgsl")];
const SHADING: &[Part] = &[part!("shared/natural.wgsl"), part!("shared/surface.wgsl"), part!("gbuffer.wgsl")];

/// Over the vertex path's visibility.
pub(super) const SHADER: Shader = Shader {
    label: "orograph.gbuffer",
    lists: &[PROJECTION, READING, &[part!("shared/visibility_textures.wgsl")], SHADING],
};

/// Over the compute path's visibility.
pub(super) const SHADER_OVER_WORDS: Shader = Shader {
    label: "orograph.gbuffer.over_words",
    lists: &[PROJECTION, READING, &[part!("shared/visibility_words.wgsl")], SHADING],
};

/// The pass.
#[derive(Debug)]
pub struct GBuffer {
    own: wgpu::BindGroupLayout,
    plain: wgpu::ComputePipeline,
    levels: wgpu::ComputePipeline,
    group: Option<wgpu::BindGroup>,
}

impl GBuffer {
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
        let gradients = texture(TextureSampleType::Float { filterable: true }, TextureViewDimension::D2Array);
        let types = [
            LEVELS,
            READ,
            gradients,
            BindingType::Sampler(SamplerBindingType::Filtering),
            storage_texture(Targets::ALBEDO),
            storage_texture(Targets::SURFACE),
        ];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let stops_at_sky = f64::from(u8::from(!gpu.draws_on_cpu()));
        let pipeline = |show_levels: f64| {
            let constants = [("SHOW_LEVELS", show_levels), ("STOPS_AT_SKY", stops_at_sky)];
            compute_pipeline(
                gpu,
                SHADER.label,
                &[&frame.layout, &own, &seen.layout],
                &module,
                "main",
                &constants,
            )
        };
        Ok(Self { plain: pipeline(0.0), levels: pipeline(1.0), own, group: None })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(
        &mut self,
        gpu: &Gpu,
        levels: &HeightLevels,
        gradients: &GradientLevels,
        select: &Select,
        targets: &Targets,
    ) {
        let resources = [
            BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            BindingResource::TextureView(&gradients.view),
            BindingResource::Sampler(&gradients.sampler),
            BindingResource::TextureView(&targets.albedo.view),
            BindingResource::TextureView(&targets.surface.view),
        ];
        self.group = Some(group(gpu, SHADER.label, &self.own, &resources));
    }

    /// Records the pass, plain or with the triangles in the colours of their levels.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        seen: &Seen,
        size: [u32; 2],
        show_levels: bool,
    ) {
        let mut pass = timing.compute(encoder, "gbuffer");
        pass.set_pipeline(if show_levels { &self.levels } else { &self.plain });
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &seen.group, &[]);
        dispatch_over(&mut pass, size);
    }
}
