//! MapInfo `.tab` files of rasters: control points, a coordinate system, units.

use super::{Claim, text_beside};
use crate::formats::control_points::map_of;
use crate::formats::decoded::{Notes, PlaneCrs};
use crate::formats::raster::Crs;
use crate::geo::{ControlPoint, LengthUnit};
use std::path::Path;

/// MapInfo's number for longitude and latitude.
const GEOGRAPHIC: &str = "1";

/// The `.tab` file beside a raster, where it describes one.
pub(super) fn beside(path: &Path, notes: &mut Notes) -> Option<Claim> {
    let (file, text) = text_beside(path, "tab", notes)?;
    let is_raster =
        words_after(&text, "type").is_some_and(|kind| kind.to_ascii_uppercase().contains("RASTER"));
    if !is_raster {
        return None;
    }
    let source = "the .tab file";
    let geotransform = map_of(&control_points(&text), source, notes);
    Some(Claim { source, file: Some(file), geotransform, crs: coordinate_system(&text) })
}

/// What follows the first word of a line.
fn words_after<'a>(text: &'a str, first: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (word, rest) = line.trim().split_once(char::is_whitespace)?;
        word.eq_ignore_ascii_case(first).then_some(rest)
    })
}

/// Lines such as `(400000,1200000) (0,4000) Label "Pt 1",`.
fn control_points(text: &str) -> Vec<ControlPoint> {
    let point = |line: &str| {
        let mut pairs = line.trim().strip_prefix('(')?.split('(');
        Some(ControlPoint { map: pair(pairs.next()?)?, pixel: pair(pairs.next()?)? })
    };
    text.lines().filter_map(point).collect()
}

fn pair(text: &str) -> Option<[f64; 2]> {
    let (first, second) = text.split(')').next()?.split_once(',')?;
    Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
}

/// `CoordSys Earth Projection 8, 79, "m", …`: the numbers of a projection and a datum, and the unit of a plan.
fn coordinate_system(text: &str) -> Option<PlaneCrs> {
    let system = words_after(text, "coordsys")?;
    let unit = system.split('"').nth(1).and_then(LengthUnit::from_name).unwrap_or_else(LengthUnit::metre);
    let (_, numbers) = system.split_once("Projection ").unwrap_or(("", "0"));
    let mut numbers = numbers.split(',').map(str::trim);
    let (projection, datum) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or("unknown"));
    let geographic = projection == GEOGRAPHIC;
    let name = match geographic {
        true => format!("longitude and latitude, MapInfo datum {datum}"),
        false => format!("unnamed, MapInfo projection {projection}, datum {datum}"),
    };
    let crs = Crs { epsg: None, name, source: ".tab".into(), vertical: None };
    Some(PlaneCrs::new(crs, geographic, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTS: &str = "  (400000,1200000) (0,4000) Label \"Pt 1\",\r\n  (500000,1200000) (4000,4000) Label \"Pt 2\",\r\n  \
        (500000, 1300000) (4000, 0) Label \"Pt 3\"\r\n";

    fn read(content: &str) -> (Option<Claim>, Notes) {
        let folder = crate::formats::test_files::TestFolder::new();
        folder.write("a.tab", content.as_bytes());
        let mut notes = Notes::default();
        let claim = beside(&folder.write("a.tif", b"x"), &mut notes);
        (claim, notes)
    }

    #[test]
    fn control_points_become_a_geotransform() {
        let (claim, notes) = read(&format!(
            "!table\r\nDefinition Table\r\n  File \"a.tif\"\r\n  Type \"RASTER\"\r\n{POINTS}  CoordSys Earth Projection 8, 79, \
             \"survey ft\", -2, 49, 0.9996, 4e5, -1e5\r\n  Units \"survey ft\"\r\n"
        ));
        let claim = claim.expect("a claim");
        assert_eq!(claim.geotransform, Some([400_000.0, 25.0, 0.0, 1_300_000.0, 0.0, -25.0]));
        let plane = claim.crs.expect("a system");
        assert_eq!((plane.geographic, plane.unit), (false, LengthUnit::us_survey_foot()));
        assert!(notes.warnings.is_empty());
    }

    #[test]
    fn degrees_and_points_that_no_map_fits() {
        let (claim, notes) =
            read("Type \"RASTER\"\n(1,2) (0,0) Label \"a\",\n(1,2) (x\nCoordSys Earth Projection 1, 104\n");
        let claim = claim.expect("a claim");
        assert!(claim.geotransform.is_none() && claim.crs.is_some_and(|plane| plane.geographic));
        assert_eq!(notes.warnings.len(), 1);
    }

    #[test]
    fn tables_of_anything_else_are_none_of_ours() {
        let (claim, notes) =
            read("!table\nDefinition Table\n  Type NATIVE Charset \"WindowsLatin1\"\n  Fields 2\n");
        assert!(claim.is_none() && notes.warnings.is_empty());
    }
}
