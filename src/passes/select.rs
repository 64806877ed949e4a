//! Which patches are drawn: one thread a patch index, then an ordered compaction into an instance list and one indirect draw.

use super::PatchBounds;
use super::bindings::{
    FrameBindings, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, gpu_struct, part};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.select",
    lists: &[&[
        part!("shared/frame.wgsl"),
        part!("shared/clipmap.wgsl"),
        part!("shared/instance.wgsl"),
        part!("select.wgsl"),
    ]],
};

gpu_struct! {
    /// A drawn patch, as in shaders/shared/instance.wgsl.
    #[derive(Eq)]
    pub struct Instance {
        /// Index in the frame.
        pub index: u32,
        /// First cell along x.
        pub x: i32,
        /// First cell along z.
        pub z: i32,
        /// Five bits each: level, then the level of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
        pub levels: u32,
    }
}

/// The pass and the lists that it writes.
#[derive(Debug)]
pub struct Select {
    group: wgpu::BindGroup,
    decide: wgpu::ComputePipeline,
    compact: wgpu::ComputePipeline,
    pub(super) instances: wgpu::Buffer,
    pub(super) draw: wgpu::Buffer,
    groups: u32,
}

impl Select {
    /// Threads of a workgroup.
    const GROUP: u32 = 256;
    /// Words of the indirect draw (vertices, instances, then zeros), and from the eighth on of the compute path's dispatch.
    const DRAW_WORDS: u64 = 12;
    /// Bytes before the dispatch.
    pub(super) const DISPATCH_OFFSET: u64 = 32;

    /// Builds the pass for frames of `indices` patch indices.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings, bounds: &PatchBounds, indices: u32) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let groups = indices.div_ceil(Self::GROUP);
        let padded = u64::from(groups * Self::GROUP) * size_of::<Instance>() as u64;
        let usage = wgpu::BufferUsages::STORAGE;
        let candidates = storage_like(gpu, "orograph.select.candidates", padded, usage);
        let counts = storage_like(gpu, "orograph.select.counts", u64::from(groups) * 4, usage);
        let instances = storage_like(gpu, "orograph.select.instances", padded, usage);
        let indirect = usage | wgpu::BufferUsages::INDIRECT;
        let draw = storage_like(gpu, "orograph.select.draw", Self::DRAW_WORDS * 4, indirect);
        let own = layout(
            gpu,
            SHADER.label,
            &compute_entries(&[READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE]),
        );
        let buffers = [&bounds.buffer, &candidates, &counts, &instances, &draw];
        let group = group(gpu, SHADER.label, &own, &buffers.map(wgpu::Buffer::as_entire_binding));
        let layouts = [&frame.layout, &own];
        let pipeline = |entry: &str| compute_pipeline(gpu, SHADER.label, &layouts, &module, entry, &[]);
        Ok(Self { group, decide: pipeline("decide"), compact: pipeline("compact"), instances, draw, groups })
    }

    /// Records the decision and the compaction.
    pub fn record(&self, encoder: &mut wgpu::CommandEncoder, timing: &Timing, frame: &FrameBindings) {
        let mut pass = timing.compute(encoder, "select");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_pipeline(&self.decide);
        pass.dispatch_workgroups(self.groups, 1, 1);
        pass.set_pipeline(&self.compact);
        pass.dispatch_workgroups(self.groups, 1, 1);
    }

    /// The instance list, for checks.
    pub fn instances(&self) -> &wgpu::Buffer {
        &self.instances
    }

    /// The indirect draw, for checks and counters: word 1 is the number of instances.
    pub fn draw(&self) -> &wgpu::Buffer {
        &self.draw
    }
}
