//! The compute path into the visibility buffer: triangles to pixels in integers, one 64-bit word a pixel.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{HeightLevels, Select};
use crate::error::{Error, Result};
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, ComputePipeline};

const PROJECTION: [Part; 9] = [
    part!("shared/frame.wgsl"),
    part!("shared/clipmap.wgsl"),
    part!("shared/instance.wgsl"),
    part!("shared/levels.wgsl"),
    part!("shared/patch.wgsl"),
    part!("shared/project.wgsl"),
    part!("shared/visibility_id.wgsl"),
    part!("shared/snap.wgsl"),
    part!("shared/raster.wgsl"),
];
const TARGET: Part = part!("shared/raster_target.wgsl");
const TARGET_32: Part = part!("shared/raster_target_32.wgsl");

/// The parts of a rasteriser's shader: projection, target, lists, and its own.
macro_rules! raster_shader {
    ($label:literal, $target:expr, [$($own:expr),+]) => {
        Shader {
            label: $label,
            parts: &[
                PROJECTION[0], PROJECTION[1], PROJECTION[2], PROJECTION[3], PROJECTION[4], PROJECTION[5], PROJECTION[6],
                PROJECTION[7], PROJECTION[8], $target, part!("shared/raster_lists.wgsl"), $($own),+
            ],
        }
    };
}

pub(super) const BLOCKS: Shader =
    raster_shader!("orograph.raster.blocks", TARGET, [part!("raster_blocks.wgsl")]);
pub(super) const BLOCKS_32: Shader =
    raster_shader!("orograph.raster.blocks_32", TARGET_32, [part!("raster_blocks.wgsl")]);
pub(super) const LARGE: Shader =
    raster_shader!("orograph.raster.large", TARGET, [part!("shared/clip.wgsl"), part!("raster_large.wgsl")]);
pub(super) const LARGE_32: Shader = raster_shader!(
    "orograph.raster.large_32",
    TARGET_32,
    [part!("shared/clip.wgsl"), part!("raster_large.wgsl")]
);

/// The pass.
#[derive(Debug)]
pub struct Raster {
    own: BindGroupLayout,
    clear: ComputePipeline,
    split: ComputePipeline,
    /// One run over the triangles; with 32-bit atomics a second.
    runs: Vec<Run>,
    large: Buffer,
    pieces: Buffer,
    shares: Buffer,
    dispatches: Buffer,
    split_dispatch: Buffer,
    clear_group: BindGroup,
    blocks_group: BindGroup,
    split_group: BindGroup,
    group: Option<BindGroup>,
}

/// The pipelines of a run over the triangles.
#[derive(Debug)]
struct Run {
    blocks: ComputePipeline,
    shares: ComputePipeline,
    left: ComputePipeline,
}

impl Raster {
    /// Room for shares of large triangles; triangles beyond it are drawn otherwise, slower.
    pub const SHARES: u64 = 1 << 20;
    const SHARE_BYTES: u64 = 12;
    /// Shares a piece, a triangle or one of those that clipping cut it into, for which there is room.
    const SHARES_A_PIECE: u64 = 4;
    const PIECE_BYTES: u64 = 40;
    const LARGE_BYTES: u64 = 8;
    /// Bytes of an indirect dispatch.
    const DISPATCH_BYTES: u64 = 12;

    /// Whether a device's buffers can list so many triangles.
    pub fn fits(gpu: &Gpu, triangles: u64) -> bool {
        let limits = gpu.device.limits();
        Self::list_bytes(triangles)
            <= limits.max_buffer_size.min(u64::from(limits.max_storage_buffer_binding_size))
    }

    fn list_bytes(triangles: u64) -> u64 {
        8 + triangles * Self::LARGE_BYTES
    }

    /// Builds the pass for frames of at most so many triangles, with room for so many shares of large ones.
    ///
    /// # Errors
    /// The shader is not valid, or the device's buffers cannot hold a list of the triangles.
    pub fn new(
        gpu: &Gpu,
        frame: &FrameBindings,
        path: RasterPath,
        [triangles, shares]: [u64; 2],
        has_empties: bool,
    ) -> Result<Self> {
        let large_bytes = Self::list_bytes(triangles);
        if !Self::fits(gpu, triangles) {
            return Err(Error::adapter(
                format!("{} cannot list {triangles} triangles", gpu.facts.name),
                format!("buffers of {large_bytes} bytes"),
                "use --raster vertex",
            ));
        }
        let halves = path == RasterPath::Compute32;
        let blocks = if halves { BLOCKS_32 } else { BLOCKS }.module(&gpu.device)?;
        let large = if halves { LARGE_32 } else { LARGE }.module(&gpu.device)?;
        let label = LARGE.label;
        let types = [LEVELS, READ, READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE];
        let own = layout(gpu, label, &compute_entries(&types));
        let one = layout(gpu, label, &compute_entries(&[READ_WRITE]));
        let two = layout(gpu, label, &compute_entries(&[READ_WRITE, READ_WRITE]));
        let indirect = BufferUsages::STORAGE | BufferUsages::INDIRECT;
        let buffer = |name: &str, bytes, usage| storage_like(gpu, name, bytes, usage);
        let dispatches = buffer("orograph.raster.dispatches", 2 * Self::DISPATCH_BYTES, indirect);
        let split_dispatch = buffer("orograph.raster.split_dispatch", Self::DISPATCH_BYTES, indirect);
        let (all, split) = (dispatches.as_entire_binding(), split_dispatch.as_entire_binding());
        let pipeline = |module, entry: &str, groups: &[&BindGroupLayout], constants: &[(&str, f64)]| {
            compute_pipeline(gpu, label, groups, module, entry, constants)
        };
        let pieces = (shares / Self::SHARES_A_PIECE).max(1);
        let plain = [&frame.layout, &own];
        let run = |first: bool| {
            let constants = [
                ("RASTER_FIRST", f64::from(u8::from(first))),
                ("HAS_EMPTIES", f64::from(u8::from(has_empties))),
            ];
            let (for_large, for_blocks) =
                if halves { (&constants[..1], &constants[..]) } else { (&constants[..0], &constants[1..]) };
            Run {
                blocks: pipeline(&blocks, "blocks", &[&frame.layout, &own, &one], for_blocks),
                shares: pipeline(&large, "draw_shares", &plain, for_large),
                left: pipeline(&large, "draw_left", &plain, for_large),
            }
        };
        Ok(Self {
            clear: pipeline(&large, "clear", &[&frame.layout, &own, &two], &[]),
            split: pipeline(&large, "split", &[&frame.layout, &own, &one], &[]),
            runs: if halves { vec![run(true), run(false)] } else { vec![run(true)] },
            large: buffer("orograph.raster.large", large_bytes, BufferUsages::STORAGE),
            pieces: buffer("orograph.raster.pieces", 4 + pieces * Self::PIECE_BYTES, BufferUsages::STORAGE),
            shares: buffer("orograph.raster.shares", 4 + shares * Self::SHARE_BYTES, BufferUsages::STORAGE),
            clear_group: group(gpu, label, &two, &[all.clone(), split.clone()]),
            blocks_group: group(gpu, label, &one, &[split]),
            split_group: group(gpu, label, &one, &[all]),
            own,
            dispatches,
            split_dispatch,
            group: None,
        })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, levels: &HeightLevels, select: &Select, words: &Buffer) {
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            select.draw.as_entire_binding(),
            words.as_entire_binding(),
            self.large.as_entire_binding(),
            self.pieces.as_entire_binding(),
            self.shares.as_entire_binding(),
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
        size: [u32; 2],
    ) {
        const ROW: u32 = 32_768;
        let mut pass = timing.compute(encoder, "visibility");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &self.clear_group, &[]);
        pass.set_pipeline(&self.clear);
        let groups = (size[0] * size[1]).div_ceil(256);
        pass.dispatch_workgroups(groups.min(ROW), groups.div_ceil(ROW), 1);
        for (number, run) in self.runs.iter().enumerate() {
            pass.set_pipeline(&run.blocks);
            pass.set_bind_group(2, &self.blocks_group, &[]);
            pass.dispatch_workgroups_indirect(&select.draw, Select::DISPATCH_OFFSET);
            if number == 0 {
                pass.set_pipeline(&self.split);
                pass.set_bind_group(2, &self.split_group, &[]);
                pass.dispatch_workgroups_indirect(&self.split_dispatch, 0);
            }
            for (pipeline, place) in [&run.shares, &run.left].into_iter().zip(0..) {
                pass.set_pipeline(pipeline);
                pass.dispatch_workgroups_indirect(&self.dispatches, place * Self::DISPATCH_BYTES);
            }
        }
    }
}
