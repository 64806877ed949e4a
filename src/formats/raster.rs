//! What every reader returns: heights in metres, and the facts about the file behind them.

use crate::geo::LengthUnit;
use serde::{Deserialize, Serialize, Serializer};
use std::path::PathBuf;

/// A file's heights and what is known about them.
#[derive(Debug, Clone)]
pub struct Raster {
    /// Samples along x and z.
    pub size: [u32; 2],
    /// Heights after scale and offset in the file's own height unit, row-major, north row first; empties are
    /// [`crate::terrain::EMPTY`].
    pub heights: Vec<f32>,
    /// Metres between samples along x and z.
    pub spacing_m: [f64; 2],
    /// Metres in one unit of `heights`.
    pub unit_m: f64,
    /// Everything that is told about the file.
    pub facts: Facts,
}

/// The facts of one raster; the field names are the keys of `info --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The file asked for.
    pub file: PathBuf,
    /// Short name of the format.
    pub format: String,
    /// Every path that was read.
    pub files: Vec<PathBuf>,
    /// Samples along x and z.
    pub size: [u32; 2],
    /// Stored sample type: `u8`, `i16`, `f32`, …
    #[serde(rename = "type")]
    pub sample_type: String,
    /// Compression by name, or `none`.
    pub compression: String,
    /// TIFF predictor, 1 for none.
    pub predictor: u16,
    /// The band that was read, from 1.
    pub band: u32,
    /// The coordinate reference system, where known.
    pub crs: Option<Crs>,
    /// What map coordinates are measured in, where a system says so.
    #[serde(skip)]
    pub plan_unit: Option<PlanUnit>,
    /// x = g0 + column·g1 + row·g2, y = g3 + column·g4 + row·g5 for the upper left corner of a pixel.
    pub geotransform: Option<[f64; 6]>,
    /// Whether the map's y runs south, as down a picture: rows that follow it run from north to south all the same.
    #[serde(skip)]
    pub y_points_south: bool,
    /// Whether the file says that its samples are areas or points.
    pub pixel_is: PixelIs,
    /// Metres between samples along x and z.
    pub spacing_m: [f64; 2],
    /// The declared empty value as text; serialised as a number where it is one.
    #[serde(serialize_with = "number_or_text")]
    pub nodata: Option<String>,
    /// How empties were told apart.
    pub nodata_rule: String,
    /// Factor from stored values to heights.
    pub scale: f64,
    /// Added after the factor.
    pub offset: f64,
    /// Height unit by name.
    pub unit: String,
    /// Metres in one height unit.
    pub unit_m: f64,
    /// Where the height unit was read.
    pub unit_source: String,
    /// Counts and range.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// What was assumed, one sentence each.
    pub assumptions: Vec<String>,
    /// What may be wrong.
    pub warnings: Vec<Warning>,
}

/// Counts and moments of a raster; empties are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// Valid samples.
    pub valid: u64,
    /// Empty samples.
    pub empty: u64,
    /// Least stored value.
    pub raw_min: Option<f64>,
    /// Greatest stored value.
    pub raw_max: Option<f64>,
    /// Least height after scale and offset.
    pub min: Option<f64>,
    /// Greatest height after scale and offset.
    pub max: Option<f64>,
    /// Mean height.
    pub mean: Option<f64>,
    /// Standard deviation of the population.
    pub stddev: Option<f64>,
}

/// A coordinate reference system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Crs {
    /// EPSG code, where there is one.
    pub epsg: Option<u32>,
    /// Its name.
    pub name: String,
    /// Where it was read: `geo keys`, `.prj`, `file name`, …
    pub source: String,
    /// The vertical part, where declared.
    pub vertical: Option<Vertical>,
}

/// The vertical part of a coordinate reference system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Vertical {
    /// EPSG code, where there is one.
    pub epsg: Option<u32>,
    /// Its name.
    pub name: String,
}

/// What a pixel stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PixelIs {
    /// The sample stands for its pixel's area; the height is placed at the middle.
    Area,
    /// The sample is a point.
    Point,
}

/// Something in a file that may be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// A short, stable name.
    pub code: String,
    /// One sentence.
    pub text: String,
}

/// What the caller says about a file, over what the file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Samples along x and z of a headerless file.
    pub raster_size: Option<[u32; 2]>,
    /// Sample type of a headerless file.
    pub sample_type: Option<SampleType>,
    /// Byte order of a headerless file; `None` is little-endian.
    pub byte_order: Option<ByteOrder>,
    /// Row order of a headerless file; `None` is top first.
    pub row_order: Option<RowOrder>,
    /// Bytes before the samples of a headerless file.
    pub header_bytes: Option<u64>,
    /// Heights of the least and the greatest code of an integer image, or of 0 and 1 for floats.
    pub z_range: Option<[f64; 2]>,
    /// The empty value, over the declared one; NaN for no other value, not even a usual one that nothing declares.
    pub nodata: Option<f64>,
    /// Take stored values as heights.
    pub no_scale: bool,
    /// Take the stairs of whole codes out, within half a step.
    pub smooth: bool,
    /// EPSG code of the coordinates.
    pub crs: Option<u32>,
    /// Metres in one height unit.
    pub z_unit: Option<HeightUnit>,
    /// Metres between samples.
    pub spacing: Option<f64>,
    /// Band, from 1.
    pub band: Option<u32>,
}

/// Sample types of headerless files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it all")]
pub enum SampleType {
    U8,
    U16,
    I16,
    U32,
    I32,
    F16,
    F32,
    F64,
}

/// What map coordinates are measured in.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanUnit {
    /// Degrees of longitude and latitude.
    Degree,
    /// A unit of length.
    Length(LengthUnit),
}

impl SampleType {
    /// All of them, the usual ones first.
    pub const ALL: [Self; 8] =
        [Self::U16, Self::I16, Self::U8, Self::F32, Self::F16, Self::U32, Self::I32, Self::F64];

    /// The short name: `u8`, `i16`, `f32`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::I16 => "i16",
            Self::U32 => "u32",
            Self::I32 => "i32",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    /// Bytes of one sample.
    pub fn bytes(self) -> u64 {
        match self {
            Self::U8 => 1,
            Self::U16 | Self::I16 | Self::F16 => 2,
            Self::U32 | Self::I32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// Byte orders of headerless files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ByteOrder {
    /// Least byte first.
    Little,
    /// Greatest byte first.
    Big,
    /// Whichever reads smoother.
    Auto,
}

/// Row orders of headerless files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowOrder {
    /// North row first.
    Top,
    /// South row first.
    Bottom,
}

/// Height units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeightUnit {
    /// Metres.
    Metre,
    /// International feet, 0.3048 m.
    Foot,
    /// US survey feet, 1200/3937 m.
    UsFoot,
}

impl Facts {
    /// Where a height unit was read that nothing names.
    pub(super) const ASSUMED: &str = "assumed";

    /// Whether the file or the caller names the height unit.
    pub fn names_unit(&self) -> bool {
        self.unit_source != Self::ASSUMED
    }
}

/// A declared value as a number of all its digits. JSON has none that is not finite: that stays text in lower case.
fn number_or_text<S: Serializer>(declared: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(text) = declared else { return serializer.serialize_none() };
    if let Ok(whole) = text.parse::<i64>() {
        return serializer.serialize_i64(whole);
    }
    if let Ok(whole) = text.parse::<u64>() {
        return serializer.serialize_u64(whole);
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => serializer.serialize_f64(number),
        _ => serializer.serialize_str(&text.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::TestFolder;

    #[test]
    fn a_declared_empty_value_is_serialised_as_the_number_that_it_is() {
        let folder = TestFolder::new();
        for (declared, json) in [
            ("-9999.000", "-9999.0"),
            ("-32768", "-32768"),
            ("-3.4028234663852886e+38", "-3.4028234663852886e38"),
            ("18446744073709551615", "18446744073709551615"),
            ("NaN", "\"nan\""),
            ("-inf", "\"-inf\""),
        ] {
            let text = format!("ncols 2\nnrows 2\ncellsize 1\nNODATA_value {declared}\n1 2 3 4.5");
            let raster = folder.read("a.asc", text.as_bytes()).expect("read");
            let found = serde_json::to_value(&raster.facts).expect("serialised")["nodata"].clone();
            let expected: serde_json::Value = serde_json::from_str(json).expect("JSON");
            assert_eq!(found, expected, "{declared}");
        }
    }
}
