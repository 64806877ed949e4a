//! A field moved, turned and stretched: every question is put to the field itself, and its answer is brought
//! back.

use super::query::slope_of;
use super::{Hit, Terrain};
use crate::error::{Error, Result};
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;
use std::ops::RangeInclusive;

/// Least and greatest scale; past them the lengths of normals and rays leave the numbers.
const SCALES: RangeInclusive<f64> = 1e-9..=1e9;

/// A field's transform. The field is scaled along its axes, then turned, both about its first corner — sample
/// (0, 0) at height 0 — and then moved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// Metres that the corner is moved by.
    position: DVec3,
    /// Sine and cosine of the turn about y.
    turn: [f64; 2],
    scale: DVec3,
}

impl Default for Placement {
    /// The one that changes nothing.
    fn default() -> Self {
        Self { position: DVec3::ZERO, turn: [0.0, 1.0], scale: DVec3::ONE }
    }
}

impl Placement {
    /// Scales by `scale` along x, y and z, turns by `turn` radians about y (x toward −z: counterclockwise
    /// from above), and moves by `position` metres. A field with its origin at zero has its corner at
    /// `position`.
    ///
    /// # Errors
    /// A number that is not finite, or a scale outside 1e-9 to 1e9. A negative scale is one of them: it would
    /// swap the diagonals of a field or put its underside on top.
    pub fn new(position: DVec3, turn: f64, scale: DVec3) -> Result<Self> {
        let bad = |found: String, expected: &str| Err(Error::usage(found, expected, "correct the value"));
        if !position.is_finite() {
            return bad(format!("a field moved by {position}"), "finite metres");
        }
        if !turn.is_finite() {
            return bad(format!("a field turned by {turn}"), "finite radians");
        }
        if !scale.to_array().iter().all(|axis| SCALES.contains(axis)) {
            return bad(format!("a field scaled by {scale}"), "1e-9 to 1e9 along x, y and z");
        }
        Ok(Self { position, turn: sine_and_cosine(turn), scale })
    }

    /// A world direction from one of the field, which is stretched and turned.
    fn world_vector_from_field(&self, vector: DVec3) -> DVec3 {
        self.turned(vector * self.scale)
    }

    /// The inverse of [`Placement::world_vector_from_field`].
    fn field_vector_from_world(&self, DVec3 { x, y, z }: DVec3) -> DVec3 {
        let [sin, cos] = self.turn;
        DVec3::new(cos * x - sin * z, y, sin * x + cos * z) / self.scale
    }

    /// A unit normal of the world: a normal is stretched by the inverse of what its surface is.
    fn normal_from_field(&self, normal: DVec3) -> DVec3 {
        self.turned(normal / self.scale).normalize()
    }

    fn turned(&self, DVec3 { x, y, z }: DVec3) -> DVec3 {
        let [sin, cos] = self.turn;
        DVec3::new(cos * x + sin * z, y, cos * z - sin * x)
    }
}

/// Sine and cosine of an angle, exact for up to four quarter turns either way, so that a field turned by them
/// keeps its rim to the bit.
fn sine_and_cosine(turn: f64) -> [f64; 2] {
    let quarters = turn / FRAC_PI_2;
    if quarters.abs() > 4.0 || quarters != quarters.round() {
        return turn.sin_cos().into();
    }
    [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]][quarters.rem_euclid(4.0) as usize]
}

/// A field seen through its placement; all coordinates are those of the world outside.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a> {
    terrain: &'a Terrain,
    placement: Placement,
}

impl Terrain {
    /// This field where `placement` puts it.
    pub fn placed(&self, placement: Placement) -> Placed<'_> {
        Placed { terrain: self, placement }
    }
}

impl Placed<'_> {
    /// The world point where a point of the field, in the field's own metres, comes to lie.
    pub fn world_from_field(&self, point: DVec3) -> DVec3 {
        let origin = self.terrain.origin();
        self.placement.world_vector_from_field(point - origin) + (origin + self.placement.position)
    }

    /// The point of the field that lies at a world point.
    pub fn field_from_world(&self, point: DVec3) -> DVec3 {
        let origin = self.terrain.origin();
        self.placement.field_vector_from_world(point - (origin + self.placement.position)) + origin
    }

    /// World height of the drawn triangle at (x, z), as [`Terrain::height_at`].
    pub fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let at = self.in_field(x, z);
        let height = self.terrain.height_at(at.x, at.y)?;
        Some(self.world_from_field(DVec3::new(at.x, height, at.y)).y)
    }

    /// Unit normal at (x, z), as [`Terrain::normal_at`]: its differences are taken along the field's own
    /// axes.
    pub fn normal_at(&self, x: f64, z: f64) -> Option<DVec3> {
        let at = self.in_field(x, z);
        self.terrain.normal_at(at.x, at.y).map(|normal| self.placement.normal_from_field(normal))
    }

    /// Unit normal for shading at (x, z), as [`Terrain::shading_normal_at`].
    pub fn shading_normal_at(&self, x: f64, z: f64) -> Option<DVec3> {
        let at = self.in_field(x, z);
        self.terrain.shading_normal_at(at.x, at.y).map(|normal| self.placement.normal_from_field(normal))
    }

    /// Angle of the ground at (x, z) against the horizontal, radians, as [`Terrain::slope_at`].
    pub fn slope_at(&self, x: f64, z: f64) -> Option<f64> {
        self.shading_normal_at(x, z).map(slope_of)
    }

    /// Whether (x, z) lies on a drawn triangle, as [`Terrain::covers`].
    pub fn covers(&self, x: f64, z: f64) -> bool {
        let at = self.in_field(x, z);
        self.terrain.covers(at.x, at.y)
    }

    /// The first drawn triangle that a world ray meets, as [`Terrain::raycast`]; distance in metres of the
    /// world.
    pub fn raycast(&self, origin: DVec3, direction: DVec3) -> Option<Hit> {
        // Scaled first: the length of a tiny or huge direction is zero or infinite.
        let direction = (direction / direction.abs().max_element()).try_normalize()?;
        let along = self.placement.field_vector_from_world(direction);
        let hit = self.terrain.raycast(self.field_from_world(origin), along)?;
        Some(Hit {
            position: self.world_from_field(hit.position),
            normal: self.placement.normal_from_field(hit.normal),
            distance: hit.distance / along.length(),
        })
    }

    /// The field's x and z at a world position; heights have no part in them.
    fn in_field(&self, x: f64, z: f64) -> DVec2 {
        let point = self.field_from_world(DVec3::new(x, 0.0, z));
        DVec2::new(point.x, point.z)
    }
}

#[cfg(test)]
mod tests;
