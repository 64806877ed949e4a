//! Coordinate reference systems as readers hand them over, with what their coordinates are measured in.

use super::decoded::Notes;
use super::raster::{Crs, PlanUnit, Vertical};
use crate::geo::{EpsgSystem, LengthUnit, ProjectionText, SystemKind};

/// A coordinate reference system with what its plan coordinates are measured in.
#[derive(Debug, Clone)]
pub(super) struct PlaneCrs {
    pub crs: Crs,
    pub geographic: bool,
    /// The unit of projected coordinates.
    pub unit: LengthUnit,
    /// Degrees in one unit of geographic coordinates; 1 but for a few systems in grads.
    pub degrees: f64,
    /// The unit that the system has for heights.
    pub vertical_unit: Option<LengthUnit>,
}

impl PlaneCrs {
    /// A system in degrees, or in a unit of length.
    pub fn new(crs: Crs, geographic: bool, unit: LengthUnit) -> Self {
        Self { crs, geographic, unit, degrees: 1.0, vertical_unit: None }
    }

    /// The system of a projection text.
    pub fn of_text(found: ProjectionText, source: &str, notes: &mut Notes) -> Self {
        if let Some(code) = found.namesake {
            let name = &found.name;
            notes.assume(format!(
                "The system is taken for {name} (EPSG:{code}) by its name; its code is not in the {source}."
            ));
        }
        let vertical = found.vertical.map(|vertical| Vertical { epsg: vertical.epsg, name: vertical.name });
        let crs = Crs { epsg: found.epsg, name: found.name, source: source.into(), vertical };
        let (degrees, vertical_unit) = (found.degrees, found.vertical_unit);
        Self { degrees, vertical_unit, ..Self::new(crs, found.geographic, found.unit) }
    }

    /// The unit of heights and where it stands.
    pub fn height_unit(&self) -> Option<(LengthUnit, String)> {
        let source = match &self.crs.vertical {
            Some(Vertical { epsg: Some(code), .. }) => format!("the vertical system EPSG:{code}"),
            Some(Vertical { name, .. }) => format!("the vertical system {name}"),
            None => format!("the height unit of the {}", self.crs.source),
        };
        Some((self.vertical_unit.clone()?, source))
    }

    /// What plan coordinates are measured in.
    pub fn plan_unit(&self) -> PlanUnit {
        if self.geographic { PlanUnit::Degree } else { PlanUnit::Length(self.unit.clone()) }
    }
}

/// The system that an EPSG code stands for; one that the table lacks, or that has no plan, is taken as a plan in metres.
pub(super) fn epsg_crs(code: u32, source: &str, notes: &mut Notes) -> PlaneCrs {
    if EpsgSystem::of_code(code).is_some_and(|system| system.kind == SystemKind::Geocentric) {
        notes.warn(
            "no-plan",
            format!("EPSG:{code} counts from the earth's centre; its coordinates are taken as a plan"),
        );
    }
    if let Some(found) = ProjectionText::of_code(code) {
        return PlaneCrs::of_text(found, source, notes);
    }
    notes.assume(format!("Coordinates of EPSG:{code}, an unknown system, are taken as metres."));
    let crs = Crs { epsg: Some(code), name: format!("EPSG:{code}"), source: source.into(), vertical: None };
    PlaneCrs::new(crs, false, LengthUnit::metre())
}
