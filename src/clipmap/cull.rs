//! Frustum culling of a patch's box in integers, so that the CPU and the GPU take the same decision on every adapter.
//!
//! Positions are counted from the eye's cell: x and z in field cells shifted right by `shift`, y in steps of a power of two in
//! metres. Rounding always widens the box, so nothing visible is ever left out.

use crate::camera::Camera;
use glam::{DVec2, DVec3};

/// Which patches are left out of a picture.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Culling {
    /// None, for checks.
    None,
    /// Those outside the frustum.
    #[default]
    Frustum,
    /// Those, and those that nearer ground hides.
    Occlusion,
}

/// A box counted from the eye's cell, in cull units, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Box3 {
    /// Least x, y, z.
    pub min: [i32; 3],
    /// Greatest x, y, z.
    pub max: [i32; 3],
}

/// The frustum in integers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CullFrustum {
    /// Right shift of cells, so that no coordinate exceeds [`CullFrustum::COORDINATE_LIMIT`].
    pub shift: u32,
    /// Height that y counts from, metres before exaggeration.
    pub base_height: f32,
    /// Cull units a metre of height: a power of two.
    pub per_metre: f32,
    /// Metres of the drawn world to a cull unit along x, y, z.
    pub unit: DVec3,
    /// Planes that point inward: x·px + y·py + z·pz ≥ 0 within.
    pub planes: [[i32; 3]; 5],
}

/// What the frustum is built for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CullView {
    /// Metres a field cell along x and z.
    pub spacing: DVec2,
    /// Height scale of the drawn world.
    pub exaggeration: f64,
    /// Greatest distance in cells along one axis from the eye's cell to any cell of the field.
    pub reach_cells: i64,
    /// Least and greatest height of the field, metres before exaggeration.
    pub heights: [f32; 2],
    /// Picture size in pixels.
    pub size: [u32; 2],
}

impl CullFrustum {
    /// Coordinates stay below this, so that a sum of three products with a plane fits 32 bits.
    pub const COORDINATE_LIMIT: i64 = 1 << 17;
    /// Greatest component of a plane. 3 · 2¹⁷ · 2¹² < 2³¹ with room for the margin.
    const PLANE_SCALE: f64 = 4096.0;
    /// Height steps a cull unit along x and z: fine enough for the box, coarse enough for the plane's rounding.
    const STEPS_A_CELL: f64 = 8.0;

    /// The four sides of the picture and the plane through the eye, all widened by the rounding of their components.
    pub fn new(camera: &Camera, view: &CullView) -> Self {
        let mut shift = 0;
        while (view.reach_cells >> shift) + 2 > Self::COORDINATE_LIMIT {
            shift += 1;
        }
        let base_height = (camera.eye.y / view.exaggeration) as f32;
        let furthest = view.heights.iter().map(|h| f64::from((h - base_height).abs())).fold(1e-3, f64::max);
        let cell_metres = view.spacing.min_element() * f64::from(1u32 << shift);
        let finest = (Self::COORDINATE_LIMIT - 2) as f64 / furthest;
        let wanted = Self::STEPS_A_CELL * view.exaggeration / cell_metres;
        let per_metre = wanted.min(finest).log2().floor().exp2();
        let unit = DVec3::new(
            view.spacing.x * f64::from(1u32 << shift),
            view.exaggeration / per_metre,
            view.spacing.y * f64::from(1u32 << shift),
        );
        let planes = inward_normals(camera, view.size).map(|normal| {
            let scaled = normal * unit;
            (scaled * (Self::PLANE_SCALE / scaled.abs().max_element())).to_array().map(|c| c.round() as i32)
        });
        Self { shift, base_height, per_metre: per_metre as f32, unit, planes }
    }

    /// The box of field cells `x … x + cells`, `z … z + cells` with heights `low … high`, counted from `eye_cell`.
    ///
    /// One cull unit is added on each side: the eye stands anywhere in its cell, and its height was rounded.
    pub fn box_of(&self, eye_cell: [i32; 2], x: i32, z: i32, cells: i32, low: f32, high: f32) -> Box3 {
        let down = |cell: i32| (cell >> self.shift) - 1;
        let up = |cell: i32| -(-cell >> self.shift) + 1;
        let height = |h: f32| (h - self.base_height) * self.per_metre;
        let (rel_x, rel_z) = (x - eye_cell[0], z - eye_cell[1]);
        Box3 {
            min: [down(rel_x), height(low).floor() as i32 - 1, down(rel_z)],
            max: [up(rel_x + cells), height(high).ceil() as i32 + 1, up(rel_z + cells)],
        }
    }
}

/// Whether a box may be seen: for each plane its furthest corner lies within, give or take the rounding of the plane, which is
/// half a unit a component, so at most the box's furthest coordinates in all.
pub fn in_frustum(frustum: &CullFrustum, bounds: &Box3) -> bool {
    frustum.planes.iter().all(|plane| {
        let axes = plane.iter().zip(bounds.min.iter().zip(&bounds.max));
        let (reach, margin) = axes.fold((0, 0), |(reach, margin), (&normal, (&min, &max))| {
            let corner = if normal >= 0 { max } else { min };
            (reach + normal * corner, margin + min.abs().max(max.abs()))
        });
        reach + margin >= 0
    })
}

fn inward_normals(camera: &Camera, size: [u32; 2]) -> [DVec3; 5] {
    let (forward, right, up) = (camera.forward(), camera.right(), camera.up());
    let half = camera.half_extent(size);
    [
        right + forward * half.x,
        -right + forward * half.x,
        up + forward * half.y,
        -up + forward * half.y,
        forward,
    ]
    .map(DVec3::normalize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        /// A point of a box that projects into the picture keeps the box.
        #[test]
        fn nothing_visible_is_culled(
            eye in (-3000f64..3000.0, -500f64..9000.0, -3000f64..3000.0),
            yaw in 0f64..std::f64::consts::TAU, pitch in -1.57f64..0.6,
            x in -400..400i32, z in -400..400i32, cells in 1..200i32,
            low in -100f32..3000.0, extra in 0f32..900.0,
            at in (0f64..1.0, 0f64..1.0, 0f64..1.0),
            exaggeration in 1f64..10.0,
            // The scene is the same at any scale of its cells.
            scale in prop_oneof![Just(1.0), 0.01f64..300.0],
        ) {
            let spacing = DVec2::new(7.0, 11.0) * scale;
            let camera = Camera { eye: DVec3::from(eye) * DVec3::new(scale, 1.0, scale), yaw, pitch, fov_y: 0.8, near: 0.1 };
            let size = [640, 400];
            let point = DVec3::new(
                (f64::from(x) + at.0 * f64::from(cells)) * spacing.x,
                (f64::from(low) + at.1 * f64::from(extra)) * exaggeration,
                (f64::from(z) + at.2 * f64::from(cells)) * spacing.y,
            );
            let seen = camera.project(point, size).is_some_and(|(pixel, _)| {
                pixel.cmpge(DVec2::ZERO).all() && pixel.x <= 640.0 && pixel.y <= 400.0
            });
            let view = CullView { spacing, exaggeration, reach_cells: 2000, heights: [-100.0, 3900.0], size };
            let frustum = CullFrustum::new(&camera, &view);
            let eye_cell = [(camera.eye.x / spacing.x).floor() as i32, (camera.eye.z / spacing.y).floor() as i32];
            let bounds = frustum.box_of(eye_cell, x, z, cells, low, low + extra);
            prop_assert!(!seen || in_frustum(&frustum, &bounds));
        }
    }

    #[test]
    fn what_lies_behind_is_culled() {
        let camera = Camera { eye: DVec3::new(0.0, 10.0, 0.0), yaw: 0.0, pitch: 0.0, fov_y: 0.8, near: 0.1 };
        let view = CullView {
            spacing: DVec2::ONE,
            exaggeration: 1.0,
            reach_cells: 1000,
            heights: [0.0, 5.0],
            size: [64, 64],
        };
        let frustum = CullFrustum::new(&camera, &view);
        assert!(in_frustum(&frustum, &frustum.box_of([0, 0], -8, -40, 16, 0.0, 5.0)));
        assert!(!in_frustum(&frustum, &frustum.box_of([0, 0], -8, 24, 16, 0.0, 5.0)));
    }
}
