//! Where the samples of a tile stand on the common map, and on the lattice of another.

use crate::geo::Georeference;

/// How far a sample may lie off a lattice, in cells, and still count as on it: so much do rounded numbers in headers add up
/// to over the width of a tile.
pub(in crate::formats) const ON_LATTICE: f64 = 0.02;

/// A place in cells nearer than this to a whole number is meant to be it; undoing a georeference leaves so much.
const SNAP: f64 = 1e-6;

/// A rectangle of samples with its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::formats) struct Grid {
    /// As a geotransform, for the upper left corner of the first pixel.
    pub geotransform: [f64; 6],
    /// Samples along columns and rows.
    pub size: [u32; 2],
    place: Georeference,
}

impl Grid {
    /// `None` where the geotransform cannot be undone.
    pub fn new(geotransform: [f64; 6], size: [u32; 2]) -> Option<Self> {
        Georeference::from_geotransform(&geotransform).map(|place| Self { geotransform, size, place })
    }

    /// The same samples counted from the north-western one, and which of columns and rows run the other way for that.
    pub fn upright(geotransform: [f64; 6], size: [u32; 2]) -> Option<(Self, [bool; 2])> {
        let flips = Self::new(geotransform, size)?.place.flips();
        let mut g = geotransform;
        for axis in (0..2).filter(|axis| flips[*axis]) {
            let samples = f64::from(size[axis]);
            for first in [0, 3] {
                g[first] += samples * g[first + 1 + axis];
                g[first + 1 + axis] = -g[first + 1 + axis];
            }
        }
        Self::new(g, size).map(|grid| (grid, flips))
    }

    /// The grid of the samples from `low` on, in this one's columns and rows.
    pub fn window(&self, low: [i64; 2], size: [u32; 2]) -> Option<Self> {
        let [column, row] = low.map(|line| line as f64);
        let mut g = self.geotransform;
        for first in [0, 3] {
            g[first] += column * g[first + 1] + row * g[first + 2];
        }
        Self::new(g, size)
    }

    /// Area of a cell, in square map units.
    pub fn cell_area(&self) -> f64 {
        let [column, row] = self.place.steps();
        (column[0] * row[1] - column[1] * row[0]).abs()
    }

    /// Column and row of another grid's sample, free of rounding errors.
    pub fn sample_of(&self, other: &Self, [column, row]: [f64; 2]) -> [f64; 2] {
        let [x, y] = other.place.position(column, row);
        self.place.sample(x, y).map(|line| {
            let whole = line.round();
            if (line - whole).abs() < SNAP { whole } else { line }
        })
    }

    /// Least and greatest column and row of this grid that another's samples span, with `margin` cells of the other's around.
    pub fn span_of(&self, other: &Self, margin: f64) -> [[f64; 2]; 2] {
        let [right, bottom] = other.size.map(|samples| f64::from(samples) - 1.0 + margin);
        let corners = [[-margin, -margin], [right, -margin], [-margin, bottom], [right, bottom]]
            .map(|corner| self.sample_of(other, corner));
        let fold = |start: f64, pick: fn(f64, f64) -> f64| {
            [0, 1].map(|axis| corners.iter().fold(start, |found, corner| pick(found, corner[axis])))
        };
        [fold(f64::INFINITY, f64::min), fold(f64::NEG_INFINITY, f64::max)]
    }

    /// Column and row of another grid's first sample, where every sample of it stands on this one's lattice.
    pub fn offset_of(&self, other: &Self) -> Option<[i64; 2]> {
        let first = self.sample_of(other, [0.0; 2]).map(f64::round);
        let [right, bottom] = other.size.map(|samples| f64::from(samples) - 1.0);
        let is_on = [[0.0, 0.0], [right, 0.0], [0.0, bottom], [right, bottom]].into_iter().all(|corner| {
            let found = self.sample_of(other, corner);
            (0..2).all(|axis| (found[axis] - first[axis] - corner[axis]).abs() <= ON_LATTICE)
        });
        // A single row or column tells nothing of its steps; they have to agree all the same.
        let steps_agree = self.steps_agree(other);
        (is_on && steps_agree).then(|| first.map(|line| line as i64))
    }

    fn steps_agree(&self, other: &Self) -> bool {
        let next = |corner: [f64; 2]| self.sample_of(other, corner);
        let [first, column, row] = [next([0.0, 0.0]), next([1.0, 0.0]), next([0.0, 1.0])];
        let near = |step: [f64; 2], expected: [f64; 2]| {
            (0..2).all(|axis| (step[axis] - first[axis] - expected[axis]).abs() <= ON_LATTICE)
        };
        near(column, [1.0, 0.0]) && near(row, [0.0, 1.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(geotransform: [f64; 6], size: [u32; 2]) -> Grid {
        Grid::new(geotransform, size).expect("regular")
    }

    #[test]
    fn a_tile_that_abuts_stands_on_the_lattice_of_its_neighbour() {
        let west = grid([500.0, 10.0, 0.0, 900.0, 0.0, -10.0], [8, 8]);
        let east = grid([580.0, 10.0, 0.0, 920.0, 0.0, -10.0], [8, 10]);
        assert_eq!(west.offset_of(&east), Some([8, -2]));
        assert_eq!(west.window([8, -2], [8, 10]), Some(east));
        assert_eq!(west.span_of(&east, 0.5), [[7.5, -2.5], [15.5, 7.5]]);
    }

    #[test]
    fn other_steps_and_parts_of_a_cell_are_off_the_lattice() {
        let fine = grid([0.0, 10.0, 0.0, 0.0, 0.0, -10.0], [8, 8]);
        for other in [
            [0.0, 20.0, 0.0, 0.0, 0.0, -20.0],
            [3.0, 10.0, 0.0, 0.0, 0.0, -10.0],
            [0.0, 10.1, 0.0, 0.0, 0.0, -10.0],
            [0.0, 0.0, 10.0, 0.0, -10.0, 0.0],
        ] {
            assert_eq!(fine.offset_of(&grid(other, [8, 8])), None, "{other:?}");
            let alone = fine.offset_of(&grid(other, [1, 1]));
            assert_eq!(alone.is_some(), other[1] == 10.1, "one sample adds up no steps: {other:?}");
        }
    }

    #[test]
    fn rows_from_the_south_and_columns_from_the_east_are_turned_about() {
        let stored = [80.0, -10.0, 0.0, 0.0, 0.0, 10.0];
        let (upright, flips) = Grid::upright(stored, [8, 6]).expect("regular");
        assert_eq!(flips, [true, true]);
        assert_eq!(upright, grid([0.0, 10.0, 0.0, 60.0, 0.0, -10.0], [8, 6]));
    }
}
