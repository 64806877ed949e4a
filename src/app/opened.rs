//! A field that was read, made ready to be looked at.

use super::control::Ground;
use super::headerless::Headerless;
use super::loading::{Progress, Wish};
use crate::camera::Camera;
use crate::error::Result;
use crate::formats::{Facts, Orientation, Raster};
use crate::geo::Georeference;
use crate::source::{MemorySource, Source};
use crate::terrain::Terrain;
use glam::{DVec2, DVec3};
use std::path::PathBuf;
use std::sync::Arc;

/// Everything that the viewer needs of a field.
#[derive(Clone)]
pub struct Opened {
    /// What is told about the file.
    pub facts: Facts,
    /// The same as text, as `orograph info` prints it.
    pub text: String,
    /// The file, where it can be read again.
    pub path: Option<PathBuf>,
    /// How it was wished to be read.
    pub wish: Wish,
    /// What the file does not say of itself; `None` where it says all.
    pub headerless: Option<Headerless>,
    /// The ground.
    pub terrain: Arc<Terrain>,
    /// Where its levels are read from.
    pub source: Arc<dyn Source>,
    /// From columns and rows to map coordinates; `None` where the file has none.
    pub georeference: Option<Georeference>,
    /// Which way columns and rows run.
    pub orientation: Orientation,
    /// Whether it only stands in for the whole field, which is still being read.
    pub is_preview: bool,
    /// The camera to start with, in the drawn world; the first view where there is none.
    pub camera: Option<Camera>,
}

impl Opened {
    /// Builds terrain and levels of a raster. `text`: its facts as `orograph info` prints them.
    ///
    /// # Errors
    /// A raster of fewer than 2×2 samples or without a valid one, or the work is no longer wanted.
    pub fn new(raster: Raster, text: String, path: Option<PathBuf>, progress: &Progress) -> Result<Self> {
        progress.stage("building the terrain")?;
        let terrain = raster.to_terrain()?;
        let (orientation, georeference) = (raster.orientation(), raster.georeference());
        let facts = raster.facts;
        drop(raster.heights);
        progress.stage("building the levels")?;
        let terrain = Arc::new(terrain);
        Ok(Self {
            georeference: facts.geotransform.map(|_| georeference),
            facts,
            text,
            path,
            wish: Wish::Plain,
            headerless: None,
            source: Arc::new(MemorySource::new(terrain.clone())),
            terrain,
            orientation,
            is_preview: false,
            camera: None,
        })
    }

    /// Map coordinates of a place of the world, metres along x and z; `None` where the file has none.
    pub fn map_place(&self, place: DVec2) -> Option<DVec2> {
        let grid = self.terrain.grid_from_world(place.x, place.y);
        let [column, row] = self.orientation.raster_from_terrain(grid.into());
        Some(self.georeference?.position(column, row).into())
    }
}

impl Ground for Terrain {
    fn pick(&self, origin: DVec3, direction: DVec3) -> Option<DVec3> {
        // Ground that is met from below lies behind a hole, and only the hole is seen.
        let hit = self.raycast(origin, direction)?;
        (hit.normal.dot(direction) <= 0.0).then_some(hit.position)
    }

    fn height(&self, x: f64, z: f64) -> Option<f64> {
        self.height_at(x, z)
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let (origin, range) = (self.origin(), self.range());
        let at = |x: f64, height: f32, z: f64| origin + DVec3::new(x, f64::from(height), z);
        (at(0.0, *range.start(), 0.0), at(self.extent_x(), *range.end(), self.extent_z()))
    }
}
