//! Sediment: rivers fill their valley floors, and side valleys end in fans.

use super::fit::straightened;
use super::landscape::{Landscape, NEIGHBOURS, distance, neighbour};
use glam::Vec2;
use rayon::prelude::*;

/// Passes that level the filled floors.
const SMOOTHING: u32 = 4;

/// Metres of fill from which a floor is levelled in full.
const DEEP: f32 = 12.0;

/// Square metres of drainage from which a river fills its floor.
const RIVER_AREA: f32 = 1.5e5;

/// Metres of fill per kilometre of √area, and the most.
const FILL: [f32; 2] = [65.0, 160.0];

/// Metres which, over √area, are the slope that a floor keeps down to its river.
const FLOOR_SLOPE: f32 = 28.0;

/// Bounds of that slope, in metres a metre: plains, and the fans of the smallest streams.
const FLOOR_SLOPES: [f32; 2] = [0.004, 0.05];

/// A square grid of heights.
pub(super) struct Surface {
    /// Nodes along a side.
    pub side: usize,
    /// Metres between nodes.
    pub cell: f32,
    /// Metres, row-major.
    pub heights: Vec<f32>,
}

impl Surface {
    /// Rise in metres a metre along x and z at a node.
    pub(super) fn gradient(&self, x: usize, z: usize) -> Vec2 {
        let along = |low: usize, high: usize, cells: usize| {
            (self.heights[high] - self.heights[low]) / (self.cell * cells as f32)
        };
        let (x0, x1) = (x.saturating_sub(1), (x + 1).min(self.side - 1));
        let (z0, z1) = (z.saturating_sub(1), (z + 1).min(self.side - 1));
        Vec2::new(
            along(z * self.side + x0, z * self.side + x1, x1 - x0),
            along(z0 * self.side + x, z1 * self.side + x, z1 - z0),
        )
    }
}

/// The landscape with its floors filled, at its grid places.
///
/// From the outlets upward, a river lies as high over its bed as its drainage fills it, and no place is lower than its
/// way down allows: so the fill of a great river backs up into the mouths of its side valleys.
pub(super) fn filled(landscape: &Landscape) -> Surface {
    let mut heights = landscape.heights.clone();
    for at in landscape.order.iter().rev().map(|at| *at as usize) {
        let receiver = landscape.receivers[at] as usize;
        let root = landscape.areas[at].sqrt();
        let fill = (FILL[0] / 1000.0 * (root - RIVER_AREA.sqrt())).clamp(0.0, FILL[1]);
        let slope = (FLOOR_SLOPE / root).clamp(FLOOR_SLOPES[0], FLOOR_SLOPES[1]);
        let way = landscape.cell * distance(&landscape.offsets, landscape.side, at, receiver);
        heights[at] = (heights[at] + fill).max(heights[receiver] + slope * way);
    }
    let filled: Vec<f32> = heights.iter().zip(&landscape.heights).map(|(h, bed)| h - bed).collect();
    for _ in 0..SMOOTHING {
        heights = levelled(&heights, &filled, landscape.side);
    }
    Surface { side: landscape.side, cell: landscape.cell, heights: straightened(landscape, &heights) }
}

/// Heights with each filled node moved to the mean of its neighbours, the more the deeper its fill.
fn levelled(heights: &[f32], filled: &[f32], side: usize) -> Vec<f32> {
    let mut result = heights.to_vec();
    result.par_chunks_exact_mut(side).enumerate().skip(1).take(side - 2).for_each(|(z, row)| {
        for (x, height) in row.iter_mut().enumerate().skip(1).take(side - 2) {
            let at = z * side + x;
            let share = (filled[at] / DEEP).min(1.0);
            if share > 0.0 {
                let mean =
                    NEIGHBOURS.iter().map(|step| heights[neighbour(at, side, *step)]).sum::<f32>() / 8.0;
                *height += share * (mean - *height);
            }
        }
    });
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fill_only_raises_and_leaves_small_catchments_alone() {
        let valley = |at: usize| (at / 9) as f32 * 2.0 + (at % 9).abs_diff(4) as f32 * 30.0;
        let mut landscape = Landscape::new(9, 40.0, (0..81).map(valley).collect());
        landscape.route();
        landscape.accumulate();
        let before = straightened(&landscape, &landscape.heights);
        let surface = filled(&landscape);
        assert!(surface.heights.iter().zip(&before).all(|(after, before)| after > &(before - 1.0)));
        assert!((surface.heights[40 + 3] - before[40 + 3]).abs() < 1.0);
    }
}
