//! What the compute path lists of large triangles, and how much of it there is room for.

use super::bindings::storage_like;
use crate::error::{Error, Result};
use crate::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

/// How many entries the lists have room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RasterRoom {
    /// Large triangles.
    triangles: u64,
    /// Shares of large triangles, each for a thread; at most [`RasterRoom::SHARES`].
    pub(super) shares: u64,
}

impl RasterRoom {
    /// The most shares: the workgroups of these and of as many parts as go with them fit one dimension of a dispatch.
    pub const SHARES: u64 = 1 << 20;
    const SHARES_A_PIECE: u64 = 4;
    const SHARES_A_PART: u64 = 32;
    const PIECE_BYTES: u64 = 72;
    const SHARE_BYTES: u64 = 12;

    /// Room for so many shares or [`RasterRoom::SHARES`], and for as many large triangles. Frames with more draw all the slow way.
    pub fn new(shares: u64) -> Self {
        let shares = shares.min(Self::SHARES);
        Self { triangles: shares.max(1), shares }
    }

    /// Parts of large triangles, each for a workgroup.
    pub(super) fn parts(&self) -> u64 {
        (self.shares / Self::SHARES_A_PART).max(1)
    }

    /// Triangles, or triangles that clipping cuts them into, that shares are of.
    fn pieces(&self) -> u64 {
        (self.shares / Self::SHARES_A_PIECE).max(1)
    }

    /// Shares, parts, and the large triangles that find no room among them.
    fn shares_bytes(&self) -> u64 {
        12 + (self.shares + self.parts() + self.triangles) * Self::SHARE_BYTES
    }

    /// Whether a device's buffers can hold the lists.
    pub fn fits(&self, gpu: &Gpu) -> bool {
        self.shares_bytes() <= gpu.largest_storage()
    }
}

/// The lists, as in shaders/shared/raster_lists.wgsl and shaders/raster_large.wgsl.
#[derive(Debug)]
pub(super) struct RasterLists {
    pub(super) large: Buffer,
    pub(super) pieces: Buffer,
    pub(super) shares: Buffer,
    /// The dispatch over the large triangles.
    pub(super) split_dispatch: Buffer,
    /// The dispatches over parts and shares, and over triangles that are left.
    pub(super) dispatches: Buffer,
}

impl RasterLists {
    /// Bytes on the GPU.
    pub(super) fn bytes(&self) -> u64 {
        [&self.large, &self.pieces, &self.shares].into_iter().map(Buffer::size).sum()
    }

    /// Bytes of an indirect dispatch.
    pub(super) const DISPATCH_BYTES: u64 = 12;

    /// Makes them.
    ///
    /// # Errors
    /// The device's buffers cannot hold them.
    pub(super) fn new(gpu: &Gpu, room: RasterRoom) -> Result<Self> {
        if !room.fits(gpu) {
            return Err(Error::adapter(
                format!("{} cannot list {} large triangles", gpu.facts.name, room.triangles),
                format!("buffers of {} bytes", room.shares_bytes()),
                "use --raster vertex",
            ));
        }
        let list = |name, bytes| storage_like(gpu, name, bytes, BufferUsages::STORAGE);
        let indirect =
            |name, bytes| storage_like(gpu, name, bytes, BufferUsages::STORAGE | BufferUsages::INDIRECT);
        Ok(Self {
            large: list("orograph.raster.large", 4 + room.triangles * 4),
            pieces: list("orograph.raster.pieces", 8 + room.pieces() * RasterRoom::PIECE_BYTES),
            shares: list("orograph.raster.shares", room.shares_bytes()),
            split_dispatch: indirect("orograph.raster.split_dispatch", Self::DISPATCH_BYTES),
            dispatches: indirect("orograph.raster.dispatches", 2 * Self::DISPATCH_BYTES),
        })
    }
}
