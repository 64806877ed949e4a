//! A point and where it is seen: what a move holds still.

use super::Drawn;
use crate::camera::Camera;
use crate::space;
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

/// How far the view may turn up or down, radians: just short of the poles.
pub(super) const PITCH_LIMIT: f64 = FRAC_PI_2 - 1e-4;

/// A point of the world and where the camera sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    /// The point in the drawn world, metres.
    pub point: DVec3,
    /// Where it is seen: metres right and up, one metre along the view.
    pub slope: DVec2,
    /// Its distance along the view, metres.
    pub depth: f64,
}

impl Sight {
    /// A point as a camera sees it; `None` where it is behind the eye.
    pub fn of(camera: &Camera, point: DVec3) -> Option<Self> {
        let offset = point - camera.eye;
        let depth = offset.dot(camera.forward());
        let slope = DVec2::new(offset.dot(camera.right()), offset.dot(camera.up())) / depth;
        (depth > 0.0 && slope.is_finite()).then_some(Self { point, slope, depth })
    }

    /// The ground under a pixel; `None` where the sky or a hole is seen.
    pub fn ground(camera: &Camera, pixel: DVec2, size: [u32; 2], ground: Drawn) -> Option<Self> {
        let point = ground.pick(camera.eye, camera.direction_through(pixel, size))?;
        Self::of(camera, point).map(|sight| Self { slope: slope(camera, pixel, size), ..sight })
    }

    /// The ground under a pixel, or a point in the sky at a distance that suits the place.
    pub fn ground_or_sky(camera: &Camera, pixel: DVec2, size: [u32; 2], ground: Drawn) -> Self {
        Self::ground(camera, pixel, size, ground).unwrap_or_else(|| {
            let direction = camera.direction_through(pixel, size);
            let depth = sky_distance(camera.eye, direction.normalize(), ground) / direction.length();
            let slope = slope(camera, pixel, size);
            Self { point: camera.eye + direction * depth, slope, depth }
        })
    }

    /// Where the eye must be to see the point in its place with the view turned to `yaw` and `pitch`.
    pub fn camera(&self, camera: &Camera, yaw: f64, pitch: f64) -> Camera {
        let turned = Camera { yaw, pitch, ..*camera };
        let direction = turned.forward() + turned.right() * self.slope.x + turned.up() * self.slope.y;
        Camera { eye: self.point - direction * self.depth, ..turned }
    }

    /// The view from `eye`, turned so that the point is seen in its place; `None` where a level horizon does not allow it.
    ///
    /// Along the vertical, the ray's share is sin(pitch) + slope.y·cos(pitch), one sine with a shifted angle.
    pub fn aimed(&self, camera: &Camera, eye: DVec3) -> Option<Camera> {
        let toward = (self.point - eye).normalize();
        let vertical = toward.y * self.slope.extend(1.0).length() / self.slope.y.hypot(1.0);
        if !toward.is_finite() || vertical.abs() > 1.0 {
            return None;
        }
        let pitch = vertical.asin() - self.slope.y.atan();
        let ahead = pitch.cos() - self.slope.y * pitch.sin();
        let yaw = space::azimuth_altitude(toward).0 - self.slope.x.atan2(ahead);
        (pitch.abs() <= PITCH_LIMIT && ahead > 0.0).then_some(Camera { eye, yaw, pitch, ..*camera })
    }
}

/// The direction through a pixel: metres right and up, one metre along the view.
pub(super) fn slope(camera: &Camera, pixel: DVec2, size: [u32; 2]) -> DVec2 {
    let direction = camera.direction_through(pixel, size);
    DVec2::new(direction.dot(camera.right()), direction.dot(camera.up()))
}

/// How far away a point in the sky is taken to be, metres: from beside the field as far as its middle, over the field by the
/// eye's height.
fn sky_distance(eye: DVec3, direction: DVec3, ground: Drawn) -> f64 {
    let near = 2.0 * ground.height_above(eye);
    if ground.is_over(eye) { near } else { near.max((ground.centre() - eye).dot(direction)) }
}
