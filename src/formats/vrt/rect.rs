//! Parts of rasters, and where a part of one lies in another.

use crate::formats::mosaic::grid::Grid;

/// A rectangle in columns and rows of pixels; whole numbers are their borders.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub start: [f64; 2],
    pub size: [f64; 2],
}

/// The whole pixels that a rectangle touches: the first, and how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub first: [u32; 2],
    pub size: [u32; 2],
}

impl Rect {
    /// All of a raster.
    pub fn whole(size: [u32; 2]) -> Self {
        Self { start: [0.0; 2], size: size.map(f64::from) }
    }

    /// The pixels that it touches, from the raster's first on.
    pub fn window(&self) -> Window {
        let first = self.start.map(|start| start.floor() as u32);
        let size = [0, 1].map(|axis| {
            let end = (self.start[axis] + self.size[axis]).ceil() as u32;
            end.saturating_sub(first[axis]).max(1)
        });
        Window { first, size }
    }

    /// Where the pixels of a window of this rectangle lie, once it is laid over another one. `None` where numbers fail.
    pub fn laid_over(&self, other: &Self, window: &Window) -> Option<Grid> {
        let step = [0, 1].map(|axis| other.size[axis] / self.size[axis]);
        let [x, y] = [0, 1]
            .map(|axis| other.start[axis] + (f64::from(window.first[axis]) - self.start[axis]) * step[axis]);
        Grid::new([x, step[0], 0.0, y, 0.0, step[1]], window.size)
    }
}

impl Window {
    /// Its samples among those of a raster, as far as there are any.
    pub fn cut(&self, heights: &[f32], raster: [u32; 2]) -> ([u32; 2], Vec<f32>) {
        let size = [0, 1].map(|axis| raster[axis].saturating_sub(self.first[axis]).min(self.size[axis]));
        let [left, top] = self.first.map(|line| line as usize);
        let rows = heights.chunks_exact(raster[0] as usize).skip(top).take(size[1] as usize);
        let samples = rows.flat_map(|row| row.iter().skip(left).take(size[0] as usize)).copied().collect();
        (size, samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_laid_over_another() {
        let part = Rect { start: [2.0, 1.0], size: [4.0, 2.0] };
        let window = part.window();
        assert_eq!(window, Window { first: [2, 1], size: [4, 2] });
        let grid = part.laid_over(&Rect { start: [10.0, 20.0], size: [8.0, 8.0] }, &window).expect("regular");
        assert_eq!((grid.geotransform, grid.size), ([10.0, 2.0, 0.0, 20.0, 0.0, 4.0], [4, 2]));
        let split = Rect { start: [0.5, -3.0], size: [1.0, 4.5] };
        assert_eq!(split.window(), Window { first: [0, 0], size: [2, 2] });
    }

    #[test]
    fn a_window_is_cut_as_far_as_the_raster_goes() {
        let heights: Vec<f32> = (0..12_u8).map(f32::from).collect();
        let cut = |first, size| Window { first, size }.cut(&heights, [4, 3]);
        assert_eq!(cut([1, 1], [2, 2]), ([2, 2], vec![5.0, 6.0, 9.0, 10.0]));
        assert_eq!(cut([3, 2], [5, 5]), ([1, 1], vec![11.0]));
        assert_eq!(cut([4, 0], [1, 1]), ([0, 1], vec![]));
    }
}
