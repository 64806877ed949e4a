//! How far tiles reach, and whether memory has room for what they span.

use super::compose::Tile;
use super::grid::{Grid, ON_LATTICE};
use crate::error::{Error, Result};
use crate::formats::input::heights_for;
use crate::terrain::EMPTY;

/// Samples that a mosaic may have: 4 GiB of heights.
pub(in crate::formats) const MOST_SAMPLES: u64 = 1 << 30;

/// Samples that a mosaic may have without a tile on them: this many, and this many times those of the tiles.
const FREE_ROOM: u64 = 1 << 24;
const ROOM_PER_SAMPLE: u64 = 64;

/// The rectangle of all tiles on the lattice of the first.
///
/// # Errors
/// No tile, or more samples along a side than can be counted.
pub(in crate::formats) fn lattice_over(tiles: &[Tile]) -> Result<Grid> {
    let Some(Tile { grid: anchor, .. }) = tiles.first() else { return Err(out_of_reach([0.0; 2])) };
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for tile in tiles {
        let [least, greatest] = anchor.span_of(&tile.grid, 0.0);
        for axis in 0..2 {
            low[axis] = low[axis].min((least[axis] - ON_LATTICE).ceil());
            high[axis] = high[axis].max((greatest[axis] + ON_LATTICE).floor());
        }
    }
    let size = size_between(low.map(|line| line as i64), high.map(|line| (line as i64).saturating_add(1)))?;
    anchor
        .window(low.map(|line| line as i64), size)
        .ok_or_else(|| out_of_reach([high[0] - low[0], high[1] - low[1]]))
}

/// Refuses a lattice that is larger than memory.
///
/// # Errors
/// More samples than [`MOST_SAMPLES`].
pub(in crate::formats) fn check_size(lattice: &Grid) -> Result<()> {
    let [width, depth] = lattice.size;
    let samples = u64::from(width) * u64::from(depth);
    if samples <= MOST_SAMPLES {
        return Ok(());
    }
    Err(Error::input(
        format!(
            "a mosaic of {width}×{depth} samples at the finest tile's spacing, {} GiB",
            samples.div_ceil(1 << 28)
        ),
        format!("at most {} GiB of heights", MOST_SAMPLES >> 28),
        "name fewer tiles, or leave the finest ones out",
    ))
}

/// Samples from the first to before the last column and row.
pub(super) fn size_between(low: [i64; 2], end: [i64; 2]) -> Result<[u32; 2]> {
    let [width, depth] = [0, 1].map(|axis| end[axis].saturating_sub(low[axis]));
    match (u32::try_from(width), u32::try_from(depth)) {
        (Ok(width), Ok(depth)) if width > 0 && depth > 0 => Ok([width, depth]),
        _ => Err(out_of_reach([width as f64, depth as f64])),
    }
}

/// The error for tiles whose distances cannot be counted in samples.
pub(super) fn out_of_reach([width, depth]: [f64; 2]) -> Error {
    Error::input(
        format!("tiles so far apart that {width:.0}×{depth:.0} samples lie between them"),
        "tiles of one terrain",
        "leave the outlying ones out",
    )
}

/// Memory for a lattice, empty all over, unless it would stay empty for the most part.
pub(super) fn empties_for<'a>(lattice: &Grid, tiles: impl Iterator<Item = &'a Tile>) -> Result<Vec<f32>> {
    let [width, depth] = lattice.size;
    let covered = tiles.map(|tile| covered(lattice, tile)).fold(0, u64::saturating_add);
    let room = FREE_ROOM.saturating_add(covered.saturating_mul(ROOM_PER_SAMPLE));
    if u64::from(width) * u64::from(depth) > room {
        return Err(Error::input(
            format!("{width}×{depth} samples, of which tiles hold {covered} at most"),
            "tiles of one terrain, near one another",
            "leave the outlying ones out",
        ));
    }
    let mut heights = heights_for(lattice.size)?;
    heights.fill(EMPTY);
    Ok(heights)
}

/// Samples of a lattice that a tile lies on, as far as its file can be worth them.
fn covered(lattice: &Grid, tile: &Tile) -> u64 {
    let [low, high] = lattice.span_of(&tile.grid, 0.5);
    let along = |axis: usize| {
        let samples = f64::from(lattice.size[axis]);
        (high[axis].min(samples) - low[axis].max(-1.0)).max(1.0)
    };
    ((along(0) * along(1)).ceil() as u64).min(tile.worth)
}
