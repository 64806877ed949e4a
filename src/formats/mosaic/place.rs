//! Where the tiles of a mosaic stand: by what their files say, or else by their names.

use super::Outliers;
use super::arrange::{Piece, arrange};
use super::grid::Grid;
use super::names;
use super::survey::{Survey, Tile};
use crate::error::{Error, Result};
use crate::formats::decoded::{Notes, epsg_crs};
use std::path::Path;

/// The tiles' places.
pub(super) struct Places {
    /// One for each tile, upright.
    pub grids: Vec<Grid>,
    /// Whether they lie on a map, and not only side by side.
    pub on_map: bool,
}

/// Settles where each tile stands, and which way its samples run. Tiles without a place among others that have one are taken out
/// where outliers are left out.
///
/// # Errors
/// Tiles without a place that names do not give either.
pub(super) fn place(survey: &mut Survey, outliers: Outliers, notes: &mut Notes) -> Result<Places> {
    place_by_degrees(survey, notes);
    let is_placed = |tile: &Tile| tile.has_place();
    let placed = survey.tiles.iter().filter(|tile| is_placed(tile)).count();
    if placed == 0 || all_claim_one_place(survey) {
        return place_by_numbers(survey, notes);
    }
    if placed < survey.tiles.len() {
        leave_out_unplaced(survey, outliers, notes)?;
    }
    let mut grids = Vec::with_capacity(survey.tiles.len());
    for tile in &mut survey.tiles {
        let upright = tile.decoded.geotransform.and_then(|g| Grid::upright(g, tile.decoded.size));
        let (grid, flips) = upright.ok_or_else(|| no_place(&tile.path))?;
        tile.flips = flips;
        grids.push(grid);
    }
    Ok(Places { grids, on_map: true })
}

/// Gives tiles without a place the degree square that their names tell.
fn place_by_degrees(survey: &mut Survey, notes: &mut Notes) {
    let mut count = 0;
    for tile in survey.tiles.iter_mut().filter(|tile| !tile.has_place()) {
        let Some([west, south]) = names::degrees(&stem(&tile.path)) else { continue };
        let decoded = &mut tile.decoded;
        let holds_lines = decoded.size.iter().all(|samples| holds_both_lines(*samples));
        let lines = f64::from(u8::from(holds_lines));
        let [dx, dy] = decoded.size.map(|samples| 1.0 / (f64::from(samples) - lines));
        let half = 0.5 * lines;
        decoded.geotransform = Some([west - half * dx, dx, 0.0, south + 1.0 + half * dy, 0.0, -dy]);
        decoded.notes.warnings.retain(|warning| warning.code != "unplaced");
        decoded.crs.get_or_insert_with(|| epsg_crs(4326, "the file name", notes));
        count += 1;
    }
    if count > 0 {
        notes.assume(format!(
            "{count} tiles stand on the degree squares that their names tell by the south-western corner."
        ));
    }
}

/// Whether so many samples hold both lines of a degree square, as 1201 and 3601 do: their steps divide a degree into tenths of
/// arc-seconds, and they themselves do not.
fn holds_both_lines(samples: u32) -> bool {
    const TENTHS: u32 = 36_000;
    samples > 1 && !TENTHS.is_multiple_of(samples) && TENTHS.is_multiple_of(samples - 1)
}

/// Whether several files of one size all start at the same coordinates, as programs write that know of no map.
fn all_claim_one_place(survey: &Survey) -> bool {
    let mut claims = survey.tiles.iter().map(|tile| (tile.decoded.geotransform, tile.decoded.size));
    let first = claims.next();
    survey.tiles.len() > 1
        && survey
            .tiles
            .iter()
            .all(|tile| tile.decoded.crs.is_none() && names::numbered(&stem(&tile.path)).is_some())
        && claims.all(|claim| Some(claim) == first)
}

fn place_by_numbers(survey: &Survey, notes: &mut Notes) -> Result<Places> {
    let mut pieces = Vec::with_capacity(survey.tiles.len());
    for Tile { path, decoded, edges, .. } in &survey.tiles {
        let name = names::numbered(&stem(path)).ok_or_else(|| no_place(path))?;
        pieces.push(Piece { name, size: decoded.size, edges: edges.clone() });
    }
    let layout = arrange(&pieces)?;
    notes.assume(layout.told);
    let grid = |(tile, first): (&Tile, [i64; 2])| {
        let [column, row] = first.map(|line| line as f64);
        let geotransform = [column, 1.0, 0.0, -row, 0.0, -1.0];
        Grid::new(geotransform, tile.decoded.size).ok_or_else(|| no_place(&tile.path))
    };
    let grids = survey.tiles.iter().zip(layout.firsts).map(grid).collect::<Result<_>>()?;
    Ok(Places { grids, on_map: false })
}

fn leave_out_unplaced(survey: &mut Survey, outliers: Outliers, notes: &mut Notes) -> Result<()> {
    let unplaced = survey.tiles.iter().find(|tile| !tile.has_place());
    if let (Outliers::Refused, Some(tile)) = (outliers, unplaced) {
        return Err(no_place(&tile.path));
    }
    for tile in survey.tiles.iter().filter(|tile| !tile.has_place()) {
        notes.warn("tile-left-out", format!("{} has no place and is left out", super::name(&tile.path)));
    }
    survey.tiles.retain(Tile::has_place);
    Ok(())
}

fn no_place(path: &Path) -> Error {
    let error = Error::input(
        "no place in the file or its name",
        "a georeference, or a name such as N45W074 or hill_x0_y1",
        "give it a world file, rename it, or name it alone",
    );
    error.in_file(path)
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
