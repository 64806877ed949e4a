//! Tiles onto one lattice: those that stand on it sample by sample, the others read off their own triangles.
//!
//! Tiles are given in their order of precedence. Tiles that share a lattice are first put together on it, so that where two
//! coarse tiles meet the ground between them is the same as within them; then each such layer is read at the places of the
//! wanted lattice. A place that no triangle covers, but that lies within half a cell of an area tile's outer samples, is given by
//! continuing the ground straight, so that there is no gap between a coarse tile and a fine one.

use super::extent::{empties_for, out_of_reach, size_between};
use super::grid::Grid;
use crate::error::{Error, Result};
use crate::terrain::{Terrain, is_empty};
use glam::DVec3;
use rayon::prelude::*;

/// Cells around an area tile's samples that it covers, with room for rounding.
const RIM: f64 = 0.5 + 1e-6;

/// Most lattices that tiles may stand on; every tile is held against each.
const MOST_LAYERS: usize = 1 << 10;

/// Where a tile stands.
#[derive(Debug, Clone, Copy)]
pub(in crate::formats) struct Tile {
    pub grid: Grid,
    /// Whether the tile covers the half cell around its outer samples.
    pub covers_rim: bool,
    /// Samples of the lattice that its file is worth at most.
    pub worth: u64,
}

/// A tile's samples, from its first one on; fewer than its grid has where the file ends before.
pub(in crate::formats) struct Samples {
    pub size: [u32; 2],
    pub heights: Vec<f32>,
}

/// What happened while tiles were put together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::formats) struct Outcome {
    /// Samples that two tiles of one lattice give different heights.
    pub disagreeing: u64,
    /// The greatest difference among them, in the unit of the heights.
    pub greatest: f32,
    /// Tiles that were read off their triangles.
    pub resampled: usize,
}

/// Tiles of one lattice.
struct Layer {
    /// The rectangle of them all.
    grid: Grid,
    /// Each tile's number, and the column and row of its first sample in the rectangle.
    members: Vec<(usize, [i64; 2])>,
}

/// The heights of a lattice from tiles in their order of precedence; `load` reads a tile by its number.
///
/// # Errors
/// A lattice that memory has no room for, or that is empty for the most part; whatever `load` fails with.
pub(in crate::formats) fn compose(
    lattice: &Grid,
    tiles: &[Tile],
    mut load: impl FnMut(usize) -> Result<Samples>,
) -> Result<(Vec<f32>, Outcome)> {
    let layers = layers(lattice, tiles)?;
    // The first tile is needed first; a broken one is met before memory is asked for.
    let mut first = Some(load(0)?);
    let mut load = |number| first.take().filter(|_| number == 0).map_or_else(|| load(number), Ok);
    let mut heights = empties_for(lattice, tiles.iter())?;
    let mut outcome = Outcome::default();
    let mut rims = Vec::new();
    for layer in layers {
        if layer.grid == *lattice {
            for (number, offset) in layer.members {
                put(&mut heights, lattice.size, &load(number)?, offset, &mut outcome);
            }
            continue;
        }
        outcome.resampled += layer.members.len();
        let mut own = empties_for(&layer.grid, layer.members.iter().map(|(number, _)| &tiles[*number]))?;
        for (number, offset) in &layer.members {
            put(&mut own, layer.grid.size, &load(*number)?, *offset, &mut outcome);
        }
        let Some(ground) = ground(layer.grid.size, own)? else { continue };
        let inside = |place| on_ground(&ground, place);
        fill(&mut heights, lattice, &layer.grid, 0.0, inside);
        rims.push((layer, ground));
    }
    for (layer, ground) in &rims {
        for (number, offset) in layer.members.iter().filter(|(number, _)| tiles[*number].covers_rim) {
            let size = tiles[*number].grid.size;
            let first = offset.map(|line| line as f64);
            let beside = |[column, row]: [f64; 2]| {
                beyond_rim(ground, first, size, [column + first[0], row + first[1]])
            };
            if let Some(tile) = layer.grid.window(*offset, size) {
                fill(&mut heights, lattice, &tile, RIM, beside);
            }
        }
    }
    Ok((heights, outcome))
}

/// The tiles by their lattices, in the order of each one's first tile.
fn layers(lattice: &Grid, tiles: &[Tile]) -> Result<Vec<Layer>> {
    let mut layers = Vec::new();
    let mut rest: Vec<usize> = (0..tiles.len()).collect();
    while let Some(first) = rest.first().copied() {
        let is_on = lattice.offset_of(&tiles[first].grid).is_some();
        let anchor = if is_on { lattice } else { &tiles[first].grid };
        let mut members = Vec::new();
        rest.retain(|number| {
            let offset = anchor.offset_of(&tiles[*number].grid);
            members.extend(offset.map(|offset| (*number, offset)));
            offset.is_none()
        });
        if members.is_empty() {
            // Numbers so large that a cell is nothing beside them.
            return Err(out_of_reach([f64::INFINITY; 2]));
        }
        if layers.len() == MOST_LAYERS {
            return Err(Error::input(
                format!("tiles of more than {MOST_LAYERS} lattices"),
                "tiles that stand on few lattices",
                "resample them to one, for example with gdalwarp",
            ));
        }
        layers.push(if is_on { Layer { grid: *lattice, members } } else { trimmed(anchor, tiles, members)? });
    }
    Ok(layers)
}

/// A layer of the rectangle that its tiles span.
fn trimmed(anchor: &Grid, tiles: &[Tile], members: Vec<(usize, [i64; 2])>) -> Result<Layer> {
    let low = [0, 1].map(|axis| members.iter().map(|member| member.1[axis]).min().unwrap_or_default());
    let end = |axis: usize| {
        let ends = members.iter().map(|(number, at)| at[axis] + i64::from(tiles[*number].grid.size[axis]));
        ends.max().unwrap_or_default()
    };
    let size = size_between(low, [end(0), end(1)])?;
    let grid =
        anchor.window(low, size).ok_or_else(|| out_of_reach([f64::from(size[0]), f64::from(size[1])]))?;
    let members =
        members.into_iter().map(|(number, at)| (number, [at[0] - low[0], at[1] - low[1]])).collect();
    Ok(Layer { grid, members })
}

/// Puts a tile's samples where there are none yet, and compares them with those that are there.
fn put(heights: &mut [f32], size: [u32; 2], tile: &Samples, offset: [i64; 2], outcome: &mut Outcome) {
    let range = |axis: usize| {
        let (first, samples) = (offset[axis], i64::from(size[axis]));
        let end = (first + i64::from(tile.size[axis])).min(samples);
        first.max(0)..end.max(first.max(0))
    };
    let (columns, rows) = (range(0), range(1));
    if columns.is_empty() {
        return;
    }
    for row in rows {
        let from = (row - offset[1]) as usize * tile.size[0] as usize + (columns.start - offset[0]) as usize;
        let to = row as usize * size[0] as usize + columns.start as usize;
        let count = (columns.end - columns.start) as usize;
        for (there, new) in heights[to..to + count].iter_mut().zip(&tile.heights[from..from + count]) {
            if is_empty(*there) {
                *there = *new;
            } else if *new != *there && !is_empty(*new) {
                outcome.disagreeing += 1;
                outcome.greatest = outcome.greatest.max((*new - *there).abs());
            }
        }
    }
}

/// A layer as ground whose metres are its cells; `None` without a sample.
fn ground(size: [u32; 2], heights: Vec<f32>) -> Result<Option<Terrain>> {
    if heights.iter().all(|height| is_empty(*height)) {
        return Ok(None);
    }
    if size.iter().any(|samples| *samples < 2) {
        return Err(Error::input(
            format!("{}×{} samples that stand off the finest tile's lattice", size[0], size[1]),
            "at least 2×2, to read between them",
            "leave that tile out",
        ));
    }
    Terrain::from_vec(size[0], size[1], 1.0, DVec3::ZERO, heights).map(Some)
}

/// Height of a layer's triangle at a column and row, where one is.
fn on_ground(ground: &Terrain, [column, row]: [f64; 2]) -> Option<f64> {
    let [columns, rows] = ground.cells().map(f64::from);
    let is_inside = (0.0..=columns).contains(&column) && (0.0..=rows).contains(&row);
    is_inside.then(|| ground.height_at(column, row)).flatten()
}

/// Height at most half a cell beyond a tile's outer samples: the ground goes on there as it comes.
fn beyond_rim(ground: &Terrain, first: [f64; 2], size: [u32; 2], place: [f64; 2]) -> Option<f64> {
    let edge = [0, 1].map(|axis| place[axis].clamp(first[axis], first[axis] + f64::from(size[axis]) - 1.0));
    let inner = [2.0 * edge[0] - place[0], 2.0 * edge[1] - place[1]];
    let at_edge = on_ground(ground, edge)?;
    Some(on_ground(ground, inner).map_or(at_edge, |within| 2.0 * at_edge - within))
}

/// Fills what is empty of the lattice's samples within a grid and `margin` of its cells around, by their place in the grid.
fn fill(
    heights: &mut [f32],
    lattice: &Grid,
    grid: &Grid,
    margin: f64,
    height: impl Fn([f64; 2]) -> Option<f64> + Sync,
) {
    let [low, high] = lattice.span_of(grid, margin);
    let range = |axis: usize| {
        let last = f64::from(lattice.size[axis]) - 1.0;
        (low[axis].floor().clamp(0.0, last) as usize, high[axis].ceil().clamp(0.0, last) as usize)
    };
    let [(first_column, last_column), (first_row, last_row)] = [range(0), range(1)];
    let width = lattice.size[0] as usize;
    let rows = &mut heights[first_row * width..(last_row + 1) * width];
    rows.par_chunks_exact_mut(width).enumerate().for_each(|(row, samples)| {
        for column in (first_column..=last_column).filter(|column| *column < width) {
            if !is_empty(samples[column]) {
                continue;
            }
            let place = grid.sample_of(lattice, [column as f64, (first_row + row) as f64]);
            let is_near = (0..2).all(|axis| {
                let last = f64::from(grid.size[axis]) - 1.0;
                (-margin..=last + margin).contains(&place[axis])
            });
            if let Some(found) = is_near.then(|| height(place)).flatten() {
                samples[column] = found as f32;
            }
        }
    });
}

#[cfg(test)]
mod tests;
