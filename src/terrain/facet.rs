//! The drawn triangles of a field, and which of them holds a point.
//!
//! Grid coordinates count cells: (ix, iz) is where sample (ix, iz) stands. A cell is split by the diagonal from
//! (ix, iz) to (ix+1, iz+1).

use super::{Terrain, is_empty};
use glam::DVec2;

/// Which half of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    /// The triangle with sample (ix+1, iz): fu ≥ fv.
    East,
    /// The triangle with sample (ix, iz+1): fu ≤ fv.
    South,
}

/// One drawn triangle: a plane over grid coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facet {
    cell: DVec2,
    half: Half,
    /// Stored heights at the diagonal's start, at the corner beside the diagonal and at the diagonal's end, metres.
    heights: [f64; 3],
}

impl Facet {
    /// The plane's height at a point, metres over the origin.
    ///
    /// A weighted sum of the corners: at a corner it is that corner's height to the bit, and on an edge it does not
    /// depend on the side that asks.
    pub fn height(&self, grid: DVec2) -> f64 {
        let DVec2 { x: fu, y: fv } = grid - self.cell;
        let [start, corner, end] = self.heights;
        match self.half {
            Half::East => (1.0 - fu) * start + (fu - fv) * corner + fv * end,
            Half::South => (1.0 - fv) * start + (fv - fu) * corner + fu * end,
        }
    }

    /// Rise in metres per cell along x and z.
    pub fn gradient(&self) -> DVec2 {
        let [start, corner, end] = self.heights;
        match self.half {
            Half::East => DVec2::new(corner - start, end - corner),
            Half::South => DVec2::new(end - corner, corner - start),
        }
    }
}

impl Terrain {
    /// A triangle by its cell and half; `None` where one of its samples is empty.
    pub(super) fn facet(&self, ix: i64, iz: i64, half: Half) -> Option<Facet> {
        let corner = match half {
            Half::East => self.stored(ix + 1, iz),
            Half::South => self.stored(ix, iz + 1),
        };
        let heights = [self.stored(ix, iz), corner, self.stored(ix + 1, iz + 1)];
        let cell = DVec2::new(ix as f64, iz as f64);
        (!heights.iter().any(|height| is_empty(*height))).then(|| Facet {
            cell,
            half,
            heights: heights.map(f64::from),
        })
    }

    /// The triangle that holds a point of the field; of several that share it, one that has data.
    ///
    /// Triangles are closed: on an edge or a sample between ground and a hole, the ground answers. Within `reach` cells
    /// of a triangle counts as in it. `None` for NaN.
    pub(super) fn facet_near(&self, grid: DVec2, reach: f64) -> Option<Facet> {
        let [columns, rows] = self.cells();
        cells_near(grid.y, reach, rows).find_map(|iz| {
            cells_near(grid.x, reach, columns).find_map(|ix| {
                let (fu, fv) = (grid.x - ix as f64, grid.y - iz as f64);
                let east = (fu >= fv - reach).then(|| self.facet(ix, iz, Half::East)).flatten();
                east.or_else(|| (fu <= fv + reach).then(|| self.facet(ix, iz, Half::South)).flatten())
            })
        })
    }

    /// As [`Terrain::facet_near`] with no reach: the triangles whose closed area holds the point.
    pub(super) fn facet_at(&self, grid: DVec2) -> Option<Facet> {
        self.facet_near(grid, 0.0)
    }
}

/// The cells of one axis whose closed interval lies within `reach` of a coordinate, the later first: it begins there.
fn cells_near(coordinate: f64, reach: f64, cells: u32) -> impl Iterator<Item = i64> {
    let end = f64::from(cells) - 1.0;
    // A cast would turn NaN into cell 0; an empty range has no triangle.
    let (first, last) = if coordinate.is_nan() {
        (1, 0)
    } else {
        let first = ((coordinate - reach).ceil() - 1.0).clamp(0.0, end);
        (first as i64, (coordinate + reach).floor().clamp(0.0, end) as i64)
    };
    (first..=last).rev()
}
