//! What EPSG codes stand for: a compact table of the common ones, and rules for the numbered families.

use super::units::LengthUnit;

/// Horizontal systems by code.
const HORIZONTAL: &[(u32, &str)] = &[
    (2039, "Israel 1993 / Israeli TM Grid"),
    (2056, "CH1903+ / LV95"),
    (2100, "GGRS87 / Greek Grid"),
    (2154, "RGF93 v1 / Lambert-93"),
    (2180, "ETRF2000-PL / CS92"),
    (2193, "NZGD2000 / New Zealand Transverse Mercator 2000"),
    (2326, "Hong Kong 1980 Grid System"),
    (3003, "Monte Mario / Italy zone 1"),
    (3004, "Monte Mario / Italy zone 2"),
    (3005, "NAD83 / BC Albers"),
    (3006, "SWEREF99 TM"),
    (3031, "WGS 84 / Antarctic Polar Stereographic"),
    (3034, "ETRS89-extended / LCC Europe"),
    (3035, "ETRS89-extended / LAEA Europe"),
    (3067, "EUREF-FIN / TM35FIN(E,N)"),
    (3301, "Estonian Coordinate System of 1997"),
    (3347, "NAD83 / Statistics Canada Lambert"),
    (3395, "WGS 84 / World Mercator"),
    (3413, "WGS 84 / NSIDC Sea Ice Polar Stereographic North"),
    (3577, "GDA94 / Australian Albers"),
    (3763, "ETRS89 / Portugal TM06"),
    (3765, "HTRS96 / Croatia TM"),
    (3794, "Slovenia 1996 / Slovene National Grid"),
    (3812, "ETRS89 / Belgian Lambert 2008"),
    (3857, "WGS 84 / Pseudo-Mercator"),
    (3979, "NAD83(CSRS) / Canada Atlas Lambert"),
    (4167, "NZGD2000"),
    (4171, "RGF93 v1"),
    (4230, "ED50"),
    (4258, "ETRS89"),
    (4267, "NAD27"),
    (4269, "NAD83"),
    (4283, "GDA94"),
    (4326, "WGS 84"),
    (4490, "China Geodetic Coordinate System 2000"),
    (4612, "JGD2000"),
    (4617, "NAD83(CSRS)"),
    (4674, "SIRGAS 2000"),
    (4759, "NAD83(NSRS2007)"),
    (4979, "WGS 84"),
    (5070, "NAD83 / Conus Albers"),
    (5514, "S-JTSK / Krovak East North"),
    (6318, "NAD83(2011)"),
    (6350, "NAD83(2011) / Conus Albers"),
    (6668, "JGD2011"),
    (7844, "GDA2020"),
    (9473, "GDA2020 / Australian Albers"),
    (21781, "CH1903 / LV03"),
    (23700, "HD72 / EOV"),
    (27700, "OSGB36 / British National Grid"),
    (28992, "Amersfoort / RD New"),
    (29902, "TM65 / Irish Grid"),
    (31287, "MGI / Austria Lambert"),
    (31370, "BD72 / Belgian Lambert 72"),
];

/// Families of UTM zones: what to take off the code for the zone, first and last zone, datum, hemisphere.
const UTM: &[(u32, u32, u32, &str, char)] = &[
    (32600, 1, 60, "WGS 84", 'N'),
    (32700, 1, 60, "WGS 84", 'S'),
    (32200, 1, 60, "WGS 72", 'N'),
    (32300, 1, 60, "WGS 72", 'S'),
    (26900, 1, 23, "NAD83", 'N'),
    (26700, 1, 22, "NAD27", 'N'),
    (25800, 28, 38, "ETRS89", 'N'),
    (23000, 28, 38, "ED50", 'N'),
    (6329, 1, 19, "NAD83(2011)", 'N'),
];

/// Vertical systems by code; those not in metres name their unit's EPSG code.
const VERTICAL: &[(u32, &str, u32)] = &[
    (3855, "EGM2008 height", 9001),
    (5613, "RH2000 height", 9001),
    (5621, "EVRF2007 height", 9001),
    (5701, "ODN height", 9001),
    (5702, "NGVD29 height (ftUS)", 9003),
    (5703, "NAVD88 height", 9001),
    (5705, "Baltic 1977 height", 9001),
    (5709, "NAP height", 9001),
    (5710, "Ostend height", 9001),
    (5711, "AHD height", 9001),
    (5714, "MSL height", 9001),
    (5720, "NGF-IGN69 height", 9001),
    (5728, "LN02 height", 9001),
    (5729, "LHN95 height", 9001),
    (5730, "EVRF2000 height", 9001),
    (5773, "EGM96 height", 9001),
    (5783, "DHHN92 height", 9001),
    (5798, "EGM84 height", 9001),
    (5799, "DVR90 height", 9001),
    (5941, "NN2000 height", 9001),
    (6360, "NAVD88 height (ftUS)", 9003),
    (6647, "CGVD2013(CGG2013) height", 9001),
    (7837, "DHHN2016 height", 9001),
    (7839, "NZVD2016 height", 9001),
    (8050, "MSL height (ft)", 9002),
    (8052, "MSL height (ftUS)", 9003),
    (8228, "NAVD88 height (ft)", 9002),
];

/// Ranges of codes of geographic systems, both ends included.
const GEOGRAPHIC: &[(u32, u32)] = &[
    (3819, 3824),
    (4001, 4025),
    (4052, 4055),
    (4120, 4216),
    (4218, 4327),
    (4463, 4463),
    (4470, 4470),
    (4483, 4483),
    (4490, 4490),
    (4555, 4558),
    (4600, 4646),
    (4657, 4765),
    (4801, 4811),
    (4937, 4937),
    (4979, 4979),
    (5324, 5324),
    (5527, 5527),
    (6318, 6319),
    (6668, 6668),
    (6706, 6706),
    (6783, 6783),
    (7843, 7844),
    (8999, 9000),
];

/// Codes of state plane zones of the United States in international feet; their neighbours are in US survey
/// feet.
const INTERNATIONAL_FEET: &[(u32, u32)] = &[
    (2222, 2224),
    (2251, 2253),
    (2256, 2256),
    (2265, 2266),
    (2269, 2270),
    (2273, 2273),
    (2280, 2282),
    (2867, 2869),
    (2896, 2898),
    (2901, 2901),
    (2909, 2910),
    (2913, 2914),
    (2921, 2923),
];

/// Families of state plane zones in feet: NAD83, NAD83(HARN), NAD27.
const STATE_PLANE_FEET: &[(u32, u32)] = &[(2222, 2289), (2867, 2930), (26729, 26813), (32001, 32058)];

fn within(ranges: &[(u32, u32)], code: u32) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&code))
}

/// The name of a horizontal system, where the table or a rule knows it.
pub fn crs_name(code: u32) -> Option<String> {
    if let Some((_, name)) = HORIZONTAL.iter().find(|entry| entry.0 == code) {
        return Some((*name).into());
    }
    UTM.iter().find_map(|&(base, first, last, datum, hemisphere)| {
        let zone = code.checked_sub(base)?;
        (first..=last).contains(&zone).then(|| format!("{datum} / UTM zone {zone}{hemisphere}"))
    })
}

/// Whether a code's coordinates are degrees.
pub fn is_geographic(code: u32) -> bool {
    within(GEOGRAPHIC, code)
}

/// The unit of a projected system's coordinates; `None` where neither table nor rule knows the code.
pub fn plane_unit(code: u32) -> Option<LengthUnit> {
    if within(INTERNATIONAL_FEET, code) {
        return Some(LengthUnit::foot());
    }
    if within(STATE_PLANE_FEET, code) {
        return Some(LengthUnit::us_survey_foot());
    }
    (!is_geographic(code) && crs_name(code).is_some()).then(LengthUnit::metre)
}

/// The name of a vertical system, where the table knows it.
pub fn vertical_name(code: u32) -> Option<String> {
    VERTICAL.iter().find(|entry| entry.0 == code).map(|entry| entry.1.into())
}

/// The height unit of a vertical system, where the table knows it.
pub fn vertical_unit(code: u32) -> Option<LengthUnit> {
    VERTICAL.iter().find(|entry| entry.0 == code).and_then(|entry| LengthUnit::from_epsg(entry.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_names() {
        let name = |code| crs_name(code).expect("known");
        assert_eq!(name(4326), "WGS 84");
        assert_eq!(name(32632), "WGS 84 / UTM zone 32N");
        assert_eq!(name(32733), "WGS 84 / UTM zone 33S");
        assert_eq!(name(26912), "NAD83 / UTM zone 12N");
        assert_eq!(name(25832), "ETRS89 / UTM zone 32N");
        assert_eq!(crs_name(32661), None);
        assert_eq!(vertical_name(3855).as_deref(), Some("EGM2008 height"));
    }

    #[test]
    fn degrees_metres_and_both_feet_are_told_apart() {
        assert!(is_geographic(4326) && is_geographic(4269) && !is_geographic(4217) && !is_geographic(32632));
        assert_eq!(plane_unit(2193), Some(LengthUnit::metre()));
        assert_eq!(plane_unit(2285), Some(LengthUnit::us_survey_foot()));
        assert_eq!(plane_unit(2269), Some(LengthUnit::foot()));
        assert_eq!(plane_unit(4326), None);
        assert_eq!(vertical_unit(6360), Some(LengthUnit::us_survey_foot()));
        assert_eq!(vertical_unit(5703), Some(LengthUnit::metre()));
    }
}
