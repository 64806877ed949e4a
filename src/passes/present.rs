//! Edge smoothing into the window or the picture.

use super::Targets;
use super::bindings::{FrameBindings, entry, group, layout, pipeline_layout, texture};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::{ShaderStages, TextureSampleType, TextureViewDimension};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.present",
    parts: &[part!("shared/frame.wgsl"), part!("shared/tone.wgsl"), part!("present.wgsl")],
};

/// The pass.
#[derive(Debug)]
pub struct Present {
    own: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    group: Option<wgpu::BindGroup>,
}

impl Present {
    /// Builds the pass for targets of a format.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings, format: wgpu::TextureFormat) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let colour = texture(TextureSampleType::Float { filterable: false }, TextureViewDimension::D2);
        let own = layout(gpu, SHADER.label, &[entry(0, ShaderStages::FRAGMENT, colour)]);
        let constants = [("TARGET_ENCODES", f64::from(u8::from(format.is_srgb())))];
        let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(SHADER.label),
            layout: Some(&pipeline_layout(gpu, SHADER.label, &[&frame.layout, &own])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("pixel"),
                compilation_options: options,
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(Self { own, pipeline, group: None })
    }

    /// Binds what is read; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        let resources = [wgpu::BindingResource::TextureView(&targets.colour.view)];
        self.group = Some(group(gpu, SHADER.label, &self.own, &resources));
    }

    /// Records the pass into `target`.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        target: &wgpu::TextureView,
    ) {
        let descriptor = wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        };
        let mut pass = timing.render(encoder, "present", &descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.draw(0..3, 0..1);
    }
}
