//! The tiles of a mosaic: each one's facts, and its heights for as long as there is room to keep them.

use super::arrange::Edges;
use super::compose::Samples;
use crate::error::{Error, Result};
use crate::formats::decoded::Decoded;
use crate::formats::{ReadOptions, decode};
use crate::geo::LengthUnit;
use crate::terrain::is_empty;
use std::path::{Path, PathBuf};

/// Heights that are kept between looking at the tiles and putting them together, in samples: 256 MiB. What is beyond is read
/// twice.
const KEPT: u64 = 1 << 26;

/// One tile as it was read.
pub(super) struct Tile {
    pub path: PathBuf,
    /// All but its heights.
    pub decoded: Decoded,
    /// Which of its columns and rows run against the terrain's.
    pub flips: [bool; 2],
    /// Its outer samples, as stored.
    pub edges: Edges,
    kept: Option<Vec<f32>>,
}

/// The tiles in the order of their files.
#[derive(Default)]
pub(super) struct Survey {
    pub tiles: Vec<Tile>,
    /// Samples of all tiles, and of those that are kept.
    samples: u64,
    kept: u64,
}

impl Survey {
    /// Reads a tile and keeps what is needed of it.
    ///
    /// # Errors
    /// As its reader.
    pub fn add(&mut self, path: &Path, options: &ReadOptions) -> Result<()> {
        let mut decoded = decode(path, options)?;
        let heights = std::mem::take(&mut decoded.heights);
        let edges = Edges::of(&heights, decoded.size[0] as usize);
        let samples = heights.len() as u64;
        let has_room = self.kept + samples <= KEPT;
        self.kept += if has_room { samples } else { 0 };
        self.samples += samples;
        let kept = has_room.then_some(heights);
        self.tiles.push(Tile { path: path.to_owned(), decoded, flips: [false; 2], edges, kept });
        Ok(())
    }

    /// Samples of all tiles so far.
    pub fn samples(&self) -> u64 {
        self.samples
    }
}

impl Tile {
    /// The unit of its heights.
    pub fn unit(&self) -> LengthUnit {
        self.decoded.unit.as_ref().map_or_else(LengthUnit::metre, |(unit, _)| unit.clone())
    }

    /// Whether the file says where it stands.
    pub fn has_place(&self) -> bool {
        let warnings = &self.decoded.notes.warnings;
        self.decoded.geotransform.is_some() && !warnings.iter().any(|warning| warning.code == "unplaced")
    }

    /// Takes its samples out, the north-western one first; in metres where asked for.
    ///
    /// # Errors
    /// A file that cannot be read again, or that has changed.
    pub fn take(&mut self, in_metres: bool, options: &ReadOptions) -> Result<Samples> {
        let mut heights = match self.kept.take() {
            Some(heights) => heights,
            None => self.read_again(options)?,
        };
        let width = self.decoded.size[0] as usize;
        if self.flips[0] {
            heights.chunks_exact_mut(width).for_each(<[f32]>::reverse);
        }
        if self.flips[1] {
            heights = heights.chunks_exact(width).rev().flatten().copied().collect();
        }
        let metres = self.unit().metres;
        if in_metres && metres != 1.0 {
            for height in heights.iter_mut().filter(|height| !is_empty(**height)) {
                *height = (f64::from(*height) * metres) as f32;
            }
        }
        Ok(Samples { size: self.decoded.size, heights })
    }

    fn read_again(&self, options: &ReadOptions) -> Result<Vec<f32>> {
        let again = decode(&self.path, options)?;
        if again.size == self.decoded.size {
            return Ok(again.heights);
        }
        let error =
            Error::input("a file that changed while it was read", "the file as it was", "open it again");
        Err(error.in_file(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::test_files::TestFolder;

    #[test]
    fn samples_are_upright_and_are_read_again_where_they_were_not_kept() {
        let folder = TestFolder::new();
        let text = "ncols 2\nnrows 2\ncellsize 1\nNODATA_value 4\n1 2 3 4";
        let path = folder.write("a.asc", text.as_bytes());
        let mut survey = Survey::default();
        survey.add(&path, &ReadOptions::default()).expect("read");
        let tile = &mut survey.tiles[0];
        tile.flips = [true, false];
        for _ in 0..2 {
            let taken = tile.take(false, &ReadOptions::default()).expect("read");
            assert_eq!((taken.size, &taken.heights[..2], taken.heights[3]), ([2, 2], &[2.0, 1.0][..], 3.0));
            assert!(is_empty(taken.heights[2]));
        }
        tile.flips = [false, true];
        assert_eq!(tile.take(true, &ReadOptions::default()).expect("read").heights[2..], [1.0, 2.0]);
        folder.write("a.asc", b"ncols 2\nnrows 1\ncellsize 1\n1 2");
        let error = tile.take(false, &ReadOptions::default()).err().expect("refused");
        assert!(error.to_string().contains("a file that changed while it was read"), "{error}");
    }
}
