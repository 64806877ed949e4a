//! Metres between samples, from map steps in degrees, feet or metres.

use super::decoded::{Notes, PlaneCrs};
use super::raster::ReadOptions;
use crate::error::{Error, Result};
use crate::geo::{Georeference, LengthUnit, metres_per_degree};

/// Steps below this many units, inside the range of longitude and latitude, are taken as degrees where no
/// system is named: it is 2 km a sample in degrees, and 2 cm in metres.
const LARGEST_STEP_IN_DEGREES: f64 = 0.02;

/// The official name of Web Mercator.
const WEB_MERCATOR: &str = "WGS 84 / Pseudo-Mercator";

/// What the spacing follows from.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub size: [u32; 2],
    pub geotransform: Option<&'a [f64; 6]>,
    pub crs: Option<&'a PlaneCrs>,
}

/// Metres between samples along columns and rows.
pub(super) fn spacing(plan: Plan, options: &ReadOptions, notes: &mut Notes) -> Result<[f64; 2]> {
    if let Some(metres) = options.spacing {
        if !(metres.is_finite() && metres > 0.0) {
            return Err(Error::usage(
                format!("a spacing of {metres} m"),
                "positive metres",
                "correct --spacing",
            ));
        }
        return Ok([metres; 2]);
    }
    let Some(georeference) = plan.geotransform.and_then(Georeference::from_geotransform) else {
        notes.assume("Samples are taken to be 1 m apart; the file does not say where they stand.");
        return Ok([1.0; 2]);
    };
    let middle = plan.size.map(|samples| f64::from(samples.saturating_sub(1)) / 2.0);
    let [x, y] = georeference.position(middle[0], middle[1]);
    let metres = match plan.crs {
        Some(plane) if plane.geographic => {
            from_degrees(y * plane.degrees, notes).map(|metres| metres * plane.degrees)
        }
        Some(plane) => {
            tell_of_unit(plane, notes);
            [plane.unit.metres / mercator_stretch(plane, y, notes); 2]
        }
        None if looks_like_degrees(&georeference, [x, y]) => {
            notes.assume("Coordinates are taken as degrees: no system is named, and steps and range fit.");
            from_degrees(y, notes)
        }
        None => {
            notes.assume("Coordinates are taken as metres; no coordinate system is named.");
            [1.0; 2]
        }
    };
    let [column, row] = georeference.steps();
    let found = [column, row].map(|step| (step[0] * metres[0]).hypot(step[1] * metres[1]));
    if found.iter().all(|metres| metres.is_finite() && *metres > 0.0) {
        return Ok(found);
    }
    notes.warn("bad-geotransform", format!("steps of {} by {} m; 1 m is taken", found[0], found[1]));
    Ok([1.0; 2])
}

fn from_degrees(latitude: f64, notes: &mut Notes) -> [f64; 2] {
    // At the very pole a degree of longitude has no length; half a degree off it has.
    let latitude = latitude.clamp(-89.5, 89.5);
    notes.assume(format!(
        "Metres were derived from degrees at the middle latitude {latitude:.6}° on the WGS84 ellipsoid."
    ));
    metres_per_degree(latitude)
}

fn looks_like_degrees(georeference: &Georeference, [x, y]: [f64; 2]) -> bool {
    let [column, row] = georeference.steps();
    let small = [column, row].iter().all(|step| step[0].hypot(step[1]) < LARGEST_STEP_IN_DEGREES);
    small && x.abs() <= 360.0 && y.abs() <= 90.0
}

/// Tells of a plan in other units than metres.
fn tell_of_unit(plane: &PlaneCrs, notes: &mut Notes) {
    let LengthUnit { name, metres } = &plane.unit;
    if *metres != 1.0 {
        notes.assume(format!("Metres were derived from plan coordinates in {name}, each {metres} m."));
    }
}

/// How many times longer Web Mercator's metres are than the ground's at a northing; 1 in every other system.
fn mercator_stretch(plane: &PlaneCrs, northing: f64, notes: &mut Notes) -> f64 {
    /// The radius of the sphere that Web Mercator is drawn from, in metres.
    const RADIUS: f64 = 6_378_137.0;
    if plane.crs.name != WEB_MERCATOR {
        return 1.0;
    }
    // The secant of the latitude, which the projection's northing gives as a hyperbolic cosine.
    let stretch = (northing / RADIUS).cosh();
    notes.assume(format!(
        "Plan metres of Web Mercator are {stretch:.4} times the ground's at the middle latitude; the spacing is the \
         ground's."
    ));
    stretch
}

/// Tells of rows and columns that are turned or run the other way.
pub(super) fn tell_of_orientation(geotransform: Option<&[f64; 6]>, y_points_south: bool, notes: &mut Notes) {
    let Some(georeference) = geotransform.and_then(Georeference::from_geotransform) else { return };
    let [mirrored, along_y] = georeference.flips();
    if along_y != y_points_south {
        notes.assume("Rows are stored south first; the terrain has them north first.");
    }
    if mirrored {
        notes.assume("Columns are stored east first; the terrain has them west first.");
    }
    if georeference.is_turned() {
        notes.assume(format!(
            "The grid is turned {:.6}° counter-clockwise from the map; the terrain keeps the grid's own axes.",
            georeference.turn_degrees()
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::decoded::epsg_crs;

    fn spacing_of(geotransform: [f64; 6], code: Option<u32>) -> ([f64; 2], Notes) {
        let mut notes = Notes::default();
        let crs = code.map(|code| epsg_crs(code, "test", &mut notes));
        let plan = Plan { size: [4, 4], geotransform: Some(&geotransform), crs: crs.as_ref() };
        let found = spacing(plan, &ReadOptions::default(), &mut notes).expect("spaced");
        (found, notes)
    }

    #[test]
    fn an_arc_second_at_sixty_north() {
        let step = 1.0 / 3600.0;
        let (found, notes) = spacing_of([10.0, step, 0.0, 60.0 + 2.0 * step, 0.0, -step], Some(4326));
        assert!((found[0] - 15.50).abs() < 0.005 && (found[1] - 30.95).abs() < 0.005, "{found:?}");
        assert!(notes.assumptions.iter().any(|text| text.contains("derived from degrees")));
    }

    #[test]
    fn web_mercator_is_brought_back_to_the_grounds_metres() {
        // Northing 8 399 737.89 m is 60° north, where the projection doubles all lengths.
        let (found, notes) = spacing_of([0.0, 10.0, 0.0, 8_399_737.89 + 20.0, 0.0, -10.0], Some(3857));
        assert!(found.iter().all(|metres| (metres - 5.0).abs() < 1e-4), "{found:?}");
        assert!(notes.assumptions[0].contains("2.0000 times the ground's"), "{:?}", notes.assumptions);
    }

    #[test]
    fn feet_degrees_without_a_system_and_turned_metres() {
        let (found, _) = spacing_of([1e6, 30.0, 0.0, 5e5, 0.0, -30.0], Some(2285));
        assert!((found[0] - 30.0 * 1200.0 / 3937.0).abs() < 1e-12);
        let (found, _) = spacing_of([-84.4, 0.000_833, 0.0, 36.7, 0.0, -0.000_833], None);
        assert!((found[1] - 92.4).abs() < 0.2, "{found:?}");
        let (found, _) = spacing_of([0.0, 8.0, 6.0, 0.0, 6.0, -8.0], Some(32632));
        assert_eq!(found, [10.0, 10.0]);
    }

    #[test]
    fn grads_are_nine_tenths_of_a_degree() {
        let (grads, _) = spacing_of([2.0, 0.001, 0.0, 50.0, 0.0, -0.001], Some(4807));
        let (degrees, _) = spacing_of([1.8, 0.0009, 0.0, 45.0, 0.0, -0.0009], Some(4326));
        assert!(grads.iter().zip(degrees).all(|(a, b)| (a - b).abs() < 1e-9), "{grads:?} {degrees:?}");
    }
}
