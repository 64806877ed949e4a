//! A picture without a window.

use crate::error::Result;
use crate::gpu::{Gpu, read_texture};
use crate::passes::Output;

/// A texture to draw a picture into, for a renderer with [`Output::Picture`].
#[derive(Debug)]
pub struct Offscreen {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
}

impl Offscreen {
    /// Makes room for a picture of `size` pixels.
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("orograph.offscreen"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: Output::PICTURE,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        Self { texture, view }
    }

    /// What a renderer draws into.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// The picture's pixels, sRGB with alpha, row by row from the top.
    ///
    /// # Errors
    /// The device was lost.
    pub fn pixels(&self, gpu: &Gpu) -> Result<Vec<[u8; 4]>> {
        read_texture(gpu, &self.texture, 0)
    }
}
