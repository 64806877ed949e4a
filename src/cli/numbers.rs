//! Numbers for people.

/// At most six decimals, without trailing zeros.
pub fn short(number: f64) -> String {
    trimmed(format!("{number:.6}"))
}

/// An angle in degrees, to a hundredth.
pub fn degrees(angle: f64) -> String {
    trimmed(format!("{angle:.2}")) + "°"
}

/// The nearest of eight compass points to a direction in degrees clockwise from north.
pub fn compass_point(azimuth: f64) -> &'static str {
    const POINTS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    POINTS[(azimuth / 45.0).round().rem_euclid(8.0) as usize]
}

fn trimmed(text: String) -> String {
    let shorter = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if shorter == "-0" { "0".to_owned() } else { shorter.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_trailing_zeros_and_no_minus_zero() {
        assert_eq!([short(0.1 + 0.2), short(-1e-9), short(1200.0)], ["0.3", "0", "1200"]);
        assert_eq!([degrees(44.999), degrees(7.126)], ["45°", "7.13°"]);
        assert_eq!([compass_point(0.0), compass_point(359.0), compass_point(225.0)], ["N", "N", "SW"]);
    }
}
