//! Which patches the second phase draws: those that what is drawn already does not hide.

use super::bindings::{FrameBindings, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout};
use super::parts::LISTS;
use super::{PatchBounds, Phase, Pyramid, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, Timing, part};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.recheck",
    lists: &[
        &[part!("shared/frame.wgsl"), part!("shared/instance.wgsl"), part!("shared/tiles.wgsl")],
        LISTS,
        &[part!("shared/offset.wgsl"), part!("shared/pyramid.wgsl"), part!("shared/occlusion.wgsl")],
        &[part!("recheck.wgsl")],
    ],
};

/// The pass.
#[derive(Debug)]
pub struct Recheck {
    own: wgpu::BindGroupLayout,
    recheck: wgpu::ComputePipeline,
    compact: wgpu::ComputePipeline,
    group: Option<wgpu::BindGroup>,
}

impl Recheck {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let types = [READ, READ, READ, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE, READ_WRITE];
        let own = layout(gpu, SHADER.label, &compute_entries(&types));
        let layouts = [&frame.layout, &own];
        let pipeline = |entry: &str| compute_pipeline(gpu, SHADER.label, &layouts, &module, entry, &[]);
        Ok(Self { recheck: pipeline("recheck"), compact: pipeline("compact_left"), own, group: None })
    }

    /// Binds what is read and written; again whenever the pyramid changes.
    pub fn bind(&mut self, gpu: &Gpu, bounds: &PatchBounds, select: &Select, pyramid: &Pyramid) {
        let (first, second) = (select.list(Phase::First), select.list(Phase::Second));
        let buffers = [
            &bounds.buffer,
            &select.instances,
            pyramid.depths(),
            &select.history,
            &select.sums,
            &first.draw,
            &second.tiles,
            &second.draw,
        ];
        let buffers = buffers.map(wgpu::Buffer::as_entire_binding);
        self.group = Some(group(gpu, SHADER.label, &self.own, &buffers));
    }

    /// Records the test against the pyramid and the compaction.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        select: &Select,
    ) {
        let mut pass = timing.compute(encoder, "select");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        for pipeline in [&self.recheck, &self.compact] {
            pass.set_pipeline(pipeline);
            pass.dispatch_workgroups(select.groups, 1, 1);
        }
    }
}
