//! From a view to plain data: everything that a picture needs to know before a command is recorded.

use super::cull::{CullFrustum, CullView, Culling};
use super::{
    ClipmapFrame, ClipmapSettings, DensityRule, Detail, FirstLevel, Strip, Window, clipmap_frame_covering,
    levels_covering, strips,
};
use crate::camera::Camera;
use crate::error::Result;
use crate::source::Source;
use glam::{DVec2, DVec3, I64Vec2};

/// What is looked at, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewpoint {
    /// The camera, in the drawn world.
    pub camera: Camera,
    /// Picture size in pixels.
    pub size: [u32; 2],
    /// Height scale of the drawn world.
    pub exaggeration: f64,
    /// Which patches are left out.
    pub culling: Culling,
    /// What may be left out.
    pub detail: Detail,
    /// Where in each pixel the picture is taken, counted from its middle in 1/256 pixel: right, then down. Within the pixel.
    pub sample: [i32; 2],
}

impl Viewpoint {
    /// Steps of a sample's place to a pixel.
    pub const SUBPIXELS: f64 = 256.0;

    /// The plain view through the middles of pixels.
    pub fn new(camera: Camera, size: [u32; 2]) -> Self {
        let (culling, detail) = (Culling::default(), Detail::default());
        Self { camera, size, exaggeration: 1.0, culling, detail, sample: [0, 0] }
    }

    /// The sample's offset from a pixel's middle in pixels: right, then down.
    pub fn sample_offset(&self) -> DVec2 {
        DVec2::from(self.sample.map(f64::from)) / Self::SUBPIXELS
    }
}

/// Where one gradient level stands about the eye.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GradientPlace {
    /// The anchor's texel along x and z, modulo the texture's side.
    pub texel: DVec2,
    /// Texels a metre along x and z.
    pub per_metre: DVec2,
}

/// One picture, decided: plain data between deciding and drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct FramePlan {
    /// The frame that every patch is decided from.
    pub frame: ClipmapFrame,
    /// The view, with the eye counted from the field's first sample.
    pub view: Viewpoint,
    /// Metres a cell along x and z.
    pub spacing: DVec2,
    /// Least and greatest height of the field.
    pub heights: [f32; 2],
    /// Whether any sample may be empty.
    pub has_empties: bool,
    /// The cell that the eye stands in; not clamped to the field.
    pub eye_cell: [i32; 2],
    /// The eye's height before exaggeration, in single precision.
    pub base_height: f32,
    /// Where offsets are counted from: metres of the drawn world from the field's first sample.
    pub anchor: DVec3,
    /// The frustum for culling.
    pub frustum: CullFrustum,
    /// What decides how densely patches are drawn.
    pub density: DensityRule,
    /// Heights to upload, with their level.
    pub height_strips: Vec<(u32, Strip)>,
    /// Levels whose patch bounds are to be uploaded.
    pub bounds_levels: Vec<u32>,
    /// Gradients to upload, with their level.
    pub gradient_strips: Vec<(u32, Strip)>,
    /// Where each gradient level stands.
    pub gradients: Vec<GradientPlace>,
    /// Field cells from the eye that gradient level 0 is sure to reach.
    pub gradient_reach: f64,
}

/// Sizes of what lives on the GPU for one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extents {
    /// Levels that cover the field.
    pub levels: u32,
    /// Texels along a level's height layer.
    pub lattice_side: u32,
    /// Gradient levels.
    pub gradient_levels: u32,
    /// Texels along a gradient layer.
    pub gradient_side: u32,
}

impl Extents {
    /// The most texels along a gradient layer: far more than a block, so that shading stays sharp where triangles are wide;
    /// a little over a power of two, since fields often are.
    const GRADIENT_SIDE: u32 = 1056;

    /// The sizes for a field of `cells` cells.
    pub fn new(settings: ClipmapSettings, cells: [i32; 2]) -> Self {
        let block = (settings.patch_cells * settings.patches_across) as u32;
        let samples = cells[0].max(cells[1]) as u32 + 1;
        let gradient_side = samples.next_multiple_of(8).min(Self::GRADIENT_SIDE);
        let mut gradient_levels = 1;
        while ((samples - 2) >> (gradient_levels - 1)) + 2 > gradient_side {
            gradient_levels += 1;
        }
        Self {
            levels: levels_covering(settings, cells),
            lattice_side: (block + 8).min(samples.next_multiple_of(8)),
            gradient_levels,
            gradient_side,
        }
    }

    /// Bytes of the level textures on the GPU: heights of 4 bytes, gradients of 8.
    pub fn texture_bytes(&self) -> u64 {
        let layers = |side: u32, levels: u32, bytes: u64| u64::from(side).pow(2) * u64::from(levels) * bytes;
        layers(self.lattice_side, self.levels, 4) + layers(self.gradient_side, self.gradient_levels, 8)
    }
}

/// Remembers what the GPU holds, and plans what it has to be given.
#[derive(Debug, Clone)]
pub struct Planner {
    settings: ClipmapSettings,
    extents: Extents,
    origin: DVec3,
    first_level: FirstLevel,
    held_heights: Vec<Option<Window>>,
    held_bounds: Vec<Option<[i32; 2]>>,
    held_gradients: Vec<Option<Window>>,
}

impl Planner {
    /// Width of a triangle where the ground is nearest, as a share of the wanted one.
    const NEAREST_SHARE: f64 = 0.5;
    /// Gradient windows move in steps of this many texels.
    const GRADIENT_GRANULE: i32 = 32;

    /// Starts with nothing held. `origin`: world position of the field's first sample at height 0.
    ///
    /// # Errors
    /// Settings that cannot be drawn.
    pub fn new(settings: ClipmapSettings, source: &dyn Source, origin: DVec3) -> Result<Self> {
        settings.check_drawn()?;
        let extents = Extents::new(settings, cells(source));
        Ok(Self {
            settings,
            extents,
            origin,
            first_level: FirstLevel::default(),
            held_heights: vec![None; extents.levels as usize],
            held_bounds: vec![None; extents.levels as usize],
            held_gradients: vec![None; extents.gradient_levels as usize],
        })
    }

    /// Sizes of what lives on the GPU.
    pub fn extents(&self) -> Extents {
        self.extents
    }

    /// World position of the field's first sample at height 0.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Forgets what the GPU holds: everything is uploaded with the next plan.
    pub fn forget(&mut self) {
        self.held_heights.fill(None);
        self.held_bounds.fill(None);
        self.held_gradients.fill(None);
    }

    /// Plans one picture, and takes what it uploads as held from then on.
    ///
    /// # Errors
    /// As [`clipmap_frame_covering`].
    pub fn plan(&mut self, source: &dyn Source, view: &Viewpoint) -> Result<FramePlan> {
        let (spacing, cells) = (source.spacing(), cells(source));
        let eye = view.camera.eye - self.origin * DVec3::new(1.0, view.exaggeration, 1.0);
        let camera = Camera { eye, ..view.camera };
        let eye_cell = cell_of(DVec2::new(eye.x, eye.z) / spacing);
        let distance = ground_distance(source, eye, view.exaggeration);
        let wanted =
            view.detail.triangle_pixels * Self::NEAREST_SHARE * camera.pixel_angle(view.size) * distance;
        let cells_wide = wanted / spacing.min_element();
        let levels = self.extents.levels;
        let (first, first_fade) = if view.detail.continuous {
            self.first_level.update_continuously(cells_wide, levels)
        } else {
            (self.first_level.update(cells_wide, levels), 0)
        };
        let frame = clipmap_frame_covering(self.settings, eye_cell, cells)?.with_first_level(first);
        let heights = [*source.range().start(), *source.range().end()];
        let base_height = (eye.y / view.exaggeration) as f32;
        let reach = (0..2).map(|axis| {
            let (at, end) = (i64::from(eye_cell[axis]), i64::from(cells[axis]));
            at.abs().max((end - at).abs())
        });
        let coarsest = i64::from(frame.span(frame.levels - 1));
        let cull_view = CullView {
            spacing,
            exaggeration: view.exaggeration,
            reach_cells: reach.max().unwrap_or(0) + coarsest,
            heights,
            size: view.size,
        };
        let anchor = DVec3::new(
            f64::from(eye_cell[0]) * spacing.x,
            f64::from(base_height) * view.exaggeration,
            f64::from(eye_cell[1]) * spacing.y,
        );
        let frustum = CullFrustum::new(&camera, &cull_view);
        let seen = (view.size, view.exaggeration);
        let density = DensityRule::new(&frame, &camera, seen, &frustum, view.detail)
            .standing_at(DVec2::new(eye.x, eye.z) / spacing, cells)
            .with_first_fade(first_fade);
        let height_strips = self.height_strips(&frame);
        let bounds_levels = self.bounds_levels(&frame);
        let gradient_strips = self.gradient_strips(eye_cell, cells);
        Ok(FramePlan {
            frustum,
            density,
            frame,
            view: Viewpoint { camera, ..*view },
            spacing,
            heights,
            has_empties: source.has_empties(),
            eye_cell,
            base_height,
            anchor,
            height_strips,
            bounds_levels,
            gradient_strips,
            gradients: (0..self.extents.gradient_levels)
                .map(|level| self.place(level, eye_cell, spacing))
                .collect(),
            gradient_reach: f64::from(self.extents.gradient_side as i32 / 2 - Self::GRADIENT_GRANULE - 2),
        })
    }

    fn height_strips(&mut self, frame: &ClipmapFrame) -> Vec<(u32, Strip)> {
        let mut all = Vec::new();
        for level in frame.first_level..frame.levels {
            let wanted = Window::of_block(frame, level);
            let held = self.held_heights[level as usize].replace(wanted);
            all.extend(
                strips(held, wanted, self.extents.lattice_side).into_iter().map(|strip| (level, strip)),
            );
        }
        all
    }

    fn bounds_levels(&mut self, frame: &ClipmapFrame) -> Vec<u32> {
        (frame.first_level..frame.levels)
            .filter(|&level| {
                let wanted = frame.origins[level as usize];
                self.held_bounds[level as usize].replace(wanted) != Some(wanted)
            })
            .collect()
    }

    fn gradient_strips(&mut self, eye_cell: [i32; 2], cells: [i32; 2]) -> Vec<(u32, Strip)> {
        let side = self.extents.gradient_side;
        let clamped = std::array::from_fn(|axis| eye_cell[axis].clamp(0, cells[axis] - 1));
        let mut all = Vec::new();
        for level in 0..self.extents.gradient_levels {
            let wanted = if level + 1 == self.extents.gradient_levels {
                Window::whole(level, cells)
            } else {
                Window::around(clamped, level, side as i32, Self::GRADIENT_GRANULE, cells)
            };
            let held = self.held_gradients[level as usize].replace(wanted);
            all.extend(strips(held, wanted, side).into_iter().map(|strip| (level, strip)));
        }
        all
    }

    fn place(&self, level: u32, eye_cell: [i32; 2], spacing: DVec2) -> GradientPlace {
        let side = i64::from(self.extents.gradient_side);
        let step = 1i64 << level;
        // The whole texels are taken modulo the side as integers, so that the rest stays exact far from the origin.
        let cell = I64Vec2::new(i64::from(eye_cell[0]), i64::from(eye_cell[1]));
        let in_torus = cell.rem_euclid(I64Vec2::splat(side * step)).as_dvec2();
        GradientPlace { texel: in_torus / step as f64, per_metre: (spacing * step as f64).recip() }
    }
}

/// Metres of the drawn world from the eye to the nearest ground: exact over the field, to the rim beside it.
fn ground_distance(source: &dyn Source, eye: DVec3, exaggeration: f64) -> f64 {
    let (spacing, cells) = (source.spacing(), cells(source));
    let extent = DVec2::new(f64::from(cells[0]), f64::from(cells[1])) * spacing;
    let plan = DVec2::new(eye.x, eye.z);
    let nearest = plan.clamp(DVec2::ZERO, extent);
    let sample = cell_of(nearest / spacing);
    let ground = source
        .bounds(sample, sample.map(|at| at + 1))
        .map_or(f64::from(*source.range().start()), |range| f64::from(*range.end()));
    plan.distance(nearest).hypot((eye.y - ground * exaggeration).max(0.0))
}

fn cells(source: &dyn Source) -> [i32; 2] {
    source.size().map(|samples| samples as i32 - 1)
}

/// The cell of a position in cells, within what single precision counts exactly.
fn cell_of(position: DVec2) -> [i32; 2] {
    const LIMIT: f64 = 8_000_000.0;
    position.floor().clamp(DVec2::splat(-LIMIT), DVec2::splat(LIMIT)).to_array().map(|at| at as i32)
}
