//! The textures that one picture is drawn through, of the picture's size.

use crate::gpu::Gpu;
use wgpu::{TextureFormat, TextureUsages};

/// Visibility, depth, G-buffer and colour.
#[derive(Debug)]
pub struct Targets {
    size: [u32; 2],
    pub(super) ids: Target,
    pub(super) depth: Target,
    pub(super) albedo: Target,
    pub(super) normal: Target,
    pub(super) colour: Target,
}

/// A texture and its view.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) texture: wgpu::Texture,
    pub(super) view: wgpu::TextureView,
}

impl Targets {
    pub(super) const IDS: TextureFormat = TextureFormat::R32Uint;
    pub(super) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
    pub(super) const ALBEDO: TextureFormat = TextureFormat::Rgba8Unorm;
    pub(super) const NORMAL: TextureFormat = TextureFormat::Rgba16Float;
    pub(super) const COLOUR: TextureFormat = TextureFormat::Rgba8Unorm;
    /// Bytes a pixel of all of them.
    const PIXEL_BYTES: u64 = 4 + 4 + 4 + 8 + 4;

    /// Makes the textures for a picture of `size` pixels.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let drawn = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
        let stored = TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING;
        Self {
            size,
            ids: target(gpu, "orograph.targets.ids", size, Self::IDS, drawn),
            depth: target(gpu, "orograph.targets.depth", size, Self::DEPTH, drawn),
            albedo: target(gpu, "orograph.targets.albedo", size, Self::ALBEDO, stored),
            normal: target(gpu, "orograph.targets.normal", size, Self::NORMAL, stored),
            colour: target(gpu, "orograph.targets.colour", size, Self::COLOUR, stored),
        }
    }

    /// Size in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Bytes on the GPU for a picture of `size` pixels.
    pub fn bytes(size: [u32; 2]) -> u64 {
        u64::from(size[0]) * u64::from(size[1]) * Self::PIXEL_BYTES
    }

    /// The visibility ids, for checks.
    pub fn ids(&self) -> &wgpu::Texture {
        &self.ids.texture
    }

    /// The depth buffer, for checks.
    pub fn depth(&self) -> &wgpu::Texture {
        &self.depth.texture
    }
}

fn target(gpu: &Gpu, label: &str, size: [u32; 2], format: TextureFormat, usage: TextureUsages) -> Target {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: usage | TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = texture.create_view(&Default::default());
    Target { texture, view }
}
