//! The scripted flight that frame times are taken on: the same for every field, whatever its size.

use crate::camera::Camera;
use crate::terrain::Terrain;
use glam::DVec3;

/// Height over ground where the flight ends, as a share of the field's longer side.
const LOW: f64 = 0.015;
/// Where the flight ends, as a share of the field's extent along x and z: over the southern part, looking north.
const END: [f64; 2] = [0.5, 0.7];
/// The pitch where the flight ends, radians.
const LEVEL: f64 = -0.14;

/// The camera at a share `along` (0 … 1) of the way from `start` down to a low flight over the ground.
pub fn flight(start: &Camera, terrain: &Terrain, along: f64) -> Camera {
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
