//! Grids of the Generic Mapping Tools before version 4: netCDF with all samples in one dimension, north row first,
//! and the grid's size and ends in variables beside them ("Native netCDF grid files, old format" in the tools' manual).

use super::layers::{Layer, Named};
use super::{check_worth, decoder_of, describe, no_grid, number, values};
use crate::error::Result;
use crate::formats::decoded::Decoded;
use crate::formats::input::{Input, heights_for};
use crate::formats::raster::ReadOptions;
use netcdf_reader::NcFile;

/// The parts of such a grid.
pub(super) struct Grid<'a> {
    z: &'a Named<'a>,
    size: [u32; 2],
    /// West and east, south and north ends.
    ends: [[f64; 2]; 2],
}

/// The grid, where the file is one.
pub(super) fn find<'a>(file: &NcFile, variables: &'a [Named<'a>]) -> Option<Grid<'a>> {
    let pair = |name: &str| -> Option<[f64; 2]> {
        let found = variables.iter().find(|named| named.path == name)?;
        (found.entry.variable.shape() == [2]).then_some(())?;
        file.read_variable_as_f64(name).ok()?.as_slice()?.try_into().ok()
    };
    let size = pair("dimension")?.map(|samples| samples as u32);
    let z = variables.iter().find(|named| named.path == "z")?;
    let samples = u64::from(size[0]) * u64::from(size[1]);
    (z.entry.variable.shape() == [samples] && samples > 0).then_some(())?;
    Some(Grid { z, size, ends: [pair("x_range")?, pair("y_range")?] })
}

/// Reads the grid.
pub(super) fn read(input: &Input, file: &NcFile, grid: &Grid, options: &ReadOptions) -> Result<Decoded> {
    let variable = grid.z.entry.variable;
    let sample = values::sample_of(variable).ok_or_else(|| no_grid("no numbers"))?;
    let samples = u64::from(grid.size[0]) * u64::from(grid.size[1]);
    check_worth(file, variable, samples, input.length)?;
    let mut decoded = describe(input, file, variable, sample, grid.size);
    let decoder = decoder_of(variable, sample, options, &mut decoded)?;
    decoded.heights = heights_for(grid.size)?;
    decoded.raw = values::read_plane(file, &Layer::only(grid.z), &decoder, &mut decoded.heights)?;
    let points = number(variable, "node_offset") != Some(1.0);
    decoded.geotransform = Some(geotransform(grid, points));
    Ok(decoded)
}

/// Ends are samples where the samples are points, and the outer edges of cells where they are areas.
fn geotransform(grid: &Grid, points: bool) -> [f64; 6] {
    let [[west, east], [south, north]] = grid.ends;
    let gaps = grid.size.map(|samples| f64::from(samples) - f64::from(u8::from(points)));
    let [dx, dy] = [(east - west) / gaps[0], (north - south) / gaps[1]];
    let half = if points { 0.5 } else { 0.0 };
    [west - half * dx, dx, 0.0, north + half * dy, 0.0, -dy]
}
