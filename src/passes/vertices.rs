//! The vertices of the drawn patches, written out for checks; no part of a picture.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, gpu_struct, part, read_buffer};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.vertices",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/clipmap.wgsl"),
        part!("shared/instance.wgsl"),
        part!("shared/levels.wgsl"),
        part!("shared/patch.wgsl"),
        part!("shared/project.wgsl"),
        part!("shared/snap.wgsl"),
        part!("vertices.wgsl"),
    ],
};

gpu_struct! {
    /// One vertex, as in shaders/vertices.wgsl.
    pub struct VertexProbe {
        /// The field's sample along x.
        pub x: i32,
        /// The field's sample along z.
        pub z: i32,
        /// The level that the height was read from.
        pub level: u32,
        /// The bits of the height.
        pub height_bits: u32,
        /// Clip coordinates.
        pub clip: [f32; 4],
        /// Place in the picture as the compute path snaps it, 1/256 pixel.
        pub snapped: [i32; 2],
        /// The bits of near/w.
        pub depth_bits: u32,
        /// Whether the vertex needs no clipping.
        pub sound: u32,
    }
}

/// The pass.
#[derive(Debug)]
pub struct Vertices {
    own: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl Vertices {
    const GROUPS: u32 = 1024;

    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        let module = SHADER.module(&gpu.device)?;
        let own = layout(gpu, SHADER.label, &compute_entries(&[LEVELS, READ, READ, READ_WRITE]));
        let pipeline = compute_pipeline(gpu, SHADER.label, &[&frame.layout, &own], &module, "main", &[]);
        Ok(Self { own, pipeline })
    }

    /// The first `count` vertices of the instance list that [`Select`] has written, row by row of each patch.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read(
        &self,
        gpu: &Gpu,
        frame: &FrameBindings,
        levels: &HeightLevels,
        select: &Select,
        count: usize,
    ) -> Result<Vec<VertexProbe>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let bytes = (count * size_of::<VertexProbe>()) as u64;
        let out = storage_like(gpu, "orograph.vertices.out", bytes, wgpu::BufferUsages::STORAGE);
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            select.draw.as_entire_binding(),
            out.as_entire_binding(),
        ];
        let group = group(gpu, SHADER.label, &self.own, &resources);
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &frame.group, &[]);
            pass.set_bind_group(1, &group, &[]);
            pass.dispatch_workgroups(Self::GROUPS, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        read_buffer(gpu, &out, count)
    }
}
