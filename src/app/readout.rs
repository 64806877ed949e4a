//! Places and heights as text: in the file's own coordinates and height unit.

use crate::formats::{Facts, PixelIs};
use glam::{DVec2, DVec3};

/// What the status line says of a place on the ground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readout {
    /// The coordinates, named.
    pub place: String,
    /// The height with its unit, or `no data`.
    pub height: String,
}

impl Readout {
    /// Of a place of a field whose first sample is at `origin`; the height in metres, `None` where the field is empty.
    pub fn new(facts: &Facts, origin: DVec3, place: DVec2, height: Option<f64>) -> Self {
        let height = height.map_or_else(|| "no data".into(), |metres| self::height(facts, metres));
        Self { place: coordinates(facts, origin, place), height }
    }
}

/// A height in the file's own unit.
fn height(facts: &Facts, metres: f64) -> String {
    let value = metres / facts.unit_m;
    let span = facts.statistics.max.zip(facts.statistics.min).map_or(1e3, |(max, min)| max - min);
    let decimals = decimals(span / 2000.0);
    format!("{value:.decimals$} {}", unit(&facts.unit))
}

/// The short form of a unit's name.
fn unit(name: &str) -> &str {
    match name {
        "metre" | "meter" | "metres" => "m",
        "foot" => "ft",
        "US survey foot" => "ft (US)",
        other => other,
    }
}

/// Coordinates in the file's system; metres from the field's middle where it has none.
fn coordinates(facts: &Facts, origin: DVec3, place: DVec2) -> String {
    let spacing = DVec2::from(facts.spacing_m);
    let sample = (place - DVec2::new(origin.x, origin.z)) / spacing;
    let Some(g) = facts.geotransform else {
        let east = if place.x < 0.0 { "W" } else { "E" };
        let south = if place.y < 0.0 { "N" } else { "S" };
        let decimals = decimals(spacing.min_element() / 10.0);
        return format!(
            "{:.decimals$} m {east}  {:.decimals$} m {south}  of the middle",
            place.x.abs(),
            place.y.abs()
        );
    };
    let pixel = stored(facts, g, sample) + if facts.pixel_is == PixelIs::Area { 0.5 } else { 0.0 };
    let x = g[0] + pixel.x * g[1] + pixel.y * g[2];
    let y = g[3] + pixel.x * g[4] + pixel.y * g[5];
    let step = g[1].hypot(g[4]);
    let decimals = decimals(step / 10.0);
    // A file unit over which the ground runs kilometres is a degree.
    if spacing.x > 1000.0 * step {
        let (east, north) = (if x < 0.0 { "W" } else { "E" }, if y < 0.0 { "S" } else { "N" });
        format!("{:.decimals$}° {north}  {:.decimals$}° {east}", y.abs(), x.abs())
    } else {
        format!("E {x:.decimals$}  N {y:.decimals$}")
    }
}

/// Column and row as stored: a file may run westward or northward, the field never does.
fn stored(facts: &Facts, geotransform: [f64; 6], sample: DVec2) -> DVec2 {
    let flip = |samples: u32, at: f64| f64::from(samples) - 1.0 - at;
    DVec2::new(
        if geotransform[1] < 0.0 { flip(facts.size[0], sample.x) } else { sample.x },
        if geotransform[5] > 0.0 { flip(facts.size[1], sample.y) } else { sample.y },
    )
}

/// Decimals that show a step of this size.
fn decimals(step: f64) -> usize {
    if step > 0.0 { (-step.log10()).ceil().clamp(0.0, 9.0) as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::Statistics;

    fn facts(geotransform: Option<[f64; 6]>, spacing_m: [f64; 2], unit: &str, unit_m: f64) -> Facts {
        Facts {
            file: "a.tif".into(),
            format: "GeoTIFF".into(),
            files: Vec::new(),
            size: [11, 21],
            sample_type: "f32".into(),
            compression: "none".into(),
            predictor: 1,
            band: 1,
            crs: None,
            geotransform,
            pixel_is: PixelIs::Area,
            spacing_m,
            nodata: None,
            nodata_rule: "none".into(),
            scale: 1.0,
            offset: 0.0,
            unit: unit.into(),
            unit_m,
            unit_source: "assumed".into(),
            statistics: Statistics { min: Some(0.0), max: Some(100.0), ..Default::default() },
            assumptions: Vec::new(),
            warnings: Vec::new(),
        }
    }

    const ORIGIN: DVec3 = DVec3::new(-50.0, 0.0, -100.0);

    #[test]
    fn map_coordinates_are_those_of_the_sample_even_where_rows_run_north() {
        let north_row = [500_000.0, 10.0, 0.0, 4_000_210.0, 0.0, -10.0];
        let south_row = [500_000.0, 10.0, 0.0, 4_000_000.0, 0.0, 10.0];
        for geotransform in [north_row, south_row] {
            let facts = facts(Some(geotransform), [10.0; 2], "metre", 1.0);
            let readout = Readout::new(&facts, ORIGIN, DVec2::new(-50.0, -100.0), Some(12.345));
            assert_eq!((readout.place.as_str(), readout.height.as_str()), ("E 500005  N 4000205", "12.35 m"));
        }
    }

    #[test]
    fn degrees_feet_and_empties_are_named() {
        let second = 1.0 / 3600.0;
        let degrees = facts(Some([-10.0, second, 0.0, 60.0, 0.0, -second]), [15.5, 30.9], "foot", 0.3048);
        let readout = Readout::new(&degrees, ORIGIN, DVec2::new(-50.0, -100.0), Some(30.48));
        assert_eq!(
            (readout.place.as_str(), readout.height.as_str()),
            ("59.99986° N  9.99986° W", "100.00 ft")
        );
        let bare = facts(None, [10.0; 2], "metre", 1.0);
        let readout = Readout::new(&bare, ORIGIN, DVec2::new(12.0, -30.0), None);
        assert_eq!(
            (readout.place.as_str(), readout.height.as_str()),
            ("12 m E  30 m N  of the middle", "no data")
        );
    }
}
