//! Which patches are drawn: one thread a patch index, then an ordered compaction into an instance list, and into a list of the tiles that are
//! drawn first.

use super::bindings::{
    FrameBindings, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::parts::{DECISIONS, LISTS};
use super::tile_list::{Draw, DrawCounts, Phase, TileList};
use super::{Instance, PatchBounds};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part, read_buffer};

pub(super) const SHADER: Shader =
    Shader { label: "orograph.select", lists: &[DECISIONS, LISTS, &[part!("select.wgsl")]] };

/// The pass and the lists that are drawn from.
#[derive(Debug)]
pub struct Select {
    group: wgpu::BindGroup,
    measure: wgpu::ComputePipeline,
    decide: wgpu::ComputePipeline,
    compact: wgpu::ComputePipeline,
    pub(super) instances: wgpu::Buffer,
    /// What is kept of every patch index from picture to picture.
    pub(super) history: wgpu::Buffer,
    /// Sums of each workgroup.
    pub(super) sums: wgpu::Buffer,
    /// Workgroups over every patch index, as many as over the longest list.
    pub(super) groups: u32,
    lists: [TileList; 2],
}

impl Select {
    /// Threads of a workgroup.
    const GROUP: u32 = 256;
    /// Bytes of the sums of one.
    const SUMS_BYTES: u64 = 24;
    /// Bytes before the [`DrawCounts`] in [`Select::draw`].
    pub const COUNTS_OFFSET: u64 = TileList::COUNTS_OFFSET;
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
        let padded = u64::from(groups * Self::GROUP);
        let list = |name, bytes| storage_like(gpu, name, bytes, wgpu::BufferUsages::STORAGE);
        let candidates = list("orograph.select.candidates", padded * size_of::<Instance>() as u64);
        let instances = list("orograph.select.instances", padded * size_of::<Instance>() as u64);
        let densities = list("orograph.select.densities", padded * 4);
        let history = list("orograph.select.history", padded * 4);
        let sums = list("orograph.select.sums", u64::from(groups) * Self::SUMS_BYTES);
        let tiles_a_patch = (patch_cells as u64).div_ceil(Self::TILE_CELLS as u64).pow(2);
        let lists = Phase::BOTH.map(|_| TileList::new(gpu, u64::from(indices) * tiles_a_patch));
        let types = [READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let TileList { tiles, draw } = &lists[Phase::First as usize];
        let buffers = [&bounds.buffer, &densities, &candidates, &sums, &instances, tiles, draw, &history];
        let group = group(gpu, SHADER.label, &own, &buffers.map(wgpu::Buffer::as_entire_binding));
        let layouts = [&frame.layout, &own];
        let pipeline = |entry: &str| compute_pipeline(gpu, SHADER.label, &layouts, &module, entry, &[]);
        Ok(Self {
            group,
            measure: pipeline("measure"),
            decide: pipeline("decide"),
            compact: pipeline("compact"),
            instances,
            history,
            sums,
            groups,
            lists,
        })
    }

    /// Forgets what pictures before have shown: the next one then draws everything in the second phase.
    pub fn forget(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.clear_buffer(&self.history, 0, None);
    }

    /// The tiles of a phase.
    pub(super) fn list(&self, phase: Phase) -> &TileList {
        &self.lists[phase as usize]
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

    /// The first phase's draw, for counters: [`DrawCounts`] of both at [`Select::COUNTS_OFFSET`].
    pub fn draw(&self) -> &wgpu::Buffer {
        &self.list(Phase::First).draw
    }

    /// How much the last picture drew. Waits for it.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_counts(&self, gpu: &Gpu) -> Result<DrawCounts> {
        let draws: Vec<Draw> = read_buffer(gpu, self.draw(), 1)?;
        Ok(draws.first().map_or_else(Default::default, |draw| draw.counts))
    }

    /// The instance list, for checks. Waits for it.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_instances(&self, gpu: &Gpu) -> Result<Vec<Instance>> {
        read_buffer(gpu, &self.instances, self.read_counts(gpu)?.patches as usize)
    }
}
