//! The part of a level's lattice that lives on the GPU, and its toroidal address.

use super::ClipmapFrame;
use crate::source::LatticeRect;

/// Lattice indices held by a level's texture. Index i lives at texel i mod side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The indices held.
    pub rect: LatticeRect,
}

impl Window {
    /// The indices that the vertices of a level's block stand on, as far as the field has them.
    pub fn of_block(frame: &ClipmapFrame, level: u32) -> Self {
        let vertices = frame.settings.patch_cells * frame.settings.patches_across + 1;
        let first = frame.origins[level as usize].map(|cell| cell >> level);
        Self::clipped(first, vertices, lattice_size(frame.cells, level))
    }

    /// `side` indices each way about the index under `cell`, as far as the field has them. The first index is a
    /// multiple of `granule`, so that small moves of the camera change nothing.
    pub fn around(cell: [i32; 2], level: u32, side: i32, granule: i32, cells: [i32; 2]) -> Self {
        let first = cell.map(|c| ((c >> level) - side / 2).div_euclid(granule) * granule);
        Self::clipped(first, side, lattice_size(cells, level))
    }

    /// Every lattice index that the field has.
    pub fn whole(level: u32, cells: [i32; 2]) -> Self {
        Self { rect: LatticeRect { min: [0, 0], max: lattice_size(cells, level) } }
    }

    fn clipped(first: [i32; 2], side: i32, lattice: [i32; 2]) -> Self {
        let min = std::array::from_fn(|axis| first[axis].clamp(0, lattice[axis]));
        let max = std::array::from_fn(|axis| (first[axis] + side).clamp(0, lattice[axis]));
        Self { rect: LatticeRect { min, max } }
    }
}

/// Lattice indices of a level along x and z: the last stands on the field's last sample.
fn lattice_size(cells: [i32; 2], level: u32) -> [i32; 2] {
    cells.map(|count| ((count - 1) >> level) + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lattice_index_stands_on_the_last_sample() {
        assert_eq!(lattice_size([8, 9], 2), [3, 4]);
        assert_eq!(lattice_size([1, 1], 5), [2, 2]);
    }
}
