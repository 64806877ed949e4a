//! The compute path into the visibility buffer: triangles to pixels in integers, one 64-bit word a pixel.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};
use wgpu::BufferUsages;

pub(super) const SHADER: Shader = Shader {
    label: "orograph.raster",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/clipmap.wgsl"),
        part!("shared/instance.wgsl"),
        part!("shared/levels.wgsl"),
        part!("shared/patch.wgsl"),
        part!("shared/project.wgsl"),
        part!("shared/visibility_id.wgsl"),
        part!("shared/snap.wgsl"),
        part!("shared/raster.wgsl"),
        part!("raster.wgsl"),
    ],
};

/// The pass.
#[derive(Debug)]
pub struct Raster {
    own: wgpu::BindGroupLayout,
    clear: wgpu::ComputePipeline,
    blocks: wgpu::ComputePipeline,
    prepare_tiles: wgpu::ComputePipeline,
    tiles: wgpu::ComputePipeline,
    large: wgpu::Buffer,
    tile_dispatch: wgpu::Buffer,
    dispatch_group: wgpu::BindGroup,
    group: Option<wgpu::BindGroup>,
}

impl Raster {
    /// Room for tiles of large triangles; beyond it they are drawn at once, slower.
    const TILES: u64 = 1 << 20;
    /// Bytes of a tile in the list, after four bytes of count.
    const TILE_BYTES: u64 = 12;

    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings, has_empties: bool) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let own = layout(gpu, SHADER.label, &compute_entries(&[LEVELS, READ, READ, READ_WRITE, READ_WRITE]));
        let dispatch = layout(gpu, SHADER.label, &compute_entries(&[READ_WRITE]));
        let storage = BufferUsages::STORAGE;
        let large = storage_like(gpu, "orograph.raster.large", 4 + Self::TILES * Self::TILE_BYTES, storage);
        let tile_dispatch =
            storage_like(gpu, "orograph.raster.dispatch", 12, storage | BufferUsages::INDIRECT);
        let dispatch_group = group(gpu, SHADER.label, &dispatch, &[tile_dispatch.as_entire_binding()]);
        let constants = [("HAS_EMPTIES", f64::from(u8::from(has_empties)))];
        let pipeline = |entry: &str, groups: &[&wgpu::BindGroupLayout]| {
            compute_pipeline(gpu, SHADER.label, groups, &module, entry, &constants)
        };
        let groups = [&frame.layout, &own];
        Ok(Self {
            clear: pipeline("clear", &groups),
            blocks: pipeline("blocks", &groups),
            prepare_tiles: pipeline("prepare_tiles", &[&frame.layout, &own, &dispatch]),
            tiles: pipeline("tiles", &groups),
            own,
            large,
            tile_dispatch,
            dispatch_group,
            group: None,
        })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, levels: &HeightLevels, select: &Select, words: &wgpu::Buffer) {
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            select.draw.as_entire_binding(),
            words.as_entire_binding(),
            self.large.as_entire_binding(),
        ];
        self.group = Some(group(gpu, SHADER.label, &self.own, &resources));
    }

    /// Records clearing, the blocks of every drawn patch, and the tiles of large triangles.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        select: &Select,
        size: [u32; 2],
    ) {
        const ROW: u32 = 32_768;
        let mut pass = timing.compute(encoder, "visibility");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_pipeline(&self.clear);
        let groups = (size[0] * size[1]).div_ceil(256);
        pass.dispatch_workgroups(groups.min(ROW), groups.div_ceil(ROW), 1);
        pass.set_pipeline(&self.blocks);
        pass.dispatch_workgroups_indirect(&select.draw, Select::DISPATCH_OFFSET);
        pass.set_pipeline(&self.prepare_tiles);
        pass.set_bind_group(2, &self.dispatch_group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
        pass.set_pipeline(&self.tiles);
        pass.dispatch_workgroups_indirect(&self.tile_dispatch, 0);
    }
}
