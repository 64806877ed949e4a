//! PMTiles: tiles in one file with directories of their places, by the "PMTiles Version 3 Specification".

use super::{Archive, FINEST_ZOOM, LARGEST_TILE, Level, Tile, stitch};
use crate::error::{Error, Result};
use crate::formats::decoded::Decoded;
use crate::formats::input::{Input, unreadable};
use crate::formats::raster::ReadOptions;
use flate2::read::GzDecoder;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

const HEADER_BYTES: usize = 127;
const VERSION: u8 = 3;
/// The deepest that directories may lie in each other; writers use two.
const DEEPEST: u32 = 8;
/// Bytes that metadata may take.
const LONGEST_METADATA: u64 = 1 << 20;
/// Bytes that one directory may take unpacked: a million entries. Writers keep to some ten thousand.
const LONGEST_DIRECTORY: u64 = 4 << 20;

/// Bytes of the file.
type Extent = [u64; 2];

/// One line of a directory: a run of tiles that share their bytes, or another directory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Entry {
    /// Number of the first tile.
    id: u64,
    /// Tiles in the run; 0 for a directory.
    run: u64,
    length: u64,
    offset: u64,
}

/// An opened file.
struct Tiles {
    file: RefCell<File>,
    length: u64,
    root: Extent,
    metadata: Extent,
    leaves: Extent,
    data: Extent,
    /// Whether directories and metadata, and tiles, are compressed by gzip.
    are_zipped: [bool; 2],
}

/// Whether the file begins as PMTiles do.
pub(in crate::formats) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(b"PMTiles")
}

/// Reads the heights of all tiles.
pub(in crate::formats) fn read(input: &Input, _: &ReadOptions) -> Result<Decoded> {
    stitch(input, "PMTiles", &Tiles::open(input)?)
}

impl Tiles {
    fn open(input: &Input) -> Result<Self> {
        let Some(header) = input.head.get(..HEADER_BYTES) else {
            return Err(broken("its header is cut off"));
        };
        if header[7] != VERSION {
            return Err(broken(&format!("version {}, where version {VERSION} is read", header[7])));
        }
        let number =
            |at: usize| header[at..at + 8].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let extent = |at: usize| [number(at), number(at + 8)];
        let are_zipped = [is_zipped(header[97])?, is_zipped(header[98])?];
        if header[99] == 1 {
            return Err(Error::input("vector tiles", "tiles of terrain-RGB", "use tiles of elevation"));
        }
        let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
        Ok(Self {
            file: RefCell::new(file),
            length: input.length,
            root: extent(8),
            metadata: extent(24),
            leaves: extent(40),
            data: extent(56),
            are_zipped,
        })
    }

    /// Bytes of the file, of which so many are asked for at most.
    fn bytes(&self, [offset, length]: Extent, most: u64) -> Result<Vec<u8>> {
        if length > most || offset.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(broken(&format!("{length} bytes at {offset} lie outside the file or are too many")));
        }
        let mut bytes = vec![0; length as usize];
        let mut file = self.file.borrow_mut();
        file.seek(SeekFrom::Start(offset))
            .and_then(|_| file.read_exact(&mut bytes))
            .map_err(|error| unreadable(&error))?;
        Ok(bytes)
    }

    /// Gives every run of tiles to `take`. An honest file has each directory once, so that no more bytes of
    /// directories are read than the file has.
    fn walk(&self, take: &mut dyn FnMut(Entry)) -> Result<()> {
        let mut budget = self.length;
        let mut open = vec![(self.root, 0)];
        while let Some((extent, depth)) = open.pop() {
            budget = budget.checked_sub(extent[1]).ok_or_else(|| broken("its directories repeat"))?;
            for entry in self.directory(extent)? {
                if entry.run > 0 {
                    take(entry);
                } else if depth < DEEPEST {
                    open.push(([self.leaves[0].saturating_add(entry.offset), entry.length], depth + 1));
                } else {
                    return Err(broken("its directories lie too deep"));
                }
            }
        }
        Ok(())
    }

    fn directory(&self, extent: Extent) -> Result<Vec<Entry>> {
        let stored = self.bytes(extent, LONGEST_DIRECTORY)?;
        let bytes = if self.are_zipped[0] { unzip(&stored, LONGEST_DIRECTORY)? } else { stored };
        entries(&bytes).ok_or_else(|| broken("a directory is cut off"))
    }
}

impl Archive for Tiles {
    /// Where a tile's bytes lie.
    type Key = Extent;

    fn levels(&self) -> Result<Vec<Level>> {
        let mut counts = [0_u64; FINEST_ZOOM as usize + 1];
        self.walk(&mut |entry| {
            let end = entry.id.saturating_add(entry.run);
            for (zoom, count) in (0..).zip(&mut counts) {
                let (first, after) = (first_id(zoom), first_id(zoom + 1));
                *count = count.saturating_add(end.min(after).saturating_sub(entry.id.max(first)));
            }
        })?;
        Ok((0..).zip(counts).map(|(zoom, tiles)| Level { zoom, tiles }).collect())
    }

    fn tiles(&self, zoom: u8) -> Result<Vec<Tile<Extent>>> {
        let mut found = Vec::new();
        let (first, after) = (first_id(zoom), first_id(zoom + 1));
        self.walk(&mut |entry| {
            let key = [self.data[0].saturating_add(entry.offset), entry.length];
            let ids = entry.id.max(first)..entry.id.saturating_add(entry.run).min(after);
            found.extend(ids.map(|id| Tile { at: place_on_curve(zoom, id - first), key }));
        })?;
        Ok(found)
    }

    fn load(&self, _: u8, tile: &Tile<Extent>) -> Result<Vec<u8>> {
        let stored = self.bytes(tile.key, LARGEST_TILE)?;
        if self.are_zipped[1] { unzip(&stored, LARGEST_TILE) } else { Ok(stored) }
    }

    fn encoding(&self) -> Option<String> {
        let stored = self.bytes(self.metadata, LONGEST_METADATA).ok()?;
        let text = if self.are_zipped[0] { unzip(&stored, LONGEST_METADATA).ok()? } else { stored };
        let metadata: serde_json::Value = serde_json::from_slice(&text).ok()?;
        Some(metadata.get("encoding")?.as_str()?.to_owned())
    }
}

/// The number of a zoom's first tile: all tiles of coarser zooms come before it.
fn first_id(zoom: u8) -> u64 {
    ((1 << (2 * u32::from(zoom))) - 1) / 3
}

/// Column and row of a place on the Hilbert curve through all tiles of a zoom.
fn place_on_curve(zoom: u8, place: u64) -> [u32; 2] {
    let (mut x, mut y, mut left) = (0_u64, 0_u64, place);
    for level in 0..u32::from(zoom) {
        let side = 1_u64 << level;
        let right = (left / 2) & 1;
        let lower = (left ^ right) & 1;
        if lower == 0 {
            if right == 1 {
                (x, y) = (side - 1 - x, side - 1 - y);
            }
            (x, y) = (y, x);
        }
        x += side * right;
        y += side * lower;
        left /= 4;
    }
    [x as u32, y as u32]
}

/// The entries of a directory: their number, then all ids as steps, all runs, all lengths and all offsets.
fn entries(bytes: &[u8]) -> Option<Vec<Entry>> {
    let mut rest = bytes;
    let count = variable(&mut rest)?;
    // Each entry takes four bytes at least.
    if count > bytes.len() as u64 / 4 {
        return None;
    }
    let mut entries = vec![Entry::default(); count as usize];
    let mut id = 0_u64;
    for entry in &mut entries {
        id = id.checked_add(variable(&mut rest)?)?;
        entry.id = id;
    }
    for entry in &mut entries {
        entry.run = variable(&mut rest)?;
    }
    for entry in &mut entries {
        entry.length = variable(&mut rest)?;
    }
    let mut end = 0_u64;
    for entry in &mut entries {
        // 0 stands for the byte after the entry before; other offsets are written one more than they are.
        entry.offset = variable(&mut rest)?.checked_sub(1).unwrap_or(end);
        end = entry.offset.checked_add(entry.length)?;
    }
    Some(entries)
}

/// A number of seven bits a byte, the least first; a set high bit says that another byte follows.
fn variable(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Whether a compression is gzip; others than none are refused.
fn is_zipped(compression: u8) -> Result<bool> {
    match compression {
        0 | 1 => Ok(false),
        2 => Ok(true),
        3 => Err(unread("Brotli")),
        4 => Err(unread("Zstandard")),
        other => Err(unread(&format!("compression {other}"))),
    }
}

fn unzip(stored: &[u8], most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = GzDecoder::new(stored).take(most.saturating_add(1)).read_to_end(&mut bytes);
    match read {
        Ok(length) if length as u64 <= most => Ok(bytes),
        Ok(_) => Err(broken("its compressed parts are too large")),
        Err(error) => Err(broken(&error.to_string())),
    }
}

fn unread(compression: &str) -> Error {
    Error::input(
        format!("PMTiles in {compression}"),
        "PMTiles in gzip or uncompressed",
        "convert them with pmtiles",
    )
}

fn broken(why: &str) -> Error {
    Error::input(format!("broken PMTiles: {why}"), "whole PMTiles of version 3", "get the file again")
}

#[cfg(test)]
mod tests;
