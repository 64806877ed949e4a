//! The affine map between a raster's samples and map coordinates.

/// Sample coordinates to map coordinates and back. Column and row are whole numbers at the samples
/// themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Georeference {
    /// Map position of sample (0, 0).
    origin: [f64; 2],
    /// Map step from one column to the next.
    column: [f64; 2],
    /// Map step from one row to the next.
    row: [f64; 2],
}

impl Default for Georeference {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Georeference {
    /// Map coordinates that are the column and the row themselves.
    pub const IDENTITY: Self = Self { origin: [0.0; 2], column: [1.0, 0.0], row: [0.0, 1.0] };

    /// From x = g0 + column·g1 + row·g2 and y = g3 + column·g4 + row·g5 for the upper left corner of a pixel,
    /// whose sample stands in the pixel's middle. `None` where a number is not finite or the map cannot be
    /// undone.
    pub fn from_geotransform(g: &[f64; 6]) -> Option<Self> {
        let origin = [g[0] + 0.5 * g[1] + 0.5 * g[2], g[3] + 0.5 * g[4] + 0.5 * g[5]];
        let found = Self { origin, column: [g[1], g[4]], row: [g[2], g[5]] };
        let determinant = found.determinant();
        (g.iter().all(|v| v.is_finite()) && determinant.is_finite() && determinant != 0.0).then_some(found)
    }

    /// Map position (x, y) of a column and a row.
    pub fn position(&self, column: f64, row: f64) -> [f64; 2] {
        std::array::from_fn(|axis| self.origin[axis] + (column * self.column[axis] + row * self.row[axis]))
    }

    /// Column and row of a map position (x, y).
    pub fn sample(&self, x: f64, y: f64) -> [f64; 2] {
        let [dx, dy] = [x - self.origin[0], y - self.origin[1]];
        if !self.is_turned() {
            return [dx / self.column[0], dy / self.row[1]];
        }
        let determinant = self.determinant();
        [
            (dx * self.row[1] - dy * self.row[0]) / determinant,
            (dy * self.column[0] - dx * self.column[1]) / determinant,
        ]
    }

    /// Map steps from column to column and from row to row.
    pub fn steps(&self) -> [[f64; 2]; 2] {
        [self.column, self.row]
    }

    /// Whether rows or columns run askew to the map's axes.
    pub fn is_turned(&self) -> bool {
        self.column[1] != 0.0 || self.row[0] != 0.0
    }

    /// Which of columns and rows run against the terrain's x (east) and z (south) axes. A grid turned by more
    /// than 45° is only undone where it is mirrored.
    pub fn flips(&self) -> [bool; 2] {
        if self.column[0].abs() >= self.column[1].abs() {
            [self.column[0] < 0.0, self.row[1] > 0.0]
        } else {
            [false, self.determinant() > 0.0]
        }
    }

    /// Degrees counter-clockwise from the map's x axis to the direction of the columns.
    pub fn turn_degrees(&self) -> f64 {
        self.column[1].atan2(self.column[0]).to_degrees()
    }

    fn determinant(&self) -> f64 {
        self.column[0] * self.row[1] - self.column[1] * self.row[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 m cells turned 30° counter-clockwise about the upper left corner (1000, 2000).
    fn turned() -> Georeference {
        let (sine, cosine) = 30_f64.to_radians().sin_cos();
        let (sine, cosine) = (10.0 * sine, 10.0 * cosine);
        Georeference::from_geotransform(&[1000.0, cosine, sine, 2000.0, sine, -cosine]).expect("regular")
    }

    #[test]
    fn a_turned_grid_has_its_corners_where_the_turn_puts_them() {
        let [x, y] = turned().position(8.0 - 0.5, -0.5);
        assert!((x - 1069.28).abs() < 0.005 && (y - 2040.0).abs() < 0.005, "{x} {y}");
        let [x, y] = turned().position(-0.5, 4.0 - 0.5);
        assert!((x - 1020.0).abs() < 0.005 && (y - 1965.36).abs() < 0.005, "{x} {y}");
        assert!((turned().turn_degrees() - 30.0).abs() < 1e-12);
        assert_eq!(turned().flips(), [false, false]);
    }

    #[test]
    fn position_and_sample_undo_each_other() {
        for georeference in [
            turned(),
            Georeference::IDENTITY,
            Georeference::from_geotransform(&[440_720.0, 60.0, 0.0, 3_751_320.0, 0.0, -60.0])
                .expect("regular"),
        ] {
            for (column, row) in [(0.0, 0.0), (7.0, 3.0), (2.5, 1.25)] {
                let [x, y] = georeference.position(column, row);
                let [c, r] = georeference.sample(x, y);
                assert!((c - column).abs() < 1e-9 && (r - row).abs() < 1e-9, "{c} {r}");
            }
        }
    }

    #[test]
    fn south_up_and_mirrored_grids_flip_and_flat_ones_are_refused() {
        let flips = |g: [f64; 6]| Georeference::from_geotransform(&g).expect("regular").flips();
        assert_eq!(flips([0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), [false, true]);
        assert_eq!(flips([0.0, -1.0, 0.0, 0.0, 0.0, -1.0]), [true, false]);
        assert_eq!(flips([0.0, 0.0, 1.0, 0.0, 1.0, 0.0]), [false, false]);
        assert_eq!(flips([0.0, 0.0, 1.0, 0.0, -1.0, 0.0]), [false, true]);
        assert_eq!(Georeference::from_geotransform(&[0.0, 1.0, 1.0, 0.0, 1.0, 1.0]), None);
        assert_eq!(Georeference::from_geotransform(&[0.0, f64::NAN, 0.0, 0.0, 0.0, 1.0]), None);
    }
}
