//! PROJ strings: `+proj=utm +zone=11 +datum=NAD27 +units=us-ft +vunits=us-ft`.

use super::{ProjectionText, code};
use crate::geo::units::LengthUnit;

/// PROJ's names for longitude and latitude.
const GEOGRAPHIC: [&str; 4] = ["longlat", "latlong", "lonlat", "latlon"];

/// Reads a PROJ string; `None` where the text is none.
pub(super) fn read(text: &str) -> Option<ProjectionText> {
    if !text.starts_with('+') {
        return None;
    }
    let parameters = Parameters(text);
    let plan = match parameters.value("init").and_then(code::read) {
        Some(coded) => coded,
        None => parameters.plan(parameters.value("proj")?),
    };
    let vertical_unit = parameters.unit("vunits", "vto_meter").or_else(|| plan.vertical_unit.clone());
    Some(ProjectionText { vertical_unit, ..plan })
}

/// Words that begin with a plus; most hold a key and a value.
struct Parameters<'a>(&'a str);

impl<'a> Parameters<'a> {
    fn value(&self, key: &str) -> Option<&'a str> {
        self.words()
            .find_map(|word| word.split_once('=').filter(|(found, _)| *found == key))
            .map(|(_, value)| value)
    }

    fn words(&self) -> impl Iterator<Item = &'a str> {
        self.0.split_whitespace().filter_map(|word| word.strip_prefix('+'))
    }

    fn plan(&self, method: &str) -> ProjectionText {
        let datum = self.value("datum").or_else(|| self.value("ellps")).unwrap_or("unknown datum");
        if GEOGRAPHIC.contains(&method) {
            return ProjectionText::geographic(datum.to_owned(), 1.0);
        }
        let unit = self.unit("units", "to_meter").unwrap_or_else(LengthUnit::metre);
        ProjectionText::projected(format!("{datum} / {}", self.map_name(method)), unit)
    }

    /// The name of the map, as the EPSG dataset would write it for the zones of UTM.
    fn map_name(&self, method: &str) -> String {
        match self.value("zone") {
            Some(zone) if method == "utm" => {
                let hemisphere = if self.words().any(|word| word == "south") { 'S' } else { 'N' };
                format!("UTM zone {zone}{hemisphere}")
            }
            _ => method.to_owned(),
        }
    }

    /// A unit by its metres, which may be a fraction, or by its name.
    fn unit(&self, by_name: &str, by_metres: &str) -> Option<LengthUnit> {
        let metres = |text: &str| match text.split_once('/') {
            Some((above, below)) => Some(above.parse::<f64>().ok()? / below.parse::<f64>().ok()?),
            None => text.parse().ok(),
        };
        let measured = self.value(by_metres).and_then(metres);
        let measured = measured.and_then(|metres| LengthUnit::from_factor("unit of the text", metres));
        measured.or_else(|| LengthUnit::from_name(self.value(by_name)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_and_heights_in_their_units() {
        let found =
            read("+proj=utm +zone=11 +south +datum=NAD27 +units=us-ft +vunits=ft +no_defs").expect("read");
        assert_eq!((found.name.as_str(), found.geographic), ("NAD27 / UTM zone 11S", false));
        assert_eq!(
            (found.unit, found.vertical_unit),
            (LengthUnit::us_survey_foot(), Some(LengthUnit::foot()))
        );
        let found = read("+proj=lcc +ellps=GRS80 +to_meter=1200/3937 +vto_meter=0.3048").expect("read");
        assert_eq!((found.name.as_str(), found.unit), ("GRS80 / lcc", LengthUnit::us_survey_foot()));
        assert_eq!(found.vertical_unit, Some(LengthUnit::foot()));
        assert!(read("+proj=longlat +datum=WGS84").is_some_and(|found| found.geographic));
        let found = read("+init=epsg:26711 +vunits=m").expect("read");
        assert_eq!((found.epsg, found.vertical_unit), (Some(26711), Some(LengthUnit::metre())));
    }

    #[test]
    fn texts_without_a_projection_are_nothing() {
        for text in ["", "+", "+units=m", "+proj", "proj=utm", "+init=epsg:x"] {
            assert_eq!(read(text), None, "{text}");
        }
        let odd = read("+proj=tmerc +to_meter=nan +units=x").expect("read");
        assert_eq!(odd.unit, LengthUnit::metre());
    }
}
