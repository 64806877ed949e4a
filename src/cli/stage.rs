//! What the commands that draw share: a field, a device, a renderer, and the first camera.

use super::input::Input;
use super::options::{CameraOptions, Gpu as GpuOptions, LeavingOut, Look as LookOptions};
use super::report::Report;
use super::site::Site;
use crate::camera::pixel_angle;
use crate::clipmap::{ClipmapSettings, Culling, Detail, Viewpoint};
use crate::error::Result;
use crate::formats::{Raster, ReadOptions};
use crate::frame::{FrameInput, Renderer, RendererOptions, culling_on, detail_on};
use crate::gpu::{AdapterChoice, Gpu, RasterPath};
use crate::passes::{Look, Output};
use crate::source::MemorySource;
use crate::terrain::Terrain;
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
    settings: ClipmapSettings,
    detail: Detail,
    culling: Culling,
}

impl GpuOptions {
    /// The adapter that was asked for.
    pub fn choice(&self) -> AdapterChoice {
        self.adapter.clone().map_or(AdapterChoice::Best, AdapterChoice::Named)
    }
}

impl Stage {
    /// Reads an input and builds all that draws pictures of a size through a field of view of `fov_y` radians.
    ///
    /// # Errors
    /// The input cannot be read, or there is nothing to draw with.
    pub fn open(
        input: &Input,
        options: &ReadOptions,
        (gpu, leaving_out): (&GpuOptions, &LeavingOut),
        (size, fov_y): ([u32; 2], f64),
        report: &mut Report,
    ) -> Result<Self> {
        let raster = input.read(options, report)?;
        let terrain = Arc::new(raster.to_terrain().map_err(|error| error.in_file(input.name()))?);
        let (path, error, culling) = (gpu.path(), leaving_out.error, leaving_out.culling.asked());
        let gpu = Gpu::headless(&gpu.choice())?;
        let culling = culling.unwrap_or_else(|| culling_on(&gpu, path));
        let usual = detail_on(&gpu, path);
        let detail = Detail { error_pixels: error.unwrap_or(usual.error_pixels), ..usual };
        let settings = ClipmapSettings::for_picture(pixel_angle(fov_y, size), detail.triangle_pixels);
        let renderer = renderer(&gpu, &terrain, settings, path)?;
        Ok(Self { terrain, gpu, renderer, raster, settings, detail, culling })
    }

    /// Draws by another path from now on.
    ///
    /// # Errors
    /// The device cannot take it.
    pub fn switch_to(&mut self, path: RasterPath) -> Result<()> {
        self.renderer = self.renderer_by(path)?;
        Ok(())
    }

    /// A renderer of the field that takes a path and has drawn nothing yet.
    ///
    /// # Errors
    /// The device cannot take it.
    pub fn renderer_by(&self, path: RasterPath) -> Result<Renderer> {
        renderer(&self.gpu, &self.terrain, self.settings, Some(path))
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
        let camera = self.site().camera(camera, exaggeration, size);
        let view = Viewpoint {
            exaggeration,
            detail: self.detail,
            culling: self.culling,
            ..Viewpoint::new(camera, size)
        };
        FrameInput { view, look: light, wireframe: false }
    }

    fn site(&self) -> Site<'_> {
        Site {
            terrain: &self.terrain,
            georeference: self.raster.facts.geotransform.map(|_| self.raster.georeference()),
            orientation: self.raster.orientation(),
            unit_m: self.raster.unit_m,
        }
    }
}

fn renderer(
    gpu: &Gpu,
    terrain: &Arc<Terrain>,
    settings: ClipmapSettings,
    path: Option<RasterPath>,
) -> Result<Renderer> {
    let options = RendererOptions { path, ..RendererOptions::new(settings, Output::Picture) };
    Renderer::new(gpu, Arc::new(MemorySource::new(terrain.clone())), terrain.origin(), options)
}
