//! A `.aux.xml` beside a file, as GDAL writes and reads it: where the raster stands, and what its codes mean.

use super::codes::Codes;
use crate::formats::Raster;
use std::fmt::Write;

/// For a file that says itself where its cells lie.
pub(super) fn of_placed(raster: &Raster) -> Option<String> {
    let text = system(raster) + &band("", raster);
    (!text.is_empty()).then(|| dataset(&text))
}

/// For a file of codes.
pub(super) fn of_codes(raster: &Raster, codes: &Codes) -> Option<String> {
    let mut meaning = String::new();
    // Writing to a String cannot fail.
    if let Some(empty) = codes.empty {
        let _ = writeln!(meaning, "    <NoDataValue>{empty}</NoDataValue>");
    }
    if (codes.offset, codes.scale) != (0.0, 1.0) {
        let _ =
            writeln!(meaning, "    <Offset>{}</Offset>\n    <Scale>{}</Scale>", codes.offset, codes.scale);
    }
    let text = system(raster) + &transform(raster) + &band(&meaning, raster);
    (!text.is_empty()).then(|| dataset(&text))
}

fn dataset(text: &str) -> String {
    format!("<PAMDataset>\n{text}</PAMDataset>\n")
}

fn system(raster: &Raster) -> String {
    let code = raster.facts.crs.as_ref().and_then(|crs| crs.epsg);
    code.map_or_else(String::new, |code| format!("  <SRS>EPSG:{code}</SRS>\n"))
}

fn transform(raster: &Raster) -> String {
    raster.facts.geotransform.map_or_else(String::new, |numbers| {
        let numbers = numbers.map(|number| format!("{number:e}")).join(", ");
        format!("  <GeoTransform>{numbers}</GeoTransform>\n")
    })
}

/// The one band, its unit with it.
fn band(meaning: &str, raster: &Raster) -> String {
    let facts = &raster.facts;
    let unit = match facts.names_unit() {
        true => format!("    <UnitType>{}</UnitType>\n", escaped(&facts.unit)),
        false => String::new(),
    };
    match meaning.is_empty() && unit.is_empty() {
        true => String::new(),
        false => format!("  <PAMRasterBand band=\"1\">\n{meaning}{unit}  </PAMRasterBand>\n"),
    }
}

/// A text within XML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
