//! The renderer in the window: pictures of the field in view, and what they take.

mod count;

use super::opened::Opened;
use crate::camera::{Camera, pixel_angle};
use crate::clipmap::{ClipmapSettings, Culling, Detail, FramePlan, Viewpoint};
use crate::error::Result;
use crate::frame::{FrameInput, Renderer, RendererOptions, culling_on, detail_on};
use crate::gpu::{Gpu, PassTime, RasterPath};
use crate::passes::{Look, Output};
use count::DrawCounter;

/// One picture that is asked of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SceneView {
    /// Where it is taken from, in the drawn world.
    pub camera: Camera,
    /// Its size in pixels.
    pub size: [u32; 2],
    /// The factor on drawn heights.
    pub exaggeration: f64,
    /// Compass direction and altitude of the sun, radians.
    pub sun: [f64; 2],
    /// One colour behind the ground instead of the sky, 0xrrggbb.
    pub background: Option<[u8; 3]>,
    /// Whether the levels are shown as a coloured wireframe.
    pub levels: bool,
}

/// A level that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelFacts {
    /// The level; 0 is finest.
    pub level: u32,
    /// Metres along a drawn cell, the longer side.
    pub cell: f64,
    /// Its colour in the wireframe, linear.
    pub colour: [f32; 3],
}

/// What drawing a picture took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stats {
    /// Patches drawn, of the newest picture whose count has come back.
    pub patches: u64,
    /// Triangles drawn by them.
    pub triangles: u64,
    /// The levels drawn, finest first.
    pub levels: Vec<LevelFacts>,
    /// GPU time by pass, of the newest picture whose times have come back; empty without timestamps.
    pub passes: Vec<PassTime>,
    /// Whether another picture of the same view would tell more.
    pub unfinished: bool,
}

/// Draws one field.
pub struct Scene {
    renderer: Renderer,
    options: RendererOptions,
    detail: Detail,
    culling: Culling,
    count: DrawCounter,
    /// The field's longer side, metres.
    extent: f64,
    last: Option<SceneView>,
    /// Pictures in a row of the same view.
    same: u32,
}

impl Scene {
    /// Times and counts of a picture have come back after so many more.
    const SETTLED: u32 = 6;

    /// Builds the renderer of a field, for targets of `size` pixels and a format whose texels hold encoded colours as they are
    /// written.
    ///
    /// # Errors
    /// A shader that is not valid, or a path that the device cannot take.
    pub fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        path: Option<RasterPath>,
        size: [u32; 2],
        opened: &Opened,
    ) -> Result<Self> {
        let (detail, culling) = (detail_on(gpu, path), culling_on(gpu, path));
        let settings = ClipmapSettings::for_picture(pixel_angle(Camera::FOV_Y, size), detail.triangle_pixels);
        let options = RendererOptions { path, ..RendererOptions::new(settings, Output::Window(format)) };
        let renderer = Renderer::new(gpu, opened.source.clone(), opened.terrain.origin(), options)?;
        let extent = opened.terrain.extent_x().max(opened.terrain.extent_z());
        Ok(Self {
            renderer,
            options,
            detail,
            culling,
            count: DrawCounter::new(gpu),
            extent,
            last: None,
            same: 0,
        })
    }

    /// Builds the renderer anew where a picture of another size or field of view wants another number of triangles.
    fn fit_settings(&mut self, gpu: &Gpu, view: &SceneView) -> Result<()> {
        let settings =
            ClipmapSettings::for_picture(view.camera.pixel_angle(view.size), self.detail.triangle_pixels);
        if settings != self.options.settings {
            let options = RendererOptions { settings, ..self.options };
            let (source, origin) = (self.renderer.source().clone(), self.renderer.origin());
            self.renderer = Renderer::new(gpu, source, origin, options)?;
            self.options = options;
        }
        Ok(())
    }

    /// Draws a picture into `target`, which has the view's size.
    ///
    /// # Errors
    /// The device was lost, or a frame cannot be planned.
    pub fn draw(&mut self, gpu: &Gpu, view: &SceneView, target: &wgpu::TextureView) -> Result<Stats> {
        self.fit_settings(gpu, view)?;
        self.same = if self.last == Some(*view) { self.same.saturating_add(1) } else { 0 };
        self.last = Some(*view);
        let mut look = Look::natural(view.sun[0], view.sun[1], self.extent);
        if let Some(colour) = view.background {
            look = look.with_background(colour);
        }
        let (camera, size, exaggeration) = (view.camera, view.size, view.exaggeration);
        let input = FrameInput {
            view: Viewpoint {
                exaggeration,
                detail: self.detail,
                culling: self.culling,
                ..Viewpoint::new(camera, size)
            },
            look,
            wireframe: view.levels,
        };
        let (plan, _) = self.renderer.draw(gpu, &input, target)?;
        self.count.ask(gpu, self.renderer.select().draw());
        Ok(self.stats(&plan, &look))
    }

    fn stats(&mut self, plan: &FramePlan, look: &Look) -> Stats {
        let drawn = self.count.newest();
        Stats {
            patches: u64::from(drawn.drawn_patches),
            triangles: u64::from(drawn.drawn_triangles),
            levels: levels(plan, look),
            passes: self.renderer.finished_times().unwrap_or_default(),
            unfinished: self.same < Self::SETTLED,
        }
    }
}

fn levels(plan: &FramePlan, look: &Look) -> Vec<LevelFacts> {
    let level = |level: u32| {
        let [red, green, blue, _] = look.levels[level as usize % look.levels.len()];
        let cell = plan.spacing.max_element() * f64::from(level).exp2();
        LevelFacts { level, cell, colour: [red, green, blue] }
    };
    (plan.frame.first_level..plan.frame.levels).map(level).collect()
}
