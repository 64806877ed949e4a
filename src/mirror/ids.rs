//! The same picture by both paths: which pixels show the same triangle, and whether every other has a reason.
//!
//! Patches stand in the same order on both paths, so ids are comparable. A pixel may differ where its sample is so near to an
//! outline that it depends on how vertices are snapped, and where two triangles are so near in depth that it depends on how
//! depth is rounded. Outlines and depths are those of the unsnapped vertices, in double precision.

use super::triangle_corners;
use super::vertices::place_in_picture;
use crate::camera::Camera;
use crate::clipmap::{FramePlan, Viewpoint};
use crate::error::Result;
use crate::frame::{FrameInput, Renderer, sample_in_turn};
use crate::gpu::{Gpu, IdLayout};
use crate::passes::{DrawnPatch, Look, VertexProbe};
use glam::{DVec2, DVec3, DVec4};
use rayon::prelude::*;

/// How far snapping may move an outline, pixels. An adapter need place vertices on sixteenths of a pixel alone (the least
/// subPixelPrecisionBits of Vulkan is 4), which moves them by √2/32; the compute path's 1/256 add √2/512.
const APART: f64 = 1.0 / 16.0;
/// How far a few roundings may move a depth, as a share of the triangle's greatest: both paths hold depths to 23 bits of that.
const DEPTH_SHARE: f64 = 1.0 / (1 << 20) as f64;

/// What comparing pictures of both paths found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IdComparison {
    /// Pixels compared.
    pub pixels: u64,
    /// Pixels with another id, beside an outline of one of the two triangles.
    pub beside_outlines: u64,
    /// Pixels with another id, whose two triangles are equally deep within rounding.
    pub equally_deep: u64,
    /// Pixels with another id for no such reason.
    pub unexplained: u64,
}

impl IdComparison {
    /// The share of pixels with the same id, 0 … 1.
    pub fn agreeing(&self) -> f64 {
        let differing = self.beside_outlines + self.equally_deep + self.unexplained;
        1.0 - differing as f64 / self.pixels.max(1) as f64
    }

    /// The sum of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            pixels: self.pixels + other.pixels,
            beside_outlines: self.beside_outlines + other.beside_outlines,
            equally_deep: self.equally_deep + other.equally_deep,
            unexplained: self.unexplained + other.unexplained,
        }
    }
}

/// Draws from every camera, each at another sample of its pixels, by two renderers of the same field, which take different paths, and compares. Both must have drawn the same pictures
/// before. `tick` is called after each camera; it may end the work early by returning an error.
///
/// # Errors
/// The device was lost, a frame could not be planned, or `tick` said so.
pub fn compare_paths(
    gpu: &Gpu,
    renderers: &mut [Renderer; 2],
    cameras: &[Camera],
    size: [u32; 2],
    mut tick: impl FnMut() -> Result<()>,
) -> Result<IdComparison> {
    let mut sum = IdComparison::default();
    for (number, camera) in cameras.iter().enumerate() {
        let view = Viewpoint { sample: sample_in_turn(number), ..Viewpoint::new(*camera, size) };
        let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
        sum = sum.plus(compare_view(gpu, renderers, &input)?);
        tick()?;
    }
    Ok(sum)
}

fn compare_view(gpu: &Gpu, [one, other]: &mut [Renderer; 2], input: &FrameInput) -> Result<IdComparison> {
    let plan = one.draw_visibility(gpu, input)?;
    other.draw_visibility(gpu, input)?;
    let ids = |renderer: &Renderer| -> Result<Vec<u32>> {
        let pixels = renderer.targets().map(|targets| targets.read_visibility(gpu)).transpose()?;
        Ok(pixels.into_iter().flatten().map(|[id, _]| id).collect())
    };
    let patches = one.read_patches(gpu)?;
    Ok(compare_ids(&plan, one.id_layout(), &patches, [&ids(one)?, &ids(other)?]))
}

/// Compares the ids of two pictures of the same plan, row by row. `patches`: the GPU's.
pub fn compare_ids(
    plan: &FramePlan,
    layout: IdLayout,
    patches: &[DrawnPatch],
    [one, other]: [&[u32]; 2],
) -> IdComparison {
    let width = plan.view.size[0] as usize;
    let shorter = IdComparison { unexplained: one.len().abs_diff(other.len()) as u64, ..Default::default() };
    let differing = one.par_iter().zip(other).enumerate().filter(|(_, (a, b))| a != b);
    let sum = differing
        .map(|(pixel, (&a, &b))| {
            let middle = DVec2::new((pixel % width) as f64, (pixel / width) as f64) + 0.5;
            // Background has no outline.
            let shown: Option<Vec<Shape>> = [a, b]
                .into_iter()
                .filter(|id| *id != 0)
                .map(|id| Shape::of(plan, layout, patches, id))
                .collect();
            judge(middle, shown.as_deref().unwrap_or_default())
        })
        .reduce(IdComparison::default, IdComparison::plus);
    IdComparison { pixels: one.len().max(other.len()) as u64, ..sum.plus(shorter) }
}

/// Why a pixel may show one of these triangles on one path and another, or none, on the other.
fn judge(middle: DVec2, shown: &[Shape]) -> IdComparison {
    let beside = |shape: &Shape| shape.outline_distance(middle) <= APART;
    let all_are_there = shown.iter().all(|shape| beside(shape) || shape.holds(middle));
    let mut found = IdComparison::default();
    match shown {
        _ if !all_are_there => found.unexplained = 1,
        _ if shown.iter().any(beside) => found.beside_outlines = 1,
        [a, b] if a.is_as_deep_as(b, middle) => found.equally_deep = 1,
        _ => found.unexplained = 1,
    }
    found
}

/// A triangle in the picture.
#[derive(Debug)]
struct Shape {
    /// Its corners in pixels, after clipping at the near plane.
    outline: Vec<DVec2>,
    /// near/w as a plane over the picture: its product with (x, y, 1).
    depth: DVec3,
    /// The greatest near/w.
    nearest: f64,
}

impl Shape {
    /// `None` where the list has no such triangle.
    fn of(plan: &FramePlan, layout: IdLayout, patches: &[DrawnPatch], id: u32) -> Option<Self> {
        let triangle = id & ((1 << layout.triangle_bits) - 1);
        let number = id >> layout.triangle_bits & ((1 << layout.instance_bits) - 1);
        let patch = patches.get(number as usize)?;
        let cells = patch.instance.drawn_cells(plan.frame.settings.patch_cells);
        let corners = triangle_corners(triangle, cells);
        let place = |vertex: &VertexProbe| {
            place_in_picture(&plan.view, DVec4::from_array(vertex.clip.map(f64::from)))
        };
        corners.iter().all(|corner| *corner < patch.vertices.len()).then(|| {
            Self::from_places(corners.map(|corner| place(&patch.vertices[corner])), plan.view.camera.near)
        })
    }

    /// From the corners' pixels times w, and w.
    fn from_places(corners: [DVec3; 3], near: f64) -> Self {
        let [a, b, c] = corners;
        let outline = clipped(corners, near);
        let closest = outline.iter().map(|corner| corner.z).fold(f64::INFINITY, f64::min);
        Self {
            outline: outline.iter().map(|corner| corner.truncate() / corner.z).collect(),
            depth: (b.cross(c) + c.cross(a) + a.cross(b)) / a.dot(b.cross(c)) * near,
            nearest: near / closest,
        }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec2; 2]> {
        self.outline.iter().zip(self.outline.iter().cycle().skip(1)).map(|(from, to)| [*from, *to])
    }

    fn outline_distance(&self, place: DVec2) -> f64 {
        let distance = |[from, to]: [DVec2; 2]| {
            let along = (place - from).dot(to - from) / (to - from).length_squared();
            place.distance(from.lerp(to, if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 }))
        };
        self.edges().map(distance).fold(f64::INFINITY, f64::min)
    }

    fn holds(&self, place: DVec2) -> bool {
        let side = |[from, to]: [DVec2; 2]| (to - from).perp_dot(place - from);
        !self.outline.is_empty()
            && (self.edges().all(|edge| side(edge) >= 0.0) || self.edges().all(|edge| side(edge) <= 0.0))
    }

    /// Whether depths differ by no more than rounding and moving the triangles explain.
    fn is_as_deep_as(&self, other: &Self, place: DVec2) -> bool {
        let room = |shape: &Self| shape.depth.truncate().length() * APART + shape.nearest * DEPTH_SHARE;
        (self.depth - other.depth).dot(place.extend(1.0)).abs() <= room(self) + room(other)
    }
}

/// The part of a triangle beyond the near plane.
fn clipped(corners: [DVec3; 3], near: f64) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(4);
    for (here, next) in (0..3).map(|k| (corners[k], corners[(k + 1) % 3])) {
        if here.z >= near {
            kept.push(here);
        }
        if (here.z >= near) != (next.z >= near) {
            kept.push(here.lerp(next, (near - here.z) / (next.z - here.z)));
        }
    }
    kept
}
