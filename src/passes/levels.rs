//! The heights on the GPU: one toroidal layer a level, given only the strips that a plan names.

use crate::clipmap::{Extents, Strip};
use crate::gpu::Gpu;
use crate::source::Source;

/// The level textures.
#[derive(Debug)]
pub struct HeightLevels {
    texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
    scratch: Vec<f32>,
}

impl HeightLevels {
    /// Makes room for every level.
    pub fn new(gpu: &Gpu, extents: Extents) -> Self {
        let format = wgpu::TextureFormat::R32Uint;
        let (texture, view) =
            layers(gpu, "orograph.levels.heights", format, extents.lattice_side, extents.levels);
        Self { texture, view, scratch: Vec::new() }
    }

    /// Uploads strips; returns the bytes sent.
    pub fn upload(&mut self, gpu: &Gpu, source: &dyn Source, strips: &[(u32, Strip)]) -> u64 {
        let mut bytes = 0;
        for (level, strip) in strips {
            source.heights(*level, strip.rect, &mut self.scratch);
            bytes += write_strip(gpu, &self.texture, *level, strip, bytemuck::cast_slice(&self.scratch));
        }
        bytes
    }

    /// The texture, for checks.
    pub fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }
}

/// A square texture of layers and the view of all of them.
pub(super) fn layers(
    gpu: &Gpu,
    label: &str,
    format: wgpu::TextureFormat,
    side: u32,
    count: u32,
) -> (wgpu::Texture, wgpu::TextureView) {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: side, height: side, depth_or_array_layers: count },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    });
    (texture, view)
}

/// Sends the texels of a strip; returns the bytes sent.
pub(super) fn write_strip(
    gpu: &Gpu,
    texture: &wgpu::Texture,
    layer: u32,
    strip: &Strip,
    texels: &[u8],
) -> u64 {
    let [width, height] = strip.rect.size();
    let place = wgpu::TexelCopyTextureInfo {
        texture,
        mip_level: 0,
        origin: wgpu::Origin3d { x: strip.texel[0], y: strip.texel[1], z: layer },
        aspect: wgpu::TextureAspect::All,
    };
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(texels.len() as u32 / height),
        rows_per_image: None,
    };
    gpu.queue.write_texture(
        place,
        texels,
        layout,
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    texels.len() as u64
}
