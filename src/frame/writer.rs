//! Who fills the visibility buffer, and which of them draws a picture.

use crate::clipmap::ClipmapSettings;
use crate::error::{Error, Result};
use crate::gpu::{Gpu, RasterPath, Timing};
use crate::passes::{FrameBindings, HeightLevels, Phase, Raster, RasterRoom, Select, Targets, Visibility};

/// Who fills the visibility buffer.
pub(super) enum Writer {
    Vertex(Visibility),
    Compute(Box<Raster>),
}

impl Writer {
    /// Builds what a path needs.
    ///
    /// # Errors
    /// A shader that is not valid, or lists that the device cannot hold.
    pub(super) fn new(
        gpu: &Gpu,
        path: RasterPath,
        bindings: &FrameBindings,
        heights: &HeightLevels,
        select: &Select,
        (settings, room, holes): (ClipmapSettings, RasterRoom, bool),
    ) -> Result<Self> {
        Ok(match path {
            RasterPath::Vertex => {
                Self::Vertex(Visibility::new(gpu, bindings, heights, select, settings.patch_cells, holes)?)
            }
            RasterPath::Compute | RasterPath::Compute32 => {
                Self::Compute(Box::new(Raster::new(gpu, bindings, select, path, room, holes)?))
            }
        })
    }

    /// Binds what is read and written; again whenever the targets change.
    pub(super) fn bind(&mut self, gpu: &Gpu, heights: &HeightLevels, select: &Select, targets: &Targets) {
        if let (Self::Compute(raster), Some(words)) = (self, targets.words()) {
            raster.bind(gpu, heights, select, words);
        }
    }

    /// Records the visibility of what was selected for a phase.
    pub(super) fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        list: (&Select, Phase),
        targets: &Targets,
    ) {
        match (self, targets.words()) {
            (Self::Vertex(visibility), _) => visibility.record(encoder, timing, frame, list, targets),
            (Self::Compute(raster), Some(words)) => raster.record(encoder, timing, frame, list, words),
            (Self::Compute(_), None) => {}
        }
    }

    /// Bytes on the GPU of its own.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Vertex(_) => 0,
            Self::Compute(raster) => raster.bytes(),
        }
    }
}

/// The path for a picture: the one asked for, or the default unless a buffer cannot hold what it needs.
///
/// # Errors
/// The device cannot take the path asked for, at all or for so large a picture.
pub(super) fn path_for(
    gpu: &Gpu,
    asked: Option<RasterPath>,
    room: RasterRoom,
    size: [u32; 2],
) -> Result<RasterPath> {
    let most = Targets::most_words(gpu);
    let pixels = u64::from(size[0]) * u64::from(size[1]);
    match asked {
        None if pixels > most || !room.fits(gpu) => Ok(RasterPath::Vertex),
        Some(RasterPath::Compute | RasterPath::Compute32) if pixels > most => Err(Error::usage(
            format!("a picture of {}×{} pixels", size[0], size[1]),
            format!("at most {most} pixels by the compute path with {}", gpu.facts.name),
            "ask for a smaller one or use --raster vertex",
        )),
        asked => RasterPath::choose(gpu, asked),
    }
}
