//! Keys that move for as long as they are held.

use super::input::Key;
use glam::{DVec2, DVec3};

use crate::camera::Camera;

/// Which moving keys are down, and Shift and Ctrl.
#[derive(Debug, Clone, Default)]
pub struct Held {
    keys: Vec<Key>,
    /// Whether Shift is down.
    pub shift: bool,
    /// Whether Ctrl is down.
    pub ctrl: bool,
}

impl Held {
    /// Notes a key that went down or up.
    pub fn set(&mut self, key: Key, down: bool) {
        self.keys.retain(|held| *held != key);
        if down {
            self.keys.push(key);
        }
    }

    /// Lets go of every key.
    pub fn release(&mut self) {
        *self = Self::default();
    }

    /// 1, −1 or 0 for the one, the other, or neither or both of two groups of keys.
    fn axis(&self, plus: &[Key], minus: &[Key]) -> f64 {
        let any = |keys: &[Key]| f64::from(u8::from(keys.iter().any(|key| self.keys.contains(key))));
        any(plus) - any(minus)
    }

    /// Directions right, up and ahead while flying, each −1 … 1.
    pub fn flight(&self) -> DVec3 {
        DVec3::new(
            self.axis(&[Key::D, Key::ArrowRight], &[Key::A, Key::ArrowLeft]),
            self.axis(&[Key::E, Key::PageUp], &[Key::Q, Key::PageDown]),
            self.axis(&[Key::W, Key::ArrowUp], &[Key::S, Key::ArrowDown]),
        )
    }

    /// Directions right, up and ahead without flying, each −1 … 1; with Shift the arrows turn instead.
    pub fn walk(&self) -> DVec3 {
        let arrows = if self.shift { DVec2::ZERO } else { self.arrows() };
        DVec3::new(arrows.x, self.axis(&[Key::PageUp], &[Key::PageDown]), arrows.y)
    }

    /// Turns right and up, each −1 … 1: Shift and the arrows.
    pub fn turn(&self) -> DVec2 {
        if self.shift { self.arrows() } else { DVec2::ZERO }
    }

    /// What Shift and Ctrl do to the speed of flight.
    pub fn pace(&self) -> f64 {
        let fast = if self.shift { 4.0 } else { 1.0 };
        let slow = if self.ctrl { 0.25 } else { 1.0 };
        fast * slow
    }

    fn arrows(&self) -> DVec2 {
        DVec2::new(
            self.axis(&[Key::ArrowRight], &[Key::ArrowLeft]),
            self.axis(&[Key::ArrowUp], &[Key::ArrowDown]),
        )
    }
}

/// The unit step of a flight, nose first: ahead is where the view points.
pub fn nose_first(camera: &Camera, flight: DVec3) -> DVec3 {
    (camera.right() * flight.x + DVec3::Y * flight.y + camera.forward() * flight.z).normalize_or_zero()
}

/// The unit step of a level move: ahead is where the compass direction of the view points.
pub fn level(camera: &Camera, walk: DVec3) -> DVec3 {
    let ahead = DVec3::Y.cross(camera.right());
    (camera.right() * walk.x + DVec3::Y * walk.y + ahead * walk.z).normalize_or_zero()
}
