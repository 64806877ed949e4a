//! The frame's recipe.

use super::writer::{Writer, path_for};
use crate::clipmap::{ClipmapSettings, FramePlan, Planner, Viewpoint};
use crate::error::Result;
use crate::gpu::{Gpu, IdLayout, PassTime, RasterPath, Timing, read_buffer};
use crate::passes::{
    Average, Frame, FrameBindings, GBuffer, GradientLevels, HeightLevels, Light, Look, Output, PatchBounds,
    PolygonProbe, Polygons, Present, RasterRoom, Seen, Select, Targets, VertexProbe, Vertices,
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
    settings: ClipmapSettings,
    /// The path that was asked for.
    asked: Option<RasterPath>,
    room: RasterRoom,
    planner: Planner,
    ids: IdLayout,
    bindings: FrameBindings,
    heights: HeightLevels,
    gradients: GradientLevels,
    bounds: PatchBounds,
    select: Select,
    writer: Writer,
    seen: Seen,
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
        let room = RasterRoom::new(u64::from(indices) * settings.triangles_per_patch(), shares);
        let asked = path;
        let path = path_for(gpu, asked, room, [1, 1])?;
        let bindings = FrameBindings::new(gpu);
        let heights = HeightLevels::new(gpu, extents);
        let bounds = PatchBounds::new(gpu, indices);
        let select = Select::new(gpu, &bindings, &bounds, indices)?;
        let holes = source.has_empties();
        let writer = Writer::new(gpu, path, &bindings, &heights, &select, (settings, room, holes))?;
        let seen = Seen::new(gpu, path);
        Ok(Self {
            ids: IdLayout::new(settings, extents.levels)?,
            gradients: GradientLevels::new(gpu, extents),
            gbuffer: GBuffer::new(gpu, &bindings, &seen)?,
            light: Light::new(gpu, &bindings)?,
            present: Present::new(gpu, &bindings, output)?,
            average: Average::new(gpu, &bindings)?,
            vertices: Vertices::new(gpu, &bindings)?,
            polygons: Polygons::new(gpu, &bindings)?,
            targets: None,
            timing: Timing::new(gpu)?,
            source,
            settings,
            asked,
            room,
            planner,
            bindings,
            heights,
            bounds,
            select,
            writer,
            seen,
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
        self.present.record(gpu, &mut encoder, &self.timing, &self.bindings, target, input.view.size);
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
            self.average.record(&mut encoder, &self.timing, &self.bindings, &mean);
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
        self.record_visibility(&mut encoder);
        self.submit(gpu, encoder)?;
        Ok(plan)
    }

    /// The times of the oldest picture that has come back.
    pub fn finished_times(&mut self) -> Option<Vec<PassTime>> {
        self.timing.finished()
    }

    /// How many patches the last picture drew. Waits for it; not needed to draw.
    ///
    /// # Errors
    /// The device was lost.
    pub fn patches_drawn(&self, gpu: &Gpu) -> Result<u32> {
        Ok(read_buffer::<u32>(gpu, self.select.draw(), 2)?[1])
    }

    /// How many triangles the last picture drew, before any is left out as turned away or empty. As [`Renderer::patches_drawn`].
    ///
    /// # Errors
    /// The device was lost.
    pub fn triangles_drawn(&self, gpu: &Gpu) -> Result<u64> {
        Ok(u64::from(self.patches_drawn(gpu)?) * self.settings.triangles_per_patch())
    }

    /// The vertices of the last picture's patches, for checks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_vertices(&self, gpu: &Gpu) -> Result<Vec<VertexProbe>> {
        let each = (self.settings.patch_cells as usize + 1).pow(2);
        let count = self.patches_drawn(gpu)? as usize * each;
        self.vertices.read(gpu, &self.bindings, &self.heights, &self.select, count)
    }

    /// The outlines of some triangles of the last picture as the compute path clips them, for checks.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read_polygons(&self, gpu: &Gpu, ids: &[u32]) -> Result<Vec<PolygonProbe>> {
        self.polygons.read(gpu, &self.bindings, &self.heights, &self.select, ids)
    }

    /// The lists that the last picture was drawn from, for checks.
    pub fn select(&self) -> &Select {
        &self.select
    }

    /// The targets of the last picture, for checks.
    pub fn targets(&self) -> Option<&Targets> {
        self.targets.as_ref()
    }

    /// How triangles become pixels.
    pub fn path(&self) -> RasterPath {
        self.seen.path()
    }

    /// How visibility ids are packed.
    pub fn id_layout(&self) -> IdLayout {
        self.ids
    }

    /// Sizes that hold for every level.
    pub fn settings(&self) -> ClipmapSettings {
        self.settings
    }

    /// The field that is drawn.
    pub fn source(&self) -> &Arc<dyn Source> {
        &self.source
    }

    /// Bytes on the GPU: levels, targets, and the compute path's lists.
    pub fn gpu_bytes(&self) -> u64 {
        let targets = self.targets.as_ref().map_or(0, |targets| Targets::bytes(targets.size()));
        self.planner.extents().texture_bytes() + targets + self.writer.bytes()
    }

    fn prepare(&mut self, gpu: &Gpu, input: &FrameInput) -> Result<(FramePlan, Counts)> {
        self.fit_targets(gpu, input.view.size)?;
        let plan = self.planner.plan(&*self.source, &input.view)?;
        let uniform = Frame::new(&plan, self.planner.extents(), self.ids);
        let upload_bytes = self.bindings.write(gpu, &uniform, &input.look)
            + self.heights.upload(gpu, &*self.source, &plan.height_strips)
            + self.gradients.upload(gpu, &*self.source, &plan.gradient_strips)
            + self.bounds.upload(gpu, &*self.source, &plan);
        let strips = plan.height_strips.len() + plan.gradient_strips.len();
        let counts = Counts { patches_tested: plan.frame.index_count(), upload_bytes, strips };
        Ok((plan, counts))
    }

    fn record_visibility(&self, encoder: &mut wgpu::CommandEncoder) {
        let (timing, frame) = (&self.timing, &self.bindings);
        self.select.record(encoder, timing, frame);
        if let Some(targets) = &self.targets {
            self.writer.record(encoder, timing, frame, &self.select, targets);
        }
    }

    fn record_colour(&self, encoder: &mut wgpu::CommandEncoder, input: &FrameInput) {
        self.record_visibility(encoder);
        let (timing, frame, size) = (&self.timing, &self.bindings, input.view.size);
        self.gbuffer.record(encoder, timing, frame, &self.seen, size, input.wireframe);
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
        let path = path_for(gpu, self.asked, self.room, size)?;
        if path != self.seen.path() {
            let sizes = (self.settings, self.room, self.source.has_empties());
            self.writer = Writer::new(gpu, path, &self.bindings, &self.heights, &self.select, sizes)?;
            self.seen = Seen::new(gpu, path);
            self.gbuffer = GBuffer::new(gpu, &self.bindings, &self.seen)?;
        }
        let targets = Targets::new(gpu, size, self.seen.path());
        self.seen.bind(gpu, &targets);
        self.writer.bind(gpu, &self.heights, &self.select, &targets);
        self.gbuffer.bind(gpu, &self.heights, &self.gradients, &self.select, &targets);
        self.light.bind(gpu, &targets);
        self.present.bind(&targets);
        self.targets = Some(targets);
        Ok(())
    }
}
