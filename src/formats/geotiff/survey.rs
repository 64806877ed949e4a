//! A picture's heights slab by slab: into memory, or into sums and a checksum alone.

use super::blocks::{Outcome, Picture, missing};
use super::stored_blocks;
use crate::error::{Error, Result};
use crate::formats::checksum::Checksum;
use crate::formats::decoded::Decoded;
use crate::formats::empties::Undeclared;
use crate::formats::input::heights_for;
use crate::formats::notices::CommonFactors;
use crate::formats::statistics::Moments;

/// Samples that are walked over whatever the file's length: 65,536 × 65,536.
const MOST_SAMPLES: u64 = 1 << 32;
/// Samples for each byte of a file's length that are walked over in any case.
const SAMPLES_A_BYTE: u64 = 64;
/// Samples that memory is taken for before any block was read: 64 MiB of heights.
const SMALL: usize = 16 << 20;

/// What was gathered on the way over a picture's heights.
pub(super) struct Walk {
    pub outcome: Outcome,
    pub moments: Moments,
    pub checksum: Option<Checksum>,
    pub factors: Option<CommonFactors>,
    /// Samples that were emptied because they hold an undeclared fill value.
    pub emptied: u64,
}

impl Walk {
    /// Walks over a picture, and holds one slab of its heights at a time.
    ///
    /// # Errors
    /// Sizes that nothing stands behind, or too little memory for a slab.
    pub fn over(
        picture: &Picture,
        fill: Option<Undeclared>,
        factors: Option<CommonFactors>,
        checksum: bool,
        file_length: u64,
    ) -> Result<Self> {
        check_size(picture.layout.size, file_length)?;
        let mut walk = Self {
            outcome: Outcome::default(),
            moments: Moments::default(),
            checksum: checksum.then(Checksum::default),
            factors,
            emptied: 0,
        };
        let (mut heights, mut first) = (Vec::new(), 0);
        while first < picture.layout.size[1] {
            let slab = picture.slab(first);
            first = slab.rows.end;
            if walk.checksum.is_none() && picture.is_missing(&slab) {
                walk.take_missing(picture, slab.rows.len());
                continue;
            }
            if heights.is_empty() {
                heights = heights_for([slab.columns.len() as u32, slab.rows.len() as u32])?;
            }
            let heights = &mut heights[..slab.columns.len() * slab.rows.len()];
            let outcome = picture.read(&slab, heights);
            walk.outcome = std::mem::take(&mut walk.outcome).followed_by(outcome);
            walk.take(heights, slab.columns.len(), fill);
        }
        Ok(walk)
    }

    fn take(&mut self, heights: &mut [f32], width: usize, fill: Option<Undeclared>) {
        self.emptied += fill.map_or(0, |fill| fill.empty(heights));
        self.moments.add_rows(heights, width);
        if let Some(factors) = &mut self.factors {
            factors.add(heights);
        }
        if let Some(checksum) = &mut self.checksum {
            checksum.add(heights);
        }
    }

    fn take_missing(&mut self, picture: &Picture, rows: usize) {
        let width = picture.layout.size[0];
        let samples = width as u64 * rows as u64;
        let raw = missing(&picture.decoder, samples);
        self.outcome = std::mem::take(&mut self.outcome).followed_by(Outcome { raw, ..Outcome::default() });
        if let Some(factors) = &mut self.factors {
            factors.add(&[picture.missing_height()]);
        }
        self.moments.add_repeated(&vec![picture.missing_height(); width], rows);
    }
}

/// Every height of a picture in memory.
///
/// # Errors
/// No room for them, or a large picture of which no block can be read.
pub(super) fn read_whole(picture: &Picture, decoded: &mut Decoded) -> Result<()> {
    check_readable(picture)?;
    let mut heights = heights_for(decoded.size)?;
    let mut outcome = Outcome::default();
    let mut rest = heights.as_mut_slice();
    let mut first = 0;
    while !rest.is_empty() {
        let slab = picture.slab(first);
        first = slab.rows.end;
        let (now, later) = rest.split_at_mut(slab.columns.len() * slab.rows.len());
        outcome = outcome.followed_by(picture.read(&slab, now));
        rest = later;
    }
    decoded.heights = heights;
    take_outcome(outcome, decoded)
}

/// Takes over the range of stored values, and tells of blocks that could not be read.
///
/// # Errors
/// No block could be read.
pub(super) fn take_outcome(outcome: Outcome, decoded: &mut Decoded) -> Result<()> {
    decoded.raw = outcome.raw;
    match outcome.reason {
        Some(reason) if outcome.read == 0 => Err(reason),
        Some(reason) => {
            let count = outcome.unreadable;
            let text =
                format!("{count} samples lie in blocks that cannot be read and are empty; first: {reason}");
            decoded.notes.warn("blocks-unreadable", text);
            Ok(())
        }
        None => Ok(()),
    }
}

/// Refuses sizes that would be walked over for minutes though next to nothing is stored.
fn check_size([width, depth]: [usize; 2], file_length: u64) -> Result<()> {
    let samples = (width as u64).saturating_mul(depth as u64);
    if samples <= MOST_SAMPLES.max(file_length.saturating_mul(SAMPLES_A_BYTE)) {
        return Ok(());
    }
    Err(Error::input(
        format!("{width}×{depth} samples, {} GiB of heights, in {file_length} bytes", samples >> 28),
        "a file whose samples are stored",
        "get the file again, or cut it into tiles",
    ))
}

/// Refuses a large picture of which nothing is stored that can be read, before memory is taken for it.
fn check_readable(picture: &Picture) -> Result<()> {
    let [width, depth] = picture.layout.size;
    if width.saturating_mul(depth) <= SMALL {
        return Ok(());
    }
    let mut reason = None;
    for (window, stored) in picture.stored_blocks() {
        match stored_blocks::read(picture, stored, &window) {
            Ok(_) => return Ok(()),
            Err(error) => reason = reason.or(Some(error)),
        }
    }
    match reason {
        Some(reason) => Err(reason),
        None if picture.missing_height().is_finite() => Ok(()),
        None => Err(Error::input(
            format!("none of {width}×{depth} samples is stored"),
            "at least one height",
            "get the file again",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_tiff::{TestTiff, Values};
    use crate::formats::test_files::TestFolder;
    use crate::formats::{Raster, ReadOptions, Survey, read, survey};
    use std::path::Path;

    const DEFLATE: u16 = 8;

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut packer = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
        let mut packed = vec![0; packer.zlib_compress_bound(bytes.len())];
        let length = packer.zlib_compress(bytes, &mut packed).expect("room");
        packed.truncate(length);
        packed
    }

    /// 3 columns, 10 rows, in strips of 2 rows: 100 · row + column.
    fn stairs() -> TestTiff {
        let samples: Vec<f32> = (0..30).map(|at| (100 * (at / 3) + at % 3) as f32).collect();
        TestTiff::floats([3, 10], &samples).in_strips(2)
    }

    fn both(path: &Path, options: &ReadOptions) -> (Raster, Survey) {
        (read(path, options).expect("read"), survey(path, options, true).expect("surveyed"))
    }

    /// Reads and surveys a file, and holds the one to the other.
    fn agreed(tiff: &TestTiff) -> Raster {
        let folder = TestFolder::new();
        let (raster, survey) = both(&folder.write("a.tif", &tiff.bytes()), &ReadOptions::default());
        let json = |facts| serde_json::to_string(facts).expect("serialised");
        assert_eq!(json(&raster.facts), json(&survey.facts));
        assert_eq!(Some(raster.checksum()), survey.sha256);
        raster
    }

    #[test]
    fn a_survey_tells_what_reading_tells() {
        let gap = |at: usize, block: &[u8]| if at == 3 { Vec::new() } else { deflate(block) };
        let sparse = stairs().packed(DEFLATE, gap);
        assert_eq!(agreed(&sparse).heights[17..20], [502.0, 0.0, 0.0]);
        let emptied = agreed(&sparse.clone().with(42113, Values::Text("-9999".into())));
        assert_eq!((emptied.facts.statistics.empty, emptied.facts.statistics.valid), (6, 24));
        let mut heights = [100.0_f32; 30];
        (heights[0], heights[29]) = (-9999.0, 350.0);
        let sentinel = agreed(&TestTiff::floats([3, 10], &heights).in_strips(1));
        assert_eq!((sentinel.facts.statistics.empty, sentinel.facts.statistics.raw_min), (1, Some(100.0)));
        assert!(sentinel.heights[0].is_nan());
    }

    #[test]
    fn a_block_that_cannot_be_read_is_empty_and_told() {
        let broken = |at: usize, block: &[u8]| if at == 1 { vec![1, 2, 3] } else { deflate(block) };
        let raster = agreed(&stairs().packed(DEFLATE, broken));
        assert_eq!((raster.facts.statistics.empty, raster.facts.statistics.valid), (6, 24));
        assert!(raster.heights[6..12].iter().all(|height| height.is_nan()));
        assert_eq!(raster.heights[12], 400.0);
        let warning = &raster.facts.warnings[0];
        assert_eq!(warning.code, "blocks-unreadable");
        assert!(warning.text.starts_with("6 samples lie in blocks that cannot be read"), "{}", warning.text);
        let folder = TestFolder::new();
        let nothing = stairs().packed(DEFLATE, |_, _| vec![1, 2, 3]);
        let error = folder.read("a.tif", &nothing.bytes()).expect_err("refused");
        assert!(error.to_string().contains("a broken Deflate block") && error.exit_code() == 3, "{error}");
    }

    #[test]
    fn a_block_past_the_end_of_the_file_is_empty() {
        let raster = agreed(&stairs().with(273, Values::Longs(vec![8, 32, 56, 80, 0x7fff_0000])));
        assert_eq!((raster.facts.statistics.empty, raster.heights[23]), (6, 702.0));
    }

    #[test]
    fn byte_counts_that_are_left_out_follow_from_where_blocks_begin() {
        let packed = stairs().packed(DEFLATE, |_, block| deflate(block));
        for tiff in [stairs(), packed] {
            let raster = agreed(&tiff.with(279, Values::Longs(Vec::new())));
            assert_eq!((raster.facts.statistics.valid, raster.heights[29]), (30, 902.0));
        }
    }

    #[test]
    fn size_alone_is_neither_a_burden_nor_believed() {
        let folder = TestFolder::new();
        let sparse = |side: u32| folder.write("a.tif", &TestTiff::floats([side, side], &[]).bytes());
        let found = survey(&sparse(40_000), &ReadOptions::default(), false).expect("surveyed");
        assert_eq!((found.facts.statistics.valid, found.facts.statistics.max), (1_600_000_000, Some(0.0)));
        let error = survey(&sparse(1_000_000), &ReadOptions::default(), false).expect_err("refused");
        assert!(error.to_string().contains("1000000×1000000 samples, 3725 GiB of heights"), "{error}");
        let nodata = TestTiff::floats([16_385, 16_385], &[]).with(42113, Values::Text("0".into()));
        let path = folder.write("b.tif", &nodata.bytes());
        let found = survey(&path, &ReadOptions::default(), false).expect("surveyed");
        assert_eq!((found.facts.statistics.valid, found.facts.statistics.empty), (0, 16_385 * 16_385));
        assert_eq!(read(&path, &ReadOptions::default()).expect_err("refused").exit_code(), 3);
    }
}
