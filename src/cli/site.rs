//! Where a field stands: cameras from the map coordinates that the options name.

use super::options::CameraOptions;
use crate::camera::{Camera, View};
use crate::formats::Orientation;
use crate::geo::Georeference;
use crate::terrain::Terrain;
use glam::DVec3;

/// A field and its place on the map.
pub struct Site<'a> {
    /// The ground.
    pub terrain: &'a Terrain,
    /// From columns and rows to map coordinates; `None` where the file has none.
    pub georeference: Option<Georeference>,
    /// Which way columns and rows run.
    pub orientation: Orientation,
    /// Metres in one unit of the file's heights.
    pub unit_m: f64,
}

impl Site<'_> {
    /// The camera that the options ask for, in the drawn world.
    pub fn camera(&self, options: &CameraOptions, exaggeration: f64, size: [u32; 2]) -> Camera {
        let (low, high) = self.bounds(exaggeration);
        let fov = options.fov.to_radians();
        let framed = Camera::framing(options.view.unwrap_or(View::South), low, high, size, fov);
        let Some(eye) = options.eye else { return self.toward(framed, options, exaggeration) };
        let eye = self.world(eye, exaggeration);
        let target = options.target.map_or((low + high) * 0.5, |target| self.world(target, exaggeration));
        Camera { fov_y: fov, near: framed.near, ..Camera::looking_at(eye, target) }
    }

    /// The framed camera, moved so that it looks at the asked target from the same side and distance.
    fn toward(&self, framed: Camera, options: &CameraOptions, exaggeration: f64) -> Camera {
        let Some(target) = options.target else { return framed };
        let (low, high) = self.bounds(exaggeration);
        let distance = ((low + high) * 0.5 - framed.eye).length();
        Camera { eye: self.world(target, exaggeration) - framed.forward() * distance, ..framed }
    }

    /// The corners of the drawn field's box.
    fn bounds(&self, exaggeration: f64) -> (DVec3, DVec3) {
        let (origin, range) = (self.terrain.origin(), self.terrain.range());
        let at = |x: f64, height: f32, z: f64| {
            DVec3::new(origin.x + x, (origin.y + f64::from(height)) * exaggeration, origin.z + z)
        };
        (at(0.0, *range.start(), 0.0), at(self.terrain.extent_x(), *range.end(), self.terrain.extent_z()))
    }

    /// A point of the drawn world from easting, northing and height in the file's system and unit; from metres east, north and up
    /// of the centre where the file has no coordinates.
    fn world(&self, [x, y, height]: [f64; 3], exaggeration: f64) -> DVec3 {
        let Some(georeference) = self.georeference else {
            return DVec3::new(x, height * exaggeration, -y);
        };
        let grid = self.orientation.terrain_from_raster(georeference.sample(x, y));
        let plan = self.terrain.world_from_grid(grid.into());
        DVec3::new(plan.x, height * self.unit_m * exaggeration, plan.y)
    }
}
