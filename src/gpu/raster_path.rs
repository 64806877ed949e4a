//! How triangles become pixels.

use super::Gpu;
use crate::error::{Error, Result};

/// How triangles become pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RasterPath {
    /// By the adapter's own pipeline; every adapter can.
    Vertex,
    /// By a compute shader in integers; needs 64-bit atomics.
    Compute,
}

impl RasterPath {
    /// The features that the compute path needs.
    pub(super) const FEATURES: wgpu::Features =
        wgpu::Features::SHADER_INT64.union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX);

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Compute => "compute",
        }
    }

    /// The paths that a device can take, the default first: the vertex path takes about the same time whatever is drawn, the compute
    /// path far less where triangles are small and far more where most are hundreds of pixels long.
    pub fn available(gpu: &Gpu) -> &'static [Self] {
        if gpu.has(Self::FEATURES) { &[Self::Vertex, Self::Compute] } else { &[Self::Vertex] }
    }

    /// The path asked for, or the default.
    ///
    /// # Errors
    /// The device cannot take the path.
    pub fn choose(gpu: &Gpu, asked: Option<Self>) -> Result<Self> {
        let available = Self::available(gpu);
        match asked {
            None => Ok(available[0]),
            Some(path) if available.contains(&path) => Ok(path),
            Some(path) => Err(Error::adapter(
                format!("{} cannot take the {} path", gpu.facts.name, path.name()),
                "64-bit integers with atomic maximum",
                "use --raster vertex or another --adapter",
            )),
        }
    }
}
