//! What a raster will need once it is drawn.

use crate::clipmap::{ClipmapSettings, levels_covering};

/// Bytes of one texel on the GPU: a height and a gradient.
const TEXEL_BYTES: u64 = 4 + 8;

/// How many clipmap levels the viewer draws a raster with.
pub fn levels(size: [u32; 2]) -> u32 {
    let cells = size.map(|samples| i32::try_from(samples.saturating_sub(1)).unwrap_or(i32::MAX));
    levels_covering(ClipmapSettings::DRAWN, cells)
}

/// Bytes of main memory at most, while a raster is opened for drawing.
///
/// A sample takes 4 as it was read, 4 in metres, 16/3 for the gradients of the coarser levels, and 1/6 in the pyramid of
/// bounds: 27/2 in all.
pub fn memory(size: [u32; 2]) -> u64 {
    (u64::from(size[0]) * u64::from(size[1])).saturating_mul(27) / 2
}

/// Bytes of GPU memory for the ground itself: each level keeps the lattice that its block's vertices stand on.
pub fn gpu_memory(size: [u32; 2]) -> u64 {
    let ClipmapSettings { patch_cells, patches_across } = ClipmapSettings::DRAWN;
    let side = u64::from((patch_cells * patches_across).unsigned_abs()) + 1;
    u64::from(levels(size)) * side * side * TEXEL_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_with_the_longer_side() {
        // One level holds 16·16/2 = 128 cells.
        assert_eq!([[2, 2], [129, 2], [2, 130], [1025, 1025]].map(levels), [1, 1, 2, 4]);
        assert_eq!(memory([1000, 1000]), 13_500_000);
        assert_eq!(gpu_memory([130, 2]), 2 * 257 * 257 * 12);
    }
}
