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
    ("metre", 9001, 1.0, &["m", "metre", "metres", "meter", "meters", "mtr", "metros"]),
    (
        "foot",
        9002,
        0.3048,
        &["ft", "foot", "feet", "internationalfoot", "internationalfeet", "footinternational"],
    ),
    (
        "US survey foot",
        9003,
        1200.0 / 3937.0,
        &[
            "usft",
            "ftus",
            "ussurveyfoot",
            "ussurveyfeet",
            "surveyfoot",
            "surveyfeet",
            "footus",
            "usfoot",
            "usfeet",
        ],
    ),
    ("fathom", 9014, 1.8288, &["fathom", "fathoms"]),
    ("kilometre", 9036, 1000.0, &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    ("decimetre", 1058, 0.1, &["dm", "decimetre", "decimetres", "decimeter", "decimeters"]),
    ("centimetre", 1033, 0.01, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    ("millimetre", 1025, 0.001, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
];

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
        let spelling: String = text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        let unit = UNITS.iter().find(|unit| unit.3.contains(&spelling.as_str()))?;
        Some(Self { name: unit.0.into(), metres: unit.2 })
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
            assert!(spellings.iter().all(|text| LengthUnit::from_name(text) == Some(unit.clone())));
        }
        assert_eq!(LengthUnit::from_name("kelvin"), None);
    }
}
