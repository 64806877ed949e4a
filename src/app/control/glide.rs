//! Smooth flights from one camera to another.

use super::sight::Sight;
use crate::camera::Camera;
use std::f64::consts::{PI, TAU};

/// How long a flight takes, seconds.
const SECONDS: f64 = 0.55;

/// A flight under way: the seen point, its place in the picture, its depth and the view's angles all change together.
#[derive(Debug, Clone, Copy)]
pub struct Glide {
    from: (Camera, Sight),
    to: (Camera, Sight),
    elapsed: f64,
}

impl Glide {
    /// A flight between two cameras with what each of them looks at.
    pub fn new(from: (Camera, Sight), to: (Camera, Sight)) -> Self {
        Self { from, to, elapsed: 0.0 }
    }

    /// Where the flight ends.
    pub fn end(&self) -> Camera {
        self.to.0
    }

    /// The camera after `dt` more seconds, and whether the flight has ended.
    pub fn step(&mut self, dt: f64) -> (Camera, bool) {
        self.elapsed += dt;
        if self.elapsed >= SECONDS {
            return (self.end(), true);
        }
        let t = self.elapsed / SECONDS;
        (self.at(t * t * (3.0 - 2.0 * t)), false)
    }

    fn at(&self, share: f64) -> Camera {
        let ((start, seen), (end, aim)) = (&self.from, &self.to);
        let sight = Sight {
            point: seen.point.lerp(aim.point, share),
            slope: seen.slope.lerp(aim.slope, share),
            depth: seen.depth * (aim.depth / seen.depth).powf(share),
        };
        let turn = (end.yaw - start.yaw + PI).rem_euclid(TAU) - PI;
        let pitch = start.pitch + (end.pitch - start.pitch) * share;
        sight.camera(end, start.yaw + turn * share, pitch)
    }
}
