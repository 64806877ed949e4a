//! A profile as comma-separated values.

use super::Profile;
use std::io::{self, Write};

/// Writes a heading and one line a sample; numbers are unrounded, and a field is blank where there is no ground.
pub fn write(profile: &Profile, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
    writeln!(out, "distance,x,y,height,slope")?;
    let plain = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    for sample in &profile.samples {
        let [x, y] = sample.map;
        writeln!(out, "{},{x},{y},{},{}", sample.distance, plain(sample.height), plain(sample.slope))?;
    }
    Ok(())
}
