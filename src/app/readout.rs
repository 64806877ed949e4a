//! Places and heights as text: in the file's own coordinates and height unit.

use super::opened::Opened;
use crate::formats::Facts;
use glam::DVec2;

/// A map unit over which the ground runs so many metres is a degree.
const DEGREE: f64 = 1000.0;

/// What the status line says of a place of the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readout {
    /// The coordinates, named.
    pub place: String,
    /// The height with its unit, or `no data`.
    pub height: String,
}

impl Readout {
    /// Of a place of the world, metres along x and z; the height in metres, `None` where the field is empty.
    pub fn new(opened: &Opened, place: DVec2, height: Option<f64>) -> Self {
        let mut height =
            height.map_or_else(|| "no data".into(), |metres| self::height(&opened.facts, metres));
        if opened.is_preview {
            height.push_str(" (preview)");
        }
        let coordinates = match (opened.map_place(place), opened.georeference) {
            (Some(map), Some(georeference)) => {
                let [column, _] = georeference.steps();
                on_map(map, DVec2::from(column).length(), opened.facts.spacing_m[0])
            }
            _ => about_middle(place, opened.terrain.spacing().min_element()),
        };
        Self { place: coordinates, height }
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
        "metre" => "m",
        "foot" => "ft",
        "US survey foot" => "ft (US)",
        other => other,
    }
}

/// Map coordinates whose samples are `step` map units and `metres` apart.
fn on_map(map: DVec2, step: f64, metres: f64) -> String {
    let decimals = decimals(step / 10.0);
    if metres < DEGREE * step {
        return format!("E {:.decimals$}  N {:.decimals$}", map.x, map.y);
    }
    let (east, north) = (if map.x < 0.0 { "W" } else { "E" }, if map.y < 0.0 { "S" } else { "N" });
    format!("{:.decimals$}° {north}  {:.decimals$}° {east}", map.y.abs(), map.x.abs())
}

/// Metres from the field's middle, for samples so many metres apart.
fn about_middle(place: DVec2, spacing: f64) -> String {
    let decimals = decimals(spacing / 10.0);
    let (east, south) = (if place.x < 0.0 { "W" } else { "E" }, if place.y < 0.0 { "N" } else { "S" });
    format!("{:.decimals$} m {east}  {:.decimals$} m {south} of the middle", place.x.abs(), place.y.abs())
}

/// Decimals that show a step of this size.
fn decimals(step: f64) -> usize {
    if step > 0.0 { (-step.log10()).ceil().clamp(0.0, 9.0) as usize } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::loading::Progress;
    use crate::formats::{PixelIs, Raster, Statistics};

    fn opened(geotransform: Option<[f64; 6]>, spacing_m: [f64; 2], unit: &str, unit_m: f64) -> Opened {
        let size = [11, 21];
        let facts = Facts {
            file: "a.tif".into(),
            format: "GeoTIFF".into(),
            files: Vec::new(),
            size,
            sample_type: "f32".into(),
            compression: "none".into(),
            predictor: 1,
            band: 1,
            crs: None,
            plan_unit: None,
            geotransform,
            y_points_south: false,
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
        };
        let raster = Raster { size, heights: vec![1.0; 11 * 21], spacing_m, unit_m, facts };
        Opened::new(raster, String::new(), None, &Progress::new(|| ())).expect("opened")
    }

    /// The read-out of the north-western sample.
    fn corner(opened: &Opened, height: Option<f64>) -> [String; 2] {
        let origin = opened.terrain.origin();
        let readout = Readout::new(opened, DVec2::new(origin.x, origin.z), height);
        [readout.place, readout.height]
    }

    #[test]
    fn map_coordinates_are_those_of_the_sample_even_where_rows_run_north() {
        let north_row = [500_000.0, 10.0, 0.0, 4_000_210.0, 0.0, -10.0];
        let south_row = [500_000.0, 10.0, 0.0, 4_000_000.0, 0.0, 10.0];
        for geotransform in [north_row, south_row] {
            let opened = opened(Some(geotransform), [10.0; 2], "metre", 1.0);
            assert_eq!(corner(&opened, Some(12.345)), ["E 500005  N 4000205", "12.35 m"]);
        }
    }

    #[test]
    fn degrees_feet_and_empties_are_named() {
        let second = 1.0 / 3600.0;
        let degrees = opened(Some([-10.0, second, 0.0, 60.0, 0.0, -second]), [15.5, 30.9], "foot", 0.3048);
        assert_eq!(corner(&degrees, Some(30.48)), ["59.99986° N  9.99986° W", "100.00 ft"]);
        let bare = opened(None, [10.0; 2], "metre", 1.0);
        assert_eq!(corner(&bare, None), ["50 m W  100 m N of the middle", "no data"]);
    }
}
