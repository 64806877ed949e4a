//! Where a plane stands: its coordinate variables by the conventions, and the system that they are in.

use super::layers::{Layer, Named};
use super::{broken, text};
use crate::error::Result;
use crate::formats::decoded::{Decoded, PlaneCrs};
use crate::formats::raster::Crs;
use crate::geo::{LengthUnit, read_projection_text};
use netcdf_reader::{NcDimension, NcFile, NcVariable};

/// The part of a step by which coordinates may lie off their even places; single-precision degrees do.
const UNEVENNESS: f64 = 0.01;

/// What a coordinate runs along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    East,
    North,
}

/// The coordinates of a plane's rows or columns.
struct Axis {
    along: Option<Along>,
    first: f64,
    step: f64,
    samples: usize,
    in_degrees: bool,
    /// The unit of coordinates that are no degrees, where it is named.
    unit: Option<LengthUnit>,
    /// Whether a standard name, an axis or a unit says what the coordinates are.
    is_declared: bool,
}

/// Places the plane, turning it so that its first row is the north one and its rows run eastward.
pub(super) fn place(file: &NcFile, variables: &[Named], layer: &Layer, decoded: &mut Decoded) -> Result<()> {
    let [.., rows, columns] = layer.variable.dimensions.as_slice() else { return Ok(()) };
    let mapping = Mapping::of(variables, layer);
    let axes = (axis(file, variables, layer, rows)?, axis(file, variables, layer, columns)?);
    let (Some(mut y), Some(mut x)) = axes else {
        decoded.geotransform = mapping.as_ref().and_then(Mapping::geotransform);
        decoded.crs = mapping.and_then(|mapping| mapping.crs(false, None));
        return Ok(());
    };
    if (y.along, x.along) == (Some(Along::East), Some(Along::North)) {
        transpose(decoded);
        std::mem::swap(&mut x, &mut y);
        decoded.notes.assume("The grid is stored column by column; the terrain has it row by row.");
    }
    if y.step > 0.0 {
        flip_rows(decoded);
        y.first += y.step * (y.samples - 1) as f64;
        y.step = -y.step;
    }
    if x.is_declared && y.is_declared {
        let unit = x.unit.clone();
        decoded.geotransform =
            Some([x.first - 0.5 * x.step, x.step, 0.0, y.first - 0.5 * y.step, 0.0, y.step]);
        decoded.crs = match &mapping {
            Some(mapping) => mapping.crs(x.in_degrees, unit),
            None => plain_crs(x.in_degrees, unit),
        };
    } else {
        decoded.notes.warn(
            "unplaced",
            format!(
                "coordinates in steps of {} by {} name neither a unit nor an axis and are left out; give --spacing",
                x.step, -y.step
            ),
        );
    }
    Ok(())
}

/// The even coordinates along a dimension; `None` where there are none.
fn axis(file: &NcFile, variables: &[Named], layer: &Layer, dimension: &NcDimension) -> Result<Option<Axis>> {
    let of_dimension = |named: &&Named| {
        named.entry.variable.is_coordinate_variable_for(&dimension.name)
            && named.entry.variable.shape() == [dimension.size]
    };
    // A group's own coordinates come before those of the groups around it.
    let beside = |named: &&Named| !std::ptr::eq(named.entry.group, layer.group);
    let Some(named) = variables.iter().filter(of_dimension).min_by_key(beside) else { return Ok(None) };
    let values = file.read_variable_as_f64(&named.path).map_err(|error| broken(&error))?;
    Ok(values.as_slice().and_then(even).map(|(first, step)| Axis {
        first,
        step,
        samples: values.len(),
        ..meaning(named.entry.variable)
    }))
}

/// First value and step of evenly spaced values.
fn even(values: &[f64]) -> Option<(f64, f64)> {
    let (&[first, .., last], gaps) = (values, values.len().saturating_sub(1) as f64) else { return None };
    let step = (last - first) / gaps;
    let is_even =
        |(at, value): (usize, &f64)| (value - (first + at as f64 * step)).abs() <= UNEVENNESS * step.abs();
    (step.is_finite() && step != 0.0 && values.iter().enumerate().all(is_even)).then_some((first, step))
}

/// What a coordinate variable's attributes and name say; the conventions let each of them decide.
fn meaning(variable: &NcVariable) -> Axis {
    let attribute = |name: &str| text(variable, name).unwrap_or_default();
    let units = attribute("units").to_lowercase();
    let in_degrees = units.starts_with("degree");
    let unit = LengthUnit::from_name(&units);
    let along = |east: bool, north: bool| match (east, north) {
        (true, _) => Some(Along::East),
        (_, true) => Some(Along::North),
        _ => None,
    };
    let standard = match attribute("standard_name").as_str() {
        "longitude" | "projection_x_coordinate" | "grid_longitude" => Some(Along::East),
        "latitude" | "projection_y_coordinate" | "grid_latitude" => Some(Along::North),
        _ => None,
    };
    let by_unit = along(is_compass(&units, 'e'), is_compass(&units, 'n'));
    let by_axis = along(attribute("axis") == "X", attribute("axis") == "Y");
    let name = variable.name.to_lowercase();
    let by_degrees = along(["lon", "longitude"].contains(&&*name), ["lat", "latitude"].contains(&&*name));
    let by_name = along(["x", "easting"].contains(&&*name), ["y", "northing"].contains(&&*name));
    let declared = standard.or(by_unit).or(by_axis).or(by_degrees);
    Axis {
        along: declared.or(by_name),
        in_degrees: in_degrees || (units.is_empty() && by_degrees.is_some()),
        is_declared: declared.is_some() || in_degrees || unit.is_some(),
        unit,
        first: 0.0,
        step: 0.0,
        samples: 0,
    }
}

/// Whether a unit is one of the spellings of degrees east or north: `degrees_east`, `degree_E`, `degreesN`, ….
fn is_compass(units: &str, side: char) -> bool {
    let rest = units.strip_prefix("degrees").or_else(|| units.strip_prefix("degree"));
    rest.is_some_and(|rest| rest.trim_start_matches('_').starts_with(side))
}

/// The variable that describes a plane's coordinate system.
struct Mapping<'a>(&'a NcVariable);

impl<'a> Mapping<'a> {
    fn of(variables: &[Named<'a>], layer: &Layer) -> Option<Self> {
        let list = text(layer.variable, "grid_mapping")?;
        let name = list.split_whitespace().next()?.trim_end_matches(':');
        let found = variables.iter().find(|named| named.entry.variable.name == name)?;
        Some(Self(found.entry.variable))
    }

    /// The geotransform that some writers leave beside the system.
    fn geotransform(&self) -> Option<[f64; 6]> {
        let numbers: Vec<f64> =
            text(self.0, "GeoTransform")?.split_whitespace().map_while(|word| word.parse().ok()).collect();
        numbers.try_into().ok()
    }

    fn crs(&self, in_degrees: bool, unit: Option<LengthUnit>) -> Option<PlaneCrs> {
        let described = ["crs_wkt", "spatial_ref"].iter().find_map(|name| text(self.0, name));
        let found = described.and_then(|text| read_projection_text(&text));
        let code = text(self.0, "epsg_code")
            .and_then(|code| code.rsplit(':').next().and_then(|digits| digits.trim().parse().ok()));
        let by_name = text(self.0, "grid_mapping_name");
        let geographic = found.as_ref().map_or(in_degrees, |found| found.geographic);
        let name = match (&found, by_name) {
            (Some(found), _) => found.name.clone(),
            (None, Some(name)) => name.replace('_', " "),
            (None, None) => return plain_crs(in_degrees, unit),
        };
        let epsg = found.as_ref().and_then(|found| found.epsg).or(code);
        let crs = Crs { epsg, name, source: format!("the grid mapping {}", self.0.name), vertical: None };
        // Coordinates may be in another unit than the system's own; what they say of themselves counts.
        let unit = unit.or(found.map(|found| found.unit)).unwrap_or_else(LengthUnit::metre);
        Some(PlaneCrs::new(crs, geographic, unit))
    }
}

/// What coordinates say of themselves where no system is named.
fn plain_crs(in_degrees: bool, unit: Option<LengthUnit>) -> Option<PlaneCrs> {
    let (name, unit) = match (in_degrees, unit) {
        (true, _) => ("longitude and latitude".to_owned(), LengthUnit::metre()),
        (false, Some(unit)) => (format!("a plane in {}", unit.name), unit),
        (false, None) => return None,
    };
    let crs = Crs { epsg: None, name, source: "the units of the coordinates".into(), vertical: None };
    Some(PlaneCrs::new(crs, in_degrees, unit))
}

fn flip_rows(decoded: &mut Decoded) {
    let [width, depth] = decoded.size.map(|samples| samples as usize);
    let (upper, lower) = decoded.heights.split_at_mut(depth / 2 * width);
    for (row, mirrored) in upper.chunks_exact_mut(width).zip(lower.chunks_exact_mut(width).rev()) {
        row.swap_with_slice(mirrored);
    }
}

fn transpose(decoded: &mut Decoded) {
    let [width, depth] = decoded.size.map(|samples| samples as usize);
    let stored = std::mem::take(&mut decoded.heights);
    decoded.heights =
        (0..width).flat_map(|row| stored.iter().skip(row).step_by(width).take(depth)).copied().collect();
    decoded.size.swap(0, 1);
}
