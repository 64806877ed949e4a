//! The compute path into the visibility buffer: triangles to pixels in integers, one 64-bit word a pixel.

use super::bindings::{FrameBindings, group};
use super::parts::{CLIPPING, PROJECTION};
use super::raster_lists::{RasterLists, RasterRoom};
use super::raster_runs::{RasterBuilder, RasterLayouts, RasterRun};
use super::tile_list::TileList;
use super::{HeightLevels, Phase, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};
use wgpu::{BindGroup, Buffer, ComputePipeline};

/// The arithmetic, and the lists that the blocks leave to the large triangles.
const RASTER: &[Part] =
    &[part!("shared/snap.wgsl"), part!("shared/raster.wgsl"), part!("shared/raster_lists.wgsl")];
const TARGET: &[Part] = &[part!("shared/raster_target.wgsl")];
const TARGET_32: &[Part] = &[part!("shared/raster_target_32.wgsl")];
const BLOCKS_ENTRY: &[Part] =
    &[part!("shared/tiles.wgsl"), part!("shared/draw.wgsl"), part!("raster_blocks.wgsl")];
const LARGE_ENTRY: &[Part] =
    &[part!("shared/tiles.wgsl"), part!("shared/draw.wgsl"), part!("raster_large.wgsl")];

pub(super) const BLOCKS: Shader =
    Shader { label: "orograph.raster.blocks", lists: &[PROJECTION, RASTER, TARGET, BLOCKS_ENTRY] };
pub(super) const BLOCKS_32: Shader =
    Shader { label: "orograph.raster.blocks_32", lists: &[PROJECTION, RASTER, TARGET_32, BLOCKS_ENTRY] };
pub(super) const LARGE: Shader =
    Shader { label: "orograph.raster.large", lists: &[PROJECTION, RASTER, TARGET, CLIPPING, LARGE_ENTRY] };
pub(super) const LARGE_32: Shader = Shader {
    label: "orograph.raster.large_32",
    lists: &[PROJECTION, RASTER, TARGET_32, CLIPPING, LARGE_ENTRY],
};

/// The pass.
#[derive(Debug)]
pub struct Raster {
    layouts: RasterLayouts,
    reset: ComputePipeline,
    split: ComputePipeline,
    /// Those of each phase.
    runs: [Vec<RasterRun>; 2],
    lists: RasterLists,
    reset_group: BindGroup,
    /// The tiles of each phase.
    tiles: [BindGroup; 2],
    split_group: BindGroup,
    group: Option<BindGroup>,
}

impl Raster {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid, or the device's buffers cannot hold the lists.
    pub fn new(
        gpu: &Gpu,
        frame: &FrameBindings,
        select: &Select,
        path: RasterPath,
        room: RasterRoom,
        has_empties: bool,
    ) -> Result<Self> {
        let lists = RasterLists::new(gpu, room)?;
        let layouts = RasterLayouts::new(gpu);
        let build = RasterBuilder::new(gpu, frame, &layouts, path, (room, has_empties))?;
        let (reset, split) =
            (build.large("reset", Some(&layouts.two), &[]), build.large("split", Some(&layouts.one), &[]));
        let runs = build.runs();
        let group = |layout, buffers: &[&Buffer]| {
            let bindings: Vec<_> = buffers.iter().map(|buffer| buffer.as_entire_binding()).collect();
            group(gpu, LARGE.label, layout, &bindings)
        };
        let tiles = Phase::BOTH.map(|phase| {
            let TileList { tiles, draw } = select.list(phase);
            group(&layouts.tiles, &[&lists.split_dispatch, tiles, draw])
        });
        let reset_group = group(&layouts.two, &[&lists.dispatches, &lists.split_dispatch]);
        let split_group = group(&layouts.one, &[&lists.dispatches]);
        Ok(Self { reset, split, runs, reset_group, tiles, split_group, layouts, lists, group: None })
    }

    /// Bytes of the lists on the GPU.
    pub fn bytes(&self) -> u64 {
        self.lists.bytes()
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, levels: &HeightLevels, select: &Select, words: &Buffer) {
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            words.as_entire_binding(),
            self.lists.large.as_entire_binding(),
            self.lists.pieces.as_entire_binding(),
            self.lists.shares.as_entire_binding(),
        ];
        self.group = Some(group(gpu, LARGE.label, &self.layouts.own, &resources));
    }

    /// Records a run or two over the blocks of every patch of a phase and the shares of large triangles, the first over a clear picture.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        (select, phase): (&Select, Phase),
        words: &Buffer,
    ) {
        if phase == Phase::First {
            timing.clear(encoder, "visibility", words);
        }
        let mut pass = timing.compute(encoder, "visibility");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &self.reset_group, &[]);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(1, 1, 1);
        for (number, run) in self.runs[phase as usize].iter().enumerate() {
            pass.set_pipeline(&run.blocks);
            pass.set_bind_group(2, &self.tiles[phase as usize], &[]);
            pass.dispatch_workgroups_indirect(&select.list(phase).draw, TileList::DISPATCH_OFFSET);
            if number == 0 {
                pass.set_pipeline(&self.split);
                pass.set_bind_group(2, &self.split_group, &[]);
                pass.dispatch_workgroups_indirect(&self.lists.split_dispatch, 0);
            }
            pass.set_pipeline(&run.listed);
            pass.dispatch_workgroups_indirect(&self.lists.dispatches, 0);
            pass.set_pipeline(&run.left);
            pass.set_bind_group(2, &self.tiles[phase as usize], &[]);
            pass.dispatch_workgroups_indirect(&self.lists.dispatches, RasterLists::DISPATCH_BYTES);
        }
    }
}
