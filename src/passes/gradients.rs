//! The gradients on the GPU: shading reads averages from its own, larger windows, so that it neither shimmers nor jumps at
//! rings.

use super::levels::{layers, write_strip};
use crate::clipmap::{Extents, Strip};
use crate::gpu::Gpu;
use crate::source::{Gradient, Source};
use half::f16;

/// The gradient textures: east rise, south rise, variance, relief.
#[derive(Debug)]
pub struct GradientLevels {
    texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    pub(super) sampler: wgpu::Sampler,
    gradients: Vec<Gradient>,
    texels: Vec<[f16; 4]>,
}

impl GradientLevels {
    /// Makes room for every level.
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let format = wgpu::TextureFormat::Rgba16Float;
        let (texture, view) =
            layers(gpu, "orograph.levels.gradients", format, extents.gradient_side, extents.gradient_levels);
        let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("orograph.levels.gradients"),
            address_mode_u: wgpu::AddressMode::Repeat,
            address_mode_v: wgpu::AddressMode::Repeat,
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self { texture, view, sampler, gradients: Vec::new(), texels: Vec::new() }
    }

    /// Uploads strips; returns the bytes sent.
    pub fn upload(&mut self, gpu: &Gpu, source: &dyn Source, strips: &[(u32, Strip)]) -> u64 {
        let mut bytes = 0;
        for (level, strip) in strips {
            source.gradients(*level, strip.rect, &mut self.gradients);
            self.texels.clear();
            self.texels.extend(self.gradients.iter().map(|gradient| {
                [gradient.rise[0], gradient.rise[1], gradient.variance, gradient.relief].map(f16::from_f32)
            }));
            bytes += write_strip(gpu, &self.texture, *level, strip, bytemuck::cast_slice(&self.texels));
        }
        bytes
    }
}
