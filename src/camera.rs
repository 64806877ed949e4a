//! A level camera: an eye, a compass direction and a pitch; reversed, infinite depth.
//!
//! Everything here is in the drawn world, so heights are already exaggerated.

mod frame;

pub use frame::{PixelRect, View};

use crate::space;
use glam::{DMat3, DVec2, DVec3, Mat4, Vec4};

/// Where the picture is taken from. The horizon is always level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The eye in the drawn world, metres.
    pub eye: DVec3,
    /// Compass direction of the view, radians clockwise from north.
    pub yaw: f64,
    /// Angle of the view over the horizon, radians; −π/2 looks straight down.
    pub pitch: f64,
    /// Vertical field of view, radians.
    pub fov_y: f64,
    /// Distance of the near plane, metres.
    pub near: f64,
}

impl Camera {
    /// The field of view where none is asked for: 45°.
    pub const FOV_Y: f64 = std::f64::consts::FRAC_PI_4;

    /// A camera at `eye` that looks at `target`, with a near plane at 0.1 m.
    pub fn looking_at(eye: DVec3, target: DVec3) -> Self {
        let (yaw, pitch) = space::azimuth_altitude(target - eye);
        Self { eye, yaw, pitch, fov_y: Self::FOV_Y, near: 0.1 }
    }

    /// Unit vector of the view.
    pub fn forward(&self) -> DVec3 {
        space::direction(self.yaw, self.pitch)
    }

    /// Unit vector to the right, always level.
    pub fn right(&self) -> DVec3 {
        DVec3::new(self.yaw.cos(), 0.0, self.yaw.sin())
    }

    /// Unit vector up in the picture.
    pub fn up(&self) -> DVec3 {
        self.right().cross(self.forward())
    }

    /// Half the extent of the picture one metre before the eye, metres, horizontal and vertical.
    pub fn half_extent(&self, size: [u32; 2]) -> DVec2 {
        let vertical = (self.fov_y * 0.5).tan();
        DVec2::new(vertical * f64::from(size[0]) / f64::from(size[1]), vertical)
    }

    /// Clip coordinates from offsets to `anchor` (metres in the drawn world) for a picture of `size` pixels.
    ///
    /// Depth is reversed: 1 at the near plane, 0 at infinity.
    pub fn clip_from_offset(&self, anchor: DVec3, size: [u32; 2]) -> Mat4 {
        let half = self.half_extent(size);
        let shift = anchor - self.eye;
        let row =
            |axis: DVec3| Vec4::new(axis.x as f32, axis.y as f32, axis.z as f32, axis.dot(shift) as f32);
        let rows = [
            row(self.right() / half.x),
            row(self.up() / half.y),
            Vec4::new(0.0, 0.0, 0.0, self.near as f32),
            row(self.forward()),
        ];
        Mat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose()
    }

    /// Radians of one pixel in the middle of the picture.
    pub fn pixel_angle(&self, size: [u32; 2]) -> f64 {
        pixel_angle(self.fov_y, size)
    }

    /// The direction through a point of the picture, pixels from its upper left corner; not normalised,
    /// one metre long along the view.
    pub fn direction_through(&self, pixel: DVec2, size: [u32; 2]) -> DVec3 {
        let half = self.half_extent(size);
        let ndc =
            DVec2::new(pixel.x / f64::from(size[0]) * 2.0 - 1.0, 1.0 - pixel.y / f64::from(size[1]) * 2.0);
        self.forward() + self.right() * (ndc.x * half.x) + self.up() * (ndc.y * half.y)
    }

    /// Where a point of the drawn world stands in the picture, in pixels, and its distance along the view in metres.
    /// `None` before the near plane.
    pub fn project(&self, point: DVec3, size: [u32; 2]) -> Option<(DVec2, f64)> {
        let view = DMat3::from_cols(self.right(), self.up(), self.forward()).transpose() * (point - self.eye);
        let half = self.half_extent(size);
        (view.z >= self.near).then(|| {
            let ndc = DVec2::new(view.x / view.z / half.x, view.y / view.z / half.y);
            let pixel = DVec2::new(
                (ndc.x + 1.0) * 0.5 * f64::from(size[0]),
                (1.0 - ndc.y) * 0.5 * f64::from(size[1]),
            );
            (pixel, view.z)
        })
    }
}

/// Radians of one pixel in the middle of a picture that is `fov_y` radians high.
pub fn pixel_angle(fov_y: f64, size: [u32; 2]) -> f64 {
    2.0 * (fov_y * 0.5).tan() / f64::from(size[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixel_ray_and_projection_are_inverse() {
        let camera = Camera::looking_at(DVec3::new(10.0, 50.0, 20.0), DVec3::new(-40.0, 3.0, -70.0));
        let size = [640, 360];
        let pixel = DVec2::new(123.25, 301.5);
        let point = camera.eye + camera.direction_through(pixel, size) * 77.0;
        let (back, distance) = camera.project(point, size).expect("in front");
        assert!((back - pixel).length() < 1e-9 && (distance - 77.0).abs() < 1e-9);
    }

    #[test]
    fn straight_down_keeps_north_up() {
        let mut camera = Camera::looking_at(DVec3::new(0.0, 100.0, 0.0), DVec3::ZERO);
        camera.yaw = 0.0;
        let (pixel, _) = camera.project(DVec3::new(0.0, 0.0, -10.0), [100, 100]).expect("in front");
        assert!((pixel.x - 50.0).abs() < 1e-9 && pixel.y < 50.0);
    }

    #[test]
    fn matrix_agrees_with_projection_and_depth_is_reversed() {
        let camera =
            Camera::looking_at(DVec3::new(5e5, 900.0, 4e6), DVec3::new(5e5 + 300.0, 0.0, 4e6 - 500.0));
        let (size, anchor) = ([640, 480], DVec3::new(5e5 + 10.0, 880.0, 4e6 - 3.0));
        let point = anchor + DVec3::new(120.0, -500.0, -250.0);
        let clip = camera.clip_from_offset(anchor, size) * (point - anchor).as_vec3().extend(1.0);
        let (pixel, distance) = camera.project(point, size).expect("in front");
        let x = f64::from(clip.x / clip.w * 0.5 + 0.5) * 640.0;
        assert!((x - pixel.x).abs() < 1e-3);
        assert!((f64::from(clip.z / clip.w) - 0.1 / distance).abs() < 1e-9);
    }
}
