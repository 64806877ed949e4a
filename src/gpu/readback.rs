//! Bringing bytes back from the GPU, for pictures and checks; never needed to draw.

use super::Gpu;
use crate::error::{Error, Result};

/// The contents of a buffer that may be copied from.
///
/// # Errors
/// The device was lost.
pub fn read_buffer<T: bytemuck::Pod>(gpu: &Gpu, buffer: &wgpu::Buffer, count: usize) -> Result<Vec<T>> {
    let bytes = (count * size_of::<T>()) as u64;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    let staging = staging(gpu, bytes);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, bytes);
    gpu.queue.submit([encoder.finish()]);
    map(gpu, &staging, |view| bytemuck::pod_collect_to_vec(view))
}

/// The texels of a texture's first layer, row-major without padding. `T` is one texel.
///
/// # Errors
/// The device was lost.
pub fn read_texture<T: bytemuck::Pod>(gpu: &Gpu, texture: &wgpu::Texture, layer: u32) -> Result<Vec<T>> {
    let (width, height) = (texture.width(), texture.height());
    let row = width as usize * size_of::<T>();
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
    let staging = staging(gpu, (padded * height as usize) as u64);
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let aspect = if texture.format().is_depth_stencil_format() {
        wgpu::TextureAspect::DepthOnly
    } else {
        wgpu::TextureAspect::All
    };
    encoder.copy_texture_to_buffer(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
            aspect,
        },
        wgpu::TexelCopyBufferInfo {
            buffer: &staging,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded as u32),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
    gpu.queue.submit([encoder.finish()]);
    map(gpu, &staging, |view| {
        view.chunks_exact(padded).flat_map(|line| bytemuck::pod_collect_to_vec(&line[..row])).collect()
    })
}

fn staging(gpu: &Gpu, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("orograph.readback"),
        size: size.next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

fn map<R>(gpu: &Gpu, buffer: &wgpu::Buffer, read: impl FnOnce(&[u8]) -> R) -> Result<R> {
    buffer.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait()?;
    let view = buffer.get_mapped_range(..).map_err(|error| {
        Error::adapter(
            format!("a buffer could not be read back: {error}"),
            "a device that answers",
            "try again",
        )
    })?;
    Ok(read(&view))
}
