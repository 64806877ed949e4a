//! Degrees to metres on the WGS84 ellipsoid.

/// Equatorial radius of WGS84, in metres.
const EQUATORIAL_RADIUS: f64 = 6_378_137.0;
/// First eccentricity of WGS84, squared.
const ECCENTRICITY_SQUARED: f64 = 0.006_694_379_990_141_317;

/// Metres in one degree of longitude and of latitude, at a latitude in degrees.
pub fn metres_per_degree(latitude: f64) -> [f64; 2] {
    let (sine, cosine) = latitude.clamp(-90.0, 90.0).to_radians().sin_cos();
    let flattening = 1.0 - ECCENTRICITY_SQUARED * sine * sine;
    let prime_vertical = EQUATORIAL_RADIUS / flattening.sqrt();
    let meridian = prime_vertical * (1.0 - ECCENTRICITY_SQUARED) / flattening;
    [prime_vertical * cosine, meridian].map(f64::to_radians)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_second_at_sixty_north_is_15_50_by_30_95_metres() {
        let [east, north] = metres_per_degree(60.0).map(|metres| metres / 3600.0);
        assert!((east - 15.50).abs() < 0.005, "{east}");
        assert!((north - 30.95).abs() < 0.005, "{north}");
    }

    #[test]
    fn a_degree_at_the_equator_and_the_pole() {
        let [east, north] = metres_per_degree(0.0);
        assert!((east - 111_319.490_793).abs() < 1e-5, "{east}");
        assert!((north - 110_574.275_821).abs() < 1e-5, "{north}");
        assert!(metres_per_degree(90.0)[0] < 1e-6);
    }
}
