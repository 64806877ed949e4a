//! The tags that place a TIFF: tie point and scale or a matrix, and the geo keys (OGC GeoTIFF 1.1).

use crate::formats::{Crs, PixelIs, PlanUnit, Raster};
use geotiff_reader::geokeys::{self, GeoKeyDirectory, GeoKeyValue};
use tiff_core::{Tag, TagValue};

const TAG_PIXEL_SCALE: u16 = 33550;
const TAG_TIE_POINT: u16 = 33922;
const TAG_TRANSFORMATION: u16 = 34264;
const TAG_DIRECTORY: u16 = 34735;
const TAG_DOUBLES: u16 = 34736;
const TAG_TEXTS: u16 = 34737;

const MODEL_PROJECTED: u16 = 1;
const MODEL_GEOGRAPHIC: u16 = 2;
const RASTER_AREA: u16 = 1;
const RASTER_POINT: u16 = 2;
const USER_DEFINED: u16 = 32767;
/// Metres in a unit that has no code.
const KEY_LINEAR_UNIT_SIZE: u16 = 3077;

/// Every tag of the raster's place.
pub(super) fn tags(raster: &Raster) -> Vec<Tag> {
    let facts = &raster.facts;
    let mut tags = facts.geotransform.map_or_else(Vec::new, |numbers| transform(numbers, facts.pixel_is));
    if tags.is_empty() && facts.crs.is_none() {
        return tags;
    }
    // Keys of plain numbers and cleaned texts are always serialised.
    if let Ok((directory, doubles, texts)) = keys(raster).serialize() {
        tags.push(Tag::new(TAG_DIRECTORY, TagValue::Short(directory)));
        if !doubles.is_empty() {
            tags.push(Tag::new(TAG_DOUBLES, TagValue::Double(doubles)));
        }
        if !texts.is_empty() {
            tags.push(Tag::new(TAG_TEXTS, TagValue::Ascii(texts)));
        }
    }
    tags
}

/// The tags of a file of points place the first sample, half a step from its pixel's corner.
fn transform([x, right, row_x, y, column_y, down]: [f64; 6], pixel_is: PixelIs) -> Vec<Tag> {
    let half = if pixel_is == PixelIs::Point { 0.5 } else { 0.0 };
    let (x, y) = (x + half * (right + row_x), y + half * (column_y + down));
    let doubles = |tag, numbers: &[f64]| Tag::new(tag, TagValue::Double(numbers.to_vec()));
    if row_x == 0.0 && column_y == 0.0 && right > 0.0 && down < 0.0 {
        return vec![
            doubles(TAG_PIXEL_SCALE, &[right, -down, 0.0]),
            doubles(TAG_TIE_POINT, &[0.0, 0.0, 0.0, x, y, 0.0]),
        ];
    }
    let matrix = [right, row_x, 0.0, x, column_y, down, 0.0, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
    vec![doubles(TAG_TRANSFORMATION, &matrix)]
}

fn keys(raster: &Raster) -> GeoKeyDirectory {
    let mut keys = GeoKeyDirectory::new();
    let point = raster.facts.pixel_is == PixelIs::Point;
    keys.set(geokeys::GT_RASTER_TYPE, GeoKeyValue::Short(if point { RASTER_POINT } else { RASTER_AREA }));
    if let Some(crs) = &raster.facts.crs {
        set_plane(&mut keys, crs, raster.facts.plan_unit.as_ref());
        set_vertical(&mut keys, crs);
    }
    keys
}

fn set_plane(keys: &mut GeoKeyDirectory, crs: &Crs, unit: Option<&PlanUnit>) {
    let geographic = unit == Some(&PlanUnit::Degree);
    let (model, code, citation) = match geographic {
        true => (MODEL_GEOGRAPHIC, geokeys::GEODETIC_CRS_TYPE, geokeys::GEODETIC_CITATION),
        false => (MODEL_PROJECTED, geokeys::PROJECTED_CRS_TYPE, geokeys::PROJ_CITATION),
    };
    keys.set(geokeys::GT_MODEL_TYPE, GeoKeyValue::Short(model));
    keys.set(code, GeoKeyValue::Short(short(crs.epsg)));
    keys.set(citation, GeoKeyValue::Ascii(plain(&crs.name)));
    if let Some(PlanUnit::Length(unit)) = unit {
        keys.set(geokeys::PROJ_LINEAR_UNITS, GeoKeyValue::Short(short(unit.epsg())));
        if unit.epsg().is_none() {
            keys.set(KEY_LINEAR_UNIT_SIZE, GeoKeyValue::Double(vec![unit.metres]));
        }
    }
}

fn set_vertical(keys: &mut GeoKeyDirectory, crs: &Crs) {
    let Some(vertical) = &crs.vertical else { return };
    keys.set(geokeys::VERTICAL_CS_TYPE, GeoKeyValue::Short(short(vertical.epsg)));
    keys.set(geokeys::VERTICAL_CITATION, GeoKeyValue::Ascii(plain(&vertical.name)));
}

/// A code as the keys hold it; "described by other keys" where there is none or it has too many digits.
fn short(code: Option<u32>) -> u16 {
    code.and_then(|code| u16::try_from(code).ok()).unwrap_or(USER_DEFINED)
}

/// What the keys may hold of a name: ASCII without the mark that ends it.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii() && c != '|' { c } else { '?' }).collect()
}

/// What is lost of the place.
pub(super) fn loss(raster: &Raster) -> Option<String> {
    let crs = raster.facts.crs.as_ref()?;
    (short(crs.epsg) == USER_DEFINED)
        .then(|| format!("of the system {} only its name is kept, since it has no EPSG code", crs.name))
}
