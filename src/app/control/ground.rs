//! The ground as the camera meets it: where a ray hits, how high it stands, how near the eye may come.

use glam::{DVec2, DVec3};

/// What the control asks of a terrain, in its own heights, metres, without exaggeration.
pub trait Ground {
    /// The first point of the ground on a ray; `direction` need not be normalised.
    fn pick(&self, origin: DVec3, direction: DVec3) -> Option<DVec3>;

    /// The height of the ground, `None` where there is none.
    fn height(&self, x: f64, z: f64) -> Option<f64>;

    /// Two corners of the box that holds all of the ground.
    fn bounds(&self) -> (DVec3, DVec3);
}

/// A ground as it is drawn, with its heights multiplied.
#[derive(Clone, Copy)]
pub struct Drawn<'a> {
    ground: &'a dyn Ground,
    exaggeration: f64,
}

impl<'a> Drawn<'a> {
    /// A ground with its heights multiplied by a positive factor.
    pub fn new(ground: &'a dyn Ground, exaggeration: f64) -> Self {
        Self { ground, exaggeration }
    }

    /// The first point of the drawn ground on a ray; `direction` need not be normalised.
    pub fn pick(&self, origin: DVec3, direction: DVec3) -> Option<DVec3> {
        let stored = DVec3::new(1.0, self.exaggeration.recip(), 1.0);
        let hit = self.ground.pick(origin * stored, direction * stored)?;
        Some(hit * DVec3::new(1.0, self.exaggeration, 1.0))
    }

    /// Two corners of the box that holds all of the drawn ground.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let drawn = DVec3::new(1.0, self.exaggeration, 1.0);
        let (low, high) = self.ground.bounds();
        (low * drawn, high * drawn)
    }

    /// The middle of the box.
    pub fn centre(&self) -> DVec3 {
        let (low, high) = self.bounds();
        (low + high) * 0.5
    }

    /// The box's diagonal, metres.
    pub fn diagonal(&self) -> f64 {
        let (low, high) = self.bounds();
        (high - low).length()
    }

    /// How near the eye may come to the ground, metres: about a person's eye, less on small fields.
    ///
    /// The near plane at 0.1 m reaches 0.14 m from the eye in its corners, so the least stays over that.
    pub fn clearance(&self) -> f64 {
        (self.diagonal() * 2e-4).clamp(0.3, 2.0)
    }

    /// The lowest that the eye may be over a place, metres.
    ///
    /// Five places are asked, so that a steep slope beside the eye keeps its distance as well.
    pub fn floor(&self, x: f64, z: f64) -> f64 {
        let clearance = self.clearance();
        let around = [[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let height = |[dx, dz]: [f64; 2]| self.support(x + dx * clearance, z + dz * clearance);
        around.map(height).into_iter().fold(f64::NEG_INFINITY, f64::max) + clearance
    }

    /// How far a place is over the lowest that the eye may be there, plus the clearance, metres.
    pub fn height_above(&self, eye: DVec3) -> f64 {
        (eye.y - self.floor(eye.x, eye.z)).max(0.0) + self.clearance()
    }

    /// Whether an eye may be at a place.
    pub fn is_clear(&self, eye: DVec3) -> bool {
        eye.is_finite() && eye.y >= self.floor(eye.x, eye.z)
    }

    /// Whether a place lies over the field.
    pub fn is_over(&self, place: DVec3) -> bool {
        let (low, high) = self.bounds();
        place.x >= low.x && place.x <= high.x && place.z >= low.z && place.z <= high.z
    }

    /// The ground's height; in a hole the lowest of all, beside the field a slope of 45° from its edge down to that.
    fn support(&self, x: f64, z: f64) -> f64 {
        let (low, high) = self.bounds();
        let inside = DVec2::new(x.clamp(low.x, high.x), z.clamp(low.z, high.z));
        let outside = inside.distance(DVec2::new(x, z));
        let height = self.ground.height(inside.x, inside.y);
        height.map_or(low.y, |height| (height * self.exaggeration - outside).max(low.y))
    }
}
