//! What a raster will need once it is drawn.

use crate::camera::{Camera, pixel_angle};
use crate::clipmap::{ClipmapSettings, Detail, Extents};

/// The picture that is reckoned with, pixels.
const SIZE: [u32; 2] = [1920, 1080];

/// How many clipmap levels the viewer draws a raster with.
pub fn levels(size: [u32; 2]) -> u32 {
    extents(size).levels
}

/// Bytes of main memory at most, while a raster is opened for drawing.
///
/// A sample takes 4 as it was read, 4 in metres, 16/3 for the gradients of the coarser levels, and 1/6 in the pyramid of
/// bounds: 27/2 in all.
pub fn memory(size: [u32; 2]) -> u64 {
    (u64::from(size[0]) * u64::from(size[1])).saturating_mul(27) / 2
}

/// Bytes of GPU memory for the ground itself: the heights and gradients of its levels.
pub fn gpu_memory(size: [u32; 2]) -> u64 {
    extents(size).texture_bytes()
}

fn extents(size: [u32; 2]) -> Extents {
    let cells = size.map(|samples| i32::try_from(samples.saturating_sub(1)).unwrap_or(i32::MAX).max(1));
    let pixel_angle = pixel_angle(Camera::FOV_Y, SIZE);
    Extents::new(ClipmapSettings::for_picture(pixel_angle, Detail::DRAWN.triangle_pixels), cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_grow_with_the_longer_side() {
        // One level holds 16·64/2 = 512 cells.
        assert_eq!([[2, 2], [513, 2], [2, 514], [4097, 4097]].map(levels), [1, 1, 2, 4]);
        assert_eq!(memory([1000, 1000]), 13_500_000);
        // Two levels of 520² heights, one of 520² gradients.
        assert_eq!(gpu_memory([514, 2]), 2 * 520 * 520 * 4 + 520 * 520 * 8);
    }
}
