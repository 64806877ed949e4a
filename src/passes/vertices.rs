//! The vertices of the drawn patches, written out for checks; no part of a picture.

use super::bindings::{FrameBindings, storage_of};
use super::parts::PROJECTION;
use super::probe::Probe;
use super::{HeightLevels, Instance, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, gpu_struct, part};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.vertices",
    lists: &[PROJECTION, &[part!("shared/snap.wgsl"), part!("vertices.wgsl")]],
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

/// A patch as the GPU drew it.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPatch {
    /// Its entry in the list.
    pub instance: Instance,
    /// Row by row.
    pub vertices: Vec<VertexProbe>,
}

/// The pass.
#[derive(Debug)]
pub struct Vertices(Probe);

impl Vertices {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        Ok(Self(Probe::new(gpu, frame, SHADER)?))
    }

    /// The patches of the instance list that [`Select`] has written. `patch_cells`: as in the settings.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read(
        &self,
        gpu: &Gpu,
        frame: &FrameBindings,
        levels: &HeightLevels,
        select: &Select,
        patch_cells: i32,
    ) -> Result<Vec<DrawnPatch>> {
        let instances = select.read_instances(gpu)?;
        // The shader leaves every patch room for the most vertices that one can have.
        let room = (patch_cells as usize + 1).pow(2);
        let at_once = (gpu.largest_storage() / (room * size_of::<VertexProbe>()) as u64).max(1) as usize;
        let mut patches = Vec::with_capacity(instances.len());
        for some in instances.chunks(at_once) {
            let places: Vec<u32> = (patches.len() as u32..).take(some.len()).collect();
            let asked = storage_of(gpu, "orograph.vertices.places", &places);
            let all: Vec<VertexProbe> =
                self.0.read(gpu, frame, (levels, select, &asked), some.len() * room)?;
            patches.extend(some.iter().zip(all.chunks_exact(room)).map(|(&instance, vertices)| {
                let count = (instance.drawn_cells(patch_cells) as usize + 1).pow(2);
                DrawnPatch { instance, vertices: vertices[..count].to_vec() }
            }));
        }
        Ok(patches)
    }
}
