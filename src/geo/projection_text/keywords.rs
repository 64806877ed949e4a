//! The keywords that Arc/Info wrote before well-known text: lines such as `Projection UTM`, `Zone 11`, `Units METERS`,
//! `Zunits FEET`.

use super::ProjectionText;
use crate::geo::units::LengthUnit;

/// Reads the keywords; `None` where no line names a projection.
pub(super) fn read(text: &str) -> Option<ProjectionText> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let mut words =
                line.split(|c: char| c.is_whitespace() || c == ':').filter(|word| !word.is_empty());
            words.next().filter(|word| word.eq_ignore_ascii_case(key))?;
            words.next()
        })
    };
    let projection = value("projection")?;
    let units = value("units").unwrap_or_default();
    let found = if projection.eq_ignore_ascii_case("geographic") {
        ProjectionText::geographic(value("datum").unwrap_or("geographic").to_owned(), degrees(units))
    } else {
        let name = map_name(projection, value("zone"), value("datum"));
        ProjectionText::projected(name, unit(units).unwrap_or_else(LengthUnit::metre))
    };
    Some(ProjectionText { vertical_unit: value("zunits").and_then(unit), ..found })
}

/// The name of the map, as the EPSG dataset would write it for the zones of UTM; southern zones are negative.
fn map_name(projection: &str, zone: Option<&str>, datum: Option<&str>) -> String {
    let number = zone.and_then(|zone| zone.parse::<i32>().ok());
    let map = match (number, zone) {
        (Some(zone), _) if projection.eq_ignore_ascii_case("utm") => {
            format!("UTM zone {}{}", zone.unsigned_abs(), if zone < 0 { 'S' } else { 'N' })
        }
        (_, Some(zone)) => format!("{projection} zone {zone}"),
        (_, None) => projection.to_owned(),
    };
    datum.map_or(map.clone(), |datum| format!("{datum} / {map}"))
}

/// Degrees in the unit of longitude and latitude: DD are degrees, DM minutes and DS seconds of arc.
fn degrees(units: &str) -> f64 {
    match units.to_ascii_uppercase().as_str() {
        "DS" => 1.0 / 3600.0,
        "DM" => 1.0 / 60.0,
        "RADIANS" => 180.0 / std::f64::consts::PI,
        _ => 1.0,
    }
}

/// A unit by its name, or by how many of it make a metre. `NO` stands for none.
fn unit(text: &str) -> Option<LengthUnit> {
    LengthUnit::from_name(text)
        .or_else(|| LengthUnit::from_factor("unit of the text", text.parse::<f64>().ok()?.recip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_heights_in_their_units() {
        let text =
            "Projection    UTM\r\nDatum NAD27\r\nZunits  FEET \r\nUnits METERS\r\nZone  11\r\nParameters\r\n";
        let found = read(text).expect("read");
        assert_eq!((found.name.as_str(), found.geographic), ("NAD27 / UTM zone 11N", false));
        assert_eq!((found.unit, found.vertical_unit), (LengthUnit::metre(), Some(LengthUnit::foot())));
        let found = read("PROJECTION ALBERS\nZUNITS NO\nUNITS FEET").expect("read");
        assert_eq!(
            (found.name.as_str(), found.unit, found.vertical_unit),
            ("ALBERS", LengthUnit::foot(), None)
        );
        let found = read("Projection UTM\nZone -33\nZunits 100").expect("read");
        assert_eq!(found.name, "UTM zone 33S");
        assert_eq!(found.vertical_unit.map(|unit| unit.name).as_deref(), Some("centimetre"));
    }

    #[test]
    fn degrees_minutes_and_seconds() {
        for (units, degrees) in [("DD", 1.0), ("DM", 1.0 / 60.0), ("DS", 1.0 / 3600.0)] {
            let found = read(&format!("Projection GEOGRAPHIC\nDatum WGS84\nUnits {units}")).expect("read");
            assert_eq!((found.geographic, found.degrees, found.name.as_str()), (true, degrees, "WGS84"));
        }
        assert_eq!(read("Zone 11\nUnits FEET"), None);
        assert_eq!(read("Projection"), None);
    }
}
