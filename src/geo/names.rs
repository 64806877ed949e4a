//! Systems by the names that programs give them.
//!
//! ESRI writes `NAD_1983_StatePlane_Washington_North_FIPS_4601_Feet` where the EPSG dataset writes `NAD83 / Washington North
//! (ftUS)`. Both are brought into one spelling: lower case, letters and digits alone, years of datums shortened.

use super::epsg::{EpsgSystem, SystemKind};

/// Phrases of ESRI's, as words, with what stands in their place in the EPSG dataset; longer ones before their beginnings.
const PHRASES: [(&[&str], &str); 9] = [
    (&["north", "american", "1983"], "nad83"),
    (&["north", "american", "1927"], "nad27"),
    (&["european", "1950"], "ed50"),
    (&["gauss", "zone"], "gausskrugerzone"),
    (&["gk"], "gausskruger"),
    (&["feet", "intl"], "ft"),
    (&["ft", "intl"], "ft"),
    (&["feet"], "ftus"),
    (&["stateplane"], ""),
];

/// Datums of the last century whose year ESRI writes in full and the EPSG dataset with two digits.
const DATED: [&str; 10] = ["wgs", "nad", "etrs", "gda", "ed", "sad", "agd", "dgn", "nzgd", "lks"];

/// Names that follow no rule, in one spelling, with the code they stand for.
const ODD_NAMES: [(&str, u32); 7] = [
    ("wgs84webmercatorauxiliarysphere", 3857),
    ("wgs84webmercator", 3857),
    ("britishnationalgrid", 27700),
    ("rgf1993lambert93", 2154),
    ("etrs89laea", 3035),
    ("nzgd2000newzealandtransversemercator", 2193),
    ("rdnew", 28992),
];

/// The system of plan coordinates that a name stands for: rather one that is not withdrawn, then rather one without a height,
/// then the one of the least code.
pub fn system_named(name: &str) -> Option<EpsgSystem> {
    let spelling = in_one_spelling(name);
    if let Some((_, code)) = ODD_NAMES.iter().find(|(odd, _)| *odd == spelling) {
        return EpsgSystem::of_code(*code);
    }
    let places = |system: &EpsgSystem| matches!(system.kind, SystemKind::Geographic | SystemKind::Projected);
    let bears = |system: &EpsgSystem| places(system) && letters_of(system.name).eq(spelling.chars());
    EpsgSystem::all().filter(bears).min_by_key(|system| (system.withdrawn, system.has_height, system.code))
}

/// Letters, digits and the plus sign of a name, in lower case.
fn letters_of(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric() || *c == '+').flat_map(char::to_lowercase)
}

/// A name as [`letters_of`] gives the official one of the same system.
fn in_one_spelling(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || c == '+')).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let mut rest = words.strip_prefix(&["gcs"]).unwrap_or(&words);
    let mut spelling = String::new();
    while let Some((word, after)) = rest.split_first() {
        let phrase = PHRASES.iter().find(|(words, _)| rest.starts_with(words));
        let (spelled, taken) = match (phrase, after.first()) {
            (Some((words, short)), _) => (*short, words.len()),
            // The number of a state plane zone follows.
            (None, Some(_)) if *word == "fips" => ("", 2),
            (None, Some(year)) if DATED.contains(word) && year.len() == 4 && year.starts_with("19") => {
                spelling.push_str(word);
                (&year[2..], 2)
            }
            (None, _) => (*word, 1),
        };
        spelling.push_str(spelled);
        rest = &rest[taken..];
    }
    spelling
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_programs_find_their_system() {
        for (name, code) in [
            ("NAD_1983_UTM_Zone_11N", 26911),
            ("NAD_1927_UTM_Zone_11N", 26711),
            ("WGS_1984_UTM_Zone_33S", 32733),
            ("ETRS_1989_UTM_Zone_32N", 25832),
            ("ED_1950_UTM_Zone_30N", 23030),
            ("NAD_1983_2011_UTM_Zone_12N", 6341),
            ("NAD_1983_CSRS_UTM_Zone_17N", 2958),
            ("NAD_1983_StatePlane_Washington_North_FIPS_4601_Feet", 2285),
            ("NAD_1983_StatePlane_Arizona_Central_FIPS_0202_Feet_Intl", 2223),
            ("NAD_1983_StatePlane_Colorado_North_FIPS_0501", 26953),
            ("WGS_1972_UTM_Zone_11N", 32211),
            ("Pulkovo_1942_GK_Zone_10", 28410),
            ("DHDN_3_Degree_Gauss_Zone_3", 31467),
            ("China Geodetic Coordinate System 2000", 4490),
            ("CH1903+_LV95", 2056),
            ("WGS_1984_Web_Mercator_Auxiliary_Sphere", 3857),
            ("British_National_Grid", 27700),
            ("GCS_WGS_1984", 4326),
            ("GCS_North_American_1983", 4269),
            ("WGS 84 / UTM zone 32N", 32632),
            ("WGS84 / UTM zone 32N", 32632),
        ] {
            assert_eq!(system_named(name).map(|system| system.code), Some(code), "{name}");
        }
    }

    #[test]
    fn names_of_nothing_and_of_heights_find_none() {
        for name in ["", "_", "unnamed", "NAVD88 height", "NAD_1983", "FIPS", "Feet"] {
            let found = system_named(name).map(|system| system.code);
            assert_eq!(found, (name == "NAD_1983").then_some(4269), "{name}");
        }
    }
}
