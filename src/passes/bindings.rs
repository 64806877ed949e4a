//! Bind group 0, which every pass shares, and the small builders for layouts and groups.

use super::{Frame, Look};
use crate::gpu::Gpu;
use wgpu::{BindingType, BufferBindingType, ShaderStages, TextureSampleType, TextureViewDimension};

/// The uniforms of the frame.
#[derive(Debug)]
pub struct FrameBindings {
    frame: wgpu::Buffer,
    look: wgpu::Buffer,
    held: Option<(Frame, Look)>,
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) group: wgpu::BindGroup,
}

impl FrameBindings {
    /// Makes room for both uniforms.
    pub fn new(gpu: &Gpu) -> Self {
        let frame = uniform(gpu, "orograph.frame.uniform", size_of::<Frame>());
        let look = uniform(gpu, "orograph.look.uniform", size_of::<Look>());
        let stages = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
        let layout = layout(gpu, "orograph.frame", &[entry(0, stages, UNIFORM), entry(1, stages, UNIFORM)]);
        let group =
            group(gpu, "orograph.frame", &layout, &[frame.as_entire_binding(), look.as_entire_binding()]);
        Self { frame, look, held: None, layout, group }
    }

    /// Sends the uniforms of a picture, unless the GPU holds them already; returns the bytes sent.
    pub fn write(&mut self, gpu: &Gpu, frame: &Frame, look: &Look) -> u64 {
        if self.held == Some((*frame, *look)) {
            return 0;
        }
        gpu.queue.write_buffer(&self.frame, 0, bytemuck::bytes_of(frame));
        gpu.queue.write_buffer(&self.look, 0, bytemuck::bytes_of(look));
        self.held = Some((*frame, *look));
        (size_of::<Frame>() + size_of::<Look>()) as u64
    }
}

pub(super) const UNIFORM: BindingType = buffer(BufferBindingType::Uniform);
pub(super) const READ: BindingType = buffer(BufferBindingType::Storage { read_only: true });
pub(super) const READ_WRITE: BindingType = buffer(BufferBindingType::Storage { read_only: false });

const fn buffer(ty: BufferBindingType) -> BindingType {
    BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None }
}

pub(super) const fn texture(
    sample_type: TextureSampleType,
    view_dimension: TextureViewDimension,
) -> BindingType {
    BindingType::Texture { sample_type, view_dimension, multisampled: false }
}

pub(super) const fn storage_texture(format: wgpu::TextureFormat) -> BindingType {
    BindingType::StorageTexture {
        access: wgpu::StorageTextureAccess::WriteOnly,
        format,
        view_dimension: TextureViewDimension::D2,
    }
}

/// The binding of the level textures.
pub(super) const LEVELS: BindingType = texture(TextureSampleType::Uint, TextureViewDimension::D2Array);
/// The binding of colours that are read as they are.
pub(super) const COLOURS: BindingType =
    texture(TextureSampleType::Float { filterable: false }, TextureViewDimension::D2);
/// The binding of a picture of words: visibility ids, and what is packed.
pub(super) const WORDS: BindingType = texture(TextureSampleType::Uint, TextureViewDimension::D2);
/// The binding of the depth buffer.
pub(super) const DEPTH: BindingType = texture(TextureSampleType::Depth, TextureViewDimension::D2);

pub(super) fn entry(binding: u32, visibility: ShaderStages, ty: BindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None }
}

pub(super) fn compute_entries(types: &[BindingType]) -> Vec<wgpu::BindGroupLayoutEntry> {
    types.iter().zip(0..).map(|(ty, binding)| entry(binding, ShaderStages::COMPUTE, *ty)).collect()
}

pub(super) fn layout(
    gpu: &Gpu,
    label: &str,
    entries: &[wgpu::BindGroupLayoutEntry],
) -> wgpu::BindGroupLayout {
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries })
}

/// A bind group of resources at bindings 0, 1, 2, …
pub(super) fn group(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = resources
        .iter()
        .zip(0..)
        .map(|(resource, binding)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}

pub(super) fn pipeline_layout(
    gpu: &Gpu,
    label: &str,
    groups: &[&wgpu::BindGroupLayout],
) -> wgpu::PipelineLayout {
    let groups: Vec<_> = groups.iter().map(|layout| Some(*layout)).collect();
    gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    })
}

/// A compute pipeline for one entry point, with values for the shader's overrides.
pub(super) fn compute_pipeline(
    gpu: &Gpu,
    label: &str,
    groups: &[&wgpu::BindGroupLayout],
    module: &wgpu::ShaderModule,
    entry_point: &str,
    constants: &[(&str, f64)],
) -> wgpu::ComputePipeline {
    gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: Some(&pipeline_layout(gpu, label, groups)),
        module,
        entry_point: Some(entry_point),
        compilation_options: wgpu::PipelineCompilationOptions { constants, ..Default::default() },
        cache: None,
    })
}

/// Pixels of a workgroup of the passes over the picture, as in shaders/shared/tile.wgsl.
const TILE: [u32; 2] = [64, 4];

/// Runs a pass over every pixel of a picture.
pub(super) fn dispatch_over(pass: &mut wgpu::ComputePass<'_>, size: [u32; 2]) {
    pass.dispatch_workgroups(size[0].div_ceil(TILE[0]), size[1].div_ceil(TILE[1]), 1);
}

fn uniform(gpu: &Gpu, label: &str, size: usize) -> wgpu::Buffer {
    storage_like(gpu, label, size as u64, wgpu::BufferUsages::UNIFORM)
}

/// A buffer that the CPU may write and the checks may read.
pub(super) fn storage_like(gpu: &Gpu, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

/// A storage buffer of these words.
pub(super) fn storage_of(gpu: &Gpu, label: &str, words: &[u32]) -> wgpu::Buffer {
    // A buffer cannot be empty.
    let bytes = size_of_val(words).max(4) as u64;
    let buffer = storage_like(gpu, label, bytes, wgpu::BufferUsages::STORAGE);
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
    buffer
}
