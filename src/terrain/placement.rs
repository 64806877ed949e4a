//! A field moved, turned and stretched: every question is put to the field itself, and its answer is brought back.

use super::{Hit, Terrain};
use crate::error::{Error, Result};
use glam::{DVec2, DVec3};

/// A field's transform: points of the field are scaled, then turned, then moved, all about the world's origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
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
    /// Scales by `scale` along the field's axes, turns by `turn` radians about y (x toward −z, counterclockwise from
    /// above), and moves by `position` metres.
    ///
    /// # Errors
    /// A number that is not finite, or a scale that is not positive: a mirrored field would have other diagonals, and one
    /// upside down would have its ground's other side on top.
    pub fn new(position: DVec3, turn: f64, scale: DVec3) -> Result<Self> {
        let bad = |found: String, expected: &str| Err(Error::usage(found, expected, "correct the value"));
        if !position.is_finite() {
            return bad(format!("a field placed at {position}"), "finite metres");
        }
        if !turn.is_finite() {
            return bad(format!("a field turned by {turn}"), "finite radians");
        }
        if !(scale.is_finite() && scale.cmpgt(DVec3::ZERO).all()) {
            return bad(format!("a field scaled by {scale}"), "positive numbers along x, y and z");
        }
        Ok(Self { position, turn: turn.sin_cos().into(), scale })
    }

    /// A world point from a point of the field.
    pub fn world_from_field(&self, point: DVec3) -> DVec3 {
        self.turned(point * self.scale) + self.position
    }

    /// A point of the field from a world point.
    pub fn field_from_world(&self, point: DVec3) -> DVec3 {
        self.vector_from_world(point - self.position)
    }

    /// A direction of the field, with the length that the scale gives it, from one of the world.
    fn vector_from_world(&self, vector: DVec3) -> DVec3 {
        let [sin, cos] = self.turn;
        let DVec3 { x, y, z } = vector;
        DVec3::new(cos * x - sin * z, y, sin * x + cos * z) / self.scale
    }

    /// A unit normal of the world: a normal stretches by the inverse of what its surface does.
    fn normal_from_field(&self, normal: DVec3) -> DVec3 {
        self.turned(normal / self.scale).normalize()
    }

    fn turned(&self, vector: DVec3) -> DVec3 {
        let [sin, cos] = self.turn;
        let DVec3 { x, y, z } = vector;
        DVec3::new(cos * x + sin * z, y, cos * z - sin * x)
    }
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
    /// World height of the drawn triangle at (x, z), as [`Terrain::height_at`].
    pub fn height_at(&self, x: f64, z: f64) -> Option<f64> {
        let at = self.in_field(x, z);
        let height = self.terrain.height_at(at.x, at.y)?;
        Some(height * self.placement.scale.y + self.placement.position.y)
    }

    /// Unit normal at (x, z), as [`Terrain::normal_at`]: its differences are taken along the field's own axes.
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
        let normal = self.shading_normal_at(x, z)?;
        Some(normal.x.hypot(normal.z).atan2(normal.y))
    }

    /// Whether (x, z) lies on a drawn triangle, as [`Terrain::covers`].
    pub fn covers(&self, x: f64, z: f64) -> bool {
        let at = self.in_field(x, z);
        self.terrain.covers(at.x, at.y)
    }

    /// The first drawn triangle that a world ray meets, as [`Terrain::raycast`]; distance in metres of the world.
    pub fn raycast(&self, origin: DVec3, direction: DVec3) -> Option<Hit> {
        // Scaled first: a huge direction would overflow where the field's scale is small.
        let direction = (direction / direction.abs().max_element()).try_normalize()?;
        let along = self.placement.vector_from_world(direction);
        let hit = self.terrain.raycast(self.placement.field_from_world(origin), along)?;
        Some(Hit {
            position: self.placement.world_from_field(hit.position),
            normal: self.placement.normal_from_field(hit.normal),
            distance: hit.distance / along.length(),
        })
    }

    /// The field's x and z of a world position.
    fn in_field(&self, x: f64, z: f64) -> DVec2 {
        let point = self.placement.field_from_world(DVec3::new(x, self.placement.position.y, z));
        DVec2::new(point.x, point.z)
    }
}

#[cfg(test)]
mod tests;
