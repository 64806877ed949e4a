//! Fields that the GPU tests draw.

use glam::DVec3;
use orograph::terrain::Terrain;
use std::sync::Arc;

/// A field of hills by a formula, centred on the world's origin.
pub fn hills(width: u32, depth: u32, spacing: f64) -> Arc<Terrain> {
    field(width, depth, spacing, |x, z| {
        let wave = (x * 0.07).sin() * (z * 0.05).cos() * 60.0 + (x * 0.31).sin() * (z * 0.23).sin() * 9.0;
        wave.abs() + (x * 1.7 + z * 2.3).sin()
    })
}

/// A saw-tooth that leaps between −500 m and +500 m from sample to sample.
pub fn saw_tooth(side: u32) -> Arc<Terrain> {
    field(side, side, 10.0, |x, z| if (x as i32 + z as i32) % 2 == 0 { 500.0 } else { -500.0 })
}

/// A field whose heights are a function of the sample's place.
pub fn field(width: u32, depth: u32, spacing: f64, height: impl Fn(f64, f64) -> f64) -> Arc<Terrain> {
    let place = |k: u32| (f64::from(k % width), f64::from(k / width));
    let heights: Vec<f32> = (0..width * depth).map(place).map(|(x, z)| height(x, z) as f32).collect();
    let origin =
        DVec3::new(-f64::from(width - 1) * spacing * 0.5, 0.0, -f64::from(depth - 1) * spacing * 0.5);
    Arc::new(Terrain::from_vec(width, depth, spacing, origin, heights).expect("a field"))
}
