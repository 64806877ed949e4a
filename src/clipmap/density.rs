//! How densely a patch is drawn: its stride by the error that it would make in the picture, and how far it has faded toward the
//! next coarser lattice. The same in `shaders/shared/density.wgsl`.
//!
//! Everything is an integer or a single-precision product of two exact factors, so that the GPU decides the same.

use super::cull::{Box3, CullFrustum};
use super::{ClipmapFrame, ClipmapPatch, clipmap_level_at};
use crate::camera::Camera;
use glam::DVec2;

/// The most times that a stride is doubled: a patch of 64 cells is then two triangles.
pub const MOST_THINNING: u32 = 6;

/// How finely a picture is drawn, and what may be left out of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detail {
    /// Wanted width of a triangle in pixels, before any is left out, where a level begins.
    pub triangle_pixels: f64,
    /// A patch is drawn with fewer triangles where that moves the ground by at most so many pixels of the picture's middle; at 0 only
    /// where it moves nothing, below 0 nowhere. Toward its corners a picture is stretched by 1/cos² of the angle to the middle.
    pub error_pixels: f64,
    /// Vertices slide to where fewer triangles would have them before those are drawn, so that nothing pops. Off, every vertex is
    /// a stored sample.
    pub continuous: bool,
}

impl Detail {
    /// What is drawn unless told otherwise: fine enough for a GPU to place the ground within about a pixel.
    pub const DRAWN: Self = Self { triangle_pixels: 5.0, error_pixels: 0.65, continuous: true };
    /// What a CPU draws in a few dozen milliseconds.
    pub const ON_CPU: Self = Self { triangle_pixels: 13.0, ..Self::DRAWN };
    /// The rings as they are.
    pub const UNIFORM: Self = Self { error_pixels: -1.0, continuous: false, ..Self::ON_CPU };
}

impl Default for Detail {
    fn default() -> Self {
        Self::DRAWN
    }
}

/// What the density of the patches of one picture is decided by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DensityRule {
    /// The most times that a stride can be doubled at these settings.
    pub most_thinning: u32,
    /// Units of distance to a cull unit along x, y and z, in 1/1024; at most that.
    pub scale: [i32; 3],
    /// Metres of stored height that may be missed at a unit of distance, seen from the side.
    pub error_per_unit: f32,
    /// Whether patches fade.
    pub continuous: bool,
    /// How far the first level has faded, 0 … [`Density::FADED`].
    pub first_fade: u32,
    /// The eye's cell, clamped to the field.
    pub cell: [i32; 2],
    /// Where the eye stands in that cell, 0 … 15.
    pub sixteenths: [i32; 2],
}

/// How a patch is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Density {
    /// Every 2^thinning-th line of the level's lattice is drawn.
    pub thinning: u32,
    /// How far the lines in between the next coarser ones have slid to where those would have the ground, 0 … [`Density::FADED`].
    pub fade: u32,
}

impl Density {
    /// Faded wholly.
    pub const FADED: u32 = 128;
}

impl DensityRule {
    /// The rule for a view through `camera` in which heights are `exaggeration` times as high.
    pub(super) fn new(
        frame: &ClipmapFrame,
        camera: &Camera,
        (size, exaggeration): ([u32; 2], f64),
        frustum: &CullFrustum,
        detail: Detail,
    ) -> Self {
        let unit = frustum.unit.max_element();
        let pixel_angle = camera.pixel_angle(size);
        let most = frame.settings.patch_cells.trailing_zeros().min(MOST_THINNING);
        Self {
            most_thinning: if detail.error_pixels < 0.0 { 0 } else { most },
            scale: (frustum.unit / unit * 1024.0).to_array().map(|scale| scale as i32),
            error_per_unit: (detail.error_pixels * pixel_angle * unit / exaggeration) as f32,
            continuous: detail.continuous,
            first_fade: 0,
            cell: [0; 2],
            sixteenths: [0; 2],
        }
    }

    /// The rule for an eye at a place in cells.
    #[must_use]
    pub(super) fn standing_at(mut self, place: DVec2, cells: [i32; 2]) -> Self {
        for axis in 0..2 {
            let clamped = place[axis].clamp(0.0, f64::from(cells[axis]) - 1.0 / 16.0);
            self.cell[axis] = clamped as i32;
            self.sixteenths[axis] = (clamped.fract() * 16.0) as i32;
        }
        self
    }

    /// The rule with the first level faded so far.
    #[must_use]
    pub(super) fn with_first_fade(self, first_fade: u32) -> Self {
        Self { first_fade, ..self }
    }

    /// Units of distance from the eye to a box, at most the true distance and at least 0.96 of it; and to the box's furthest place
    /// in plan, at least that distance.
    fn distances(&self, bounds: &Box3) -> [i32; 2] {
        let gap = |axis: usize| bounds.min[axis].max(-bounds.max[axis]).max(0);
        let [x, y, z] = [0, 1, 2].map(|axis| (gap(axis) * self.scale[axis]) >> 10);
        let reach = |axis: usize| bounds.max[axis].max(-bounds.min[axis]);
        let [far_x, far_z] = [0, 2].map(|axis| ((reach(axis) * self.scale[axis]) >> 10) + 1);
        let nearest = at_most_hypotenuse(at_most_hypotenuse(x, z), y);
        [nearest, at_least_hypotenuse(far_x, far_z)]
    }

    /// A height that is missed anywhere in a box, and the most that may be, times the same factor.
    ///
    /// A height e at distance d, of which h in plan, is seen from the side as e·h/d.
    fn missed_and_allowed(&self, bounds: &Box3, error: f32) -> [f32; 2] {
        let [nearest, in_plan] = self.distances(bounds);
        let nearest_f32 = nearest as f32;
        [error * in_plan.min(nearest).max(1) as f32, (nearest_f32 * nearest_f32) * self.error_per_unit]
    }

    /// How far a patch has faded because the next coarser level takes over where the edge of its own level's block may come.
    fn ring_fade(&self, frame: &ClipmapFrame, patch: &ClipmapPatch) -> u32 {
        let level = patch.level;
        if level + 1 >= frame.levels {
            return 0;
        }
        let (cells, across) = (frame.settings.patch_cells, frame.settings.patches_across);
        // Sixteenths of a cell of the level.
        let gap = [patch.x, patch.z].into_iter().enumerate().map(|(axis, first)| {
            let at = (self.cell[axis] >> level) - (first >> level);
            let rest = self.cell[axis] & ((1 << level) - 1);
            let within = (rest * 16 + self.sixteenths[axis]) >> level;
            (-at * 16 - within).max((at - cells) * 16 + within)
        });
        let gap = gap.fold(0, i32::max);
        let end = (across / 2 - 2) * cells * 16;
        let width = (across / 8).max(1) * cells * 16;
        let faded = Density::FADED as i32;
        ((gap - end + width) * faded / width).clamp(0, faded) as u32
    }
}

/// A lower bound of the hypotenuse, at least 0.98 of it: its shadow along the longer side, at 22.5° to that, or at 45°.
fn at_most_hypotenuse(a: i32, b: i32) -> i32 {
    let (longer, shorter) = (a.max(b), a.min(b));
    longer.max((longer * 236 + shorter * 97) >> 8).max(((a + b) * 181) >> 8)
}

/// An upper bound of the hypotenuse, at most 1.09 times as long.
fn at_least_hypotenuse(a: i32, b: i32) -> i32 {
    a.max(b) + ((a.min(b) * 107) >> 8) + 1
}

/// The density of a drawn patch. `bounds`: its box; `errors`: metres by which the ground is missed with a stride of 2, 4, 8, …
pub fn clipmap_density_at(
    frame: &ClipmapFrame,
    rule: &DensityRule,
    patch: &ClipmapPatch,
    bounds: &Box3,
    errors: &[f32; MOST_THINNING as usize],
) -> Density {
    // Beside finer patches a side has two halves, and each needs both its ends.
    let most = rule.most_thinning.saturating_sub(u32::from(faces_finer(frame, patch)));
    let judge = |thinning: u32| rule.missed_and_allowed(bounds, errors[thinning as usize]);
    let is_allowed = |[missed, allowed]: [f32; 2]| missed <= allowed;
    let mut thinning = 0;
    while thinning < most && is_allowed(judge(thinning)) {
        thinning += 1;
    }
    let mut fade = 0;
    if rule.continuous && thinning < most {
        fade = error_fade(judge(thinning));
        if thinning == 0 {
            fade = fade.max(rule.ring_fade(frame, patch));
            if patch.level == frame.first_level {
                fade = fade.max(rule.first_fade);
            }
        }
    }
    Density { thinning, fade }
}

/// From 0 where an error is 1.3 to 1.5 times what is allowed up to, but short of, [`Density::FADED`] where it is just that: by the
/// difference of the bits, which grow evenly within an octave and by half of that at 1.5 times.
fn error_fade([missed, allowed]: [f32; 2]) -> u32 {
    let difference = (missed.to_bits() >> 16) as i32 - (allowed.to_bits() >> 16) as i32;
    (Density::FADED as i32 - 2 * difference).clamp(0, Density::FADED as i32 - 1) as u32
}

/// Whether a patch of a level lies beside the next finer level's block.
fn faces_finer(frame: &ClipmapFrame, patch: &ClipmapPatch) -> bool {
    if patch.level <= frame.first_level {
        return false;
    }
    let finer = patch.level - 1;
    let extent = frame.span(finer) * frame.settings.patches_across;
    let [origin_x, origin_z] = frame.origins[finer as usize];
    let (x, z) = (patch.x - origin_x, patch.z - origin_z);
    let within = |at: i32| at >= 0 && at < extent;
    let near = |at: i32| at >= -patch.cells && at < extent + patch.cells;
    (within(x) && near(z)) || (near(x) && within(z))
}

/// The index of the patch beyond each half of each side, −x, +x, −z, +z; `None` at the field's edge.
pub fn clipmap_beside(frame: &ClipmapFrame, patch: &ClipmapPatch) -> [[Option<u32>; 2]; 4] {
    let (x, z, cells) = (patch.x, patch.z, patch.cells);
    let beyond = [
        [[x - 1, z], [x - 1, z + cells / 2]],
        [[x + cells, z], [x + cells, z + cells / 2]],
        [[x, z - 1], [x + cells / 2, z - 1]],
        [[x, z + cells], [x + cells / 2, z + cells]],
    ];
    beyond.map(|halves| halves.map(|cell| index_at(frame, cell)))
}

/// The index of the drawn patch that holds a cell.
fn index_at(frame: &ClipmapFrame, cell: [i32; 2]) -> Option<u32> {
    let level = clipmap_level_at(frame, cell)?;
    let [origin_x, origin_z] = frame.origins[level as usize];
    let (i, j) = ((cell[0] - origin_x) / frame.span(level), (cell[1] - origin_z) / frame.span(level));
    let in_block = j * frame.settings.patches_across + i;
    Some(level * frame.settings.patches_per_level() as u32 + in_block as u32)
}
