//! ENVI: samples described by a `.hdr` beside them, a key and its value a line, lists in braces; either may be opened.
//! After "ENVI Header Files" in the ENVI help.

use super::decoded::{Decoded, PlaneCrs, epsg_crs};
use super::empties::EmptyValue;
use super::header_beside;
use super::input::Input;
use super::interleaved::{Interleave, Interleaved};
use super::raster::{Crs, ReadOptions};
use super::samples::{Endian, Sample};
use super::sidecar;
use crate::error::{Error, Result};
use crate::geo::{LengthUnit, ProjectionText, read_projection_text};

/// What files of samples are called; ENVI itself gives them no extension.
const EXTENSIONS: [&str; 8] = ["dat", "img", "bsq", "bil", "bip", "bin", "raw", "envi"];

/// Names of datums in the map info, with the codes of their systems of longitude and latitude.
const DATUMS: [(&str, u32); 6] = [
    ("WGS-84", 4326),
    ("WGS-72", 4322),
    ("North America 1927", 4267),
    ("NAD-27", 4267),
    ("North America 1983", 4269),
    ("European 1950", 4230),
];

/// Whether a header of ENVI's stands beside the file, or is the file.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    let is_envis = |text: String| text.trim_start().starts_with("ENVI");
    header_beside::header_of(input, options)
        .is_some_and(|header| sidecar::text_of(&header).is_ok_and(is_envis))
        && header_beside::may_be_samples(input, &EXTENSIONS)
}

/// Reads one band.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let (header_path, text) = header_beside::header_text(input, options)?;
    let beside = header_beside::samples_of(input, &EXTENSIONS)?;
    let header = Header(&text);
    let layout = header.layout()?;
    let mut decoded = Decoded::new("ENVI", input.path.clone(), layout.size, layout.sample.name());
    decoded.files.push(beside.as_ref().map_or(header_path, |samples| samples.path.clone()));
    if layout.gzip {
        decoded.compression = "gzip".into();
    }
    if !options.no_scale {
        // A band that is not there is refused by the layout.
        let band = options.band.unwrap_or(1).saturating_sub(1) as usize;
        decoded.scale = header.of_band("data gain values", band)?.unwrap_or(1.0);
        decoded.offset = header.of_band("data offset values", band)?.unwrap_or(0.0);
    }
    let declared = header.value("data ignore value").and_then(EmptyValue::parse);
    layout.read(beside.as_ref().unwrap_or(input), declared, options, &mut decoded)?;
    place(&header, &mut decoded);
    Ok(decoded)
}

/// Place by the map info, system by its text, else by what the map info names.
fn place(header: &Header, decoded: &mut Decoded) {
    let info = header.list("map info");
    decoded.geotransform = geotransform(&info);
    let text = header.value("coordinate system string").and_then(read_projection_text);
    decoded.crs = text
        .map(|found| {
            // The texts are Esri's, which names systems and gives no codes.
            let epsg = found.epsg.or(found.namesake);
            let source = "coordinate system string";
            PlaneCrs::of_text(ProjectionText { epsg, ..found }, source, &mut decoded.notes)
        })
        .or_else(|| system(&info, decoded));
}

/// Name, pixel and line that are placed (the first is 1, its corner), easting, northing, and the pixel's sides; the
/// rotation, in degrees, turns the steps and not the place; half a turn means rows from the south alone. Both are as GDAL
/// has them, which writes grids of rows from the south so.
fn geotransform(info: &[&str]) -> Option<[f64; 6]> {
    let number = |index: usize| info.get(index)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let [column, row, x, y, dx, dy] =
        [number(1)?, number(2)?, number(3)?, number(4)?, number(5)?, number(6)?];
    let turn = named(info, "rotation").and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let (left, top) = (x - (column - 1.0) * dx, y + (row - 1.0) * dy);
    if turn == 0.0 {
        return Some([left, dx, 0.0, top, 0.0, -dy]);
    }
    if turn.abs() == 180.0 {
        return Some([left, dx, 0.0, top, 0.0, dy]);
    }
    let (sine, cosine) = turn.to_radians().sin_cos();
    Some([left, cosine * dx, sine * dx, top, sine * dy, -cosine * dy])
}

/// The value of an entry such as `units=Feet`.
fn named<'a>(info: &[&'a str], key: &str) -> Option<&'a str> {
    info.iter().find_map(|entry| {
        let (found, value) = entry.split_once('=')?;
        found.trim().eq_ignore_ascii_case(key).then(|| value.trim())
    })
}

/// The system that the map info names: degrees, or a UTM zone of a known datum.
fn system(info: &[&str], decoded: &mut Decoded) -> Option<PlaneCrs> {
    let name = info.first()?;
    let datum = |text: &str| info.iter().any(|entry| entry.eq_ignore_ascii_case(text));
    let base = DATUMS.iter().find(|known| datum(known.0)).map(|known| known.1);
    if name.to_lowercase().starts_with("geographic") {
        return Some(epsg_crs(base.unwrap_or(4326), "map info", &mut decoded.notes));
    }
    let unit = named(info, "units").and_then(LengthUnit::from_name).unwrap_or_else(LengthUnit::metre);
    let zone = info.get(7).and_then(|zone| zone.parse::<u32>().ok()).filter(|zone| (1..=60).contains(zone));
    let south = info.get(8).is_some_and(|side| side.eq_ignore_ascii_case("south"));
    let code = match (name.eq_ignore_ascii_case("utm"), base, zone) {
        (true, Some(4326), Some(zone)) => Some(if south { 32_700 } else { 32_600 } + zone),
        (true, Some(4322), Some(zone)) => Some(if south { 32_300 } else { 32_200 } + zone),
        (true, Some(4267), Some(zone)) if zone <= 22 && !south => Some(26_700 + zone),
        (true, Some(4269), Some(zone)) if zone <= 23 && !south => Some(26_900 + zone),
        _ => None,
    };
    if let Some(code) = code {
        return Some(PlaneCrs { unit, ..epsg_crs(code, "map info", &mut decoded.notes) });
    }
    let crs = Crs { epsg: None, name: (*name).to_owned(), source: "map info".into(), vertical: None };
    (!name.eq_ignore_ascii_case("arbitrary")).then_some(PlaneCrs::new(crs, false, unit))
}

/// A header's text.
struct Header<'a>(&'a str);

impl<'a> Header<'a> {
    /// The value of a key; a value in braces goes on over lines, and stands without them.
    fn value(&self, key: &str) -> Option<&'a str> {
        let mut rest = self.0;
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let Some((found, value)) = line.split_once('=') else {
                rest = after;
                continue;
            };
            let in_braces = value.trim_start().starts_with('{');
            let (value, after) = match in_braces.then(|| rest.split_once('{')).flatten() {
                Some((_, inner)) => inner.split_once('}').unwrap_or((inner, "")),
                None => (value, after),
            };
            if found.trim().eq_ignore_ascii_case(key) {
                return Some(value.trim());
            }
            rest = after;
        }
        None
    }

    /// The entries of a list, commas apart.
    fn list(&self, key: &str) -> Vec<&'a str> {
        self.value(key).map_or_else(Vec::new, |value| value.split(',').map(str::trim).collect())
    }

    fn of_band(&self, key: &str, band: usize) -> Result<Option<f64>> {
        let values = self.list(key);
        let Some(text) = values.get(band) else { return Ok(None) };
        text.parse().ok().filter(|value: &f64| value.is_finite()).map(Some).ok_or_else(|| wrong(key, text))
    }

    fn number<T: std::str::FromStr>(&self, key: &str, missing: Option<T>) -> Result<T> {
        match (self.value(key), missing) {
            (Some(text), _) => text.parse().map_err(|_| wrong(key, text)),
            (None, Some(missing)) => Ok(missing),
            (None, None) => Err(Error::input(format!("a header without {key}"), "it", "correct the header")),
        }
    }

    fn count(&self, key: &str, missing: Option<u32>) -> Result<u32> {
        let count = self.number(key, missing)?;
        if count > 0 { Ok(count) } else { Err(wrong(key, "0")) }
    }

    fn layout(&self) -> Result<Interleaved> {
        let size = [self.count("samples", None)?, self.count("lines", None)?];
        let interleave = Interleave::from_name(self.value("interleave").unwrap_or("bsq"))?;
        let sample = sample_of(self.number("data type", Some(1))?)?;
        let endian = if self.number("byte order", Some(0_u8))? == 1 { Endian::Big } else { Endian::Little };
        let start = self.number("header offset", Some(0))?;
        let gzip = self.number("file compression", Some(0_u8))? != 0;
        Ok(Interleaved {
            endian,
            start,
            gzip,
            ..Interleaved::packed(size, self.count("bands", Some(1))?, sample, interleave)
        })
    }
}

fn wrong(key: &str, text: &str) -> Error {
    let found: String = text.chars().take(20).collect();
    Error::input(format!("{key} = {found} in the header"), "a number that can be used", "correct the header")
}

fn sample_of(code: u8) -> Result<Sample> {
    Ok(match code {
        1 => Sample::U8,
        2 => Sample::I16,
        3 => Sample::I32,
        4 => Sample::F32,
        5 => Sample::F64,
        12 => Sample::U16,
        13 => Sample::U32,
        14 => Sample::I64,
        15 => Sample::U64,
        other => {
            let found = format!("ENVI samples of data type {other}");
            return Err(Error::input(found, "whole or real numbers: 1 to 5, 12 to 15", "convert the file"));
        }
    })
}

#[cfg(test)]
mod tests;
