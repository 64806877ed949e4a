//! What EPSG codes stand for: names, kinds and units of the EPSG Geodetic Parameter Dataset.
//!
//! `assets/epsg.txt` holds one system a line by rising code; its head tells the columns and where they come from. A look-up
//! halves the text until one line is left, so nothing is parsed beforehand and nothing is kept.

use super::units::{LengthUnit, degrees_in_angle};
use std::cmp::Ordering;

static TABLE: &str = include_str!("../../assets/epsg.txt");

/// EPSG codes of the metre and the degree, the units of systems that name none.
const METRE: u32 = 9001;
const DEGREE: u32 = 9102;

/// What a system's coordinates are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SystemKind {
    /// Longitude and latitude, with or without a height above the ellipsoid.
    Geographic,
    /// Lengths from the earth's centre.
    Geocentric,
    /// Lengths in a map's plane.
    Projected,
    /// Lengths in a plane that is not tied to the earth.
    Engineering,
    /// Lengths upwards.
    Height,
    /// Lengths downwards.
    Depth,
    /// A plan and a height, each a system of its own.
    Compound,
}

/// One coordinate reference system of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpsgSystem {
    /// EPSG code.
    pub code: u32,
    /// Official name.
    pub name: &'static str,
    /// What its coordinates are.
    pub kind: SystemKind,
    /// Whether the dataset has withdrawn it.
    pub withdrawn: bool,
    /// Whether longitude and latitude come with a height above the ellipsoid.
    pub has_height: bool,
    /// EPSG code of the unit, codes of the parts, or nothing; see the table's head.
    unit: &'static str,
}

impl EpsgSystem {
    /// The system of a code; `None` where the table has none.
    pub fn of_code(code: u32) -> Option<Self> {
        let mut lines = TABLE;
        while !lines.is_empty() {
            let (before, line, after) = split_at_middle_line(lines);
            match code_of(line).cmp(&code) {
                Ordering::Equal => return Self::parse(line),
                Ordering::Less => lines = after,
                Ordering::Greater => lines = before,
            }
        }
        None
    }

    /// Every system, by rising code.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.lines().filter_map(Self::parse)
    }

    /// Whether coordinates are longitude and latitude.
    pub fn is_geographic(&self) -> bool {
        self.kind == SystemKind::Geographic
    }

    /// Whether the system is one of heights or depths alone.
    pub fn is_vertical(&self) -> bool {
        matches!(self.kind, SystemKind::Height | SystemKind::Depth)
    }

    /// The unit of length of its coordinates; `None` for longitude and latitude, and for a compound system.
    pub fn length_unit(&self) -> Option<LengthUnit> {
        match self.kind {
            SystemKind::Geographic | SystemKind::Compound => None,
            _ => LengthUnit::from_epsg(self.unit_or(METRE)),
        }
    }

    /// Degrees in one unit of a geographic system's coordinates; 1 for every other system.
    pub fn degrees(&self) -> f64 {
        if self.is_geographic() { degrees_in_angle(self.unit_or(DEGREE)).unwrap_or(1.0) } else { 1.0 }
    }

    /// The plan and the height of a compound system.
    pub fn parts(&self) -> Option<[Self; 2]> {
        let (plan, height) = self.unit.split_once('+')?;
        Some([Self::of_code(plan.parse().ok()?)?, Self::of_code(height.parse().ok()?)?])
    }

    fn unit_or(&self, usual: u32) -> u32 {
        self.unit.parse().unwrap_or(usual)
    }

    fn parse(line: &'static str) -> Option<Self> {
        let mut columns = line.splitn(4, '|');
        let code = columns.next()?.parse().ok()?;
        let letter = columns.next()?.chars().next()?;
        let kind = match letter.to_ascii_lowercase() {
            'g' | 'h' => SystemKind::Geographic,
            'x' => SystemKind::Geocentric,
            'p' => SystemKind::Projected,
            'e' => SystemKind::Engineering,
            'v' => SystemKind::Height,
            'd' => SystemKind::Depth,
            _ => SystemKind::Compound,
        };
        let unit = columns.next()?;
        let (withdrawn, has_height) = (letter.is_ascii_uppercase(), letter.eq_ignore_ascii_case(&'h'));
        Some(Self { code, name: columns.next()?, kind, withdrawn, has_height, unit })
    }
}

/// The code that a line begins with; 0 for a line of the head.
fn code_of(line: &str) -> u32 {
    line.split('|').next().and_then(|code| code.parse().ok()).unwrap_or(0)
}

/// The lines before the one that holds the text's middle, that line, and the lines after it.
fn split_at_middle_line(lines: &str) -> (&str, &str, &str) {
    let bytes = lines.as_bytes();
    let is_break = |byte: &u8| *byte == b'\n';
    let start = bytes[..bytes.len() / 2].iter().rposition(is_break).map_or(0, |at| at + 1);
    let end = bytes[start..].iter().position(is_break).map_or(bytes.len(), |length| start + length);
    (&lines[..start], &lines[start..end], lines.get(end + 1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(code: u32) -> EpsgSystem {
        EpsgSystem::of_code(code).expect("in the table")
    }

    #[test]
    fn every_line_is_found_by_its_code() {
        let codes: Vec<u32> = EpsgSystem::all().map(|system| system.code).collect();
        assert!(codes.len() > 7000 && codes.is_sorted());
        for code in codes {
            assert_eq!(system(code).code, code);
        }
        for unknown in [0, 1, 1999, 50_000, 65_535, u32::MAX] {
            assert_eq!(EpsgSystem::of_code(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn every_unit_of_the_table_is_known_and_every_part_is_in_it() {
        for system in EpsgSystem::all() {
            let measured = match system.kind {
                SystemKind::Geographic => degrees_in_angle(system.unit_or(DEGREE)).is_some(),
                SystemKind::Compound => {
                    system.parts().is_some_and(|[plan, height]| !plan.is_vertical() && height.is_vertical())
                }
                _ => system.length_unit().is_some(),
            };
            assert!(measured, "{system:?}");
        }
    }

    #[test]
    fn plans_in_metres_and_in_both_feet() {
        let plan = |code| (system(code).name, system(code).kind, system(code).length_unit());
        let projected = |name, unit| (name, SystemKind::Projected, Some(unit));
        assert_eq!(plan(2056), projected("CH1903+ / LV95", LengthUnit::metre()));
        assert_eq!(plan(27700), projected("OSGB36 / British National Grid", LengthUnit::metre()));
        assert_eq!(plan(32633), projected("WGS 84 / UTM zone 33N", LengthUnit::metre()));
        let us_feet = LengthUnit::us_survey_foot();
        assert_eq!(plan(2927), projected("NAD83(HARN) / Washington South (ftUS)", us_feet.clone()));
        assert_eq!(plan(2263), projected("NAD83 / New York Long Island (ftUS)", us_feet));
        assert_eq!(plan(2222), projected("NAD83 / Arizona East (ft)", LengthUnit::foot()));
        assert!(
            (system(2136).length_unit().expect("Gold Coast feet").metres - 0.304_799_710_18).abs() < 1e-11
        );
    }

    #[test]
    fn heights_and_depths_in_metres_and_in_both_feet() {
        let (metre, foot, us_foot) = (LengthUnit::metre(), LengthUnit::foot(), LengthUnit::us_survey_foot());
        for (code, name, unit) in [
            (5703, "NAVD88 height", &metre),
            (3855, "EGM2008 height", &metre),
            (6360, "NAVD88 height (ftUS)", &us_foot),
            (5702, "NGVD29 height (ftUS)", &us_foot),
            (8052, "MSL height (ftUS)", &us_foot),
            (8228, "NAVD88 height (ft)", &foot),
            (8050, "MSL height (ft)", &foot),
        ] {
            assert_eq!((system(code).name, system(code).kind), (name, SystemKind::Height));
            assert_eq!(system(code).length_unit().as_ref(), Some(unit), "{name}");
        }
        assert_eq!((system(5715).kind, system(5715).length_unit()), (SystemKind::Depth, Some(metre)));
    }

    #[test]
    fn a_compound_system_falls_into_its_parts() {
        let british = system(7405);
        assert_eq!(british.name, "OSGB36 / British National Grid + ODN height");
        assert_eq!(british.parts().map(|parts| parts.map(|part| part.code)), Some([27700, 5701]));
        assert_eq!((british.length_unit(), system(27700).parts()), (None, None));
    }

    #[test]
    fn degrees_and_grads() {
        for code in [4326, 4979, 4269] {
            assert!(system(code).is_geographic() && system(code).length_unit().is_none());
            assert_eq!(system(code).degrees(), 1.0);
        }
        assert_eq!((system(4807).name, system(4807).degrees()), ("NTF (Paris)", 0.9));
        assert_eq!(system(4978).kind, SystemKind::Geocentric);
        assert!(system(4979).has_height && !system(4326).has_height);
        assert!(system(3785).withdrawn && !system(3857).withdrawn);
    }
}
