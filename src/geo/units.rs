//! Units of length and their metres.

/// A unit of length.
#[derive(Debug, Clone, PartialEq)]
pub struct LengthUnit {
    /// Its name.
    pub name: String,
    /// Metres in one of it.
    pub metres: f64,
}

/// Names, their EPSG code, their metres, and other spellings in lower case without spaces, dots and dashes.
const UNITS: &[(&str, u32, f64, &[&str])] = &[
    ("metre", 9001, 1.0, &["m", "metres", "meter", "meters", "mtr", "metros"]),
    (
        "foot",
        9002,
        0.3048,
        &[
            "ft",
            "feet",
            "internationalfoot",
            "internationalfeet",
            "footinternational",
            "footintl",
            "feetintl",
            "intlfoot",
            "intlfeet",
        ],
    ),
    (
        "US survey foot",
        9003,
        1200.0 / 3937.0,
        &[
            "usft",
            "ftus",
            "ussurveyfeet",
            "surveyfoot",
            "surveyfeet",
            "surveyft",
            "ussurveyft",
            "footus",
            "feetus",
            "usfoot",
            "usfeet",
            "feetussurvey",
            "footussurvey",
        ],
    ),
    ("Clarke's foot", 9005, 0.304_797_265_4, &[]),
    ("fathom", 9014, 1.8288, &["fathoms"]),
    ("nautical mile", 9030, 1852.0, &["nauticalmiles"]),
    ("German legal metre", 9031, 1.000_013_596_5, &[]),
    ("kilometre", 9036, 1000.0, &["km", "kilometres", "kilometer", "kilometers"]),
    ("Clarke's yard", 9037, 0.914_391_796_2, &[]),
    ("Clarke's link", 9039, 0.201_166_195_164, &[]),
    ("British yard (Sears 1922)", 9040, 0.914_398_414_616_028_7, &[]),
    ("British foot (Sears 1922)", 9041, 0.304_799_471_538_676_2, &[]),
    ("British chain (Sears 1922)", 9042, 20.116_765_121_552_632, &[]),
    ("British chain (Benoit 1895 B)", 9062, 20.116_782_494_375_872, &[]),
    ("Indian yard", 9084, 0.914_398_530_744_440_8, &[]),
    ("statute mile", 9093, 1609.344, &["mile", "miles"]),
    ("Gold Coast foot", 9094, 0.304_799_710_181_508_8, &[]),
    ("British foot (1936)", 9095, 0.304_800_749_1, &[]),
    ("yard", 9096, 0.9144, &["yd", "yards"]),
    ("link", 9098, 0.201_168, &["links"]),
    ("British chain (Sears 1922 truncated)", 9301, 20.116_756, &[]),
    ("decimetre", 1058, 0.1, &["dm", "decimetres", "decimeter", "decimeters"]),
    ("centimetre", 1033, 0.01, &["cm", "centimetres", "centimeter", "centimeters"]),
    ("millimetre", 1025, 0.001, &["mm", "millimetres", "millimeter", "millimeters"]),
];

/// Two factors for one unit differ less than this, as shares of them; the two feet differ by 2e-6.
const SAME: f64 = 1e-7;

impl LengthUnit {
    /// The metre.
    pub fn metre() -> Self {
        Self { name: "metre".into(), metres: 1.0 }
    }

    /// The international foot, 0.3048 m.
    pub fn foot() -> Self {
        Self { name: "foot".into(), metres: 0.3048 }
    }

    /// The US survey foot, 1200/3937 m.
    pub fn us_survey_foot() -> Self {
        Self { name: "US survey foot".into(), metres: 1200.0 / 3937.0 }
    }

    /// The unit that an EPSG unit code stands for.
    pub fn from_epsg(code: u32) -> Option<Self> {
        UNITS.iter().find(|unit| unit.1 == code).map(|unit| Self { name: unit.0.into(), metres: unit.2 })
    }

    /// The unit's EPSG code, where it has one.
    pub fn epsg(&self) -> Option<u32> {
        UNITS.iter().find(|unit| unit.2 == self.metres).map(|unit| unit.1)
    }

    /// The unit that a text names.
    pub fn from_name(text: &str) -> Option<Self> {
        let spelling = spelling(text);
        let names = |unit: &&(&str, u32, f64, &[&str])| {
            unit.3.contains(&spelling.as_str()) || self::spelling(unit.0) == spelling
        };
        UNITS.iter().find(names).map(|unit| Self { name: unit.0.into(), metres: unit.2 })
    }

    /// The unit of a name with its metres. The number decides: a known unit of that length, else one of the given name.
    /// `None` where the number is no length.
    pub fn from_factor(name: &str, metres: f64) -> Option<Self> {
        if !(metres.is_finite() && metres > 0.0) {
            return None;
        }
        let given = Self { name: name.into(), metres };
        let named = Self::from_name(name).filter(|unit| unit.is_as_long_as(&given));
        let known = || {
            let alike = UNITS.iter().find(|unit| (unit.2 / metres - 1.0).abs() < SAME)?;
            Some(Self { name: alike.0.into(), metres: alike.2 })
        };
        Some(named.or_else(known).unwrap_or(given))
    }

    /// Whether both are one length, but for rounding in a text.
    pub fn is_as_long_as(&self, other: &Self) -> bool {
        (self.metres / other.metres - 1.0).abs() < SAME
    }
}

/// A name in lower case without spaces, dots and dashes.
fn spelling(text: &str) -> String {
    text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Degrees in one unit of angle of an EPSG code.
pub fn degrees_in_angle(code: u32) -> Option<f64> {
    match code {
        9101 => Some(180.0 / std::f64::consts::PI),
        // Degrees, and the ways of writing them down.
        9102 | 9107 | 9108 | 9122 => Some(1.0),
        9103 => Some(1.0 / 60.0),
        9104 => Some(1.0 / 3600.0),
        // Grads, also called gons.
        9105 | 9106 => Some(0.9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feet_are_two_different_units() {
        let survey = LengthUnit::from_name("US survey foot").expect("known");
        assert_eq!(survey, LengthUnit::us_survey_foot());
        assert_eq!(LengthUnit::from_name("us-ft"), Some(survey));
        assert!((3280.8333 * LengthUnit::us_survey_foot().metres - 1000.0).abs() < 1e-4);
        assert!((3280.8333 * LengthUnit::foot().metres - 999.998).abs() < 1e-4);
    }

    #[test]
    fn codes_and_names_meet() {
        for (name, code, metres, spellings) in UNITS {
            let unit = LengthUnit::from_epsg(*code).expect("in the table");
            assert_eq!((unit.name.as_str(), unit.metres), (*name, *metres));
            assert!(
                spellings.iter().chain([name]).all(|text| LengthUnit::from_name(text) == Some(unit.clone()))
            );
        }
        assert_eq!(LengthUnit::from_name("kelvin"), None);
    }

    #[test]
    fn a_factor_decides_over_a_name() {
        let found = |name, metres| LengthUnit::from_factor(name, metres).expect("a length");
        assert_eq!(found("Foot_US", 0.304_800_609_601_219_2), LengthUnit::us_survey_foot());
        assert_eq!(found("foot", 0.304_800_61), LengthUnit::us_survey_foot());
        assert_eq!(found("US survey foot", 0.3048), LengthUnit::foot());
        assert_eq!(found("Rod", 5.0292), LengthUnit { name: "Rod".into(), metres: 5.0292 });
        assert_eq!(LengthUnit::from_factor("metre", f64::NAN), None);
        assert_eq!(LengthUnit::from_factor("metre", 0.0), None);
    }

    #[test]
    fn angles_are_told_in_degrees() {
        assert_eq!((degrees_in_angle(9102), degrees_in_angle(9105)), (Some(1.0), Some(0.9)));
        assert!((degrees_in_angle(9101).expect("a radian") - 57.295_779_513).abs() < 1e-9);
        assert_eq!(degrees_in_angle(9001), None);
    }
}
