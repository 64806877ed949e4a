//! The outlines of triangles that have to be clipped, written out for checks; no part of a picture.

use super::bindings::{
    FrameBindings, LEVELS, READ, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, gpu_struct, part, read_buffer};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.polygons",
    parts: &[
        part!("shared/frame.wgsl"),
        part!("shared/clipmap.wgsl"),
        part!("shared/instance.wgsl"),
        part!("shared/levels.wgsl"),
        part!("shared/patch.wgsl"),
        part!("shared/project.wgsl"),
        part!("shared/visibility_id.wgsl"),
        part!("shared/snap.wgsl"),
        part!("shared/clip.wgsl"),
        part!("shared/polygon.wgsl"),
        part!("polygons.wgsl"),
    ],
};

gpu_struct! {
    /// The outline of one triangle, as in shaders/polygons.wgsl.
    pub struct PolygonProbe {
        /// Corners; 0 where the triangle lies outside the picture.
        pub count: u32,
        /// x and y in 1/256 pixel and the bits of near/w, a corner after the other.
        pub corners: [i32; 27],
    }
}

/// The pass.
#[derive(Debug)]
pub struct Polygons {
    own: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl Polygons {
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

    /// The outlines of triangles of the instance list that [`Select`] has written, in the order of their ids here.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read(
        &self,
        gpu: &Gpu,
        frame: &FrameBindings,
        levels: &HeightLevels,
        select: &Select,
        ids: &[u32],
    ) -> Result<Vec<PolygonProbe>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let storage = wgpu::BufferUsages::STORAGE;
        let asked = storage_like(gpu, "orograph.polygons.ids", size_of_val(ids) as u64, storage);
        gpu.queue.write_buffer(&asked, 0, bytemuck::cast_slice(ids));
        let bytes = (ids.len() * size_of::<PolygonProbe>()) as u64;
        let out = storage_like(gpu, "orograph.polygons.out", bytes, storage);
        let resources = [
            wgpu::BindingResource::TextureView(&levels.view),
            select.instances.as_entire_binding(),
            asked.as_entire_binding(),
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
        read_buffer(gpu, &out, ids.len())
    }
}
