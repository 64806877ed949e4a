//! The facts of a mosaic: what its tiles share, and what they differ in.

use super::compose::Outcome;
use super::grid::Grid;
use super::survey::Tile;
use super::tell::{Gathered, name};
use crate::error::{Error, Result};
use crate::formats::decoded::{Decoded, Notes};
use crate::formats::raster::{Crs, PixelIs};
use crate::formats::samples::RawRange;
use crate::geo::LengthUnit;

/// What all tiles have in common; `None` where they differ.
pub(super) fn common<T: PartialEq>(tiles: &[Tile], fact: impl Fn(&Tile) -> T) -> Option<T> {
    let mut facts = tiles.iter().map(fact);
    let first = facts.next()?;
    facts.all(|other| other == first).then_some(first)
}

/// Holds all tiles to one coordinate system.
///
/// # Errors
/// Tiles of two systems.
pub(super) fn check_systems(tiles: &[Tile], notes: &mut Notes) -> Result<()> {
    let mut named = tiles.iter().filter_map(|tile| Some((tile, &tile.decoded.crs.as_ref()?.crs)));
    let Some((first, system)) = named.next() else { return Ok(()) };
    for (tile, other) in named {
        if !is_same(system, other) {
            let found = format!("{}, and {} in {}", title(other), title(system), name(&first.path));
            let error = Error::input(
                found,
                "tiles of one coordinate system",
                "reproject one of them, for example with gdalwarp",
            );
            return Err(error.in_file(&tile.path));
        }
        if system.vertical != other.vertical {
            let text =
                format!("{} names another vertical system than {}", name(&tile.path), name(&first.path));
            notes.warn("vertical-systems-differ", text);
        }
    }
    let unnamed = tiles.iter().filter(|tile| tile.decoded.crs.is_none()).count();
    if unnamed > 0 {
        notes.assume(format!(
            "{unnamed} tiles name no coordinate system and are taken to be in that of the others."
        ));
    }
    Ok(())
}

fn is_same(one: &Crs, other: &Crs) -> bool {
    match (one.epsg, other.epsg) {
        (Some(one), Some(other)) => one == other,
        _ => one.name.eq_ignore_ascii_case(&other.name),
    }
}

fn title(system: &Crs) -> String {
    system.epsg.map_or_else(|| system.name.clone(), |code| format!("EPSG:{code}"))
}

/// The mosaic without its heights, place and notes.
pub(super) fn describe(tiles: &[Tile], lattice: &Grid, in_metres: bool) -> Decoded {
    let files: Vec<_> = tiles.iter().flat_map(|tile| tile.decoded.files.iter().cloned()).collect();
    let first = files.first().cloned().unwrap_or_default();
    let mixed = || "mixed".to_owned();
    let sample_type = common(tiles, |tile| tile.decoded.sample_type.clone()).unwrap_or_else(mixed);
    let mut mosaic = Decoded::new("mosaic", first, lattice.size, &sample_type);
    mosaic.files = files;
    mosaic.compression = common(tiles, |tile| tile.decoded.compression.clone()).unwrap_or_else(mixed);
    mosaic.predictor = common(tiles, |tile| tile.decoded.predictor).unwrap_or(1);
    mosaic.band = common(tiles, |tile| tile.decoded.band).unwrap_or(1);
    mosaic.pixel_is = common(tiles, |tile| tile.decoded.pixel_is).unwrap_or(PixelIs::Area);
    mosaic.nodata = common(tiles, |tile| tile.decoded.nodata.clone()).flatten();
    mosaic.nodata_rule = common(tiles, |tile| tile.decoded.nodata_rule.clone())
        .unwrap_or_else(|| "each tile by its own empty value".to_owned());
    if let Some([scale, offset]) = common(tiles, |tile| [tile.decoded.scale, tile.decoded.offset]) {
        (mosaic.scale, mosaic.offset) = (scale, offset);
    }
    mosaic.raw = tiles.iter().map(|tile| tile.decoded.raw).fold(RawRange::default(), RawRange::merge);
    mosaic.crs = tiles.iter().find_map(|tile| tile.decoded.crs.clone());
    let unit = tiles.first().and_then(|tile| tile.decoded.unit.clone());
    mosaic.unit =
        if in_metres { Some((LengthUnit::metre(), "each tile by its own unit".into())) } else { unit };
    mosaic
}

/// Tells how the tiles went together.
pub(super) fn tell_of_outcome(outcome: &Outcome, in_metres: bool, notes: &mut Notes) {
    if outcome.disagreeing > 0 {
        notes.warn(
            "tiles-disagree",
            format!(
                "{} samples that two tiles share differ, by {} at most; the tile that is named first is kept",
                outcome.disagreeing, outcome.greatest
            ),
        );
    }
    if outcome.resampled > 0 {
        notes.assume(format!(
            "{} tiles stand off the lattice of the finest one and are read off their own triangles.",
            outcome.resampled
        ));
    }
    if in_metres {
        notes.assume("The tiles' height units differ; heights are in metres.");
    }
}

/// Tells the notes of the tiles.
pub(super) fn gather(tiles: &[Tile], notes: &mut Notes) {
    let mut gathered = Gathered::default();
    tiles.iter().for_each(|tile| gathered.add(&tile.path, &tile.decoded.notes));
    gathered.tell(notes);
}
