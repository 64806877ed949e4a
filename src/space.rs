//! Spaces and angles.
//!
//! World: metres, right-handed, x east, y up, z south. Compass angles (azimuth, yaw) run clockwise
//! from north, so north is −z. Angles are radians in the library and degrees on the command line.

use glam::DVec3;

/// The unit vector that points toward the compass direction `azimuth` at `altitude` over the horizon,
/// both in radians.
pub fn direction(azimuth: f64, altitude: f64) -> DVec3 {
    let (sin_azimuth, cos_azimuth) = azimuth.sin_cos();
    let (sin_altitude, cos_altitude) = altitude.sin_cos();
    DVec3::new(sin_azimuth * cos_altitude, sin_altitude, -cos_azimuth * cos_altitude)
}

/// Azimuth and altitude of a direction in radians; azimuth lies in 0 … 2π and is 0 for a vertical
/// direction.
pub fn azimuth_altitude(direction: DVec3) -> (f64, f64) {
    let horizontal = direction.x.hypot(direction.z);
    let azimuth = if horizontal == 0.0 { 0.0 } else { direction.x.atan2(-direction.z) };
    (azimuth.rem_euclid(std::f64::consts::TAU), direction.y.atan2(horizontal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn north_is_minus_z_and_east_is_plus_x() {
        assert!((direction(0.0, 0.0) - DVec3::NEG_Z).length() < 1e-15);
        assert!((direction(90f64.to_radians(), 0.0) - DVec3::X).length() < 1e-15);
        let (azimuth, altitude) = azimuth_altitude(direction(5.5, 0.7));
        assert!((azimuth - 5.5).abs() < 1e-12 && (altitude - 0.7).abs() < 1e-12);
    }
}
