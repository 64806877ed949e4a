//! Single moves of a camera: each takes one and returns the next, over the ground and with the horizon level.

use super::Drawn;
use super::sight::{PITCH_LIMIT, Sight};
use crate::camera::Camera;
use glam::{DVec2, DVec3};

/// How far the eye may be from the field's middle, in diagonals of its box.
const REACH: f64 = 12.0;
/// Under this share of its length a ray's fall is too flat to drag the ground along a level plane.
const FLAT: f64 = 0.12;
/// How much a level drag may change the grabbed point's depth before the eye leaves its height.
const STRETCH: f64 = 3.0;

/// Turns about a sight by radians of yaw and pitch. Where the ground is in the way, the view goes steeper.
pub fn orbited(camera: &Camera, sight: &Sight, turn: DVec2, ground: Drawn) -> Camera {
    let yaw = camera.yaw + turn.x;
    let wanted = (camera.pitch + turn.y).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    cleared(|pitch| sight.camera(camera, yaw, pitch), wanted, ground).unwrap_or(*camera)
}

/// The camera of the pitch nearest under `wanted` whose eye is over the ground.
fn cleared(turned: impl Fn(f64) -> Camera, wanted: f64, ground: Drawn) -> Option<Camera> {
    const STEPS: u32 = 32;
    let clear = |pitch| ground.is_clear(turned(pitch).eye);
    if clear(wanted) {
        return Some(turned(wanted));
    }
    let at = |step: u32| wanted + (-PITCH_LIMIT - wanted) * f64::from(step) / f64::from(STEPS);
    let first = (1..=STEPS).find(|step| clear(at(*step)))?;
    let (mut under, mut over) = (at(first - 1), at(first));
    for _ in 0..24 {
        let middle = (under + over) * 0.5;
        if clear(middle) {
            over = middle;
        } else {
            under = middle;
        }
    }
    Some(turned(over))
}

/// Drags the grabbed point to another direction of the picture, the eye staying at its height while that is possible.
pub fn panned(camera: &Camera, grabbed: &Sight, to: DVec2, ground: Drawn) -> (Camera, Sight) {
    let ray = camera.forward() + camera.right() * to.x + camera.up() * to.y;
    let offset = grabbed.point - camera.eye;
    let level = offset.y.abs() > FLAT * offset.length();
    let depth = if level && offset.y * ray.y > 0.0 { offset.y / ray.y } else { grabbed.depth };
    let depth = depth.clamp(grabbed.depth / STRETCH, grabbed.depth * STRETCH);
    let moved = Sight { slope: to, depth, ..*grabbed };
    let eye = moved.camera(camera, camera.yaw, camera.pitch).eye;
    held(camera, &moved, eye, ground).unwrap_or((*camera, *grabbed))
}

/// Brings the eye nearer to the point of a sight, its depth multiplied by `factor`.
pub fn zoomed(camera: &Camera, sight: &Sight, factor: f64, ground: Drawn) -> (Camera, Sight) {
    let farthest = REACH * ground.diagonal();
    let nearest = 2.0 * ground.clearance() / sight.slope.extend(1.0).length();
    let depth = sight.depth * factor;
    let depth =
        if factor < 1.0 { depth.max(nearest.min(sight.depth)) } else { depth.min(farthest.max(sight.depth)) };
    let nearer = Sight { depth, ..*sight };
    let eye = nearer.camera(camera, camera.yaw, camera.pitch).eye;
    held(camera, &nearer, eye, ground).unwrap_or((*camera, *sight))
}

/// Moves the ground from one exaggeration to another, `factor` times the present one, with the point of a sight staying in its place.
///
/// `ground` is the ground as it is drawn afterwards.
pub fn stretched(camera: &Camera, sight: &Sight, factor: f64, ground: Drawn) -> Camera {
    let point = sight.point * DVec3::new(1.0, factor, 1.0);
    let eye = camera.eye + (point - sight.point);
    let moved = Sight { point, ..*sight };
    let (kept, _) = held(camera, &moved, eye, ground).unwrap_or((Camera { eye, ..*camera }, moved));
    settled(&kept, ground)
}

/// The view from `eye`, or from over the ground there and turned to hold the sight; `None` where that cannot be.
fn held(camera: &Camera, sight: &Sight, eye: DVec3, ground: Drawn) -> Option<(Camera, Sight)> {
    if !is_near(eye, ground) {
        return None;
    }
    if ground.is_clear(eye) {
        return Some((Camera { eye, ..*camera }, *sight));
    }
    let lifted = DVec3::new(eye.x, ground.floor(eye.x, eye.z), eye.z);
    let aimed = sight.aimed(camera, lifted)?;
    let depth = (sight.point - lifted).dot(aimed.forward());
    Some((aimed, Sight { depth, ..*sight }))
}

/// Turns the view about the eye by radians of yaw and pitch.
pub fn looked(camera: &Camera, turn: DVec2) -> Camera {
    let pitch = (camera.pitch + turn.y).clamp(-PITCH_LIMIT, PITCH_LIMIT);
    Camera { yaw: camera.yaw + turn.x, pitch, ..*camera }
}

/// The camera with its eye over the ground, within reach, its yaw within one turn and its pitch short of the poles.
pub fn settled(camera: &Camera, ground: Drawn) -> Camera {
    let centre = ground.centre();
    let mut eye = centre + (camera.eye - centre).clamp_length_max(REACH * ground.diagonal());
    eye.y = eye.y.max(ground.floor(eye.x, eye.z));
    let yaw = camera.yaw.rem_euclid(std::f64::consts::TAU);
    Camera { eye, yaw, pitch: camera.pitch.clamp(-PITCH_LIMIT, PITCH_LIMIT), ..*camera }
}

fn is_near(eye: DVec3, ground: Drawn) -> bool {
    eye.is_finite() && eye.distance(ground.centre()) <= REACH * ground.diagonal()
}
