//! The compute path into the visibility buffer: triangles to pixels in integers, one 64-bit word a pixel.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout,
};
use super::parts::{CLIPPING, PROJECTION};
use super::raster_lists::{RasterLists, RasterRoom};
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};
use wgpu::{BindGroup, BindGroupLayout, Buffer, ComputePipeline};

/// The arithmetic, and the lists that the blocks leave to the large triangles.
const RASTER: &[Part] =
    &[part!("shared/snap.wgsl"), part!("shared/raster.wgsl"), part!("shared/raster_lists.wgsl")];
const TARGET: &[Part] = &[part!("shared/raster_target.wgsl")];
const TARGET_32: &[Part] = &[part!("shared/raster_target_32.wgsl")];
const BLOCKS_ENTRY: &[Part] = &[part!("shared/tiles.wgsl"), part!("raster_blocks.wgsl")];
const LARGE_ENTRY: &[Part] = &[part!("raster_large.wgsl")];

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
    own: BindGroupLayout,
    reset: ComputePipeline,
    split: ComputePipeline,
    /// One run over the triangles; with 32-bit atomics a second.
    runs: Vec<Run>,
    lists: RasterLists,
    reset_group: BindGroup,
    blocks_group: BindGroup,
    split_group: BindGroup,
    group: Option<BindGroup>,
}

/// The pipelines of a run over the triangles.
#[derive(Debug)]
struct Run {
    blocks: ComputePipeline,
    listed: ComputePipeline,
    left: ComputePipeline,
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
        let by_32 = path == RasterPath::Compute32;
        let blocks = if by_32 { BLOCKS_32 } else { BLOCKS }.module(&gpu.device)?;
        let large = if by_32 { LARGE_32 } else { LARGE }.module(&gpu.device)?;
        let lists = RasterLists::new(gpu, room)?;
        let label = LARGE.label;
        let types = [LEVELS, READ, READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE];
        let own = layout(gpu, label, &compute_entries(&types));
        let one = layout(gpu, label, &compute_entries(&[READ_WRITE]));
        let two = layout(gpu, label, &compute_entries(&[READ_WRITE, READ_WRITE]));
        let with_tiles = layout(gpu, label, &compute_entries(&[READ_WRITE, READ]));
        let rooms = [("SHARE_ROOM", room.shares as f64), ("PART_ROOM", room.parts() as f64)];
        let empties = ("HAS_EMPTIES", f64::from(u8::from(has_empties)));
        let pipeline = |entry: &str, third: Option<&BindGroupLayout>, first: Option<bool>| {
            let module = if entry == "blocks" { &blocks } else { &large };
            let mut constants = if entry == "blocks" { vec![empties] } else { rooms.to_vec() };
            constants
                .extend(first.filter(|_| by_32).map(|first| ("RASTER_FIRST", f64::from(u8::from(first)))));
            let groups: Vec<_> = [&frame.layout, &own].into_iter().chain(third).collect();
            compute_pipeline(gpu, label, &groups, module, entry, &constants)
        };
        let run = |first: bool| Run {
            blocks: pipeline("blocks", Some(&with_tiles), Some(first)),
            listed: pipeline("draw_listed", None, Some(first)),
            left: pipeline("draw_left", None, Some(first)),
        };
        let dispatches = lists.dispatches.as_entire_binding();
        let split_dispatch = lists.split_dispatch.as_entire_binding();
        Ok(Self {
            reset: pipeline("reset", Some(&two), None),
            split: pipeline("split", Some(&one), None),
            runs: if by_32 { vec![run(true), run(false)] } else { vec![run(true)] },
            reset_group: group(gpu, label, &two, &[dispatches.clone(), split_dispatch.clone()]),
            blocks_group: group(gpu, label, &with_tiles, &[split_dispatch, select.tiles.as_entire_binding()]),
            split_group: group(gpu, label, &one, &[dispatches]),
            own,
            lists,
            group: None,
        })
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
            select.draw.as_entire_binding(),
            words.as_entire_binding(),
            self.lists.large.as_entire_binding(),
            self.lists.pieces.as_entire_binding(),
            self.lists.shares.as_entire_binding(),
        ];
        self.group = Some(group(gpu, LARGE.label, &self.own, &resources));
    }

    /// Records clearing, then a run or two over the blocks of every drawn patch and the shares of large triangles.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        select: &Select,
        words: &Buffer,
    ) {
        timing.clear(encoder, "visibility", words);
        let mut pass = timing.compute(encoder, "visibility");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &self.reset_group, &[]);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(1, 1, 1);
        for (number, run) in self.runs.iter().enumerate() {
            pass.set_pipeline(&run.blocks);
            pass.set_bind_group(2, &self.blocks_group, &[]);
            pass.dispatch_workgroups_indirect(&select.draw, Select::DISPATCH_OFFSET);
            if number == 0 {
                pass.set_pipeline(&self.split);
                pass.set_bind_group(2, &self.split_group, &[]);
                pass.dispatch_workgroups_indirect(&self.lists.split_dispatch, 0);
            }
            for (pipeline, place) in [&run.listed, &run.left].into_iter().zip(0..) {
                pass.set_pipeline(pipeline);
                pass.dispatch_workgroups_indirect(
                    &self.lists.dispatches,
                    place * RasterLists::DISPATCH_BYTES,
                );
            }
        }
    }
}
