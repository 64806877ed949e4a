//! A drawn patch as it stands in the instance list.

use crate::gpu::gpu_struct;

gpu_struct! {
    /// A drawn patch, as in shaders/shared/instance.wgsl.
    #[derive(Eq)]
    pub struct Instance {
        /// Index in the frame.
        pub index: u32,
        /// First cell along x.
        pub x: i32,
        /// First cell along z.
        pub z: i32,
        /// Five bits each: level, then the level of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
        pub levels: u32,
        /// Three bits each: thinning, then for each half of each side how many levels coarser than the patch's own its lattice is.
        pub density: u32,
        /// How far the patch has faded toward the next coarser lattice.
        pub fade: u32,
        /// Eight bits for each half of each side: how far that has.
        pub fades: [u32; 2],
    }
}

impl Instance {
    /// The level of the patch.
    pub fn level(&self) -> u32 {
        self.levels & 31
    }

    /// The level of the neighbour on −x, +x, −z, +z, 0 … 3, where it is coarser.
    pub fn coarser_neighbour(&self, side: usize) -> Option<u32> {
        Some(self.levels >> (5 * (side + 1)) & 31).filter(|level| *level != 0)
    }

    /// Every 2^thinning-th line of the level's lattice is drawn.
    pub fn thinning(&self) -> u32 {
        self.density & 7
    }

    /// The level whose lattice half a side stands on.
    pub fn side_lattice(&self, side: usize, half: usize) -> u32 {
        self.level() + (self.density >> (3 * (2 * side + half + 1)) & 7)
    }

    /// How far half a side has faded.
    pub fn side_fade(&self, side: usize, half: usize) -> u32 {
        let half = 2 * side + half;
        self.fades[half / 4] >> (8 * (half % 4)) & 255
    }

    /// Drawn cells along the patch.
    pub fn drawn_cells(&self, patch_cells: i32) -> i32 {
        patch_cells >> self.thinning()
    }

    /// Triangles of the patch.
    pub fn triangles(&self, patch_cells: i32) -> u64 {
        2 * (self.drawn_cells(patch_cells) as u64).pow(2)
    }
}
