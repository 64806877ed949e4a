//! What the commands that draw share: a field, a device, a renderer, and the first camera.

use super::input::Input;
use super::options::{CameraOptions, Gpu as GpuOptions, Look as LookOptions};
use super::report::Report;
use crate::camera::{Camera, View};
use crate::clipmap::{ClipmapSettings, Viewpoint};
use crate::error::Result;
use crate::formats::{Raster, ReadOptions};
use crate::frame::{FrameInput, Offscreen, Renderer};
use crate::gpu::{AdapterChoice, Gpu};
use crate::passes::Look;
use crate::source::MemorySource;
use crate::terrain::Terrain;
use glam::DVec3;
use std::sync::Arc;

/// A field that is ready to be drawn.
pub struct Stage {
    /// The ground.
    pub terrain: Arc<Terrain>,
    /// The device.
    pub gpu: Gpu,
    /// Draws the ground.
    pub renderer: Renderer,
    raster: Raster,
}

impl GpuOptions {
    /// The adapter that was asked for.
    pub fn choice(&self) -> AdapterChoice {
        self.adapter.clone().map_or(AdapterChoice::Best, AdapterChoice::Named)
    }
}

impl Stage {
    /// Reads an input and builds all that draws it.
    ///
    /// # Errors
    /// The input cannot be read, or there is nothing to draw with.
    pub fn open(input: &Input, options: &ReadOptions, gpu: &GpuOptions, report: &mut Report) -> Result<Self> {
        let raster = input.read(options, report)?;
        let terrain = Arc::new(raster.to_terrain().map_err(|error| error.in_file(input.name()))?);
        let gpu = Gpu::headless(&gpu.choice())?;
        let source = Arc::new(MemorySource::new(terrain.clone()));
        let renderer =
            Renderer::new(&gpu, source, terrain.origin(), ClipmapSettings::DRAWN, Offscreen::FORMAT)?;
        Ok(Self { terrain, gpu, renderer, raster })
    }

    /// The picture that the options ask for.
    pub fn frame(&self, camera: &CameraOptions, look: &LookOptions, size: [u32; 2]) -> FrameInput {
        let extent = self.terrain.extent_x().max(self.terrain.extent_z());
        let light = Look::natural(look.azimuth.to_radians(), look.altitude.to_radians(), extent);
        let light = match look.background {
            Some(colour) => light.with_background(colour),
            None => light,
        };
        let exaggeration = look.exaggeration;
        let camera = self.camera(camera, exaggeration, size);
        let view = Viewpoint { camera, size, exaggeration, cull: true };
        FrameInput { view, look: light, wireframe: false }
    }

    fn camera(&self, options: &CameraOptions, exaggeration: f64, size: [u32; 2]) -> Camera {
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
        if self.raster.facts.geotransform.is_none() {
            return DVec3::new(x, height * exaggeration, -y);
        }
        let sample = self.raster.georeference().sample(x, y);
        let grid = self.raster.orientation().terrain_from_raster(sample);
        let plan = self.terrain.world_from_grid(grid.into());
        DVec3::new(plan.x, height * self.raster.unit_m * exaggeration, plan.y)
    }
}
