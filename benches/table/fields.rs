//! Fields of very different sizes on the same ground, and one view of what they share.

use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::Viewpoint;
use orograph::error::Result;
use orograph::source::SynthesisedSource;
use std::f64::consts::FRAC_PI_2;

/// Samples along a side of each field: two doublings from one to the next.
pub const SIDES: [u32; 4] = [1 << 10, 1 << 12, 1 << 14, 1 << 16];

/// Metres between samples.
const SPACING: f32 = 10.0;
/// Tells the ground from others.
const SEED: u32 = 1;
/// Height of the eye, metres: the picture shows less than 1024 samples each way, over ground that is within 2000 m of height 0.
const EYE: f64 = 4500.0;

/// A field whose first sample, which is the world's origin, is that of all others.
///
/// # Errors
/// As [`SynthesisedSource::new`].
pub fn field(side: u32) -> Result<SynthesisedSource> {
    SynthesisedSource::new([side; 2], SPACING, SEED)
}

/// Straight down on the middle of the smallest field.
pub fn view(size: [u32; 2]) -> Viewpoint {
    let middle = f64::from(SIDES[0] / 2) * f64::from(SPACING);
    let eye = DVec3::new(middle, EYE, middle);
    let camera = Camera { yaw: 0.0, pitch: -FRAC_PI_2, ..Camera::looking_at(eye, eye + DVec3::NEG_Y) };
    Viewpoint::new(camera, size)
}
