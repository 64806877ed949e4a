//! The coordinate reference system from a TIFF's geo keys.

use crate::formats::decoded::{Notes, PlaneCrs};
use crate::formats::raster::{Crs, PixelIs, Vertical};
use crate::geo::{self, LengthUnit, read_projection_text};
use geotiff_reader::geokeys::{self, GeoKeyDirectory};
use tiff_reader::Ifd;

const TAG_DIRECTORY: u16 = 34735;
const TAG_DOUBLES: u16 = 34736;
const TAG_TEXTS: u16 = 34737;

/// Geo key values for a model in degrees, for samples that are points, and for "described by other keys".
const MODEL_GEOGRAPHIC: u16 = 2;
const RASTER_POINT: u16 = 2;
const USER_DEFINED: u16 = 32767;
/// Metres in the unit of a user-defined plan.
const KEY_LINEAR_UNIT_SIZE: u16 = 3077;

/// The geo keys of a directory; empty where it has none.
pub(super) struct GeoKeys(GeoKeyDirectory);

impl GeoKeys {
    /// Reads the keys; what cannot be read is left out.
    pub fn of(ifd: &Ifd) -> Self {
        let directory = ifd.tag(TAG_DIRECTORY).and_then(|tag| tag.value.as_u16_slice()).unwrap_or_default();
        let doubles = ifd.tag(TAG_DOUBLES).and_then(|tag| tag.value.as_f64_vec()).unwrap_or_default();
        let texts = ifd.tag(TAG_TEXTS).and_then(|tag| tag.value.as_str()).unwrap_or_default();
        Self(GeoKeyDirectory::parse(directory, &doubles, texts).unwrap_or_default())
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
        let projected = self.code(geokeys::PROJECTED_CRS_TYPE);
        let geodetic = self.code(geokeys::GEODETIC_CRS_TYPE);
        let is_projected = self.0.get_short(geokeys::PROJECTED_CRS_TYPE).is_some();
        let geographic = match self.0.get_short(geokeys::GT_MODEL_TYPE) {
            Some(model) => model == MODEL_GEOGRAPHIC,
            None => geodetic.is_some() && !is_projected,
        };
        let epsg = if geographic { geodetic } else { projected };
        let vertical = self.vertical();
        let name = epsg.and_then(geo::crs_name).or_else(|| self.citation(geographic));
        if epsg.is_none() && name.is_none() && vertical.is_none() && !geographic {
            return None;
        }
        let name = name.unwrap_or_else(|| epsg.map_or("unnamed".into(), |code| format!("EPSG:{code}")));
        let unit = if geographic { LengthUnit::metre() } else { self.plane_unit(epsg, notes) };
        Some(PlaneCrs { crs: Crs { epsg, name, source: "geo keys".into(), vertical }, geographic, unit })
    }

    /// The height unit: of the vertical unit key, else of the vertical system.
    pub fn vertical_unit(&self) -> Option<(LengthUnit, String)> {
        if let Some(unit) = self.code(geokeys::VERTICAL_UNITS).and_then(LengthUnit::from_epsg) {
            return Some((unit, "the vertical unit key".into()));
        }
        let code = self.code(geokeys::VERTICAL_CS_TYPE)?;
        Some((geo::vertical_unit(code)?, format!("the vertical system EPSG:{code}")))
    }

    fn vertical(&self) -> Option<Vertical> {
        let epsg = self.code(geokeys::VERTICAL_CS_TYPE);
        let citation = self.text(geokeys::VERTICAL_CITATION);
        let known = epsg.and_then(|code| geo::vertical_name(code).or_else(|| geo::crs_name(code)));
        let name = known.or(citation).or_else(|| epsg.map(|code| format!("EPSG:{code}")))?;
        Some(Vertical { epsg, name })
    }

    fn plane_unit(&self, epsg: Option<u32>, notes: &mut Notes) -> LengthUnit {
        let size = || {
            let metres = *self.0.get_double(KEY_LINEAR_UNIT_SIZE)?.first()?;
            let usable = metres.is_finite() && metres > 0.0;
            usable.then(|| LengthUnit { name: "unit of the file".into(), metres })
        };
        let declared = self.code(geokeys::PROJ_LINEAR_UNITS).and_then(LengthUnit::from_epsg);
        let known = || epsg.and_then(geo::plane_unit);
        declared.or_else(size).or_else(|| self.unit_in_citation()).or_else(known).unwrap_or_else(|| {
            notes.assume("Plan coordinates are taken as metres; the geo keys name no unit.");
            LengthUnit::metre()
        })
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

    fn citation(&self, geographic: bool) -> Option<String> {
        let of_model = if geographic { geokeys::GEODETIC_CITATION } else { geokeys::PROJ_CITATION };
        [of_model, geokeys::GT_CITATION, geokeys::GEODETIC_CITATION]
            .into_iter()
            .find_map(|key| self.text(key))
    }
}

/// The name within a citation: some programs write `PCS Name = …|`, or a whole projection text.
fn plain_name(citation: &str) -> Option<String> {
    if let Some((_, text)) = citation.split_once("ESRI PE String = ") {
        return read_projection_text(text).map(|found| found.name);
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
        let mut directory = vec![1, 1, 0, entries.len() as u16];
        directory.extend(entries.iter().flat_map(|(key, value)| [*key, 0, 1, *value]));
        GeoKeys(GeoKeyDirectory::parse(&directory, &[], "").expect("parsed"))
    }

    #[test]
    fn a_compound_system_in_survey_feet() {
        let keys = keys(&[(1024, 1), (3072, 2285), (4096, 6360)]);
        let mut notes = Notes::default();
        let plane = keys.crs(&mut notes).expect("a system");
        assert_eq!((plane.crs.epsg, plane.unit), (Some(2285), LengthUnit::us_survey_foot()));
        assert_eq!(plane.crs.vertical.and_then(|vertical| vertical.epsg), Some(6360));
        let (unit, source) = keys.vertical_unit().expect("a unit");
        assert_eq!((unit, source.as_str()), (LengthUnit::us_survey_foot(), "the vertical system EPSG:6360"));
    }

    #[test]
    fn degrees_points_and_nothing() {
        let geographic = keys(&[(1024, 2), (1025, 2), (2048, 4326)]);
        assert_eq!(geographic.pixel_is(), PixelIs::Point);
        assert!(geographic.crs(&mut Notes::default()).is_some_and(|plane| plane.geographic));
        assert!(keys(&[]).crs(&mut Notes::default()).is_none());
        assert!(keys(&[(3072, USER_DEFINED)]).crs(&mut Notes::default()).is_none());
    }

    #[test]
    fn citations_of_other_programs() {
        assert_eq!(plain_name("PCS Name = Somewhere|").as_deref(), Some("Somewhere"));
        assert_eq!(plain_name("WGS 84|").as_deref(), Some("WGS 84"));
        let text = r#"ESRI PE String = PROJCS["Albers",GEOGCS["G",UNIT["Degree",0.017]],UNIT["Meter",1.0]]"#;
        assert_eq!(plain_name(text).as_deref(), Some("Albers"));
        assert_eq!(plain_name("|"), None);
    }
}
