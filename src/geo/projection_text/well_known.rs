//! Well-known text: OGC 01-009 and its ESRI dialect, and OGC 18-010 (WKT 2).

use super::well_known_tree::Node;
use super::{ProjectionText, VerticalText};
use crate::geo::epsg::EpsgSystem;
use crate::geo::units::LengthUnit;

const PROJECTED: [&str; 4] = ["PROJCS", "PROJCRS", "PROJECTEDCRS", "DERIVEDPROJCRS"];
const GEOGRAPHIC: [&str; 5] = ["GEOGCS", "GEOGCRS", "GEOGRAPHICCRS", "GEODCRS", "GEODETICCRS"];
const IN_A_PLANE: [&str; 4] = ["GEOCCS", "LOCAL_CS", "ENGCRS", "ENGINEERINGCRS"];
const COMPOUND: [&str; 2] = ["COMPD_CS", "COMPOUNDCRS"];
const VERTICAL: [&str; 4] = ["VERT_CS", "VERTCS", "VERTCRS", "VERTICALCRS"];
const LENGTH_UNIT: [&str; 2] = ["LENGTHUNIT", "UNIT"];
const ANGLE_UNIT: [&str; 2] = ["ANGLEUNIT", "UNIT"];

/// Reads a well-known text; `None` where it is none, is broken, or places nothing in a plan.
pub(super) fn read(text: &str) -> Option<ProjectionText> {
    let nodes = Node::read_all(text)?;
    let found = plan(nodes.first()?)?;
    // ESRI writes the system of heights after the one of the plan.
    Some(match nodes.get(1).filter(|node| is(node, &VERTICAL)) {
        Some(node) => with_heights(found, node),
        None => found,
    })
}

fn is(node: &Node, keywords: &[&str]) -> bool {
    keywords.contains(&node.keyword.as_str())
}

fn plan(node: &Node) -> Option<ProjectionText> {
    let node = unbound(node);
    if is(node, &COMPOUND) {
        return compound(node);
    }
    let name = node.name().to_owned();
    let cartesian = node.child(&["CS"]).is_some_and(|system| system.name().eq_ignore_ascii_case("cartesian"));
    let found = if is(node, &GEOGRAPHIC) && !cartesian {
        let radians = unit_of(node, &ANGLE_UNIT).and_then(|unit| unit.number(1));
        ProjectionText::geographic(name, radians.map_or(1.0, degrees_in))
    } else if is(node, &PROJECTED) || is(node, &IN_A_PLANE) || cartesian {
        let unit = unit_of(node, &LENGTH_UNIT).and_then(length);
        ProjectionText::projected(name, unit.unwrap_or_else(LengthUnit::metre))
    } else {
        return None;
    };
    Some(ProjectionText { epsg: epsg(node), ..found })
}

/// Degrees in a unit of so many radians; texts round them.
fn degrees_in(radians: f64) -> f64 {
    let degrees = radians.to_degrees();
    match [1.0, 0.9].into_iter().find(|usual| (degrees / usual - 1.0).abs() < 1e-6) {
        Some(usual) => usual,
        None if degrees.is_finite() && degrees > 0.0 => degrees,
        None => 1.0,
    }
}

/// A plan and heights within one bracket.
fn compound(node: &Node) -> Option<ProjectionText> {
    let found = node.children.iter().find_map(plan)?;
    let heights = node.children.iter().map(unbound).find(|child| is(child, &VERTICAL));
    Some(match heights {
        Some(heights) => with_heights(found, heights),
        None => found,
    })
}

/// A system without the one that it is bound to.
fn unbound<'a, 'b>(node: &'b Node<'a>) -> &'b Node<'a> {
    node.child(&["SOURCECRS"]).and_then(|source| source.children.first()).unwrap_or(node)
}

fn with_heights(plan: ProjectionText, node: &Node) -> ProjectionText {
    let epsg = epsg(node);
    let vertical = Some(VerticalText { epsg, name: node.name().to_owned() });
    let known = || EpsgSystem::of_code(epsg?)?.length_unit();
    let vertical_unit = unit_of(node, &LENGTH_UNIT).and_then(length).or_else(known);
    ProjectionText { vertical, vertical_unit, ..plan }
}

/// The system's own code, not one of its parts'.
fn epsg(node: &Node) -> Option<u32> {
    let of_epsg =
        |child: &&Node| is(child, &["AUTHORITY", "ID"]) && child.name().eq_ignore_ascii_case("EPSG");
    node.children.iter().find(of_epsg)?.values.get(1)?.parse().ok()
}

/// The system's own unit: beside its axes, or within the first of them.
fn unit_of<'a, 'b>(node: &'b Node<'a>, keywords: &[&str]) -> Option<&'b Node<'a>> {
    node.child(keywords).or_else(|| node.child(&["AXIS"])?.child(keywords))
}

fn length(unit: &Node) -> Option<LengthUnit> {
    match unit.number(1) {
        Some(metres) => LengthUnit::from_factor(unit.name(), metres),
        None => LengthUnit::from_name(unit.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> ProjectionText {
        read(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn projected_text_gives_name_unit_and_code() {
        let text = r#"PROJCS["Test North (ftUS)",GEOGCS["NAD83",DATUM["D",SPHEROID["GRS 1980",6378137,298.257]],
            UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4269"]],PROJECTION["X"],
            UNIT["US survey foot",0.304800609601219],AUTHORITY["EPSG","2285"]]"#;
        let found = found(text);
        assert_eq!((found.name.as_str(), found.epsg), ("Test North (ftUS)", Some(2285)));
        assert_eq!((found.geographic, found.unit), (false, LengthUnit::us_survey_foot()));
    }

    #[test]
    fn a_code_of_a_part_is_not_the_systems() {
        let text = r#"PROJCS["Mine",GEOGCS["NAD83",UNIT["degree",0.01745],AUTHORITY["EPSG","4269"]],UNIT["Rod",5.0292]]"#;
        assert_eq!((found(text).epsg, found(text).unit.metres), (None, 5.0292));
        let text =
            r#"PROJCS["Web",GEOGCS["W",UNIT["degree",0.0175]],UNIT["metre",1],AUTHORITY["ESRI","102100"]]"#;
        assert_eq!(found(text).epsg, None);
    }

    #[test]
    fn the_younger_form_with_units_at_the_axes() {
        let text = r#"PROJCRS["NAD83 / Washington North (ftUS)",BASEGEOGCRS["NAD83",DATUM["D",ELLIPSOID["GRS 1980",
            6378137,298.257,LENGTHUNIT["metre",1]]],ID["EPSG",4269]],CONVERSION["SPCS83",METHOD["Lambert"],
            PARAMETER["Easting",1640416.667,LENGTHUNIT["US survey foot",0.304800609601219]]],
            CS[Cartesian,2],AXIS["easting (X)",east,ORDER[1],LENGTHUNIT["US survey foot",0.304800609601219]],
            AXIS["northing (Y)",north,ORDER[2],LENGTHUNIT["US survey foot",0.304800609601219]],ID["EPSG",2285]]"#;
        let projected = found(text);
        assert_eq!((projected.epsg, projected.unit), (Some(2285), LengthUnit::us_survey_foot()));
        let bound = format!("BOUNDCRS[SOURCECRS[{text}],TARGETCRS[GEOGCRS[\"WGS 84\",ID[\"EPSG\",4326]]]]");
        assert_eq!(found(&bound).epsg, Some(2285));
        let text = r#"GEODCRS["WGS 84",DATUM["D",ELLIPSOID["E",6378137,298.2]],CS[Cartesian,3],
            AXIS["(X)",geocentricX],AXIS["(Y)",geocentricY],AXIS["(Z)",geocentricZ],LENGTHUNIT["metre",1]]"#;
        assert!(!found(text).geographic);
    }

    #[test]
    fn degrees_grads_and_radians() {
        let degrees = |unit: &str| {
            let found = found(&format!(r#"GEOGCS["Some",DATUM["D",SPHEROID["S",1,2]],{unit}]"#));
            assert!(found.geographic);
            found.degrees
        };
        assert_eq!(degrees(r#"UNIT["Degree",0.0174532925199433]"#), 1.0);
        assert_eq!(degrees(r#"UNIT["grad",0.0157079632679489]"#), 0.9);
        assert!((degrees(r#"UNIT["radian",1]"#) - 57.295_779_513).abs() < 1e-9);
        assert_eq!(degrees(r#"UNIT["broken",nan]"#), 1.0);
        assert_eq!(degrees(r#"AXIS["lat",north,ANGLEUNIT["grad",0.0157079632679489]]"#), 0.9);
    }

    #[test]
    fn heights_stand_inside_after_or_bound() {
        let plan = r#"PROJCS["P",UNIT["metre",1],AUTHORITY["EPSG","26912"]]"#;
        let heights = r#"VERT_CS["NAVD88 height (ftUS)",VERT_DATUM["N",2005],UNIT["US survey foot",0.304800609601219],
            AXIS["Up",UP],AUTHORITY["EPSG","6360"]]"#;
        let esri = r#"VERTCS["NAVD_1988",VDATUM["N"],PARAMETER["Vertical_Shift",0.0],UNIT["Foot_US",0.3048006096012192]]"#;
        let younger = r#"BOUNDCRS[SOURCECRS[VERTCRS["NAVD88 height (ftUS)",VDATUM["N"],CS[vertical,1],
            AXIS["up",up,LENGTHUNIT["US survey foot",0.304800609601219]],ID["EPSG",6360]]],TARGETCRS[GEOGCRS["W"]]]"#;
        for (text, code) in [
            (format!("COMPD_CS[\"both\",{plan},{heights}]"), Some(6360)),
            (format!("COMPOUNDCRS[\"both\",{plan},{younger}]"), Some(6360)),
            (format!("{plan},{esri}"), None),
        ] {
            let found = found(&text);
            assert_eq!((found.epsg, found.unit.metres), (Some(26912), 1.0));
            assert_eq!(found.vertical.expect("heights").epsg, code);
            assert_eq!(found.vertical_unit, Some(LengthUnit::us_survey_foot()));
        }
        assert_eq!(read(heights), None);
    }
}
