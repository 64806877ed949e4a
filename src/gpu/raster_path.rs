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
    /// The same with 32-bit atomics, in two runs over the triangles; needs 64-bit integers.
    Compute32,
}

impl RasterPath {
    /// The features that the compute paths need.
    pub(super) const FEATURES: wgpu::Features =
        wgpu::Features::SHADER_INT64.union(wgpu::Features::SHADER_INT64_ATOMIC_MIN_MAX);

    /// Every path, the first choice first. On an H200 the vertex path takes ten times as long as the first, four times as long as
    /// the second.
    const ALL: [Self; 3] = [Self::Compute, Self::Compute32, Self::Vertex];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vertex",
            Self::Compute => "compute",
            Self::Compute32 => "compute32",
        }
    }

    fn features(self) -> wgpu::Features {
        match self {
            Self::Vertex => wgpu::Features::empty(),
            Self::Compute => Self::FEATURES,
            Self::Compute32 => wgpu::Features::SHADER_INT64,
        }
    }

    /// What a device must have to take the path.
    fn needs(self) -> &'static str {
        match self {
            Self::Vertex => "any adapter",
            Self::Compute => "64-bit integers with atomic maximum and 8 storage buffers a stage",
            Self::Compute32 => "64-bit integers and 8 storage buffers a stage",
        }
    }

    /// Storage buffers that a stage reads or writes.
    fn storage_buffers(self) -> u32 {
        match self {
            Self::Vertex => 1,
            Self::Compute | Self::Compute32 => 8,
        }
    }

    /// The paths that a device can take, the default first.
    pub fn available(gpu: &Gpu) -> Vec<Self> {
        let buffers = gpu.device.limits().max_storage_buffers_per_shader_stage;
        let can = |path: Self| gpu.has(path.features()) && buffers >= path.storage_buffers();
        Self::ALL.into_iter().filter(|path| can(*path)).collect()
    }

    /// The two rasterisers of a device that a check compares: the vertex path and, where there is one, the better compute path.
    pub fn rasterisers(gpu: &Gpu) -> Vec<Self> {
        let available = Self::available(gpu);
        let compute = [Self::Compute, Self::Compute32].into_iter().find(|path| available.contains(path));
        [Some(Self::Vertex), compute].into_iter().flatten().collect()
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
                path.needs(),
                "use --raster vertex or another --adapter",
            )),
        }
    }
}
