//! Moving least squares: values at scattered nodes, read anywhere between them.

use super::landscape::Landscape;
use glam::{IVec2, Vec2};
use rayon::prelude::*;

/// Cells within which nodes weigh in a fit.
const REACH: f32 = 1.6;

/// What keeps a fit solvable where too few nodes are near, as at the border.
const LEAST_WEIGHT: f32 = 1e-6;

/// A landscape twice as fine.
pub(super) fn refined(coarse: &Landscape) -> Landscape {
    let side = coarse.side * 2 - 1;
    let mut fine = Landscape::new(side, coarse.cell / 2.0, Vec::new());
    fine.heights = (0..side * side)
        .into_par_iter()
        .map(|at| {
            fitted(
                coarse,
                &coarse.heights,
                (Vec2::new((at % side) as f32, (at / side) as f32) + fine.offsets[at]) / 2.0,
            )
        })
        .collect();
    fine
}

/// Values at a landscape's nodes, brought to its grid places.
pub(super) fn straightened(landscape: &Landscape, values: &[f32]) -> Vec<f32> {
    let side = landscape.side;
    (0..side * side)
        .into_par_iter()
        .map(|at| fitted(landscape, values, Vec2::new((at % side) as f32, (at / side) as f32)))
        .collect()
}

/// The value at a place, in cells, of the plane that fits the nodes around it best (moving least squares, Lancaster and
/// Salkauskas 1981).
fn fitted(grid: &Landscape, values: &[f32], at: Vec2) -> f32 {
    let last = grid.side as i32 - 1;
    let first = at.floor().as_ivec2() - IVec2::ONE;
    let (mut m, mut mx, mut mz, mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0, LEAST_WEIGHT, 0.0, LEAST_WEIGHT);
    let (mut h, mut hx, mut hz) = (0.0, 0.0, 0.0);
    for z in first.y.max(0)..=(first.y + 3).min(last) {
        for x in first.x.max(0)..=(first.x + 3).min(last) {
            let node = z as usize * grid.side + x as usize;
            let d = Vec2::new(x as f32, z as f32) + grid.offsets[node] - at;
            let near = (1.0 - d.length_squared() / (REACH * REACH)).max(0.0);
            let w = near * near + LEAST_WEIGHT;
            let value = values[node];
            m += w;
            mx += w * d.x;
            mz += w * d.y;
            xx += w * d.x * d.x;
            xz += w * d.x * d.y;
            zz += w * d.y * d.y;
            h += w * value;
            hx += w * d.x * value;
            hz += w * d.y * value;
        }
    }
    // Cramer's rule, for the constant term alone.
    let (a, b, c) = (xx * zz - xz * xz, mx * zz - xz * mz, mx * xz - xx * mz);
    (h * a - mx * (hx * zz - xz * hz) + mz * (hx * xz - xx * hz)) / (m * a - mx * b + mz * c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plane_is_fitted_wherever_it_is_read() {
        let mut grid = Landscape::new(12, 1.0, Vec::new());
        let plane = |at: Vec2| 3.0 * at.x - 2.0 * at.y + 5.0;
        let place = |at: usize| Vec2::new((at % 12) as f32, (at / 12) as f32);
        grid.heights = (0..144).map(|at| plane(place(at) + grid.offsets[at])).collect();
        for (at, height) in straightened(&grid, &grid.heights).iter().enumerate() {
            assert!((height - plane(place(at))).abs() < 1e-2, "{at}: {height}");
        }
        assert_eq!(refined(&grid).side, 23);
    }
}
