//! Tiles without a place, laid out by the numbers in their names; what the names leave open the tiles' edges tell.

use super::names::{Counts, Numbered};
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Most columns or rows of tiles, so that names of dates and versions are not taken for numbers of tiles.
const MOST_TILES: i64 = 4096;

/// Edges fit clearly better one way where they differ by less than this share of what they differ the other way.
const CLEARLY: f64 = 0.5;

/// A tile to be laid out: its name, its size, and its outer samples.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub name: Numbered,
    pub size: [u32; 2],
    pub edges: Edges,
}

/// The outer samples of a tile, north row first.
#[derive(Debug, Clone)]
pub(super) struct Edges {
    pub north: Vec<f32>,
    pub south: Vec<f32>,
    pub west: Vec<f32>,
    pub east: Vec<f32>,
}

impl Edges {
    /// Of samples row by row, at least one.
    pub fn of(heights: &[f32], width: usize) -> Self {
        let column = |at: usize| heights.iter().skip(at).step_by(width).copied().collect();
        let last = heights.len().saturating_sub(width);
        Self {
            north: heights[..width].to_vec(),
            south: heights[last..].to_vec(),
            west: column(0),
            east: column(width - 1),
        }
    }
}

/// Where tiles lie: of each the column and row of its first sample, and how that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    pub firsts: Vec<[i64; 2]>,
    pub told: String,
}

/// What names leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    /// Whether the first number counts columns.
    column_first: bool,
    /// Whether row numbers rise southward.
    southward: bool,
}

/// Lays tiles out by their names.
///
/// # Errors
/// Names of several series, two tiles of one number, or tiles of one column or row with different sizes.
pub(super) fn arrange(pieces: &[Piece]) -> Result<Layout> {
    check_series(pieces)?;
    let (reading, told_by) = best_reading(pieces);
    let cells = cells(pieces, reading);
    let by_cell = by_cell(pieces, &cells)?;
    let fit = fit(pieces, &by_cell);
    let shared =
        fit.is_shared().unwrap_or_else(|| pieces.iter().all(|piece| ends_on_shared_lines(piece.size)));
    let firsts = firsts(pieces, &cells, shared)?;
    let order = if reading.column_first { "columns, then rows" } else { "rows, then columns" };
    let direction = if reading.southward { "south" } else { "north" };
    let edge = if shared { "neighbours share their outer samples" } else { "neighbours share no sample" };
    let told = format!(
        "Tiles lie as their names number them: {order}, rows rising to the {direction} ({told_by}); {edge}."
    );
    Ok(Layout { firsts, told })
}

fn check_series(pieces: &[Piece]) -> Result<()> {
    let Some(first) = pieces.first() else { return Ok(()) };
    let other = pieces
        .iter()
        .find(|piece| piece.name.series != first.name.series || piece.name.counts != first.name.counts);
    other.map_or(Ok(()), |other| {
        Err(Error::input(
            format!("names of two series, \"{}…\" and \"{}…\"", first.name.series, other.name.series),
            "tiles named alike but for their numbers",
            "name the tiles of one terrain alone",
        ))
    })
}

/// The reading whose edges fit best, where it is clearly better than the usual one: columns first, rows to the south.
fn best_reading(pieces: &[Piece]) -> (Reading, &'static str) {
    let counts = pieces.first().map_or(Counts::Unsaid, |piece| piece.name.counts);
    let orders: &[bool] = match counts {
        Counts::ColumnRow => &[true],
        Counts::RowColumn => &[false],
        Counts::Unsaid => &[true, false],
    };
    let readings = orders.iter().flat_map(|column_first| {
        [true, false].map(|southward| Reading { column_first: *column_first, southward })
    });
    let mut best: Option<(Reading, f64, &'static str)> = None;
    for reading in readings {
        let cells = cells(pieces, reading);
        let misfit = by_cell(pieces, &cells).ok().and_then(|by_cell| fit(pieces, &by_cell).misfit());
        let misfit = misfit.unwrap_or(f64::INFINITY);
        best = match best {
            None => Some((reading, misfit, "the usual way")),
            Some(found) if misfit < CLEARLY * found.1 => Some((reading, misfit, "their edges fit so")),
            found => found,
        };
    }
    let usual = Reading { column_first: true, southward: true };
    best.map_or((usual, "the usual way"), |(reading, _, told)| (reading, told))
}

/// Column and row of each tile, rows counted southward.
fn cells(pieces: &[Piece], reading: Reading) -> Vec<[i64; 2]> {
    let cell = |piece: &Piece| {
        let [first, second] = piece.name.numbers;
        let [column, row] = if reading.column_first { [first, second] } else { [second, first] };
        [column, if reading.southward { row } else { -row }]
    };
    let cells: Vec<[i64; 2]> = pieces.iter().map(cell).collect();
    let least = [0, 1].map(|axis| cells.iter().map(|cell| cell[axis]).min().unwrap_or_default());
    cells.into_iter().map(|cell| [0, 1].map(|axis| cell[axis].saturating_sub(least[axis]))).collect()
}

/// The tiles by row and column.
fn by_cell(pieces: &[Piece], cells: &[[i64; 2]]) -> Result<BTreeMap<[i64; 2], usize>> {
    let mut found = BTreeMap::new();
    for (number, cell) in cells.iter().enumerate() {
        if cell.iter().any(|line| *line >= MOST_TILES) {
            return Err(Error::input(
                format!("names that number more than {MOST_TILES} columns or rows"),
                "numbers of tiles",
                "rename the tiles, for example hill_x0_y0",
            ));
        }
        if found.insert(*cell, number).is_some() {
            let [first, second] = pieces[number].name.numbers;
            return Err(Error::input(
                format!("two tiles numbered {first}, {second}"),
                "one tile of each number",
                "leave one of them out",
            ));
        }
    }
    Ok(found)
}

/// How the edges of neighbours fit.
#[derive(Debug, Clone, Copy, Default)]
struct Fit {
    difference: f64,
    compared: u64,
    /// Pairs of edges with any relief, and those of them that are equal.
    varied: u64,
    equal: u64,
}

impl Fit {
    /// Takes the edges of two neighbours in.
    fn add(&mut self, one: &[f32], other: &[f32]) {
        if one.len() != other.len() {
            return;
        }
        for (a, b) in one.iter().zip(other).filter(|(a, b)| a.is_finite() && b.is_finite()) {
            self.difference += f64::from((a - b).abs());
            self.compared += 1;
        }
        if one.iter().chain(other).any(|height| height.is_finite() && *height != one[0]) {
            self.varied += 1;
            self.equal += u64::from(one.iter().zip(other).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }

    /// The mean difference across edges; `None` where no tiles are neighbours.
    fn misfit(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.difference / self.compared as f64)
    }

    /// Whether neighbours hold the same outer samples; `None` where flat edges, or none, do not tell.
    fn is_shared(&self) -> Option<bool> {
        (self.varied > 0).then_some(self.equal == self.varied)
    }
}

fn fit(pieces: &[Piece], by_cell: &BTreeMap<[i64; 2], usize>) -> Fit {
    let mut fit = Fit::default();
    for (&[column, row], &number) in by_cell {
        let edges = &pieces[number].edges;
        if let Some(&east) = by_cell.get(&[column + 1, row]) {
            fit.add(&edges.east, &pieces[east].edges.west);
        }
        if let Some(&south) = by_cell.get(&[column, row + 1]) {
            fit.add(&edges.south, &pieces[south].edges.north);
        }
    }
    fit
}

/// Sizes of a power of two and one are made for sharing the line between tiles.
fn ends_on_shared_lines(size: [u32; 2]) -> bool {
    size.iter().all(|samples| *samples > 2 && (samples - 1).is_power_of_two())
}

/// Column and row of each tile's first sample. A column or row without a tile is as wide as the first tile.
fn firsts(pieces: &[Piece], cells: &[[i64; 2]], shared: bool) -> Result<Vec<[i64; 2]>> {
    let starts = [starts(pieces, cells, 0, shared)?, starts(pieces, cells, 1, shared)?];
    Ok(cells.iter().map(|cell| [0, 1].map(|axis| starts[axis][cell[axis] as usize])).collect())
}

/// Where each column (axis 0) or row (axis 1) of tiles starts, in samples.
fn starts(pieces: &[Piece], cells: &[[i64; 2]], axis: usize, shared: bool) -> Result<Vec<i64>> {
    let usual = pieces.first().map_or(1, |piece| piece.size[axis]);
    let count = cells.iter().map(|cell| cell[axis]).max().unwrap_or_default() as usize + 1;
    let mut sizes: Vec<Option<u32>> = vec![None; count];
    for (piece, cell) in pieces.iter().zip(cells) {
        let size = piece.size[axis];
        let known = sizes[cell[axis] as usize].get_or_insert(size);
        if *known != size {
            return Err(Error::input(
                format!("tiles of {known} and of {size} samples side by side"),
                "tiles of one size along each column and row",
                "give the tiles a place, for example by world files",
            ));
        }
    }
    let steps = sizes.iter().map(|size| i64::from(size.unwrap_or(usual)) - i64::from(shared));
    Ok(steps.scan(0, |start, step| Some(std::mem::replace(start, *start + step))).collect())
}

#[cfg(test)]
mod tests;
