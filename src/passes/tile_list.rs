//! A list of tiles and the indirect draw over them, as in shaders/shared/draw.wgsl.

use super::bindings::storage_like;
use crate::gpu::{Gpu, gpu_struct};
use std::mem::offset_of;
use wgpu::{Buffer, BufferUsages};

/// When a patch is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// All that is drawn, or where patches are left out for what hides them, what was seen in the picture before.
    First,
    /// What else that does not hide.
    Second,
}

impl Phase {
    /// Both in their order, which is also that of what there is one of for each.
    pub(super) const BOTH: [Self; 2] = [Self::First, Self::Second];
}

gpu_struct! {
    /// How much a picture draws.
    #[derive(Eq, Default)]
    pub struct DrawCounts {
        /// Patches in view.
        pub patches: u32,
        /// Triangles of these.
        pub triangles: u32,
        /// Patches that are not left out for what hides them.
        pub drawn_patches: u32,
        /// Triangles of these.
        pub drawn_triangles: u32,
    }
}

gpu_struct! {
    /// An indirect draw, then its dispatch by the compute path.
    #[allow(missing_docs, reason = "told in the shader")]
    #[derive(Eq)]
    pub struct Draw {
        pub vertices: u32,
        pub tiles: u32,
        pub starts: [u32; 3],
        pub counts: DrawCounts,
        pub dispatch: [u32; 3],
    }
}

/// The list of one phase.
#[derive(Debug)]
pub(super) struct TileList {
    pub(super) tiles: Buffer,
    pub(super) draw: Buffer,
}

impl TileList {
    /// Bytes before the counts.
    pub(super) const COUNTS_OFFSET: u64 = offset_of!(Draw, counts) as u64;
    /// Bytes before the dispatch.
    pub(super) const DISPATCH_OFFSET: u64 = offset_of!(Draw, dispatch) as u64;

    /// Makes room for so many tiles.
    pub(super) fn new(gpu: &Gpu, tiles: u64) -> Self {
        let indirect = BufferUsages::STORAGE | BufferUsages::INDIRECT;
        Self {
            tiles: storage_like(gpu, "orograph.select.tiles", tiles * 4, BufferUsages::STORAGE),
            draw: storage_like(gpu, "orograph.select.draw", size_of::<Draw>() as u64, indirect),
        }
    }
}
