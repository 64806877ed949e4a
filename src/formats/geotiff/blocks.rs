//! Samples of one band, block by block on all threads.

use super::layout::{Layout, Stored};
use super::refused;
use super::stored_blocks::{self, Part};
use crate::error::{Error, Result};
use crate::formats::input::heights_for;
use crate::formats::samples::{Decoder, RawRange};
use crate::terrain::EMPTY;
use rayon::prelude::*;
use tiff_reader::{Ifd, TiffFile};

/// One band of one picture.
pub(super) struct Picture<'a> {
    pub tiff: &'a TiffFile,
    pub ifd: &'a Ifd,
    pub layout: &'a Layout,
    /// From 0.
    pub band: usize,
}

/// A row of blocks within the output.
struct Band<'a> {
    first_row: usize,
    heights: &'a mut [f32],
    mask: Option<&'a [f32]>,
}

/// Decodes the band. Where the mask is 0 a sample is empty.
pub(super) fn read(
    picture: &Picture,
    decoder: &Decoder,
    mask: Option<&[f32]>,
) -> Result<(Vec<f32>, RawRange)> {
    let layout = picture.layout;
    let decoder = &Decoder { endian: stored_blocks::endian(picture), ..decoder.clone() };
    let mut heights = heights_for(layout.size.map(|samples| samples as u32))?;
    let samples = layout.size[0] * layout.block[1].min(layout.size[1]);
    let ranges: Result<Vec<RawRange>> = heights
        .par_chunks_mut(samples)
        .enumerate()
        .map(|(down, heights)| {
            let start = down * samples;
            let mask = mask.map(|mask| &mask[start..start + heights.len()]);
            let first_row = down * layout.block[1];
            read_row_of_blocks(picture, decoder, down, &mut Band { first_row, heights, mask })
        })
        .collect();
    let range = ranges?.into_iter().fold(RawRange::default(), RawRange::merge);
    Ok((heights, range))
}

fn read_row_of_blocks(picture: &Picture, decoder: &Decoder, down: usize, out: &mut Band) -> Result<RawRange> {
    let layout = picture.layout;
    let width = layout.size[0];
    let rows = out.heights.len() / width;
    let mut range = RawRange::default();
    for across in 0..layout.across {
        let first = across * layout.block[0];
        let columns = layout.block[0].min(width - first);
        let Some(stored) = layout.stored(picture.band, across, down) else {
            range = range.merge(fill_missing(decoder, out, [first, columns], width));
            continue;
        };
        let row_bytes = columns * decoder.sample.bytes();
        let bytes = read_block(picture, stored, out.first_row, first, Part { rows, columns })?;
        if bytes.len() != rows * row_bytes {
            return Err(short_block(bytes.len(), rows * row_bytes));
        }
        for (row, stored) in bytes.chunks_exact(row_bytes).enumerate() {
            let at = row * width + first;
            let mask = out.mask.map(|mask| &mask[at..at + columns]);
            let heights = &mut out.heights[at..at + columns];
            range = range.merge(decode_row(decoder, stored, mask, heights));
        }
    }
    Ok(range)
}

/// The band's samples of one block, as far as it lies within the picture.
fn read_block(
    picture: &Picture,
    stored: Stored,
    first_row: usize,
    first: usize,
    part: Part,
) -> Result<Vec<u8>> {
    if stored_blocks::reads(picture) {
        return stored_blocks::read(picture, stored, part);
    }
    let Part { rows, columns } = part;
    picture
        .tiff
        .read_band_window_bytes_from_ifd(picture.ifd, picture.band, first_row, first, rows, columns)
        .map_err(|error| refused(&error))
}

/// Decodes the runs of samples that the mask leaves.
fn decode_row(decoder: &Decoder, stored: &[u8], mask: Option<&[f32]>, heights: &mut [f32]) -> RawRange {
    let Some(mask) = mask else { return decoder.decode(stored, heights) };
    let bytes = decoder.sample.bytes();
    let mut range = RawRange::default();
    let mut at = 0;
    for run in mask.chunk_by(|a, b| (*a == 0.0) == (*b == 0.0)) {
        let heights = &mut heights[at..at + run.len()];
        if run[0] == 0.0 {
            heights.fill(EMPTY);
        } else {
            range = range.merge(decoder.decode(&stored[at * bytes..], heights));
        }
        at += run.len();
    }
    range
}

/// A missing block holds the empty value, or zeros where none is declared.
fn fill_missing(decoder: &Decoder, out: &mut Band, [first, columns]: [usize; 2], width: usize) -> RawRange {
    let mut range = RawRange::default();
    let fill = if decoder.empty.is_some() { EMPTY } else { decoder.offset as f32 };
    let mut filled = 0;
    for (row, heights) in out.heights.chunks_exact_mut(width).enumerate() {
        let at = row * width + first;
        for (column, height) in heights[first..first + columns].iter_mut().enumerate() {
            let masked = out.mask.is_some_and(|mask| mask[at + column] == 0.0);
            *height = if masked { EMPTY } else { fill };
            filled += u64::from(!masked);
        }
    }
    if decoder.empty.is_some() {
        range.declared += filled;
    } else if filled > 0 {
        range.add(0.0);
    }
    range
}

fn short_block(found: usize, expected: usize) -> Error {
    Error::input(format!("a block of {found} bytes"), format!("{expected} bytes"), "get the file again")
}
