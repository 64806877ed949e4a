//! The vertex path into the visibility buffer: ids and reversed depth, nothing else.

use super::bindings::{FrameBindings, LEVELS, READ, entry, group, layout, pipeline_layout, storage_like};
use super::parts::PROJECTION;
use super::targets::VisibilityTarget;
use super::{HeightLevels, Phase, Select, Targets};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::ShaderStages;

pub(super) const SHADER: Shader = Shader {
    label: "orograph.visibility",
    lists: &[PROJECTION, &[part!("shared/tiles.wgsl"), part!("visibility.wgsl")]],
};

/// With the primitive index, vertices are shared and the fragment knows its triangle.
pub(super) const SHADER_BY_PRIMITIVE: Shader = Shader {
    label: "orograph.visibility.by_primitive",
    lists: &[
        &[part!("shared/enable_primitive_index.wgsl")],
        PROJECTION,
        &[part!("shared/tiles.wgsl"), part!("visibility.wgsl"), part!("visibility_primitive.wgsl")],
    ],
};

/// The pass.
#[derive(Debug)]
pub struct Visibility {
    /// One a phase.
    groups: [wgpu::BindGroup; 2],
    pipeline: wgpu::RenderPipeline,
    /// The grid that every tile shares; without the primitive index the grid is drawn unindexed.
    grid: Option<wgpu::Buffer>,
}

impl Visibility {
    /// Builds the pass. `patch_cells`: drawn cells along a patch.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(
        gpu: &Gpu,
        frame: &FrameBindings,
        levels: &HeightLevels,
        select: &Select,
        patch_cells: i32,
        has_empties: bool,
    ) -> Result<Self> {
        let indexed = gpu.has(wgpu::Features::PRIMITIVE_INDEX);
        let (shader, vertex, fragment) = if indexed {
            (SHADER_BY_PRIMITIVE, "grid", "by_primitive")
        } else {
            (SHADER, "unindexed", "by_vertex")
        };
        let module = shader.module(&gpu.device)?;
        let both = ShaderStages::VERTEX_FRAGMENT;
        let own =
            layout(gpu, shader.label, &[entry(0, both, LEVELS), entry(1, both, READ), entry(2, both, READ)]);
        let group = |phase| {
            let resources = [
                wgpu::BindingResource::TextureView(&levels.view),
                select.instances.as_entire_binding(),
                select.list(phase).tiles.as_entire_binding(),
            ];
            group(gpu, shader.label, &own, &resources)
        };
        let constants = [("HAS_EMPTIES", f64::from(u8::from(has_empties)))];
        let options = wgpu::PipelineCompilationOptions { constants: &constants, ..Default::default() };
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(shader.label),
            layout: Some(&pipeline_layout(gpu, shader.label, &[&frame.layout, &own])),
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some(vertex),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: Targets::DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Greater),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some(fragment),
                compilation_options: options,
                targets: &[Some(Targets::IDS.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let grid = indexed.then(|| grid(gpu, patch_cells.min(Select::TILE_CELLS)));
        Ok(Self { groups: Phase::BOTH.map(group), pipeline, grid })
    }

    /// Records the one indirect draw of a phase, the first over a clear picture.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        (select, phase): (&Select, Phase),
        targets: &Targets,
    ) {
        let VisibilityTarget::Textures { ids, depth } = &targets.visibility else { return };
        let (ids_load, depth_load) = match phase {
            Phase::First => (wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT), wgpu::LoadOp::Clear(0.0)),
            Phase::Second => (wgpu::LoadOp::Load, wgpu::LoadOp::Load),
        };
        let store = wgpu::StoreOp::Store;
        let descriptor = wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &ids.view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: ids_load, store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth.view,
                depth_ops: Some(wgpu::Operations { load: depth_load, store }),
                stencil_ops: None,
            }),
            ..Default::default()
        };
        let mut pass = timing.render(encoder, "visibility", &descriptor);
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.groups[phase as usize], &[]);
        let draw = &select.list(phase).draw;
        if let Some(grid) = &self.grid {
            pass.set_index_buffer(grid.slice(..), wgpu::IndexFormat::Uint16);
            pass.draw_indexed_indirect(draw, 0);
        } else {
            pass.draw_indirect(draw, 0);
        }
    }
}

/// The indices of the triangles of a grid, in the order that `patch_corner` in shaders/shared/patch.wgsl numbers them.
fn grid(gpu: &Gpu, cells: i32) -> wgpu::Buffer {
    let (cells, row) = (cells as u16, cells as u16 + 1);
    let mut indices = Vec::with_capacity(usize::from(cells) * usize::from(cells) * 6);
    for z in 0..cells {
        for x in 0..cells {
            let least = z * row + x;
            indices.extend([least, least + row + 1, least + 1, least, least + row, least + row + 1]);
        }
    }
    let usage = wgpu::BufferUsages::INDEX;
    let buffer = storage_like(gpu, "orograph.visibility.grid", (indices.len() * 2) as u64, usage);
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&indices));
    buffer
}
