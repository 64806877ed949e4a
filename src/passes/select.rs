//! Which patches are drawn: one thread a patch index, then an ordered compaction into an instance list and one indirect draw.

use super::bindings::{
    FrameBindings, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::parts::DECISIONS;
use super::{Instance, PatchBounds};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, gpu_struct, part, read_buffer};

pub(super) const SHADER: Shader =
    Shader { label: "orograph.select", lists: &[DECISIONS, &[part!("select.wgsl")]] };

gpu_struct! {
    /// How much a picture draws.
    #[derive(Eq, Default)]
    pub struct DrawCounts {
        /// Patches.
        pub patches: u32,
        /// Triangles of these.
        pub triangles: u32,
    }
}

/// The pass and the lists that it writes.
#[derive(Debug)]
pub struct Select {
    group: wgpu::BindGroup,
    measure: wgpu::ComputePipeline,
    decide: wgpu::ComputePipeline,
    compact: wgpu::ComputePipeline,
    pub(super) instances: wgpu::Buffer,
    pub(super) tiles: wgpu::Buffer,
    pub(super) draw: wgpu::Buffer,
    groups: u32,
}

impl Select {
    /// Threads of a workgroup.
    const GROUP: u32 = 256;
    /// Words of the indirect draw (vertices, tiles, then zeros), the numbers of patches and triangles, and from the eighth on the compute path's dispatch.
    const DRAW_WORDS: u64 = 12;
    /// Bytes before the numbers.
    pub const COUNTS_OFFSET: u64 = 20;
    /// Bytes before the dispatch.
    pub(super) const DISPATCH_OFFSET: u64 = 32;

    /// Drawn cells along a tile at most.
    pub(super) const TILE_CELLS: i32 = 8;

    /// Builds the pass for frames of `indices` patch indices of patches of `patch_cells` cells.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(
        gpu: &Gpu,
        frame: &FrameBindings,
        bounds: &PatchBounds,
        (indices, patch_cells): (u32, i32),
    ) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let groups = indices.div_ceil(Self::GROUP);
        let padded = u64::from(groups * Self::GROUP) * size_of::<Instance>() as u64;
        let usage = wgpu::BufferUsages::STORAGE;
        let candidates = storage_like(gpu, "orograph.select.candidates", padded, usage);
        let densities =
            storage_like(gpu, "orograph.select.densities", u64::from(groups * Self::GROUP) * 4, usage);
        let counts = storage_like(gpu, "orograph.select.counts", u64::from(groups) * 16, usage);
        let tiles_a_patch = (patch_cells as u64).div_ceil(Self::TILE_CELLS as u64).pow(2);
        let tiles = storage_like(gpu, "orograph.select.tiles", u64::from(indices) * tiles_a_patch * 4, usage);
        let instances = storage_like(gpu, "orograph.select.instances", padded, usage);
        let indirect = usage | wgpu::BufferUsages::INDIRECT;
        let draw = storage_like(gpu, "orograph.select.draw", Self::DRAW_WORDS * 4, indirect);
        let own = layout(
            gpu,
            SHADER.label,
            &compute_entries(&[READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE]),
        );
        let buffers = [&bounds.buffer, &densities, &candidates, &counts, &instances, &tiles, &draw];
        let group = group(gpu, SHADER.label, &own, &buffers.map(wgpu::Buffer::as_entire_binding));
        let layouts = [&frame.layout, &own];
        let pipeline = |entry: &str| compute_pipeline(gpu, SHADER.label, &layouts, &module, entry, &[]);
        Ok(Self {
            group,
            measure: pipeline("measure"),
            decide: pipeline("decide"),
            compact: pipeline("compact"),
            instances,
            tiles,
            draw,
            groups,
        })
    }

    /// Records the decision and the compaction.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder, timing: &Timing, frame: &FrameBindings) {
        let mut pass = timing.compute(encoder, "select");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        for pipeline in [&self.measure, &self.decide, &self.compact] {
            pass.set_pipeline(pipeline);
            pass.dispatch_workgroups(self.groups, 1, 1);
        }
    }

    /// The indirect draw, for counters: [`DrawCounts`] at [`Select::COUNTS_OFFSET`].
    pub fn draw(&self) -> &wgpu::Buffer {
        &self.draw
    }

    /// How much the last picture drew. Waits for it.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_counts(&self, gpu: &Gpu) -> Result<DrawCounts> {
        let words: Vec<u32> = read_buffer(gpu, &self.draw, Self::DRAW_WORDS as usize)?;
        let first = Self::COUNTS_OFFSET as usize / 4;
        Ok(DrawCounts { patches: words[first], triangles: words[first + 1] })
    }

    /// The instance list, for checks. Waits for it.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_instances(&self, gpu: &Gpu) -> Result<Vec<Instance>> {
        read_buffer(gpu, &self.instances, self.read_counts(gpu)?.patches as usize)
    }
}
