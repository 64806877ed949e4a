//! What a projection text says: well-known text of both ages and of several programs, a PROJ string, the older list of
//! keywords, or a plain code.

mod code;
mod keywords;
mod proj_string;
mod well_known;
mod well_known_tree;

use super::epsg::EpsgSystem;
use super::names;
use super::units::LengthUnit;

/// The facts of a projection text.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionText {
    /// The system's name; the official one where the text's own is a program's spelling of it.
    pub name: String,
    /// Its EPSG code, where the text gives one.
    pub epsg: Option<u32>,
    /// The code of the system that bears the name, where the text gives none. The text's numbers are not held against it.
    pub namesake: Option<u32>,
    /// Whether coordinates are angles of longitude and latitude.
    pub geographic: bool,
    /// The unit of projected coordinates.
    pub unit: LengthUnit,
    /// Degrees in one unit of geographic coordinates.
    pub degrees: f64,
    /// The system of heights, where the text names one.
    pub vertical: Option<VerticalText>,
    /// The unit of heights, where the text names one.
    pub vertical_unit: Option<LengthUnit>,
}

/// The system of heights that a projection text names.
#[derive(Debug, Clone, PartialEq)]
pub struct VerticalText {
    /// Its EPSG code, where the text gives one.
    pub epsg: Option<u32>,
    /// Its name.
    pub name: String,
}

impl ProjectionText {
    /// A system of lengths in a plane.
    fn projected(name: String, unit: LengthUnit) -> Self {
        Self {
            name,
            epsg: None,
            namesake: None,
            geographic: false,
            unit,
            degrees: 1.0,
            vertical: None,
            vertical_unit: None,
        }
    }

    /// A system of longitude and latitude.
    fn geographic(name: String, degrees: f64) -> Self {
        Self { geographic: true, degrees, ..Self::projected(name, LengthUnit::metre()) }
    }

    /// A system that is known by its name alone, in metres or degrees.
    pub fn named(name: String, geographic: bool) -> Self {
        let unnamed = Self::projected(name, LengthUnit::metre());
        Self { geographic, ..unnamed }.with_official_name()
    }

    /// The plan, and the height where it has one, of an EPSG code; `None` where the code is unknown or of heights alone.
    pub fn of_code(code: u32) -> Option<Self> {
        let system = EpsgSystem::of_code(code)?;
        if let Some([plan, height]) = system.parts() {
            let vertical = Some(VerticalText { epsg: Some(height.code), name: height.name.to_owned() });
            return Some(Self { vertical, vertical_unit: height.length_unit(), ..Self::of_code(plan.code)? });
        }
        let name = system.name.to_owned();
        let found = match system.length_unit() {
            _ if system.is_vertical() => return None,
            Some(unit) => Self::projected(name, unit),
            None => Self::geographic(name, system.degrees()),
        };
        Some(Self { epsg: Some(code), ..found })
    }

    /// Gives the system its official name where its own is a program's spelling of it.
    fn with_official_name(mut self) -> Self {
        let known = match self.epsg {
            Some(code) => EpsgSystem::of_code(code),
            None => names::system_named(&self.name),
        };
        if let Some(system) = known.filter(|system| system.is_geographic() == self.geographic) {
            self.name = system.name.to_owned();
            self.namesake = self.epsg.is_none().then_some(system.code);
        }
        self
    }
}

/// Reads a projection text; `None` where it is of no known kind, or broken.
pub fn read_projection_text(text: &str) -> Option<ProjectionText> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0' || c == '\u{feff}');
    code::read(text)
        .or_else(|| proj_string::read(text))
        .or_else(|| well_known::read(text))
        .or_else(|| keywords::read(text))
        .map(ProjectionText::with_official_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_facts() {
        let swiss = ProjectionText::of_code(2056).expect("known");
        assert_eq!(
            (swiss.name.as_str(), swiss.epsg, swiss.geographic),
            ("CH1903+ / LV95", Some(2056), false)
        );
        let british = ProjectionText::of_code(7405).expect("known");
        assert_eq!((british.epsg, british.unit.metres), (Some(27700), 1.0));
        let vertical = VerticalText { epsg: Some(5701), name: "ODN height".into() };
        assert_eq!((british.vertical, british.vertical_unit), (Some(vertical), Some(LengthUnit::metre())));
        assert!(ProjectionText::of_code(4979).is_some_and(|found| found.geographic));
        assert_eq!(ProjectionText::of_code(4807).map(|found| found.degrees), Some(0.9));
        assert_eq!(ProjectionText::of_code(5703), None);
        assert_eq!(ProjectionText::of_code(1), None);
    }

    #[test]
    fn texts_of_no_known_kind_are_nothing() {
        for text in
            ["", "nothing of the kind", "PROJCS[\"open", "EPSG:none", "\u{0}\u{1}\u{2}", "[[[[", "+proj"]
        {
            assert_eq!(read_projection_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_namesake_is_no_code() {
        let text = r#"PROJCS["NAD_1983_UTM_Zone_11N",GEOGCS["GCS_North_American_1983",UNIT["Degree",0.0174532925199433]],
            PROJECTION["Transverse_Mercator"],UNIT["Meter",1.0]]"#;
        let found = read_projection_text(text).expect("readable");
        assert_eq!(
            (found.name.as_str(), found.epsg, found.namesake),
            ("NAD83 / UTM zone 11N", None, Some(26911))
        );
        let found = read_projection_text(r#"PROJCS["Mine",UNIT["Meter",1.0]]"#).expect("readable");
        assert_eq!((found.name.as_str(), found.epsg, found.namesake), ("Mine", None, None));
    }
}
