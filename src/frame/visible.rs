//! What a picture sees: from the selection to the visibility buffer, in one phase or two.

use super::writer::Writer;
use crate::clipmap::{ClipmapSettings, Culling};
use crate::error::Result;
use crate::gpu::{Gpu, RasterPath, Timing};
use crate::passes::{
    FrameBindings, HeightLevels, PatchBounds, Phase, Pyramid, RasterRoom, Recheck, Seen, Select, Targets,
};

/// The passes up to the visibility buffer.
pub(super) struct Visible {
    pub(super) select: Select,
    pub(super) seen: Seen,
    writer: Writer,
    pyramid: Pyramid,
    recheck: Recheck,
    /// Whether what pictures before have shown is to be forgotten before the next.
    forgets: bool,
}

/// What these passes read of a field.
pub(super) struct Ground {
    pub(super) bindings: FrameBindings,
    pub(super) heights: HeightLevels,
    pub(super) bounds: PatchBounds,
    pub(super) settings: ClipmapSettings,
    pub(super) room: RasterRoom,
    pub(super) has_empties: bool,
}

impl Visible {
    /// Builds the passes for frames of `indices` patch indices.
    ///
    /// # Errors
    /// A shader that is not valid, or lists that the device cannot hold.
    pub(super) fn new(gpu: &Gpu, path: RasterPath, ground: &Ground, indices: u32) -> Result<Self> {
        let patches = (indices, ground.settings.patch_cells);
        let select = Select::new(gpu, &ground.bindings, &ground.bounds, patches)?;
        let (writer, seen, pyramid) = by_path(gpu, path, ground, &select)?;
        let recheck = Recheck::new(gpu, &ground.bindings)?;
        Ok(Self { select, seen, writer, pyramid, recheck, forgets: false })
    }

    /// Draws by another path from now on.
    ///
    /// # Errors
    /// As [`Visible::new`].
    pub(super) fn take_path(&mut self, gpu: &Gpu, path: RasterPath, ground: &Ground) -> Result<()> {
        (self.writer, self.seen, self.pyramid) = by_path(gpu, path, ground, &self.select)?;
        Ok(())
    }

    /// Binds what is read and written; again whenever the targets change. What was seen in others is forgotten.
    pub(super) fn bind(&mut self, gpu: &Gpu, ground: &Ground, targets: &Targets) {
        self.seen.bind(gpu, targets);
        self.writer.bind(gpu, &ground.heights, &self.select, targets);
        self.pyramid.bind(gpu, targets);
        self.recheck.bind(gpu, &ground.bounds, &self.select, &self.pyramid);
        self.forget();
    }

    /// Draws the next picture as if none had been drawn before.
    pub(super) fn forget(&mut self) {
        self.forgets = true;
    }

    /// Records everything up to the visibility buffer.
    pub(super) fn record(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        targets: &Targets,
        culling: Culling,
    ) {
        if std::mem::take(&mut self.forgets) {
            self.select.forget(encoder);
        }
        let select = &self.select;
        select.record(encoder, timing, frame);
        self.writer.record(encoder, timing, frame, (select, Phase::First), targets);
        if culling == Culling::Occlusion {
            self.pyramid.record(encoder, timing, frame, &self.seen);
            self.recheck.record(encoder, timing, frame, select);
            self.writer.record(encoder, timing, frame, (select, Phase::Second), targets);
        }
    }

    /// Bytes of the lists on the GPU.
    pub(super) fn bytes(&self) -> u64 {
        self.writer.bytes()
    }
}

/// What depends on how triangles become pixels.
fn by_path(gpu: &Gpu, path: RasterPath, ground: &Ground, select: &Select) -> Result<(Writer, Seen, Pyramid)> {
    let sizes = (ground.settings, ground.room, ground.has_empties);
    let writer = Writer::new(gpu, path, &ground.bindings, &ground.heights, select, sizes)?;
    let seen = Seen::new(gpu, path);
    let pyramid = Pyramid::new(gpu, &ground.bindings, &seen)?;
    Ok((writer, seen, pyramid))
}
