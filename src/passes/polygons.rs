//! The outlines of triangles that have to be clipped, written out for checks; no part of a picture.

use super::bindings::{FrameBindings, storage_of};
use super::parts::{CLIPPING, PROJECTION};
use super::probe::Probe;
use super::{HeightLevels, Select};
use crate::error::Result;
use crate::gpu::{Gpu, Shader, gpu_struct, part};

pub(super) const SHADER: Shader = Shader {
    label: "orograph.polygons",
    lists: &[PROJECTION, &[part!("shared/snap.wgsl")], CLIPPING, &[part!("polygons.wgsl")]],
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
pub struct Polygons(Probe);

impl Polygons {
    /// Builds the pass.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings) -> Result<Self> {
        Ok(Self(Probe::new(gpu, frame, SHADER)?))
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
        let asked = storage_of(gpu, "orograph.polygons.ids", ids);
        self.0.read(gpu, frame, (levels, select, &asked), ids.len())
    }
}
