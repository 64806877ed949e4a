//! Plain codes: `EPSG:2056`, `EPSG:27700+5701`, a URN or a URL that ends in one.

use super::{ProjectionText, VerticalText};
use crate::geo::epsg::EpsgSystem;

/// How codes of the EPSG dataset begin, in lower case.
const PREFIXES: [&str; 4] = [
    "epsg:",
    "urn:ogc:def:crs:epsg:",
    "http://www.opengis.net/def/crs/epsg/",
    "https://www.opengis.net/def/crs/epsg/",
];

/// Names of WGS 84 with the longitude first.
const LONGITUDE_FIRST: [&str; 3] = ["ogc:crs84", "crs:84", "urn:ogc:def:crs:ogc:1.3:crs84"];

/// Reads a code; `None` where the text is none, or one of no known plan.
pub(super) fn read(text: &str) -> Option<ProjectionText> {
    let lower = text.to_ascii_lowercase();
    if LONGITUDE_FIRST.contains(&lower.as_str()) {
        return ProjectionText::of_code(4326);
    }
    let rest = PREFIXES.iter().find_map(|prefix| lower.strip_prefix(prefix))?;
    // The version of the dataset may stand before the code.
    let code = rest.rsplit([':', '/']).next()?;
    match code.split_once('+') {
        None => ProjectionText::of_code(code.parse().ok()?),
        Some((plan, height)) => {
            with_height(ProjectionText::of_code(plan.parse().ok()?)?, height.parse().ok()?)
        }
    }
}

/// A plan with heights of a code.
fn with_height(plan: ProjectionText, height: u32) -> Option<ProjectionText> {
    let height = EpsgSystem::of_code(height).filter(EpsgSystem::is_vertical)?;
    let vertical = Some(VerticalText { epsg: Some(height.code), name: height.name.to_owned() });
    Some(ProjectionText { vertical, vertical_unit: height.length_unit(), ..plan })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_code() {
        for text in [
            "EPSG:26911",
            "epsg:26911",
            "urn:ogc:def:crs:EPSG::26911",
            "urn:ogc:def:crs:EPSG:9.8:26911",
            "http://www.opengis.net/def/crs/EPSG/0/26911",
        ] {
            assert_eq!(read(text).and_then(|found| found.epsg), Some(26911), "{text}");
        }
        assert_eq!(read("OGC:CRS84").and_then(|found| found.epsg), Some(4326));
        for text in ["EPSG:", "EPSG:x", "EPSG:5703", "EPSG:-1", "EPSG:99999999999", "ESRI:102100", "26911"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_plan_and_a_height() {
        for text in ["EPSG:2927+6360", "EPSG:7405"] {
            let found = read(text).expect("known");
            assert!(found.vertical.is_some() && found.vertical_unit.is_some(), "{text}");
        }
        let feet = read("EPSG:2927+6360").and_then(|found| found.vertical_unit);
        assert_eq!(feet, Some(crate::geo::LengthUnit::us_survey_foot()));
        assert_eq!(read("EPSG:2927+4326"), None);
    }
}
