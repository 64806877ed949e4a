//! The frame's recipe.

use super::visible::{Ground, Visible};
use super::writer::path_for;
use crate::clipmap::{ClipmapSettings, Culling, Detail, FramePlan, Planner, Viewpoint};
use crate::error::Result;
use crate::gpu::{Gpu, IdLayout, PassTime, RasterPath, Timing};
use crate::passes::{
    Average, DrawCounts, DrawnPatch, Frame, FrameBindings, GBuffer, GradientLevels, HeightLevels, Light,
    Look, Output, PatchBounds, PolygonProbe, Polygons, Present, RasterRoom, Select, Targets, Vertices,
};
use crate::source::Source;
use glam::DVec3;
use std::sync::Arc;

/// What a renderer is built for.
#[derive(Debug, Clone, Copy)]
pub struct RendererOptions {
    /// Sizes that hold for every level.
    pub settings: ClipmapSettings,
    /// What the finished colours go into.
    pub output: Output,
    /// How triangles become pixels; the device's default where none is given.
    pub path: Option<RasterPath>,
    /// Shares of large triangles that the compute path has room for; what is beyond is drawn otherwise, slower.
    pub shares: u64,
}

/// What is left out of pictures that follow one another on a device, by a path or by its default, unless told otherwise: hidden patches
/// where a GPU's own rasteriser draws, since on an H200 that takes a tenth off its longest frames; elsewhere leaving them out
/// has cost more than it saved.
pub fn culling_on(gpu: &Gpu, path: Option<RasterPath>) -> Culling {
    let path = path.or_else(|| RasterPath::choose(gpu, None).ok());
    if path == Some(RasterPath::Vertex) && !gpu.draws_on_cpu() {
        Culling::Occlusion
    } else {
        Culling::Frustum
    }
}

/// How finely pictures are drawn on a device by a path, or by its default, unless told otherwise.
pub fn detail_on(gpu: &Gpu, path: Option<RasterPath>) -> Detail {
    let path = path.or_else(|| RasterPath::choose(gpu, None).ok());
    if gpu.draws_on_cpu() || path != Some(RasterPath::Compute) { Detail::COARSE } else { Detail::DRAWN }
}

impl RendererOptions {
    /// The device's default path.
    pub fn new(settings: ClipmapSettings, output: Output) -> Self {
        Self { settings, output, path: None, shares: RasterRoom::SHARES }
    }
}

/// What one picture is drawn from.
#[derive(Debug, Clone, Copy)]
pub struct FrameInput {
    /// What is looked at.
    pub view: Viewpoint,
    /// Light and colours.
    pub look: Look,
    /// Show the triangles in the colours of their levels.
    pub wireframe: bool,
}

/// What a picture cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Patch indices that were asked.
    pub patches_tested: u32,
    /// Bytes sent to the GPU.
    pub upload_bytes: u64,
    /// Strips among them.
    pub strips: usize,
}

/// Draws one field.
pub struct Renderer {
    source: Arc<dyn Source>,
    /// The path that was asked for.
    asked: Option<RasterPath>,
    planner: Planner,
    ids: IdLayout,
    ground: Ground,
    gradients: GradientLevels,
    visible: Visible,
    gbuffer: GBuffer,
    light: Light,
    present: Present,
    average: Average,
    vertices: Vertices,
    polygons: Polygons,
    targets: Option<Targets>,
    timing: Timing,
}

impl Renderer {
    /// Builds every pass for a field. `origin`: world position of its first sample at height 0.
    ///
    /// # Errors
    /// Settings that cannot be drawn, a path that the device cannot take, or a shader that is not valid.
    pub fn new(gpu: &Gpu, source: Arc<dyn Source>, origin: DVec3, options: RendererOptions) -> Result<Self> {
        let RendererOptions { settings, output, path, shares } = options;
        let planner = Planner::new(settings, &*source, origin)?;
        let extents = planner.extents();
        let indices = extents.levels * settings.patches_per_level() as u32;
        let room = RasterRoom::new(shares);
        let asked = path;
        let path = path_for(gpu, asked, room, [1, 1])?;
        let ground = Ground {
            bindings: FrameBindings::new(gpu),
            heights: HeightLevels::new(gpu, extents),
            bounds: PatchBounds::new(gpu, indices),
            settings,
            room,
            has_empties: source.has_empties(),
        };
        let (visible, frame) = (Visible::new(gpu, path, &ground, indices)?, &ground.bindings);
        Ok(Self {
            ids: IdLayout::new(settings, extents.levels)?,
            gradients: GradientLevels::new(gpu, extents),
            gbuffer: GBuffer::new(gpu, frame, &visible.seen)?,
            light: Light::new(gpu, frame)?,
            present: Present::new(gpu, frame, output)?,
            average: Average::new(gpu, frame)?,
            vertices: Vertices::new(gpu, frame)?,
            polygons: Polygons::new(gpu, frame)?,
            targets: None,
            timing: Timing::new(gpu)?,
            source,
            asked,
            planner,
            visible,
            ground,
        })
    }

    /// Draws a picture into `target`, which has the view's size.
    ///
    /// # Errors
    /// A frame that cannot be planned.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        input: &FrameInput,
        target: &wgpu::TextureView,
    ) -> Result<(FramePlan, Counts)> {
        let (plan, counts) = self.prepare(gpu, input)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.record_colour(&mut encoder, input);
        self.present.record(gpu, &mut encoder, &self.timing, &self.ground.bindings, target, input.view.size);
        self.submit(gpu, encoder)?;
        Ok((plan, counts))
    }

    /// Draws a view once for each place in a pixel, as [`Viewpoint::sample`] has it, and shows the mean in `target`, a texture of
    /// [`Output::PICTURE`] and the view's size. Nothing is done about edges besides. Gives what each sample cost.
    ///
    /// # Errors
    /// A frame that cannot be planned.
    pub fn draw_samples(
        &mut self,
        gpu: &Gpu,
        input: &FrameInput,
        samples: &[[i32; 2]],
        target: &wgpu::TextureView,
    ) -> Result<Vec<Counts>> {
        self.fit_targets(gpu, input.view.size)?;
        let Some(targets) = &self.targets else { return Ok(Vec::new()) };
        let mean = self.average.start(gpu, targets, target);
        let mut draw_sample = |sample: &[i32; 2]| {
            let input = FrameInput { view: Viewpoint { sample: *sample, ..input.view }, ..*input };
            let (_, counts) = self.prepare(gpu, &input)?;
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            self.record_colour(&mut encoder, &input);
            self.average.record(&mut encoder, &self.timing, &self.ground.bindings, &mean);
            self.submit(gpu, encoder)?;
            Ok(counts)
        };
        samples.iter().map(&mut draw_sample).collect()
    }

    /// As [`Renderer::draw`], but waits for every pass by itself, and gives the time that each took. For adapters whose
    /// timestamps are missing or wrong; together the passes take longer than when they are submitted as one.
    ///
    /// # Errors
    /// A frame that cannot be planned.
    pub fn draw_by_pass(
        &mut self,
        gpu: &Gpu,
        input: &FrameInput,
        target: &wgpu::TextureView,
    ) -> Result<Vec<PassTime>> {
        let usual = std::mem::replace(&mut self.timing, Timing::by_submission(gpu)?);
        let drawn = self.draw(gpu, input, target);
        let mut by_submission = std::mem::replace(&mut self.timing, usual);
        drawn?;
        Ok(by_submission.finished().unwrap_or_default())
    }

    /// Draws only as far as the visibility buffer, for checks.
    ///
    /// # Errors
    /// A frame that cannot be planned.
    pub fn draw_visibility(&mut self, gpu: &Gpu, input: &FrameInput) -> Result<FramePlan> {
        let (plan, _) = self.prepare(gpu, input)?;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.record_visibility(&mut encoder, input.view.culling);
        self.submit(gpu, encoder)?;
        Ok(plan)
    }

    /// The times of the oldest picture that has come back.
    pub fn finished_times(&mut self) -> Option<Vec<PassTime>> {
        self.timing.finished()
    }

    /// Draws the next picture as if none had been drawn before: only its cost may depend on those.
    pub fn forget_history(&mut self) {
        self.visible.forget();
    }

    /// How much the last picture drew. Waits for it; not needed to draw.
    ///
    /// # Errors
    /// The device was lost.
    pub fn drawn(&self, gpu: &Gpu) -> Result<DrawCounts> {
        self.visible.select.read_counts(gpu)
    }

    /// The last picture's patches with their vertices, in the order of the list, for checks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_patches(&self, gpu: &Gpu) -> Result<Vec<DrawnPatch>> {
        let cells = self.ground.settings.patch_cells;
        self.vertices.read(gpu, &self.ground.bindings, &self.ground.heights, &self.visible.select, cells)
    }

    /// The outlines of some triangles of the last picture as the compute path clips them, for checks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_polygons(&self, gpu: &Gpu, ids: &[u32]) -> Result<Vec<PolygonProbe>> {
        self.polygons.read(gpu, &self.ground.bindings, &self.ground.heights, &self.visible.select, ids)
    }

    /// The lists that the last picture was drawn from, for checks.
    pub fn select(&self) -> &Select {
        &self.visible.select
    }

    /// The targets of the last picture, for checks.
    pub fn targets(&self) -> Option<&Targets> {
        self.targets.as_ref()
    }

    /// How triangles become pixels.
    pub fn path(&self) -> RasterPath {
        self.visible.seen.path()
    }

    /// How visibility ids are packed.
    pub fn id_layout(&self) -> IdLayout {
        self.ids
    }

    /// Sizes that hold for every level.
    pub fn settings(&self) -> ClipmapSettings {
        self.ground.settings
    }

    /// World position of the field's first sample at height 0.
    pub fn origin(&self) -> DVec3 {
        self.planner.origin()
    }

    /// The field that is drawn.
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Bytes on the GPU: levels, targets, and the compute path's lists.
    pub fn gpu_bytes(&self) -> u64 {
        let targets = self.targets.as_ref().map_or(0, |targets| Targets::bytes(targets.size()));
        self.planner.extents().texture_bytes() + targets + self.visible.bytes()
    }

    fn prepare(&mut self, gpu: &Gpu, input: &FrameInput) -> Result<(FramePlan, Counts)> {
        self.fit_targets(gpu, input.view.size)?;
        let plan = self.planner.plan(&*self.source, &input.view)?;
        let uniform = Frame::new(&plan, self.planner.extents(), self.ids);
        let upload_bytes = self.ground.bindings.write(gpu, &uniform, &input.look)
            + self.ground.heights.upload(gpu, &*self.source, &plan.height_strips)
            + self.gradients.upload(gpu, &*self.source, &plan.gradient_strips)
            + self.ground.bounds.upload(gpu, &*self.source, &plan);
        let strips = plan.height_strips.len() + plan.gradient_strips.len();
        let counts = Counts { patches_tested: plan.frame.index_count(), upload_bytes, strips };
        Ok((plan, counts))
    }

    fn record_visibility(&mut self, encoder: &mut wgpu::CommandEncoder, culling: Culling) {
        if let Some(targets) = &self.targets {
            self.visible.record(encoder, &self.timing, &self.ground.bindings, targets, culling);
        }
    }

    fn record_colour(&mut self, encoder: &mut wgpu::CommandEncoder, input: &FrameInput) {
        self.record_visibility(encoder, input.view.culling);
        let (timing, frame, size) = (&self.timing, &self.ground.bindings, input.view.size);
        self.gbuffer.record(encoder, timing, frame, &self.visible.seen, size, input.wireframe);
        self.light.record(encoder, timing, frame, size);
    }

    fn submit(&mut self, gpu: &Gpu, mut encoder: wgpu::CommandEncoder) -> Result<()> {
        self.timing.resolve(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        self.timing.end_frame()
    }

    fn fit_targets(&mut self, gpu: &Gpu, size: [u32; 2]) -> Result<()> {
        if self.targets.as_ref().is_some_and(|targets| targets.size() == size) {
            return Ok(());
        }
        let path = path_for(gpu, self.asked, self.ground.room, size)?;
        if path != self.visible.seen.path() {
            self.visible.take_path(gpu, path, &self.ground)?;
            self.gbuffer = GBuffer::new(gpu, &self.ground.bindings, &self.visible.seen)?;
        }
        let targets = Targets::new(gpu, size, path);
        self.visible.bind(gpu, &self.ground, &targets);
        self.gbuffer.bind(gpu, &self.ground.heights, &self.gradients, &self.visible.select, &targets);
        self.light.bind(gpu, &targets);
        self.present.bind(&targets);
        self.targets = Some(targets);
        Ok(())
    }
}
