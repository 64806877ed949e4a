//! The scripted flights that frame times are taken on: the same for every field, whatever its size.

use crate::camera::{Camera, View};
use crate::terrain::{Terrain, lattice_source};
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A scripted flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Flight {
    /// From the first view down to a low flight over the ground.
    #[default]
    Flyover,
    /// A full circle about the middle, which is looked at, at the distance and pitch of the first view.
    Orbit,
    /// Straight down onto the middle, from far above the ground to a hand's breadth over it.
    Descent,
}

impl Flight {
    /// Every flight, in the order in which they are told.
    pub const ALL: [Self; 3] = [Self::Flyover, Self::Orbit, Self::Descent];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flyover => "flyover",
            Self::Orbit => "orbit",
            Self::Descent => "descent",
        }
    }

    /// A field's first view, that every flight starts from: all of it from the south, in a picture of `size` pixels.
    pub fn start(terrain: &Terrain, size: [u32; 2]) -> Camera {
        let (origin, range) = (terrain.origin(), terrain.range());
        let corner = |x: f64, height: f32, z: f64| origin + DVec3::new(x, f64::from(height), z);
        let low = corner(0.0, *range.start(), 0.0);
        let high = corner(terrain.extent_x(), *range.end(), terrain.extent_z());
        Camera::framing(View::South, low, high, size, Camera::FOV_Y)
    }

    /// The camera at a share `along` (0 … 1) of the flight; `start` is the field's first view.
    pub fn camera(self, start: &Camera, terrain: &Terrain, along: f64) -> Camera {
        match self {
            Self::Flyover => flyover(start, terrain, along),
            Self::Orbit => orbit(start, terrain, along),
            Self::Descent => descent(start, terrain, along),
        }
    }
}

/// Height over ground where the flyover ends, as a share of the field's longer side.
const LOW: f64 = 0.015;
/// Where the flyover ends, as a share of the field's extent along x and z: over the southern part, looking north.
const END: [f64; 2] = [0.5, 0.7];
/// The pitch where the flyover ends, radians.
const LEVEL: f64 = -0.14;

fn flyover(start: &Camera, terrain: &Terrain, along: f64) -> Camera {
    let origin = terrain.origin();
    let (x, z) = (origin.x + terrain.extent_x() * END[0], origin.z + terrain.extent_z() * END[1]);
    let plan = start.eye.lerp(DVec3::new(x, start.eye.y, z), along);
    let low = terrain.extent_x().max(terrain.extent_z()) * LOW;
    let top = origin.y + f64::from(*terrain.range().end());
    let ground = terrain.height_at(plan.x, plan.z).unwrap_or(top);
    // The height over ground shrinks evenly in ratio, so that every level of detail is met.
    let start_height = (start.eye.y - ground).max(low);
    let height = start_height * (low / start_height).powf(along);
    let pitch = start.pitch + (LEVEL - start.pitch) * along.powi(3);
    Camera { eye: DVec3::new(plan.x, ground + height, plan.z), pitch, ..*start }
}

fn orbit(start: &Camera, terrain: &Terrain, along: f64) -> Camera {
    let range = terrain.range();
    let middle_height = f64::from(range.start() + range.end()) * 0.5;
    let middle =
        terrain.origin() + DVec3::new(terrain.extent_x() * 0.5, middle_height, terrain.extent_z() * 0.5);
    let turned = Camera { yaw: start.yaw + along * TAU, ..*start };
    Camera { eye: middle - turned.forward() * start.eye.distance(middle), ..turned }
}

/// Height over ground where the descent starts and where it ends, metres.
const DESCENT: [f64; 2] = [10_000.0, 0.1];
/// The pitch where the descent starts and where it ends, radians: straight down, then along the ground.
const DESCENT_PITCH: [f64; 2] = [-FRAC_PI_2, -0.1];
/// The near plane is at most this share of the height over ground before the eye: its corners then stay out of ground
/// of up to 80°.
const NEAR_SHARE: f64 = 0.1;

fn descent(start: &Camera, terrain: &Terrain, along: f64) -> Camera {
    let [high, low] = DESCENT;
    let height = high * (low / high).powf(along);
    let pitch = DESCENT_PITCH[0] + (DESCENT_PITCH[1] - DESCENT_PITCH[0]) * along;
    let eye = ground_in_the_middle(terrain) + DVec3::Y * height;
    Camera { eye, pitch, near: start.near.min(height * NEAR_SHARE), ..*start }
}

/// The ground at the valid sample nearest to the field's middle.
fn ground_in_the_middle(terrain: &Terrain) -> DVec3 {
    let cells = terrain.cells().map(i64::from);
    let middle = cells.map(|cells| cells / 2);
    // So wide a step reaches every sample, and a field has at least one that is valid.
    let [ix, iz] = lattice_source(terrain, middle, 2 * (cells[0] + cells[1])).unwrap_or(middle);
    let plan = terrain.world_from_grid(DVec2::new(ix as f64, iz as f64));
    let height = terrain.height_at(plan.x, plan.y).or_else(|| terrain.sample(ix, iz));
    DVec3::new(plan.x, height.unwrap_or(terrain.origin().y), plan.y)
}

#[cfg(test)]
mod tests;
