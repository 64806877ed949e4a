//! The compute path into the visibility buffer: triangles to pixels in integers, one 64-bit word a pixel.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout,
};
use super::parts::{CLIPPING, PROJECTION};
use super::raster_lists::{RasterLists, RasterRoom};
use super::tile_list::TileList;
use super::{HeightLevels, Phase, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};
use wgpu::{BindGroup, BindGroupLayout, Buffer, ComputePipeline};

/// The arithmetic, and the lists that the blocks leave to the large triangles.
const RASTER: &[Part] =
    &[part!("shared/snap.wgsl"), part!("shared/raster.wgsl"), part!("shared/raster_lists.wgsl")];
const TARGET: &[Part] = &[part!("shared/raster_target.wgsl")];
const TARGET_32: &[Part] = &[part!("shared/raster_target_32.wgsl")];
const BLOCKS_ENTRY: &[Part] =
    &[part!("shared/tiles.wgsl"), part!("shared/draw.wgsl"), part!("raster_blocks.wgsl")];
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
    /// Those of the first phase: one over the triangles; with 32-bit atomics a second.
    first_runs: Vec<Run>,
    /// Those of the second.
    second_runs: Vec<Run>,
    lists: RasterLists,
    reset_group: BindGroup,
    first_tiles: BindGroup,
    second_tiles: BindGroup,
    split_group: BindGroup,
    group: Option<BindGroup>,
}

/// The pipelines of a run over the triangles.
#[derive(Debug, Clone)]
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
        let types = [LEVELS, READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE];
        let own = layout(gpu, label, &compute_entries(&types));
        let one = layout(gpu, label, &compute_entries(&[READ_WRITE]));
        let two = layout(gpu, label, &compute_entries(&[READ_WRITE, READ_WRITE]));
        let with_tiles = layout(gpu, label, &compute_entries(&[READ_WRITE, READ, READ]));
        let rooms = [("SHARE_ROOM", room.shares as f64), ("PART_ROOM", room.parts() as f64)];
        let flag = |set: bool| f64::from(u8::from(set));
        let pipeline = |entry: &str, third: Option<&BindGroupLayout>, run: &[(&'static str, bool)]| {
            let module = if entry == "blocks" { &blocks } else { &large };
            let empties = ("HAS_EMPTIES", flag(has_empties));
            let mut constants = if entry == "blocks" { vec![empties] } else { rooms.to_vec() };
            constants.extend(run.iter().map(|(name, set)| (*name, flag(*set))));
            let groups: Vec<_> = [&frame.layout, &own].into_iter().chain(third).collect();
            compute_pipeline(gpu, label, &groups, module, entry, &constants)
        };
        let run = |constants: &[(&'static str, bool)]| Run {
            blocks: pipeline("blocks", Some(&with_tiles), constants),
            listed: pipeline("draw_listed", None, constants),
            left: pipeline("draw_left", None, constants),
        };
        let (first_runs, second_runs) = if by_32 {
            let ids = run(&[("RASTER_FIRST", false)]);
            (vec![run(&[]), ids.clone()], vec![run(&[("RASTER_OVER", true)]), ids])
        } else {
            let only = run(&[]);
            (vec![only.clone()], vec![only])
        };
        let dispatches = lists.dispatches.as_entire_binding();
        let split_dispatch = lists.split_dispatch.as_entire_binding();
        let tiles = |phase| {
            let TileList { tiles, draw } = select.list(phase);
            let list = [tiles, draw].map(Buffer::as_entire_binding);
            group(gpu, label, &with_tiles, &[&[split_dispatch.clone()][..], &list].concat())
        };
        Ok(Self {
            reset: pipeline("reset", Some(&two), &[]),
            split: pipeline("split", Some(&one), &[]),
            first_runs,
            second_runs,
            first_tiles: tiles(Phase::First),
            second_tiles: tiles(Phase::Second),
            reset_group: group(gpu, label, &two, &[dispatches.clone(), split_dispatch.clone()]),
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
            words.as_entire_binding(),
            self.lists.large.as_entire_binding(),
            self.lists.pieces.as_entire_binding(),
            self.lists.shares.as_entire_binding(),
        ];
        self.group = Some(group(gpu, LARGE.label, &self.own, &resources));
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
        let (runs, tiles) = match phase {
            Phase::First => (&self.first_runs, &self.first_tiles),
            Phase::Second => (&self.second_runs, &self.second_tiles),
        };
        if phase == Phase::First {
            timing.clear(encoder, "visibility", words);
        }
        let mut pass = timing.compute(encoder, "visibility");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &self.reset_group, &[]);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(1, 1, 1);
        for (number, run) in runs.iter().enumerate() {
            pass.set_pipeline(&run.blocks);
            pass.set_bind_group(2, tiles, &[]);
            pass.dispatch_workgroups_indirect(&select.list(phase).draw, TileList::DISPATCH_OFFSET);
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
