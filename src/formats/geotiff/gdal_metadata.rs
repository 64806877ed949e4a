//! Scale, offset and unit of a band from the small XML text that GDAL keeps in a tag.

use crate::formats::decoded::Notes;
use crate::geo::LengthUnit;

/// What the text says of one band.
#[derive(Debug, PartialEq)]
pub(super) struct BandMetadata {
    pub scale: f64,
    pub offset: f64,
    pub unit: Option<LengthUnit>,
}

impl BandMetadata {
    /// Reads the text for a band, counted from 1. What cannot be used is told and left out.
    pub fn of(text: &str, band: u32, notes: &mut Notes) -> Self {
        let item = |role: &str| item(text, band, role);
        let mut number = |role: &str, usable: fn(f64) -> bool, otherwise: f64| match item(role) {
            None => otherwise,
            Some(found) => {
                found.trim().parse().ok().filter(|value: &f64| usable(*value)).unwrap_or_else(|| {
                    notes.warn("bad-scale", format!("the band's {role} is \"{found}\" and left out"));
                    otherwise
                })
            }
        };
        let scale = number("scale", |value| value.is_finite() && value != 0.0, 1.0);
        let offset = number("offset", f64::is_finite, 0.0);
        let unit = item("unittype").filter(|text| !text.trim().is_empty()).and_then(|text| {
            let unit = LengthUnit::from_name(&text);
            if unit.is_none() {
                notes.warn("unknown-unit", format!("the band's unit \"{text}\" is no known unit of length"));
            }
            unit
        });
        Self { scale, offset, unit }
    }
}

/// The text of the item with a role, for a band.
fn item(text: &str, band: u32, role: &str) -> Option<String> {
    text.split("<Item").skip(1).find_map(|part| {
        let (tag, rest) = part.split_once('>')?;
        let of_band = attribute(tag, "sample").and_then(|sample| sample.parse().ok()) == Some(band - 1);
        let of_role = attribute(tag, "role").is_some_and(|found| found.eq_ignore_ascii_case(role));
        (of_band && of_role).then(|| unescape(rest.split('<').next().unwrap_or_default()))
    })
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next()
}

fn unescape(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"<GDALMetadata>
  <Item name="SCALE" sample="0" role="scale">0.01</Item>
  <Item name="OFFSET" sample="0" role="offset">100</Item>
  <Item name="UNITTYPE" sample="0" role="unittype">US survey foot</Item>
  <Item name="SCALE" sample="1" role="scale">zero</Item>
</GDALMetadata>"#;

    #[test]
    fn each_band_has_its_own() {
        let mut notes = Notes::default();
        let first = BandMetadata::of(TEXT, 1, &mut notes);
        let unit = Some(LengthUnit::us_survey_foot());
        assert_eq!(first, BandMetadata { scale: 0.01, offset: 100.0, unit });
        assert!(notes.warnings.is_empty());
        let second = BandMetadata::of(TEXT, 2, &mut notes);
        assert_eq!(second, BandMetadata { scale: 1.0, offset: 0.0, unit: None });
        assert_eq!(notes.warnings.len(), 1);
        let none = BandMetadata::of("<Item <Item>", 1, &mut notes);
        assert_eq!(none, BandMetadata { scale: 1.0, offset: 0.0, unit: None });
    }
}
