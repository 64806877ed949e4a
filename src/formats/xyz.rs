//! Lists of points as text, one `x y z` a line, that stand on a grid. The order of the lines is free; places
//! without a point are empty. The file is read twice, so that only its positions and its heights are held.

mod axis;
mod lines;

use self::axis::{Axis, Positions};
use self::lines::{Columns, Lines};
use super::decoded::Decoded;
use super::input::{Input, heights_for};
use super::layout::from_nodes;
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, RawRange, Sample};
use crate::error::{Error, Result};
use crate::terrain::EMPTY;

/// The most places of a grid for each point of its list; a list that fills less is scattered, and a short one
/// must not ask for much memory.
const MOST_PLACES_A_POINT: u64 = 32;

/// Whether the file is text of at least three numbers a line, after comments and one line of names.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.is_text() && lines::are_points(&input.head, input.length > input.head.len() as u64)
}

/// Reads a list of points as a grid.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let survey = survey(input)?;
    let [x, y] = [survey.x.axis("x")?, survey.y.axis("y")?];
    let size = size_of(&x, &y, survey.points)?;
    let sample = survey.values.sample();
    let mut decoded = Decoded::new("XYZ", input.path.clone(), size, sample.name());
    decoded.is_text = true;
    if let Some(names) = &survey.assumed_columns {
        decoded.notes.assume(format!("Columns named {names} are taken as x, y and z in this order."));
    }
    if survey.has_more_columns {
        decoded.notes.assume("Columns beside x, y and z are left out.");
    }
    decoded.heights = heights_for(size)?;
    let repeated = fill(input, &x, &y, &mut decoded.heights)?;
    if repeated > 0 {
        decoded
            .notes
            .warn("repeated-points", format!("{repeated} places are given again; the last height counts"));
    }
    let empty = decoded.take_empty(None, sample, options);
    decoded.nodata_rule.push_str("; places of the grid without a point are empty");
    let decoder = Decoder { sample: Sample::F32, endian: NATIVE, empty, scale: 1.0, offset: 0.0 };
    decoded.raw = judge(&decoder, size[0] as usize, &mut decoded.heights);
    decoded.geotransform = from_nodes(size, x.ends(), y.ends());
    Ok(decoded)
}

/// What the first reading finds.
#[derive(Default)]
struct Survey {
    x: Positions,
    y: Positions,
    values: Values,
    points: u64,
    /// The names of the first three columns, where x, y and z are not among the names.
    assumed_columns: Option<String>,
    has_more_columns: bool,
}

fn survey(input: &Input) -> Result<Survey> {
    let mut lines = Lines::open(input)?;
    let mut columns = Columns::default();
    let mut survey = Survey::default();
    while let Some((number, line)) = lines.next_line()? {
        if survey.points == 0 && columns.take_names(line) {
            survey.assumed_columns = columns.assumed(line);
            continue;
        }
        let point = columns.point(number, line)?;
        survey.x.add(point.x, number)?;
        survey.y.add(point.y, number)?;
        survey.values.add(point.z);
        survey.points += 1;
        survey.has_more_columns |= point.has_more;
    }
    Ok(survey)
}

fn size_of(x: &Axis, y: &Axis, points: u64) -> Result<[u32; 2]> {
    let size = [x.count, y.count];
    if u64::from(size[0]) * u64::from(size[1]) > points.saturating_mul(MOST_PLACES_A_POINT) {
        return Err(Error::input(
            format!("{points} points scattered over {}×{} places", size[0], size[1]),
            "points that fill a grid",
            "grid them first, for example with gdal_grid",
        ));
    }
    Ok(size)
}

/// Puts each height into its place, north row first. Returns how many places were taken already.
fn fill(input: &Input, x: &Axis, y: &Axis, heights: &mut [f32]) -> Result<u64> {
    heights.fill(EMPTY);
    let mut lines = Lines::open(input)?;
    let mut columns = Columns::default();
    let (mut points, mut repeated) = (0_u64, 0);
    while let Some((number, line)) = lines.next_line()? {
        if points == 0 && columns.take_names(line) {
            continue;
        }
        let point = columns.point(number, line)?;
        points += 1;
        let (Some(column), Some(row)) = (x.index(point.x), y.index(point.y)) else {
            return Err(Error::input(
                format!("line {number} stands at {}, {} now", point.x, point.y),
                "a file that does not change while it is read",
                "read it again",
            ));
        };
        let height = &mut heights[(y.count as usize - 1 - row) * x.count as usize + column];
        repeated += u64::from(!height.is_nan());
        *height = point.z as f32;
    }
    Ok(repeated)
}

/// Tells empties apart, in place.
fn judge(decoder: &Decoder, width: usize, heights: &mut [f32]) -> RawRange {
    let mut stored = Vec::new();
    heights.chunks_mut(width).fold(RawRange::default(), |range, row| {
        stored.clear();
        stored.extend(row.iter().flat_map(|height| height.to_ne_bytes()));
        range.merge(decoder.decode(&stored, row))
    })
}

/// What kind of numbers the heights are.
#[derive(Default)]
struct Values {
    least: f64,
    greatest: f64,
    has_fractions: bool,
}

impl Values {
    fn add(&mut self, value: f64) {
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.has_fractions |= value.fract() != 0.0 || !value.is_finite();
    }

    /// The narrowest of the usual types that holds them all.
    fn sample(&self) -> Sample {
        let fits = |sample: &Sample| {
            sample.codes().is_some_and(|[least, greatest]| self.least >= least && self.greatest <= greatest)
        };
        let integer = [Sample::U8, Sample::I16, Sample::I32].into_iter().find(fits);
        integer.filter(|_| !self.has_fractions).unwrap_or(Sample::F32)
    }
}

#[cfg(test)]
mod tests;
