//! ENVI: samples described by a `.hdr` beside them, a key and its value a line, lists in braces; either may be opened.
//! After "ENVI Header Files" in the ENVI help.

use super::decoded::{Decoded, PlaneCrs, epsg_crs};
use super::empties::EmptyValue;
use super::input::Input;
use super::interleaved::{self, Interleave, Interleaved};
use super::raster::{Crs, ReadOptions};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::{LengthUnit, ProjectionText, read_projection_text};

/// What files of samples are called; ENVI itself gives them no extension.
const EXTENSIONS: [&str; 8] = ["dat", "img", "bsq", "bil", "bip", "bin", "raw", "envi"];

/// Whether a header of ENVI's stands beside the file, or is the file.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    interleaved::header_of(input).is_some_and(|(_, text)| text.trim_start().starts_with("ENVI"))
        && interleaved::may_be_samples(input, &[&EXTENSIONS[..], &["hdr"]].concat())
}

/// Reads one band.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let (header_path, text) = interleaved::header_of(input).ok_or_else(|| {
        Error::input("samples without their header", "a .hdr file of the same name", "put it beside the file")
    })?;
    let beside = interleaved::samples_of(input, &EXTENSIONS)?;
    let header = Header(&text);
    let layout = header.layout()?;
    let mut decoded = Decoded::new("ENVI", input.path.clone(), layout.size, layout.sample.name());
    decoded.files.push(beside.as_ref().map_or(header_path, |samples| samples.path.clone()));
    if !options.no_scale {
        let band = options.band.unwrap_or(1) as usize - 1;
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
/// rotation, in degrees, turns the steps and not the place, as GDAL has it.
fn geotransform(info: &[&str]) -> Option<[f64; 6]> {
    let number = |index: usize| info.get(index)?.parse::<f64>().ok().filter(|number| number.is_finite());
    let [column, row, x, y, dx, dy] =
        [number(1)?, number(2)?, number(3)?, number(4)?, number(5)?, number(6)?];
    let turn = named(info, "rotation").and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    let (left, top) = (x - (column - 1.0) * dx, y + (row - 1.0) * dy);
    if turn == 0.0 {
        return Some([left, dx, 0.0, top, 0.0, -dy]);
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
    let base = [("WGS-84", 4326), ("North America 1927", 4267), ("North America 1983", 4269)]
        .into_iter()
        .find(|known| datum(known.0))
        .map(|known| known.1);
    if name.to_lowercase().starts_with("geographic") {
        return Some(epsg_crs(base.unwrap_or(4326), "map info", &mut decoded.notes));
    }
    let unit = named(info, "units").and_then(LengthUnit::from_name).unwrap_or_else(LengthUnit::metre);
    let zone = info.get(7).and_then(|zone| zone.parse::<u32>().ok()).filter(|zone| (1..=60).contains(zone));
    let south = info.get(8).is_some_and(|side| side.eq_ignore_ascii_case("south"));
    let code = match (name.eq_ignore_ascii_case("utm"), base, zone) {
        (true, Some(4326), Some(zone)) => Some(if south { 32_700 } else { 32_600 } + zone),
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
        if self.number("file compression", Some(0))? != 0 {
            return Err(Error::input("compressed ENVI samples", "plain ones", "save the file uncompressed"));
        }
        let size = [self.count("samples", None)?, self.count("lines", None)?];
        let interleave = Interleave::from_name(self.value("interleave").unwrap_or("bsq"))?;
        let sample = sample_of(self.number("data type", Some(1))?)?;
        let endian = if self.number("byte order", Some(0_u8))? == 1 { Endian::Big } else { Endian::Little };
        let start = self.number("header offset", Some(0))?;
        Ok(Interleaved {
            endian,
            start,
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
mod tests {
    use crate::formats::raster::{Raster, ReadOptions};
    use crate::formats::test_files::{TestFolder, message};

    const HEADER: &str = "ENVI\ndescription = {\n two = 2,\n lines = 7}\nsamples = 2\nlines   = 2\nbands = 2\n\
        header offset = 1\ndata type = 2\ninterleave = bip\nbyte order = 1\ndata ignore value = 3\n";

    fn read(header: &str, options: &ReadOptions) -> Raster {
        let folder = TestFolder::new();
        folder.write("a.hdr", header.as_bytes());
        let samples: Vec<u8> = (0..8_i16).flat_map(i16::to_be_bytes).collect();
        folder.read_with("a", &[vec![0], samples].concat(), options).expect("read")
    }

    #[test]
    fn a_band_with_gain_offset_and_empty_value() {
        let header = format!("{HEADER}data gain values = {{1, 2}}\ndata offset values = {{0,\n 10}}\n");
        let raster = read(&header, &ReadOptions { band: Some(2), ..ReadOptions::default() });
        assert_eq!(raster.heights[0], 12.0);
        assert!(raster.heights[1].is_nan());
        assert_eq!(raster.heights[2..], [20.0, 24.0]);
        let raster = read(&header, &ReadOptions { band: Some(2), no_scale: true, ..ReadOptions::default() });
        assert_eq!(raster.heights[0], 1.0);
    }

    #[test]
    fn the_map_info_places_the_grid_and_names_its_system() {
        let place =
            |info: &str| read(&format!("{HEADER}map info = {{{info}}}\n"), &ReadOptions::default()).facts;
        let facts = place("UTM, 1.5, 1.5, 1000, 2000, 10, 20, 11, North, WGS-84, units=Meters");
        assert_eq!(facts.geotransform, Some([995.0, 10.0, 0.0, 2010.0, 0.0, -20.0]));
        assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_611));
        let facts = place("UTM, 1, 1, 1000, 2000, 10, 10, 11, South, WGS-84, rotation=30");
        let turned = facts.geotransform.expect("placed");
        assert!((turned[1] - 8.660_254).abs() < 1e-6 && (turned[2] - 5.0).abs() < 1e-9, "{turned:?}");
        assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_711));
        let facts = place("Geographic Lat/Lon, 1, 1, 10, 20, 0.1, 0.1, WGS-84, units=Degrees");
        assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(4326));
        let facts = place("State Plane, 1, 1, 10, 20, 100, 100, units=Feet");
        assert!((facts.spacing_m[0] - 30.48).abs() < 1e-9);
    }

    #[test]
    fn the_header_opens_the_grid_too() {
        let folder = TestFolder::new();
        folder.write("b.dat", &[0; 17]);
        let raster = folder.read("b.hdr", HEADER.as_bytes()).expect("read");
        assert_eq!((raster.size, raster.facts.files.len()), ([2, 2], 2));
    }

    #[test]
    fn malformed_headers_are_refused() {
        let folder = TestFolder::new();
        let refused = |from: &str, to: &str| {
            folder.write("a.hdr", HEADER.replace(from, to).as_bytes());
            message(folder.read("a.dat", &[0; 17]))
        };
        assert!(refused("samples = 2", "samples = 0").contains("samples = 0 in the header"));
        assert!(refused("samples = 2\n", "").contains("a header without samples"));
        assert!(refused("data type = 2", "data type = 6").contains("data type 6"));
        assert!(refused("samples = 2", "samples = 4000000000").contains("17 bytes; band 1 of 4000000000×2"));
        assert!(refused("bip", "zip").contains("the layout zip"));
        assert!(refused("header offset", "file compression = 1\nheader offset").contains("compressed"));
    }
}
