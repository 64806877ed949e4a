//! Height, slope and cover at a point, always of the drawn triangle.

use super::Terrain;
use glam::{DVec2, DVec3};

impl Terrain {
    /// Grid coordinates, in cells from sample (0, 0), of a world position.
    ///
    /// The world position of a line of samples, as [`Terrain::world_from_grid`] rounds it, gives that line exactly.
    pub fn grid_from_world(&self, x: f64, z: f64) -> DVec2 {
        let (origin, spacing) = (self.origin(), self.spacing());
        DVec2::new(grid_coordinate(x, origin.x, spacing.x), grid_coordinate(z, origin.z, spacing.y))
    }

    /// World position, x and z in metres, of grid coordinates.
    pub fn world_from_grid(&self, grid: DVec2) -> DVec2 {
        let origin = self.origin();
        DVec2::new(origin.x, origin.z) + grid * self.spacing()
    }

    /// World height of the drawn triangle at (x, z), metres. Outside the field the nearest edge answers.
    ///
    /// `None` where there is no data: in a triangle that touches an empty sample, and for NaN. Triangles are closed, so
    /// the rim of a hole belongs to the ground.
    pub fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        self.height_in_grid(self.grid_from_world(x, z)).map(|height| height + self.origin().y)
    }

    /// Whether (x, z) lies on a drawn triangle, the field's rim included.
    pub fn covers(&self, x: f64, z: f64) -> bool {
        let grid = self.grid_from_world(x, z);
        self.clamped(grid) == grid && self.facet_at(grid).is_some()
    }

    /// Angle of the ground at (x, z) against the horizontal, radians, from [`Terrain::shading_normal_at`].
    pub fn slope_at(&self, x: f64, z: f64) -> Option<f64> {
        self.shading_normal_at(x, z).map(slope_of)
    }

    /// Height over the origin in grid coordinates, clamped to the field.
    pub(super) fn height_in_grid(&self, grid: DVec2) -> Option<f64> {
        let grid = self.clamped(grid);
        self.facet_at(grid).map(|facet| facet.height(grid))
    }

    /// The nearest point of the field, in grid coordinates. NaN stays.
    pub(super) fn clamped(&self, grid: DVec2) -> DVec2 {
        let [columns, rows] = self.cells().map(f64::from);
        DVec2::new(grid.x.clamp(0.0, columns), grid.y.clamp(0.0, rows))
    }
}

/// Angle of a surface with this normal against the horizontal, radians.
pub(super) fn slope_of(normal: DVec3) -> f64 {
    normal.x.hypot(normal.z).atan2(normal.y)
}

/// Cells from the first sample. Dividing can miss a line of samples by a rounding error, which beside a hole would be
/// the difference between ground and none.
fn grid_coordinate(world: f64, origin: f64, spacing: f64) -> f64 {
    let coordinate = (world - origin) / spacing;
    let line = coordinate.round();
    if origin + line * spacing == world { line } else { coordinate }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{field, holed};
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cell_is_two_planes_along_the_diagonal() {
        // Only the sample at (1, 1) is raised; a bilinear patch would give 2.5 at the cell's centre.
        let terrain = field(2, 2, &[0.0, 0.0, 0.0, 10.0]);
        assert_eq!(terrain.height_at(0.5, 0.5), Some(5.0));
        assert_eq!(terrain.height_at(0.75, 0.25), Some(2.5));
        assert_eq!(terrain.height_at(0.25, 0.75), Some(2.5));
        let other = field(2, 2, &[0.0, 10.0, 0.0, 0.0]);
        assert_eq!(other.height_at(0.5, 0.5), Some(0.0));
        assert_eq!(other.height_at(0.75, 0.25), Some(5.0));
        assert_eq!(other.height_at(0.25, 0.75), Some(0.0));
    }

    #[test]
    fn outside_the_nearest_edge_answers_and_nothing_is_covered() {
        let terrain = field(3, 2, &[1.0, 2.0, 3.0, 4.0, 5.0, 7.0]);
        assert_eq!(terrain.height_at(-9.0, -9.0), Some(1.0));
        assert_eq!(terrain.height_at(f64::INFINITY, 0.5), Some(5.0));
        assert_eq!(terrain.height_at(0.5, f64::NEG_INFINITY), Some(1.5));
        assert_eq!(terrain.height_at(f64::NAN, 0.0), None);
        assert_eq!(terrain.height_at(0.0, f64::NAN), None);
        assert!(terrain.covers(2.0, 1.0) && terrain.covers(0.0, 0.0));
        assert!(!terrain.covers(2.0 + 1e-12, 1.0) && !terrain.covers(f64::NAN, 0.0));
    }

    #[test]
    fn a_hole_is_open_and_the_ground_around_it_closed() {
        let mut heights = [4.0; 16];
        heights[5] = f32::NAN;
        let terrain = field(4, 4, &heights);
        for inside in [(1.0, 1.0), (0.5, 0.75), (1.5, 1.0), (1.9, 1.9), (1.1, 1.8), (0.9, 0.9)] {
            assert_eq!(terrain.height_at(inside.0, inside.1), None, "{inside:?}");
        }
        // The rim of the hexagon that the six triangles around the hole make; its corner (0, 0) has no other triangle.
        let rims =
            [(1.0, 0.0), (1.5, 0.5), (2.0, 1.0), (2.0, 1.5), (2.0, 2.0), (1.5, 2.0), (1.0, 2.0), (0.5, 1.5)];
        assert_eq!(terrain.height_at(0.0, 0.0), None);
        for rim in rims {
            assert_eq!(terrain.height_at(rim.0, rim.1), Some(4.0), "{rim:?}");
            assert!(terrain.covers(rim.0, rim.1));
        }
    }

    #[test]
    fn slope_is_an_angle_in_radians_up_to_the_rim() {
        let terrain = field(3, 3, &[0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.0, 2.0]);
        for x in [0.0, 0.3, 1.0, 1.7, 2.0] {
            let slope = terrain.slope_at(x, 1.2).expect("ground");
            assert!((slope - std::f64::consts::FRAC_PI_4).abs() < 1e-12, "{x}");
        }
    }

    proptest! {
        #[test]
        fn a_sample_answers_its_own_number_at_its_own_place(
            terrain in holed(), ix in 0i64..12, iz in 0i64..12,
        ) {
            let [columns, rows] = terrain.cells();
            let (ix, iz) = (ix.min(i64::from(columns)), iz.min(i64::from(rows)));
            let at = terrain.world_from_grid(DVec2::new(ix as f64, iz as f64));
            let answer = terrain.height_at(at.x, at.y);
            // An isolated sample belongs to no triangle, so it may have no answer, but never another one.
            prop_assert!(answer.is_none() || answer == terrain.sample(ix, iz));
            if !terrain.has_empties() {
                prop_assert_eq!(answer, terrain.sample(ix, iz));
            }
        }

        #[test]
        fn heights_stay_within_the_field_and_are_never_nan(
            terrain in holed(), x in proptest::num::f64::ANY, z in proptest::num::f64::ANY,
        ) {
            if let Some(height) = terrain.height_at(x, z) {
                let range = terrain.range();
                let (low, high) = (f64::from(*range.start()), f64::from(*range.end()));
                let height = height - terrain.origin().y;
                prop_assert!(height >= low - 1e-6 && height <= high + 1e-6);
            }
        }

        #[test]
        fn heights_are_continuous_over_every_edge(
            terrain in holed(), x in -0.2f64..1.2, z in -0.2f64..1.2, turn in 0.0f64..6.3,
        ) {
            let range = terrain.range();
            let relief = f64::from(*range.end()) - f64::from(*range.start());
            let place = |x: f64, z: f64| terrain.world_from_grid(
                DVec2::new(x * f64::from(terrain.cells()[0]), z * f64::from(terrain.cells()[1])));
            let (a, b) = (place(x, z), place(x + 1e-6 * turn.cos(), z + 1e-6 * turn.sin()));
            if let (Some(a), Some(b)) = (terrain.height_at(a.x, a.y), terrain.height_at(b.x, b.y)) {
                // No triangle rises more than the field's relief in a cell, and two are met at most.
                prop_assert!((a - b).abs() <= 1e-4 * relief + 1e-9);
            }
        }
    }

    #[test]
    fn grid_and_world_are_inverse_on_every_line() {
        let terrain = Terrain::new(400, 2, [0.1, 1.0 / 3.0], DVec3::new(512_345.67, 0.0, -0.7), &[0.0; 800])
            .expect("built");
        for line in 0..400 {
            let grid = DVec2::new(f64::from(line), 1.0);
            let world = terrain.world_from_grid(grid);
            assert_eq!(terrain.grid_from_world(world.x, world.y), grid);
        }
    }
}
