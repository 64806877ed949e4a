//! A raster as `query` and `profile` ask it: by map coordinates or by column and row, answered in the file's own unit.

use crate::error::Result;
use crate::formats::{Facts, Orientation, Raster};
use crate::geo::Georeference;
use crate::space;
use crate::terrain::Terrain;
use glam::{DVec2, DVec3};

/// Columns and rows nearer than this to a whole number are meant to be it: undoing a georeference leaves rounding
/// errors, which beside a hole or on the rim would be the difference between ground and none.
const SNAP_CELLS: f64 = 1e-7;

/// A raster that answers.
#[derive(Debug)]
pub struct Ground {
    /// Spacing in metres, heights in the file's own unit, so that no height is rounded by a conversion.
    terrain: Terrain,
    georeference: Georeference,
    orientation: Orientation,
    /// Unit vectors of the terrain's x and z in the map's frame, x east and y north.
    map_axes: [DVec2; 2],
    unit: String,
    unit_m: f64,
}

/// A point of a raster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Map coordinates.
    pub map: [f64; 2],
    /// Column and row as stored; whole numbers at the samples.
    pub pixel: [f64; 2],
}

/// What there is at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Found {
    /// The point is not on the raster.
    Outside,
    /// An empty sample is too near.
    NoData,
    /// Ground.
    Ground(Surface),
}

/// The ground at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// In the file's own unit.
    pub height: f64,
    /// Unit vector, x east, y up, z south, by central differences in metres.
    pub normal: DVec3,
}

impl Ground {
    /// Takes a raster over.
    ///
    /// # Errors
    /// A raster of fewer than 2×2 samples, or without a valid one.
    pub fn new(raster: Raster) -> Result<Self> {
        let (georeference, orientation) = (raster.georeference(), raster.orientation());
        let map_axes = match raster.facts.geotransform {
            Some(_) if !raster.facts.y_points_south => map_axes(&georeference, orientation.flipped),
            _ => [DVec2::X, DVec2::NEG_Y],
        };
        let (unit, unit_m) = (unit_name(&raster.facts), raster.unit_m);
        let terrain = Raster { unit_m: 1.0, ..raster }.to_terrain()?;
        Ok(Self { terrain, georeference, orientation, map_axes, unit, unit_m })
    }

    /// Name of the file's height unit, `m` for metres.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// The point with these map coordinates.
    pub fn at_map(&self, map: [f64; 2]) -> Place {
        Place { map, pixel: self.georeference.sample(map[0], map[1]).map(snapped) }
    }

    /// The point with this column and row.
    pub fn at_pixel(&self, pixel: [f64; 2]) -> Place {
        Place { map: self.georeference.position(pixel[0], pixel[1]), pixel }
    }

    /// Metres from one point to another, as the terrain is drawn.
    pub fn distance(&self, from: &Place, to: &Place) -> f64 {
        (self.world(to) - self.world(from)).length()
    }

    /// What there is at a point.
    pub fn look(&self, place: &Place) -> Found {
        let is_inside =
            (0..2).all(|axis| (0.0..=f64::from(self.terrain.cells()[axis])).contains(&place.pixel[axis]));
        if !is_inside {
            return Found::Outside;
        }
        let DVec2 { x, y: z } = self.world(place);
        match (self.terrain.height_at(x, z), self.terrain.shading_normal_at(x, z)) {
            (Some(height), Some(normal)) => {
                Found::Ground(Surface { height, normal: self.map_normal(normal) })
            }
            _ => Found::NoData,
        }
    }

    fn world(&self, place: &Place) -> DVec2 {
        self.terrain.world_from_grid(self.orientation.terrain_from_raster(place.pixel).into())
    }

    /// From a normal of heights in the file's unit along the grid to one in metres along the map's axes.
    fn map_normal(&self, normal: DVec3) -> DVec3 {
        let rise = DVec2::new(normal.x, normal.z) * (-self.unit_m / normal.y);
        let [x, z] = self.map_axes;
        let rise = x * rise.x + z * rise.y;
        // Adding zero turns −0 into 0.
        DVec3::new(-rise.x, 1.0, rise.y).normalize() + DVec3::ZERO
    }
}

impl Surface {
    /// Steepness in degrees.
    pub fn slope_deg(&self) -> f64 {
        self.normal.x.hypot(self.normal.z).atan2(self.normal.y).to_degrees()
    }

    /// Where the ground faces, downhill, in degrees clockwise from the map's north; `None` on level ground.
    pub fn aspect_deg(&self) -> Option<f64> {
        let is_level = self.normal.x == 0.0 && self.normal.z == 0.0;
        (!is_level).then(|| space::azimuth_altitude(self.normal).0.to_degrees())
    }
}

fn unit_name(facts: &Facts) -> String {
    if facts.unit_m == 1.0 { "m".to_owned() } else { facts.unit.clone() }
}

fn map_axes(georeference: &Georeference, flipped: [bool; 2]) -> [DVec2; 2] {
    let steps = georeference.steps();
    std::array::from_fn(|axis| {
        let along = DVec2::from(steps[axis]).normalize();
        if flipped[axis] { -along } else { along }
    })
}

/// A column or a row without the rounding error of its computation.
pub fn snapped(coordinate: f64) -> f64 {
    let whole = coordinate.round();
    if (coordinate - whole).abs() < SNAP_CELLS { whole } else { coordinate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::demo;

    /// 4 × 3 samples, 10 m apart, given by column and row as stored.
    fn ground(geotransform: Option<[f64; 6]>, unit_m: f64, height: impl Fn(f64, f64) -> f64) -> Ground {
        let heights: Vec<f32> =
            (0..12).map(|at| height(f64::from(at % 4), f64::from(at / 4)) as f32).collect();
        let terrain = Terrain::new(4, 3, 10.0, DVec3::ZERO, &heights).expect("built");
        let raster = demo::raster_of(&terrain);
        let facts = Facts { geotransform, unit_m, ..raster.facts.clone() };
        Ground::new(Raster { unit_m, facts, ..raster }).expect("built")
    }

    fn surface(ground: &Ground, map: [f64; 2]) -> Surface {
        match ground.look(&ground.at_map(map)) {
            Found::Ground(surface) => surface,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn rows_from_the_south_answer_as_rows_from_the_north() {
        // Both rise by 2 m each 10 m northward, so they face south.
        let north = ground(Some([0.0, 10.0, 0.0, 30.0, 0.0, -10.0]), 1.0, |_, row| 4.0 - 2.0 * row);
        let south = ground(Some([0.0, 10.0, 0.0, 0.0, 0.0, 10.0]), 1.0, |_, row| 2.0 * row);
        for map in [[5.0, 5.0], [17.0, 12.0], [35.0, 25.0]] {
            let (one, other) = (surface(&north, map), surface(&south, map));
            assert!((one.height - (map[1] - 5.0) * 0.2).abs() < 1e-6, "{one:?}");
            assert!((one.height - other.height).abs() < 1e-6 && (one.normal - other.normal).length() < 1e-9);
            assert!((one.aspect_deg().expect("a slope") - 180.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_turned_grid_faces_where_the_map_says() {
        // Columns run 30° counter-clockwise of east, and the ground falls along them: toward 60° from north.
        let (sine, cosine) = 30_f64.to_radians().sin_cos();
        let turned = [0.0, 10.0 * cosine, 10.0 * sine, 0.0, 10.0 * sine, -10.0 * cosine];
        let ground = ground(Some(turned), 1.0, |column, _| 30.0 - 10.0 * column);
        let place = ground.at_pixel([1.0, 1.0]);
        let found = surface(&ground, place.map);
        assert!((found.aspect_deg().expect("a slope") - 60.0).abs() < 1e-4, "{found:?}");
        assert!((found.height - 20.0).abs() < 1e-4 && (found.slope_deg() - 45.0).abs() < 1e-4);
    }

    #[test]
    fn heights_are_the_files_own_and_slopes_are_metric() {
        let feet = ground(None, 0.3048, |column, _| 10.0 * column);
        let found = surface(&feet, [1.5, 1.0]);
        assert_eq!((found.height, found.aspect_deg()), (15.0, Some(270.0)));
        assert!((found.slope_deg() - 0.3048_f64.atan().to_degrees()).abs() < 1e-9);
    }

    #[test]
    fn level_ground_faces_nowhere_and_rounding_does_not_leave_the_rim() {
        let level = ground(Some([408_201.1, 0.1, 0.0, 4_080_928.3, 0.0, -0.1]), 1.0, |_, _| 7.0);
        let corner = level.at_pixel([3.0, 2.0]);
        let found = surface(&level, corner.map);
        assert_eq!((found.height, found.aspect_deg(), found.normal), (7.0, None, DVec3::Y));
        assert_eq!(level.look(&level.at_map([408_201.0, 4_080_928.0])), Found::Outside);
    }
}
