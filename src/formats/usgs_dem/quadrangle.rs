//! The first record: which quadrangle, in what system and units, at what resolution.

use super::columns::{integer, real};
use crate::error::{Error, Result};
use crate::formats::decoded::{Decoded, PlaneCrs, epsg_crs};
use crate::formats::raster::Crs;
use crate::geo::LengthUnit;

const GEOGRAPHIC: i64 = 0;
const UTM: i64 = 1;
const STATE_PLANE: i64 = 2;
/// Codes of ground units and of height units.
const FEET: i64 = 1;
const ARC_SECONDS: i64 = 3;

/// What the first record says.
pub(super) struct Quadrangle {
    system: i64,
    zone: i64,
    ground_unit: i64,
    height_unit: i64,
    /// The corners' bounds in ground units: least and greatest x, least and greatest y.
    bounds: [[f64; 2]; 2],
    /// Ground units between profiles, and between the heights of one.
    step: [f64; 2],
    /// Height units in one stored unit.
    pub height_step: f64,
    profiles: u32,
}

/// Where the samples stand.
pub(super) struct Grid {
    pub size: [u32; 2],
    pub geotransform: [f64; 6],
    /// The southernmost row's y, and the step between rows, in ground units.
    south: f64,
    step: f64,
}

impl Grid {
    /// Rows between the southernmost one and a y in ground units.
    pub fn rows_above(&self, y: f64) -> i64 {
        ((y - self.south) / self.step).round() as i64
    }
}

impl Quadrangle {
    pub fn of(bytes: &[u8]) -> Result<Self> {
        let whole = |at, what| integer(bytes, at).ok_or_else(|| missing(what));
        let step = |at, what| real(bytes, at, 12).filter(|step| *step > 0.0).ok_or_else(|| missing(what));
        let corner = |index: usize| real(bytes, 546 + 24 * index, 24).ok_or_else(|| missing("corner"));
        let axis = |axis: usize| -> Result<[f64; 2]> {
            let ends = [corner(axis)?, corner(axis + 2)?, corner(axis + 4)?, corner(axis + 6)?];
            Ok([
                ends.into_iter().fold(f64::INFINITY, f64::min),
                ends.into_iter().fold(f64::NEG_INFINITY, f64::max),
            ])
        };
        let profiles = whole(858, "number of profiles")?;
        Ok(Self {
            system: whole(156, "system")?,
            zone: integer(bytes, 162).unwrap_or(0),
            ground_unit: whole(528, "ground unit")?,
            height_unit: whole(534, "height unit")?,
            bounds: [axis(0)?, axis(1)?],
            step: [step(816, "step between profiles")?, step(828, "step along profiles")?],
            height_step: step(840, "step of heights")?,
            profiles: u32::try_from(profiles)
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| missing("number of profiles"))?,
        })
    }

    /// Whether heights are finer than whole metres.
    pub fn has_fine_heights(&self) -> bool {
        self.height_unit == FEET || self.height_step < 1.0
    }

    /// The grid of whole steps that holds every profile. Profiles of degrees begin at the corner; others at the first
    /// profile's own x, and at rows of whole steps.
    pub fn grid(&self, first: [f64; 2]) -> Result<Grid> {
        let [dx, dy] = self.step;
        let [south, north] = match self.system {
            GEOGRAPHIC => self.bounds[1],
            _ => [(self.bounds[1][0] / dy).floor() * dy, (self.bounds[1][1] / dy).ceil() * dy],
        };
        let west = if self.system == GEOGRAPHIC { self.bounds[0][0] } else { first[0] };
        let rows = ((north - south) / dy).round() + 1.0;
        if !(1.0..=f64::from(1 << 24)).contains(&rows) {
            let found = format!("corners {} ground units apart in steps of {dy}", north - south);
            return Err(Error::input(found, "a grid of some thousand rows", "get the file again"));
        }
        let unit = if self.ground_unit == ARC_SECONDS { 1.0 / 3600.0 } else { 1.0 };
        let geotransform =
            [(west - 0.5 * dx) * unit, dx * unit, 0.0, (north + 0.5 * dy) * unit, 0.0, -dy * unit];
        Ok(Grid { size: [self.profiles, rows as u32], geotransform, south, step: dy })
    }

    /// The system of the plan by datum and zone, and the unit of the heights.
    pub fn name_systems(&self, bytes: &[u8], decoded: &mut Decoded) {
        let height_unit = if self.height_unit == FEET { LengthUnit::foot() } else { LengthUnit::metre() };
        decoded.unit = Some((height_unit, "the elevation unit of the header".into()));
        let datum = bytes.get(890..892).and_then(|text| std::str::from_utf8(text).ok()?.trim().parse().ok());
        if datum.is_none() {
            decoded.notes.assume("The datum is taken as NAD27; the header names none.");
        }
        let datum: u8 = datum.unwrap_or(1);
        let source = "the header";
        let zone = u32::try_from(self.zone).ok().filter(|zone| (1..=60).contains(zone));
        let code = match (self.system, datum, zone) {
            (GEOGRAPHIC, 2, _) => Some(4322),
            (GEOGRAPHIC, 3, _) => Some(4326),
            (GEOGRAPHIC, 4, _) => Some(4269),
            (GEOGRAPHIC, ..) => Some(4267),
            (UTM, 2, Some(zone)) => Some(32_200 + zone),
            (UTM, 3, Some(zone)) => Some(32_600 + zone),
            (UTM, 4, Some(zone)) => Some(26_900 + zone),
            (UTM, _, Some(zone)) => Some(26_700 + zone),
            _ => None,
        };
        decoded.crs = Some(match code {
            Some(code) => PlaneCrs { unit: self.plan_unit(), ..epsg_crs(code, source, &mut decoded.notes) },
            None => {
                let name = match self.system {
                    STATE_PLANE => format!("state plane zone {}", self.zone),
                    _ => "unnamed".into(),
                };
                let crs = Crs { epsg: None, name, source: source.into(), vertical: None };
                PlaneCrs::new(crs, false, self.plan_unit())
            }
        });
    }

    /// Feet of the state plane zones are the survey's.
    fn plan_unit(&self) -> LengthUnit {
        match (self.ground_unit, self.system) {
            (FEET, STATE_PLANE) => LengthUnit::us_survey_foot(),
            (FEET, _) => LengthUnit::foot(),
            _ => LengthUnit::metre(),
        }
    }
}

fn missing(what: &str) -> Error {
    Error::input(
        format!("a header without a usable {what}"),
        "a USGS DEM's first record",
        "get the file again",
    )
}
