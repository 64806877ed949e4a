//! The coordinate reference system from a TIFF's geo keys, as OGC 19-008 (GeoTIFF 1.1) describes them.

use crate::formats::decoded::{Notes, PlaneCrs};
use crate::formats::raster::{PixelIs, Vertical};
use crate::geo::{self, EpsgSystem, LengthUnit, ProjectionText, read_projection_text};
use geotiff_reader::geokeys::{self, GeoKeyDirectory};
use tiff_reader::Ifd;

const TAG_DIRECTORY: u16 = 34735;
const TAG_DOUBLES: u16 = 34736;
const TAG_TEXTS: u16 = 34737;

/// Geo key values for a model in degrees, for samples that are points, and for "described by other keys".
const MODEL_GEOGRAPHIC: u16 = 2;
const RASTER_POINT: u16 = 2;
const USER_DEFINED: u16 = 32767;
/// Where systems of this file are told to come from.
const SOURCE: &str = "geo keys";
/// What stands before a projection text in a citation.
const ESRI_TEXT: &str = "ESRI PE String = ";
/// Metres in the unit of a user-defined plan, radians in the unit of user-defined longitude and latitude.
const KEY_LINEAR_UNIT_SIZE: u16 = 3077;
const KEY_ANGULAR_UNIT_SIZE: u16 = 2055;

/// The geo keys of a directory; empty where it has none.
pub(super) struct GeoKeys(GeoKeyDirectory);

impl GeoKeys {
    /// Reads the keys; a directory that cannot be read is told and left out.
    pub fn of(ifd: &Ifd, notes: &mut Notes) -> Self {
        let Some(tag) = ifd.tag(TAG_DIRECTORY) else { return Self(GeoKeyDirectory::default()) };
        let directory = tag.value.as_u16_slice().unwrap_or_default();
        let doubles = ifd.tag(TAG_DOUBLES).and_then(|tag| tag.value.as_f64_vec()).unwrap_or_default();
        let texts = ifd.tag(TAG_TEXTS).and_then(|tag| tag.value.as_str()).unwrap_or_default();
        let keys = GeoKeyDirectory::parse(directory, &doubles, texts).unwrap_or_default();
        let declared = directory.get(3).map_or(usize::MAX, |count| usize::from(*count));
        if keys.keys.len() < declared {
            let text =
                format!("{} of the file's geo keys can be read; the others are left out", keys.keys.len());
            notes.warn("geo-keys", text);
        }
        Self(keys)
    }

    /// What the samples stand for.
    pub fn pixel_is(&self) -> PixelIs {
        match self.0.get_short(geokeys::GT_RASTER_TYPE) {
            Some(RASTER_POINT) => PixelIs::Point,
            _ => PixelIs::Area,
        }
    }

    /// The coordinate reference system, where the keys say anything of it.
    pub fn crs(&self, notes: &mut Notes) -> Option<PlaneCrs> {
        let geographic = self.is_geographic();
        let code =
            self.code(if geographic { geokeys::GEODETIC_CRS_TYPE } else { geokeys::PROJECTED_CRS_TYPE });
        let known = code.and_then(ProjectionText::of_code).filter(|found| found.geographic == geographic);
        let described = known.or_else(|| {
            self.text_in_citation().filter(|found| code.is_none() && found.geographic == geographic)
        });
        let (name, vertical) = (self.citation(geographic), self.vertical());
        let says_nothing = code.is_none() && described.is_none() && name.is_none() && vertical.is_none();
        if says_nothing && !geographic {
            return None;
        }
        let has_unit = geographic || described.is_some();
        let found = described.unwrap_or_else(|| named(code, name, geographic));
        let mut plane = PlaneCrs::of_text(found, SOURCE, notes);
        if geographic {
            plane.degrees = self.degrees().unwrap_or(plane.degrees);
        } else if let Some(unit) = self.plane_unit() {
            take_plane_unit(&mut plane, unit, notes);
        } else if !has_unit {
            notes.assume("Plan coordinates are taken as metres; the geo keys name no unit.");
        }
        if let Some((vertical, unit)) = vertical {
            (plane.crs.vertical, plane.vertical_unit) = (Some(vertical), unit);
        }
        Some(plane)
    }

    /// The height unit of the vertical unit key.
    pub fn vertical_unit(&self) -> Option<LengthUnit> {
        self.code(geokeys::VERTICAL_UNITS).and_then(LengthUnit::from_epsg)
    }

    fn is_geographic(&self) -> bool {
        match self.0.get_short(geokeys::GT_MODEL_TYPE) {
            Some(model) => model == MODEL_GEOGRAPHIC,
            None => {
                self.code(geokeys::GEODETIC_CRS_TYPE).is_some()
                    && self.0.get_short(geokeys::PROJECTED_CRS_TYPE).is_none()
            }
        }
    }

    /// The vertical system with its unit.
    fn vertical(&self) -> Option<(Vertical, Option<LengthUnit>)> {
        let epsg = self.code(geokeys::VERTICAL_CS_TYPE);
        match epsg.and_then(EpsgSystem::of_code) {
            // Heights above the ellipsoid carry the code of a geographic system, and are metres.
            Some(system) if system.is_geographic() => Some((
                Vertical { epsg, name: format!("{}, ellipsoidal height", system.name) },
                Some(LengthUnit::metre()),
            )),
            Some(system) => Some((Vertical { epsg, name: system.name.to_owned() }, system.length_unit())),
            None => {
                let citation = self.text(geokeys::VERTICAL_CITATION);
                let name = citation.or_else(|| epsg.map(|code| format!("EPSG:{code}")))?;
                Some((Vertical { epsg, name }, None))
            }
        }
    }

    /// The plan's unit by its own keys.
    fn plane_unit(&self) -> Option<LengthUnit> {
        let size = || {
            LengthUnit::from_factor("unit of the file", *self.0.get_double(KEY_LINEAR_UNIT_SIZE)?.first()?)
        };
        let declared = self.code(geokeys::PROJ_LINEAR_UNITS).and_then(LengthUnit::from_epsg);
        declared.or_else(size).or_else(|| self.unit_in_citation())
    }

    /// Degrees in the declared unit of longitude and latitude.
    fn degrees(&self) -> Option<f64> {
        let declared = self.code(geokeys::GEOG_ANGULAR_UNITS).and_then(geo::degrees_in_angle);
        let size = || Some(self.0.get_double(KEY_ANGULAR_UNIT_SIZE)?.first()?.to_degrees());
        declared.or_else(size).filter(|degrees| degrees.is_finite() && *degrees > 0.0)
    }

    /// A code of the EPSG registry; not "undefined", not "described by other keys".
    fn code(&self, key: u16) -> Option<u32> {
        self.0.get_short(key).filter(|code| !matches!(*code, 0 | USER_DEFINED)).map(u32::from)
    }

    fn text(&self, key: u16) -> Option<String> {
        self.0.get_ascii(key).and_then(plain_name)
    }

    /// ERDAS Imagine names the unit in a line of a citation, whatever the codes say.
    fn unit_in_citation(&self) -> Option<LengthUnit> {
        [geokeys::PROJ_CITATION, geokeys::GT_CITATION].into_iter().find_map(|key| {
            let (_, unit) = self.0.get_ascii(key)?.split_once("Units = ")?;
            LengthUnit::from_name(unit.lines().next()?)
        })
    }

    /// The projection text that ESRI programs write into a citation.
    fn text_in_citation(&self) -> Option<ProjectionText> {
        [geokeys::PROJ_CITATION, geokeys::GT_CITATION].into_iter().find_map(|key| {
            let (_, text) = self.0.get_ascii(key)?.split_once(ESRI_TEXT)?;
            read_projection_text(text)
        })
    }

    fn citation(&self, geographic: bool) -> Option<String> {
        let of_model = if geographic { geokeys::GEODETIC_CITATION } else { geokeys::PROJ_CITATION };
        [of_model, geokeys::GT_CITATION, geokeys::GEODETIC_CITATION]
            .into_iter()
            .find_map(|key| self.text(key))
    }
}

/// A system that is known by its name alone, or by a code that the table lacks.
fn named(code: Option<u32>, name: Option<String>, geographic: bool) -> ProjectionText {
    let name = name.unwrap_or_else(|| code.map_or("unnamed".into(), |code| format!("EPSG:{code}")));
    let found = ProjectionText::named(name, geographic);
    let namesake = found.namesake.filter(|_| code.is_none());
    ProjectionText { epsg: code, namesake, ..found }
}

/// A unit by its own key goes before the one that the code stands for, and the code no longer holds then.
fn take_plane_unit(plane: &mut PlaneCrs, unit: LengthUnit, notes: &mut Notes) {
    if plane.crs.epsg.is_some() && !unit.is_as_long_as(&plane.unit) {
        let (name, usual, taken) = (&plane.crs.name, &plane.unit.name, &unit.name);
        let text = format!(
            "{name} is in {usual}, but the geo keys give {taken}, which is taken; the EPSG code no longer holds"
        );
        notes.warn("plan-unit-conflict", text);
        plane.crs.epsg = None;
    }
    plane.unit = unit;
}

/// The name within a citation: some programs write `PCS Name = …|`.
fn plain_name(citation: &str) -> Option<String> {
    if citation.contains(ESRI_TEXT) {
        return None;
    }
    let named = citation.split_once("Name = ").map_or(citation, |parts| parts.1);
    let name =
        named.split('|').next().unwrap_or(named).trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(entries: &[(u16, u16)]) -> GeoKeys {
        with_text(entries, &[])
    }

    /// Keys of one number each, and keys of a text each.
    fn with_text(entries: &[(u16, u16)], texts: &[(u16, &str)]) -> GeoKeys {
        let mut directory = vec![1, 1, 0, (entries.len() + texts.len()) as u16];
        directory.extend(entries.iter().flat_map(|(key, value)| [*key, 0, 1, *value]));
        let mut joined = String::new();
        for (key, text) in texts {
            directory.extend([*key, TAG_TEXTS, text.len() as u16 + 1, joined.len() as u16]);
            joined = format!("{joined}{text}|");
        }
        GeoKeys(GeoKeyDirectory::parse(&directory, &[], &joined).expect("parsed"))
    }

    fn crs_of(keys: &GeoKeys) -> (PlaneCrs, Notes) {
        let mut notes = Notes::default();
        (keys.crs(&mut notes).expect("a system"), notes)
    }

    #[test]
    fn a_compound_system_in_survey_feet() {
        let keys = keys(&[(1024, 1), (3072, 2285), (4096, 6360)]);
        let (plane, _) = crs_of(&keys);
        assert_eq!((plane.crs.epsg, plane.unit), (Some(2285), LengthUnit::us_survey_foot()));
        let vertical = Vertical { epsg: Some(6360), name: "NAVD88 height (ftUS)".into() };
        assert_eq!(
            (plane.crs.vertical, plane.vertical_unit),
            (Some(vertical), Some(LengthUnit::us_survey_foot()))
        );
        assert_eq!(keys.vertical_unit(), None);
    }

    #[test]
    fn user_defined_heights_have_a_citation_and_a_unit() {
        let keys = with_text(
            &[(1024, 1), (3072, 26912), (4096, USER_DEFINED), (4099, 9002)],
            &[(4097, "Mine (ft)")],
        );
        let (plane, _) = crs_of(&keys);
        assert_eq!(plane.crs.vertical, Some(Vertical { epsg: None, name: "Mine (ft)".into() }));
        assert_eq!(keys.vertical_unit(), Some(LengthUnit::foot()));
    }

    #[test]
    fn heights_above_the_ellipsoid_are_metres() {
        let (plane, _) = crs_of(&keys(&[(1024, 1), (3072, 32631), (4096, 4979)]));
        let vertical = Vertical { epsg: Some(4979), name: "WGS 84, ellipsoidal height".into() };
        assert_eq!((plane.crs.vertical, plane.vertical_unit), (Some(vertical), Some(LengthUnit::metre())));
    }

    #[test]
    fn degrees_points_and_nothing() {
        let geographic = keys(&[(1024, 2), (1025, 2), (2048, 4326)]);
        assert_eq!(geographic.pixel_is(), PixelIs::Point);
        assert!(crs_of(&geographic).0.geographic);
        let grads = keys(&[(1024, 2), (2048, USER_DEFINED), (2054, 9105)]);
        assert_eq!(crs_of(&grads).0.degrees, 0.9);
        assert!(keys(&[]).crs(&mut Notes::default()).is_none());
        assert!(keys(&[(3072, USER_DEFINED)]).crs(&mut Notes::default()).is_none());
    }

    #[test]
    fn a_unit_that_is_not_the_systems_leaves_no_code() {
        let (plane, notes) = crs_of(&keys(&[(1024, 1), (3072, 32632), (3076, 9003)]));
        assert_eq!((plane.crs.epsg, plane.unit), (None, LengthUnit::us_survey_foot()));
        assert_eq!((plane.crs.name.as_str(), notes.warnings.len()), ("WGS 84 / UTM zone 32N", 1));
        let (plane, notes) = crs_of(&keys(&[(1024, 1), (3072, 26730), (3076, 9003)]));
        assert_eq!((plane.crs.epsg, notes.warnings.len()), (Some(26730), 0));
        let (plane, _) =
            crs_of(&with_text(&[(1024, 1), (3072, 2285)], &[(3073, "IMAGINE GeoTIFF\nUnits = meters")]));
        assert_eq!((plane.crs.epsg, plane.unit), (None, LengthUnit::metre()));
    }

    #[test]
    fn user_defined_plans_by_citation_text_and_unit() {
        let text = r#"ESRI PE String = PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["G",UNIT["Degree",0.017]],UNIT["Foot",0.3048]]"#;
        let (plane, _) = crs_of(&with_text(&[(1024, 1), (3072, USER_DEFINED)], &[(3073, text)]));
        assert_eq!((plane.crs.epsg, plane.crs.name.as_str()), (None, "WGS 84 / Pseudo-Mercator"));
        assert_eq!(plane.unit, LengthUnit::foot());
        let (plane, notes) = crs_of(&with_text(&[(1024, 1), (3072, USER_DEFINED)], &[(1026, "Mine|")]));
        assert_eq!((plane.crs.name.as_str(), plane.unit.metres), ("Mine", 1.0));
        assert!(notes.assumptions[0].contains("taken as metres"));
        let (plane, _) = crs_of(&keys(&[(1024, 1), (3072, 5703)]));
        assert_eq!((plane.crs.epsg, plane.crs.name.as_str()), (Some(5703), "EPSG:5703"));
    }

    #[test]
    fn citations_of_other_programs() {
        assert_eq!(plain_name("PCS Name = Somewhere|").as_deref(), Some("Somewhere"));
        assert_eq!(plain_name("WGS 84|").as_deref(), Some("WGS 84"));
        assert_eq!(plain_name("|"), None);
    }
}
