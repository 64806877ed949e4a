//! The textures that one picture is drawn through, of the picture's size.

use super::bindings::storage_like;
use crate::error::Result;
use crate::gpu::{Gpu, RasterPath, read_buffer, read_texture};
use wgpu::{TextureFormat, TextureUsages};

/// Visibility, G-buffer and colour.
#[derive(Debug)]
pub struct Targets {
    size: [u32; 2],
    pub(super) visibility: VisibilityTarget,
    pub(super) albedo: Target,
    pub(super) surface: Target,
    pub(super) colour: Target,
}

/// Where a path writes what pixels see.
#[derive(Debug)]
pub(super) enum VisibilityTarget {
    /// The vertex path's ids and reversed depth.
    Textures { ids: Box<Target>, depth: Box<Target> },
    /// The compute path's words of 64 bits: the id below the float bits of the depth.
    Words(wgpu::Buffer),
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
    pub(super) const SURFACE: TextureFormat = TextureFormat::Rg32Uint;
    pub(super) const COLOUR: TextureFormat = TextureFormat::Rgba8Unorm;
    /// Bytes of a pixel's word.
    const WORD_BYTES: u64 = 8;
    /// Bytes a pixel of all of them.
    const PIXEL_BYTES: u64 = 4 + 4 + 4 + 8 + 4;

    /// Makes the targets of a picture of `size` pixels that a path draws.
    pub fn new(gpu: &Gpu, size: [u32; 2], path: RasterPath) -> Self {
        let drawn = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
        let stored = TextureUsages::STORAGE_BINDING | TextureUsages::TEXTURE_BINDING;
        let visibility = match path {
            RasterPath::Vertex => VisibilityTarget::Textures {
                ids: Box::new(target(gpu, "orograph.targets.ids", size, Self::IDS, drawn)),
                depth: Box::new(target(gpu, "orograph.targets.depth", size, Self::DEPTH, drawn)),
            },
            RasterPath::Compute | RasterPath::Compute32 => {
                let bytes = u64::from(size[0]) * u64::from(size[1]) * Self::WORD_BYTES;
                VisibilityTarget::Words(storage_like(
                    gpu,
                    "orograph.targets.words",
                    bytes,
                    wgpu::BufferUsages::STORAGE,
                ))
            }
        };
        Self {
            size,
            visibility,
            albedo: target(gpu, "orograph.targets.albedo", size, Self::ALBEDO, stored),
            surface: target(gpu, "orograph.targets.surface", size, Self::SURFACE, stored),
            colour: target(gpu, "orograph.targets.colour", size, Self::COLOUR, stored),
        }
    }

    /// The most pixels of a picture whose words one buffer of a device holds.
    pub fn most_words(gpu: &Gpu) -> u64 {
        gpu.largest_storage() / Self::WORD_BYTES
    }

    /// Size in pixels.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Bytes on the GPU for a picture of `size` pixels.
    pub fn bytes(size: [u32; 2]) -> u64 {
        u64::from(size[0]) * u64::from(size[1]) * Self::PIXEL_BYTES
    }

    /// The words that the compute path writes, where it does.
    pub fn words(&self) -> Option<&wgpu::Buffer> {
        match &self.visibility {
            VisibilityTarget::Words(words) => Some(words),
            VisibilityTarget::Textures { .. } => None,
        }
    }

    /// What every pixel sees, id and float bits of the depth, row by row. For checks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_visibility(&self, gpu: &Gpu) -> Result<Vec<[u32; 2]>> {
        match &self.visibility {
            VisibilityTarget::Textures { ids, depth } => {
                let ids: Vec<u32> = read_texture(gpu, &ids.texture, 0)?;
                let depths: Vec<u32> = read_texture(gpu, &depth.texture, 0)?;
                Ok(ids.into_iter().zip(depths).map(|(id, depth)| [id, depth]).collect())
            }
            VisibilityTarget::Words(words) => {
                read_buffer(gpu, words, self.size[0] as usize * self.size[1] as usize)
            }
        }
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
