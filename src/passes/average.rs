//! Several samples a pixel: the mean of their pictures in linear light.

use super::Targets;
use super::bindings::{
    COLOURS, FrameBindings, compute_entries, compute_pipeline, dispatch_over, group, layout, storage_texture,
};
use super::present::Output;
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::{BindingResource, BindingType, TextureFormat, TextureView, TextureViewDimension};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.average",
    lists: &[&[part!("shared/tile.wgsl"), part!("shared/tone.wgsl"), part!("average.wgsl")]],
};

/// The one format of floats that a shader may both read and write on every adapter.
const SUM: TextureFormat = TextureFormat::R32Float;
const SUMS: BindingType = BindingType::StorageTexture {
    access: wgpu::StorageTextureAccess::ReadWrite,
    format: SUM,
    view_dimension: TextureViewDimension::D2Array,
};

/// The pass.
#[derive(Debug)]
pub struct Average {
    own: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

/// The pictures that a mean is taken of, so far, and where it is shown.
#[derive(Debug)]
pub struct Mean {
    group: wgpu::BindGroup,
    size: [u32; 2],
}

impl Average {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let types = [COLOURS, SUMS, storage_texture(Output::PICTURE)];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let pipeline = compute_pipeline(gpu, SHADER.label, &[&frame.layout, &own], &module, "main", &[]);
        Ok(Self { own, pipeline })
    }

    /// Starts a mean of no pictures yet, which will be shown in `picture`, a texture of [`Output::PICTURE`] and the targets' size.
    pub fn start(&self, gpu: &Gpu, targets: &Targets, picture: &TextureView) -> Mean {
        let size = targets.size();
        // A new texture holds zeros.
        let sums = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("orograph.average.sums"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 4 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: SUM,
            usage: wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let sums = sums.create_view(&Default::default());
        let views = [&targets.colour.view, &sums, picture];
        let group = group(gpu, SHADER.label, &self.own, &views.map(BindingResource::TextureView));
        Mean { group, size }
    }

    /// Records the pass: takes the picture that the targets hold into the mean.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        mean: &Mean,
    ) {
        let mut pass = timing.compute(encoder, "average");
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &mean.group, &[]);
        dispatch_over(&mut pass, mean.size);
    }
}
