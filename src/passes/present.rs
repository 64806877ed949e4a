//! Edge smoothing into the window or the picture: by a fragment shader into a window's surface, by a compute shader into a
//! picture, which is many times faster where fixed-function raster is scarce.

use super::Targets;
use super::bindings::{
    COLOURS, FrameBindings, compute_pipeline, dispatch_over, entry, group, layout, pipeline_layout,
    storage_texture,
};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::{BindingResource, ShaderStages, TextureFormat, TextureView};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.present",
    lists: &[&[
        part!("shared/frame.wgsl"),
        part!("shared/tone.wgsl"),
        part!("shared/smooth.wgsl"),
        part!("present.wgsl"),
    ]],
};

pub(super) const SHADER_INTO_PICTURE: Shader = Shader {
    label: "orograph.present.into_picture",
    lists: &[&[
        part!("shared/frame.wgsl"),
        part!("shared/tile.wgsl"),
        part!("shared/smooth.wgsl"),
        part!("present_picture.wgsl"),
    ]],
};

/// What the finished colours go into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// A window's surface of a format.
    Window(TextureFormat),
    /// A texture of [`Output::PICTURE`] that may be stored to.
    Picture,
}

impl Output {
    /// The format of a picture: sRGB bytes as PNG has them.
    pub const PICTURE: TextureFormat = TextureFormat::Rgba8Unorm;
}

/// The pass.
#[derive(Debug)]
pub struct Present {
    own: wgpu::BindGroupLayout,
    pipeline: Pipeline,
    colour: Option<TextureView>,
}

#[derive(Debug)]
enum Pipeline {
    Window(wgpu::RenderPipeline),
    Picture(wgpu::ComputePipeline),
}

impl Present {
    /// Builds the pass for an output.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings, output: Output) -> Result<Self> {
        let (own, pipeline) = match output {
            Output::Window(format) => {
                let own = layout(gpu, SHADER.label, &[entry(0, ShaderStages::FRAGMENT, COLOURS)]);
                let pipeline = window_pipeline(gpu, frame, &own, format)?;
                (own, Pipeline::Window(pipeline))
            }
            Output::Picture => {
                let shader = SHADER_INTO_PICTURE;
                let types = [COLOURS, storage_texture(Output::PICTURE)];
                let entries = [0, 1].map(|k| entry(k, ShaderStages::COMPUTE, types[k as usize]));
                let own = layout(gpu, shader.label, &entries);
                let module = shader.module(&gpu.device)?;
                let groups = [&frame.layout, &own];
                let pipeline = compute_pipeline(gpu, shader.label, &groups, &module, "main", &[]);
                (own, Pipeline::Picture(pipeline))
            }
        };
        Ok(Self { own, pipeline, colour: None })
    }

    /// Takes note of what is read; again whenever the targets change.
    pub fn bind(&mut self, targets: &Targets) {
        self.colour = Some(targets.colour.view.clone());
    }

    /// Records the pass into `target`, which has `size` pixels.
    pub fn record(
        &self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        target: &TextureView,
        size: [u32; 2],
    ) {
        let Some(colour) = &self.colour else { return };
        let colour = BindingResource::TextureView(colour);
        match &self.pipeline {
            Pipeline::Window(pipeline) => {
                let own = group(gpu, SHADER.label, &self.own, &[colour]);
                let attachment = wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations::default(),
                };
                let descriptor = wgpu::RenderPassDescriptor {
                    color_attachments: &[Some(attachment)],
                    ..Default::default()
                };
                let mut pass = timing.render(encoder, "present", &descriptor);
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &frame.group, &[]);
                pass.set_bind_group(1, &own, &[]);
                pass.draw(0..3, 0..1);
            }
            Pipeline::Picture(pipeline) => {
                let resources = [colour, BindingResource::TextureView(target)];
                let own = group(gpu, SHADER_INTO_PICTURE.label, &self.own, &resources);
                let mut pass = timing.compute(encoder, "present");
                pass.set_pipeline(pipeline);
                pass.set_bind_group(0, &frame.group, &[]);
                pass.set_bind_group(1, &own, &[]);
                dispatch_over(&mut pass, size);
            }
        }
    }
}

fn window_pipeline(
    gpu: &Gpu,
    frame: &FrameBindings,
    own: &wgpu::BindGroupLayout,
    format: TextureFormat,
) -> Result<wgpu::RenderPipeline> {
    let module = SHADER.module(&gpu.device)?;
    let constants = [("TARGET_ENCODES", f64::from(u8::from(format.is_srgb())))];
    Ok(gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(SHADER.label),
        layout: Some(&pipeline_layout(gpu, SHADER.label, &[&frame.layout, own])),
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
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..Default::default()
            },
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    }))
}
