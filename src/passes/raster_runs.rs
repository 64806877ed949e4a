//! The pipelines of the compute path.

use super::bindings::{LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, layout};
use super::raster::{BLOCKS, BLOCKS_32, LARGE, LARGE_32};
use super::{FrameBindings, RasterRoom};
use crate::error::Result;
use crate::gpu::{Gpu, RasterPath};
use wgpu::{BindGroupLayout, ComputePipeline, ShaderModule};

/// The layouts of the path's bind groups.
#[derive(Debug)]
pub(super) struct RasterLayouts {
    /// Bind group 1.
    pub(super) own: BindGroupLayout,
    /// Bind group 2 of the blocks, and of triangles that are left.
    pub(super) tiles: BindGroupLayout,
    /// Bind group 2 where one buffer is written.
    pub(super) one: BindGroupLayout,
    /// Bind group 2 where two are.
    pub(super) two: BindGroupLayout,
}

impl RasterLayouts {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let layout = |types: &[_]| layout(gpu, LARGE.label, &compute_entries(types));
        Self {
            own: layout(&[LEVELS, READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE]),
            tiles: layout(&[READ_WRITE, READ, READ]),
            one: layout(&[READ_WRITE]),
            two: layout(&[READ_WRITE, READ_WRITE]),
        }
    }
}

/// The pipelines of a run over the triangles.
#[derive(Debug, Clone)]
pub(super) struct RasterRun {
    pub(super) blocks: ComputePipeline,
    pub(super) listed: ComputePipeline,
    pub(super) left: ComputePipeline,
}

/// What pipelines are built from.
pub(super) struct RasterBuilder<'a> {
    gpu: &'a Gpu,
    frame: &'a FrameBindings,
    layouts: &'a RasterLayouts,
    by_32: bool,
    blocks: ShaderModule,
    large: ShaderModule,
    empties: (&'static str, f64),
    rooms: [(&'static str, f64); 2],
}

impl<'a> RasterBuilder<'a> {
    /// # Errors
    /// A shader that is not valid.
    pub(super) fn new(
        gpu: &'a Gpu,
        frame: &'a FrameBindings,
        layouts: &'a RasterLayouts,
        path: RasterPath,
        (room, has_empties): (RasterRoom, bool),
    ) -> Result<Self> {
        let by_32 = path == RasterPath::Compute32;
        Ok(Self {
            gpu,
            frame,
            layouts,
            by_32,
            blocks: if by_32 { BLOCKS_32 } else { BLOCKS }.module(&gpu.device)?,
            large: if by_32 { LARGE_32 } else { LARGE }.module(&gpu.device)?,
            empties: flag("HAS_EMPTIES", has_empties),
            rooms: [("SHARE_ROOM", room.shares as f64), ("PART_ROOM", room.parts() as f64)],
        })
    }

    /// A pipeline over the large triangles. `third`: the layout of bind group 2.
    pub(super) fn large(
        &self,
        entry: &str,
        third: Option<&BindGroupLayout>,
        run: &[(&'static str, f64)],
    ) -> ComputePipeline {
        self.pipeline(&self.large, entry, third, &[&self.rooms, run].concat())
    }

    /// The runs of each phase: one, with 32-bit atomics two, of which the first of the second phase finds ids of the first.
    pub(super) fn runs(&self) -> [Vec<RasterRun>; 2] {
        if !self.by_32 {
            let only = self.run(&[]);
            return [vec![only.clone()], vec![only]];
        }
        let ids = self.run(&[flag("RASTER_FIRST", false)]);
        [vec![self.run(&[]), ids.clone()], vec![self.run(&[flag("RASTER_OVER", true)]), ids]]
    }

    fn run(&self, constants: &[(&'static str, f64)]) -> RasterRun {
        let all = [&[self.empties], constants].concat();
        RasterRun {
            blocks: self.pipeline(&self.blocks, "blocks", Some(&self.layouts.tiles), &all),
            listed: self.large("draw_listed", None, constants),
            left: self.large("draw_left", Some(&self.layouts.tiles), constants),
        }
    }

    fn pipeline(
        &self,
        module: &ShaderModule,
        entry: &str,
        third: Option<&BindGroupLayout>,
        constants: &[(&str, f64)],
    ) -> ComputePipeline {
        let groups: Vec<_> = [&self.frame.layout, &self.layouts.own].into_iter().chain(third).collect();
        compute_pipeline(self.gpu, LARGE.label, &groups, module, entry, constants)
    }
}

fn flag(name: &'static str, set: bool) -> (&'static str, f64) {
    (name, f64::from(u8::from(set)))
}
