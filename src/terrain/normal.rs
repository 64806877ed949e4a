//! Normals: one of the query, which clamps at the field's edge, and one for shading, which does not.

use super::{Terrain, is_empty};
use glam::{DVec2, DVec3};

impl Terrain {
    /// Unit normal at (x, z): the difference of [`Terrain::height_at`] one spacing to each side over two spacings, also
    /// where `height_at` clamps. Continuous over cell borders.
    ///
    /// A side in a hole is replaced by the point itself, and the distance is then one spacing; with both sides in
    /// holes, the triangle's own slope answers. `None` where `height_at` has no answer.
    pub fn normal_at(&self, x: f64, z: f64) -> Option<DVec3> {
        let grid = self.grid_from_world(x, z);
        let facet = self.facet_at(self.clamped(grid))?;
        let here = facet.height(self.clamped(grid));
        let along = |axis: DVec2| {
            let sides = [self.height_in_grid(grid - axis), self.height_in_grid(grid + axis)];
            let cells = sides.iter().flatten().count();
            let [before, after] = sides.map(|side| side.unwrap_or(here));
            if cells == 0 { facet.gradient().dot(axis) } else { (after - before) / cells as f64 }
        };
        Some(self.normal_from(DVec2::new(along(DVec2::X), along(DVec2::Y))))
    }

    /// Unit normal for shading at (x, z): as [`Terrain::normal_at`], but over the distance between the two points really
    /// used, so that a plane is shaded evenly up to the field's edge. At a sample it is [`Terrain::sample_normal`].
    ///
    /// A side past the edge moves onto the edge; one in a hole is replaced by the point itself. Along an axis without
    /// any side the ground counts as level. `None` where `height_at` has no answer.
    pub fn shading_normal_at(&self, x: f64, z: f64) -> Option<DVec3> {
        let grid = self.clamped(self.grid_from_world(x, z));
        let here = self.height_in_grid(grid)?;
        let side = |offset: DVec2| {
            let point = self.clamped(grid + offset);
            let height = self.height_in_grid(point).or_else(|| self.height_of_sample(point));
            height.map_or((here, 0.0), |height| (height, (point - grid).length()))
        };
        let along = |axis: DVec2| rise_per_cell(side(-axis), side(axis));
        Some(self.normal_from(DVec2::new(along(DVec2::X), along(DVec2::Y))))
    }

    /// Unit normal of a sample, from its valid neighbours along x and z; `None` where the sample is empty.
    pub fn sample_normal(&self, ix: i64, iz: i64) -> Option<DVec3> {
        let here = self.sample(ix, iz)?;
        let [columns, rows] = self.cells().map(i64::from);
        let side = |ix: i64, iz: i64| {
            let inside = (0..=columns).contains(&ix) && (0..=rows).contains(&iz);
            let height = if inside { self.sample(ix, iz) } else { None };
            height.map_or((here, 0.0), |height| (height, 1.0))
        };
        let east = rise_per_cell(side(ix - 1, iz), side(ix + 1, iz));
        let south = rise_per_cell(side(ix, iz - 1), side(ix, iz + 1));
        Some(self.normal_from(DVec2::new(east, south)))
    }

    /// Stored height where a grid point is a valid sample, also one that no triangle holds.
    fn height_of_sample(&self, grid: DVec2) -> Option<f64> {
        let stored = self.stored(grid.x as i64, grid.y as i64);
        (grid == grid.round() && !is_empty(stored)).then(|| f64::from(stored))
    }

    /// The unit normal of a plane that rises by so many metres per cell along x and z.
    pub(super) fn normal_from(&self, rise: DVec2) -> DVec3 {
        let slope = rise / self.spacing();
        DVec3::new(-slope.x, 1.0, -slope.y).normalize()
    }
}

/// Metres per cell between two sides, each a height and its distance in cells.
fn rise_per_cell(before: (f64, f64), after: (f64, f64)) -> f64 {
    let cells = before.1 + after.1;
    if cells == 0.0 { 0.0 } else { (after.0 - before.0) / cells }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{field, holed};
    use super::*;
    use proptest::prelude::*;

    fn plane(holes: &[usize]) -> (Terrain, DVec3) {
        let mut heights: Vec<f32> = (0..25).map(|i| (i % 5) as f32 * 2.0 - (i / 5) as f32).collect();
        for hole in holes {
            heights[*hole] = f32::NAN;
        }
        (field(5, 5, &heights), DVec3::new(-2.0, 1.0, 1.0).normalize())
    }

    #[test]
    fn a_plane_is_shaded_evenly_up_to_its_rim_and_around_holes() {
        let (terrain, normal) = plane(&[6]);
        for (x, z) in [(0.0, 4.0), (2.5, 2.0), (4.0, 0.5), (9.0, 9.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)] {
            let shading = terrain.shading_normal_at(x, z).expect("ground");
            assert!((shading - normal).length() < 1e-12, "{x} {z}: {shading}");
        }
        assert_eq!(terrain.shading_normal_at(1.0, 1.0), None);
    }

    #[test]
    fn the_query_halves_the_slope_where_it_clamps() {
        let (terrain, normal) = plane(&[]);
        let inside = terrain.normal_at(1.5, 2.5).expect("ground");
        assert!((inside - normal).length() < 1e-12);
        let rim = terrain.normal_at(0.0, 2.0).expect("ground");
        assert!((rim - DVec3::new(-1.0, 1.0, 1.0).normalize()).length() < 1e-12);
        assert_eq!(terrain.normal_at(-50.0, -50.0), Some(DVec3::Y));
    }

    #[test]
    fn a_lone_triangle_keeps_its_own_slope() {
        let mut heights = [f32::NAN; 36];
        (heights[14], heights[15], heights[21]) = (0.0, 1.0, 3.0);
        let terrain = field(6, 6, &heights);
        let normal = terrain.normal_at(2.7, 2.6).expect("ground");
        assert!((normal - DVec3::new(-1.0, 1.0, -2.0).normalize()).length() < 1e-12);
        assert_eq!(terrain.normal_at(f64::NAN, 0.0), None);
        assert_eq!(terrain.shading_normal_at(0.0, f64::NAN), None);
    }

    proptest! {
        #[test]
        fn both_normals_agree_inside_and_at_samples(terrain in holed(), ix in 0i64..12, iz in 0i64..12) {
            let [columns, rows] = terrain.cells().map(i64::from);
            let at = terrain.world_from_grid(DVec2::new(ix as f64, iz as f64));
            if let Some(shading) = terrain.shading_normal_at(at.x, at.y) {
                let sample = terrain.sample_normal(ix.min(columns), iz.min(rows)).expect("a valid sample");
                prop_assert!((shading - sample).length() < 1e-9);
                prop_assert!((shading.length() - 1.0).abs() < 1e-12);
                let inside = ix > 0 && iz > 0 && ix < columns && iz < rows;
                if inside && !terrain.has_empties() {
                    let query = terrain.normal_at(at.x, at.y).expect("ground");
                    prop_assert!((shading - query).length() < 1e-9);
                }
            }
        }
    }
}
