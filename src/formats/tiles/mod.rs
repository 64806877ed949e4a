//! Archives of tiles in web Mercator that hold heights in red, green and blue: their tiles of one zoom, stitched into
//! one grid. Tiles are numbered as in the "XYZ" scheme: columns from the west, rows from the north.

pub(super) mod mbtiles;
pub(super) mod pmtiles;

use super::decoded::{Decoded, epsg_crs};
use super::input::{Input, heights_for};
use super::png::{self, Picture};
use super::samples::Sample;
use super::terrain_rgb::Encoding;
use super::webp;
use crate::error::{Error, Result};
use crate::geo::LengthUnit;
use crate::terrain::EMPTY;
use rayon::prelude::*;
use std::io::Cursor;

/// Web Mercator's metres from the equator, and from the zero meridian, to its square's edge.
const HALF_WORLD: f64 = 20_037_508.342_789_244;
/// The finest zoom that tiles are numbered at.
const FINEST_ZOOM: u8 = 30;
/// Samples that are stitched at most: 512 MiB of heights.
const MOST_SAMPLES: u64 = 1 << 27;
/// Samples that a few tiles may stand apart; more of them must pay for the ground between.
const SPARSE_SAMPLES: u64 = 1 << 24;
/// Times the tiles' own samples that the ground around them may have.
const SPARSENESS: u64 = 16;
/// The smallest side of a tile that is in use, by which the number of tiles is bounded before one is looked at.
const SMALLEST_SIDE: u64 = 128;
/// Bytes that one tile may take.
const LARGEST_TILE: u64 = 16 << 20;
/// Tiles that are looked at for their size and encoding.
const TILES_TO_TRY: usize = 16;
/// Tiles that are decoded at once.
const BATCH: usize = 64;

/// The tiles of one zoom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    zoom: u8,
    tiles: u64,
}

/// A tile by its column from the west and its row from the north, with what its archive finds it by.
#[derive(Debug, Clone, Copy)]
struct Tile<Key> {
    at: [u32; 2],
    key: Key,
}

/// A file of tiles.
trait Archive {
    /// What a tile is found by.
    type Key: Copy;

    /// The zooms that have tiles, in any order.
    fn levels(&self) -> Result<Vec<Level>>;

    /// The tiles of a zoom.
    fn tiles(&self, zoom: u8) -> Result<Vec<Tile<Self::Key>>>;

    /// A tile's bytes, at most [`LARGEST_TILE`].
    fn load(&self, zoom: u8, tile: &Tile<Self::Key>) -> Result<Vec<u8>>;

    /// How heights are written into colours, where the archive says so.
    fn encoding(&self) -> Option<String>;
}

/// What the first good tile tells of all.
struct Kind {
    side: u32,
    encoding: &'static Encoding,
    compression: &'static str,
}

/// The finest zoom that fits, with its tiles.
struct Choice<Key> {
    zoom: u8,
    tiles: Vec<Tile<Key>>,
    kind: Kind,
    /// Column and row of the north-west tile.
    corner: [u32; 2],
    /// Tiles along columns and rows.
    span: [u32; 2],
}

/// Stitches the tiles of the finest zoom that fits into memory.
fn stitch<A: Archive>(input: &Input, format: &'static str, archive: &A) -> Result<Decoded> {
    let mut decoded = Decoded::new(format, input.path.clone(), [0; 2], "f32");
    let chosen = choose(archive, &mut decoded)?;
    decoded.size = chosen.span.map(|tiles| tiles * chosen.kind.side);
    decoded.compression = chosen.kind.compression.into();
    decoded.nodata_rule =
        "missing tiles, clear pixels and heights that are not on earth are empty; no value is declared"
            .into();
    decoded.unit = Some((LengthUnit::metre(), "the encoding".into()));
    decoded.geotransform = Some(geotransform(&chosen));
    decoded.crs = Some(epsg_crs(3857, "the format", &mut decoded.notes));
    decoded.heights = heights_for(decoded.size)?;
    decoded.heights.fill(EMPTY);
    let broken = fill(archive, &chosen, &mut decoded)?;
    tell_of_tiles(&chosen, broken, &mut decoded);
    Ok(decoded)
}

fn choose<A: Archive>(archive: &A, decoded: &mut Decoded) -> Result<Choice<A::Key>> {
    let mut levels: Vec<Level> =
        archive.levels()?.into_iter().filter(|level| level.zoom <= FINEST_ZOOM && level.tiles > 0).collect();
    levels.sort_by_key(|level| std::cmp::Reverse(level.zoom));
    let Some(finest) = levels.first().copied() else {
        return Err(Error::input("an archive without tiles", "tiles of heights", "get the file again"));
    };
    for level in levels {
        if level.tiles.saturating_mul(SMALLEST_SIDE * SMALLEST_SIDE) > MOST_SAMPLES {
            continue;
        }
        if let Some(chosen) = look_at(archive, level.zoom)? {
            if chosen.zoom < finest.zoom {
                decoded.notes.assume(format!(
                    "Zoom {} is read; at the finest zoom, {}, the ground has more samples than {} million, or lies \
                     too far apart.",
                    chosen.zoom,
                    finest.zoom,
                    MOST_SAMPLES / 1_000_000
                ));
            } else {
                decoded.notes.assume(format!("Zoom {}, the finest, is read.", chosen.zoom));
            }
            tell_of_encoding(archive, &chosen.kind, decoded);
            return Ok(chosen);
        }
    }
    Err(Error::input(
        format!("{} tiles at zoom {}, and no coarser zoom that fits", finest.tiles, finest.zoom),
        format!("tiles of at most {} million samples together", MOST_SAMPLES / 1_000_000),
        "cut the archive into smaller areas",
    ))
}

/// A zoom's tiles, where the ground around them fits.
fn look_at<A: Archive>(archive: &A, zoom: u8) -> Result<Option<Choice<A::Key>>> {
    let mut tiles = archive.tiles(zoom)?;
    tiles.retain(|tile| tile.at.iter().all(|place| u64::from(*place) < 1 << zoom));
    let (Some(corner), Some(end)) = (ends(&tiles, u32::min), ends(&tiles, u32::max)) else { return Ok(None) };
    let kind = kind_of(archive, zoom, &tiles)?;
    let span: [u32; 2] = std::array::from_fn(|axis| end[axis] - corner[axis] + 1);
    let samples_of = |tiles: u64| tiles.saturating_mul(u64::from(kind.side) * u64::from(kind.side));
    let own = samples_of(tiles.len() as u64);
    let most = own.saturating_mul(SPARSENESS).clamp(SPARSE_SAMPLES, MOST_SAMPLES);
    let fits = samples_of(u64::from(span[0]) * u64::from(span[1])) <= most;
    Ok(fits.then_some(Choice { zoom, tiles, kind, corner, span }))
}

fn ends<Key>(tiles: &[Tile<Key>], of: fn(u32, u32) -> u32) -> Option<[u32; 2]> {
    tiles.iter().map(|tile| tile.at).reduce(|a, b| [of(a[0], b[0]), of(a[1], b[1])])
}

/// Size and encoding by the first tile that gives heights on earth.
fn kind_of<A: Archive>(archive: &A, zoom: u8, tiles: &[Tile<A::Key>]) -> Result<Kind> {
    let named = archive.encoding().and_then(|name| Encoding::named(&name));
    let mut last = None;
    for tile in tiles.iter().take(TILES_TO_TRY) {
        let bytes = archive.load(zoom, tile)?;
        let compression = if webp::is_webp(&bytes) { "WebP" } else { "PNG" };
        match picture_of(&bytes) {
            Err(error) => last = Some(error),
            Ok(picture) => {
                if let Some(encoding) = named.or_else(|| Encoding::fitting(&picture.bytes, picture.channels))
                {
                    return Ok(Kind { side: picture.size[0], encoding, compression });
                }
            }
        }
    }
    Err(last.unwrap_or_else(|| {
        Error::input("tiles of pictures", "tiles of heights in terrain-RGB", "use tiles of elevation")
    }))
}

/// Decodes a square tile of three colours.
fn picture_of(bytes: &[u8]) -> Result<Picture> {
    let refused = |found: &str| {
        Err(Error::input(found, "tiles of terrain-RGB in PNG or WebP", "use tiles of elevation"))
    };
    let length = bytes.len() as u64;
    let picture = match bytes {
        bytes if png::is_png(bytes) => png::decode(Cursor::new(bytes), length)?,
        bytes if webp::is_webp(bytes) => webp::decode(Cursor::new(bytes), length)?.0,
        [0xff, 0xd8, ..] => return refused("tiles in JPEG, which changes colours and the heights in them"),
        [0x1f, 0x8b, ..] => return refused("vector tiles"),
        _ => return refused("tiles in an unknown format"),
    };
    if picture.colours() != 3 || picture.sample != Sample::U8 || picture.size[0] != picture.size[1] {
        return refused("tiles that are not square or not of 8-bit colours");
    }
    Ok(picture)
}

/// Decodes all tiles into the grid, and returns how many of them are broken.
fn fill<A: Archive>(archive: &A, chosen: &Choice<A::Key>, decoded: &mut Decoded) -> Result<usize> {
    let kind = &chosen.kind;
    let mut broken = 0;
    for tiles in chosen.tiles.chunks(BATCH) {
        let loaded: Vec<Vec<u8>> =
            tiles.iter().map(|tile| archive.load(chosen.zoom, tile)).collect::<Result<_>>()?;
        let pictures: Vec<Option<Vec<f32>>> =
            loaded.par_iter().map(|bytes| heights_of(bytes, kind)).collect();
        for (tile, heights) in tiles.iter().zip(pictures) {
            match heights {
                Some(heights) => set(tile.at, &heights, chosen, decoded),
                None => broken += 1,
            }
        }
    }
    Ok(broken)
}

fn heights_of(bytes: &[u8], kind: &Kind) -> Option<Vec<f32>> {
    let picture = picture_of(bytes).ok().filter(|picture| picture.size[0] == kind.side)?;
    let pixels = picture.bytes.chunks_exact(picture.channels);
    Some(pixels.map(|pixel| kind.encoding.height_of(pixel).map_or(EMPTY, |height| height as f32)).collect())
}

/// Puts a tile's heights where they belong.
fn set<Key>(at: [u32; 2], heights: &[f32], chosen: &Choice<Key>, decoded: &mut Decoded) {
    let (width, side) = (decoded.size[0] as usize, chosen.kind.side as usize);
    let [column, row]: [usize; 2] =
        std::array::from_fn(|axis| (at[axis] - chosen.corner[axis]) as usize * side);
    let lines = decoded.heights.chunks_exact_mut(width).skip(row);
    for (line, own) in lines.zip(heights.chunks_exact(side)) {
        line[column..column + side].copy_from_slice(own);
    }
    for height in heights.iter().filter(|height| !height.is_nan()) {
        decoded.raw.add(f64::from(*height));
    }
}

/// The north-west tile's outer corner, and a sample's share of the world.
fn geotransform<Key>(chosen: &Choice<Key>) -> [f64; 6] {
    let side = f64::from(chosen.kind.side);
    let step = 2.0 * HALF_WORLD / (side * f64::from(1_u32 << chosen.zoom));
    let [west, north] = chosen.corner.map(|tile| f64::from(tile) * side * step);
    [west - HALF_WORLD, step, 0.0, HALF_WORLD - north, 0.0, -step]
}

fn tell_of_encoding<A: Archive>(archive: &A, kind: &Kind, decoded: &mut Decoded) {
    let name = kind.encoding.name;
    decoded.notes.assume(match archive.encoding() {
        Some(named) if Encoding::named(&named).is_some() => {
            format!("Colours are decoded as {name} terrain-RGB, as the archive says.")
        }
        _ => format!(
            "Colours are decoded as {name} terrain-RGB: every pixel of a tile gives a height on earth."
        ),
    });
}

fn tell_of_tiles<Key>(chosen: &Choice<Key>, broken: usize, decoded: &mut Decoded) {
    let all = u64::from(chosen.span[0]) * u64::from(chosen.span[1]);
    let missing = all.saturating_sub(chosen.tiles.len() as u64);
    if missing > 0 {
        decoded.notes.assume(format!("{missing} of {all} tiles are not in the archive and are empty."));
    }
    if broken > 0 {
        decoded.notes.warn(
            "broken-tiles",
            format!(
                "{broken} of {} tiles cannot be decoded or differ in size and are empty",
                chosen.tiles.len()
            ),
        );
    }
}

#[cfg(test)]
mod tests;
