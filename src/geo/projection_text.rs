//! What a `.prj` text says: well-known text, or the older list of keywords.

use super::units::LengthUnit;

/// The facts of a projection text.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectionText {
    /// The system's name.
    pub name: String,
    /// Its EPSG code, where the text gives one.
    pub epsg: Option<u32>,
    /// Whether coordinates are degrees.
    pub geographic: bool,
    /// The unit of projected coordinates.
    pub unit: LengthUnit,
}

/// Reads a projection text; `None` where it is of neither kind.
pub fn read_projection_text(text: &str) -> Option<ProjectionText> {
    let text = text.trim();
    read_well_known_text(text).or_else(|| read_keywords(text))
}

fn read_well_known_text(text: &str) -> Option<ProjectionText> {
    let upper = text.to_ascii_uppercase();
    // A compound system's horizontal part is its first inner one.
    let kinds = ["PROJCRS[", "PROJCS[", "GEOGCRS[", "GEODCRS[", "GEOGCS["];
    let (start, kind) =
        kinds.iter().filter_map(|kind| upper.find(kind).map(|at| (at, *kind))).min_by_key(|found| found.0)?;
    let body = balanced(&text[start..])?;
    let geographic = kind.starts_with("GEO");
    let name = quoted(body)?.to_owned();
    let epsg = last_code(body).filter(|_| !name.is_empty());
    let unit =
        if geographic { LengthUnit::metre() } else { last_unit(body).unwrap_or_else(LengthUnit::metre) };
    Some(ProjectionText { name, epsg, geographic, unit })
}

/// The text up to the bracket that closes its first one.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth <= 1 => return Some(&text[..=at]),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The first text in quotation marks.
fn quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

/// The EPSG code that stands last in the body and belongs to the body itself: nothing but brackets follows.
fn last_code(body: &str) -> Option<u32> {
    let upper = body.to_ascii_uppercase();
    let at = upper.rfind("AUTHORITY[\"EPSG\"").or_else(|| upper.rfind("ID[\"EPSG\""))?;
    let entry = balanced(&body[at..])?;
    if !body[at + entry.len()..].trim().chars().all(|c| c == ']')
        || body[at + entry.len()..].trim().len() != 1
    {
        return None;
    }
    entry.rsplit(',').next()?.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok()
}

/// The last unit of length in the body: the system's own comes after the ones of its parts.
fn last_unit(body: &str) -> Option<LengthUnit> {
    let upper = body.to_ascii_uppercase();
    let at = upper.rfind("LENGTHUNIT[").or_else(|| upper.rfind("UNIT["))?;
    let entry = balanced(&body[at..])?;
    let name = quoted(entry)?;
    if let Some(unit) = LengthUnit::from_name(name) {
        return Some(unit);
    }
    let metres: f64 = entry.split(',').nth(1)?.trim_matches(|c| c == ']' || c == ' ').parse().ok()?;
    (metres.is_finite() && metres > 0.0).then(|| LengthUnit { name: name.to_owned(), metres })
}

/// The older form: lines such as `Projection UTM`, `Zone 11`, `Units METERS`.
fn read_keywords(text: &str) -> Option<ProjectionText> {
    let value = |key: &str| {
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            words.next().filter(|word| word.eq_ignore_ascii_case(key))?;
            words.next().map(str::to_owned)
        })
    };
    let projection = value("projection")?;
    let name = match value("zone") {
        Some(zone) => format!("{projection} zone {zone}"),
        None => projection.clone(),
    };
    let unit = value("units").and_then(|unit| LengthUnit::from_name(&unit)).unwrap_or_else(LengthUnit::metre);
    Some(ProjectionText { name, epsg: None, geographic: projection.eq_ignore_ascii_case("geographic"), unit })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projected_text_gives_name_unit_and_code() {
        let text = r#"PROJCS["Test North (ftUS)",GEOGCS["NAD83",DATUM["D",SPHEROID["GRS 1980",6378137,298.25]],
            UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4269"]],PROJECTION["X"],
            UNIT["US survey foot",0.304800609601219],AUTHORITY["EPSG","2285"]]"#;
        let found = read_projection_text(text).expect("readable");
        assert_eq!(
            (found.name.as_str(), found.epsg, found.geographic),
            ("Test North (ftUS)", Some(2285), false)
        );
        assert_eq!(found.unit, LengthUnit::us_survey_foot());
    }

    #[test]
    fn a_code_of_a_part_is_not_the_systems() {
        let text = r#"PROJCS["Mine",GEOGCS["NAD83",UNIT["degree",0.01745],AUTHORITY["EPSG","4269"]],
            UNIT["Rod",5.0292]]"#;
        let found = read_projection_text(text).expect("readable");
        assert_eq!((found.epsg, found.unit.metres), (None, 5.0292));
    }

    #[test]
    fn geographic_text_and_keywords() {
        let found =
            read_projection_text(r#"GEOGCS["WGS 84",UNIT["degree",0.01745],AUTHORITY["EPSG","4326"]]"#);
        assert!(found.is_some_and(|found| found.geographic && found.epsg == Some(4326)));
        let found = read_projection_text("Projection    UTM\nZone 11\nUnits  FEET\n").expect("readable");
        assert_eq!((found.name.as_str(), found.unit), ("UTM zone 11", LengthUnit::foot()));
        assert_eq!(read_projection_text("nothing of the kind"), None);
        assert_eq!(read_projection_text("PROJCS[\"open"), None);
    }
}
