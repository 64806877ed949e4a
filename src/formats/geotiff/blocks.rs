//! Samples of one band of one picture, block by block on all threads.

use super::block_table::Stored;
use super::layout::Layout;
use super::stored_blocks;
use crate::error::Error;
use crate::formats::samples::{Decoder, RawRange};
use crate::terrain::EMPTY;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use tiff_reader::{Ifd, TiffFile};

/// Heights that are decoded at once: 96 MiB. Tiles of 512 rows stay whole up to 49,152 columns.
const LARGEST_SLAB: usize = 24 << 20;

/// One band of one picture, with what empties it.
pub(super) struct Picture {
    pub tiff: Arc<TiffFile>,
    pub ifd: Ifd,
    pub layout: Layout,
    /// From 0.
    pub band: usize,
    pub decoder: Decoder,
    /// Where this one is 0, a sample is empty.
    pub mask: Option<Box<Picture>>,
}

/// A rectangle of samples.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Window {
    pub columns: Range<usize>,
    pub rows: Range<usize>,
}

/// What came of decoding blocks.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub raw: RawRange,
    /// Samples of blocks that were read.
    pub read: u64,
    /// Samples of blocks that could not be read, and the first reason.
    pub unreadable: u64,
    pub reason: Option<Error>,
}

/// The part of a window that lies in one block.
struct Target<'a> {
    across: usize,
    down: usize,
    window: Window,
    /// The heights to fill, row by row.
    heights: Vec<&'a mut [f32]>,
    /// The mask beside them.
    mask: Vec<&'a [f32]>,
}

impl Picture {
    /// Rows that are decoded at once, as far as they go: whole rows of blocks where memory allows it.
    pub fn slab_rows(&self) -> usize {
        let Layout { size, block, .. } = self.layout;
        let room = if self.mask.is_some() { LARGEST_SLAB / 2 } else { LARGEST_SLAB };
        let most = (room / size[0]).max(1);
        match block[1] {
            rows if rows <= most => most / rows * rows,
            _ if self.layout.can_be_cut() => most,
            rows => rows,
        }
    }

    /// The whole rows of a slab that begins at `first`.
    pub fn slab(&self, first: usize) -> Window {
        let last = first.saturating_add(self.slab_rows()).min(self.layout.size[1]);
        Window { columns: 0..self.layout.size[0], rows: first..last }
    }

    /// Whether every block that a window touches is missing, and no mask says more.
    pub fn is_missing(&self, window: &Window) -> bool {
        self.mask.is_none() && self.layout.is_missing(self.band, window.rows.clone())
    }

    /// The first sample of every block that is stored, and where the block lies in the file.
    pub fn stored_blocks(&self) -> impl Iterator<Item = (Window, Stored)> {
        let Layout { block, across, down, .. } = self.layout;
        let at = move |index: usize| (index % across, index / across);
        (0..across * down).map(at).filter_map(move |(across, down)| {
            let (column, row) = (across * block[0], down * block[1]);
            let window = Window { columns: column..column + 1, rows: row..row + 1 };
            Some((window, self.layout.stored(self.band, across, down)?))
        })
    }

    /// The height of samples whose block is missing: empty, or zero as stored where no empty value is declared.
    pub fn missing_height(&self) -> f32 {
        if self.decoder.empty.is_some() { EMPTY } else { self.decoder.offset as f32 }
    }

    /// Decodes a window; `heights` has its size. Samples of blocks that cannot be read are empty.
    pub fn read(&self, window: &Window, heights: &mut [f32]) -> Outcome {
        let Some(mask) = &self.mask else { return self.read_masked(window, heights, &[]) };
        let mut shown = vec![0.0; heights.len()];
        let of_mask = mask.read(window, &mut shown);
        let mut outcome = self.read_masked(window, heights, &shown);
        outcome.unreadable += of_mask.unreadable;
        outcome.reason = outcome.reason.or(of_mask.reason);
        outcome
    }

    fn read_masked(&self, window: &Window, heights: &mut [f32], mask: &[f32]) -> Outcome {
        let decoder = Decoder { endian: stored_blocks::endian(self), ..self.decoder.clone() };
        targets(window, self.layout.block, heights, mask)
            .into_par_iter()
            .map(|target| self.decode(&decoder, target))
            .reduce(Outcome::default, Outcome::followed_by)
    }

    fn decode(&self, decoder: &Decoder, mut target: Target) -> Outcome {
        let Some(stored) = self.layout.stored(self.band, target.across, target.down) else {
            return Outcome { raw: self.fill_missing(&mut target), ..Outcome::default() };
        };
        let count = (target.window.columns.len() * target.window.rows.len()) as u64;
        match stored_blocks::read(self, stored, &target.window) {
            Ok(samples) => {
                let mut raw = RawRange::default();
                for (row, heights) in target.heights.iter_mut().enumerate() {
                    let mask = target.mask.get(row).copied();
                    raw = raw.merge(decode_row(decoder, &samples.row(row), mask, heights));
                }
                Outcome { raw, read: count, ..Outcome::default() }
            }
            Err(error) => {
                target.heights.iter_mut().for_each(|heights| heights.fill(EMPTY));
                Outcome { unreadable: count, reason: Some(error), ..Outcome::default() }
            }
        }
    }

    fn fill_missing(&self, target: &mut Target) -> RawRange {
        let fill = self.missing_height();
        let mut filled = 0;
        for (row, heights) in target.heights.iter_mut().enumerate() {
            heights.fill(fill);
            filled += heights.len() as u64;
            let masked = target.mask.get(row).into_iter().flat_map(|mask| mask.iter());
            for (height, _) in heights.iter_mut().zip(masked).filter(|(_, mask)| **mask == 0.0) {
                *height = EMPTY;
                filled -= 1;
            }
        }
        missing(&self.decoder, filled)
    }
}

/// The range of so many samples whose block is missing.
pub(super) fn missing(decoder: &Decoder, samples: u64) -> RawRange {
    let mut range = RawRange::default();
    if decoder.empty.is_some() {
        range.declared = samples;
    } else if samples > 0 {
        range.add(0.0);
    }
    range
}

impl Outcome {
    /// Both, in order.
    pub fn followed_by(self, other: Self) -> Self {
        Self {
            raw: self.raw.merge(other.raw),
            read: self.read + other.read,
            unreadable: self.unreadable + other.unreadable,
            reason: self.reason.or(other.reason),
        }
    }
}

/// Cuts a window and its heights where blocks begin. The mask is as large as the heights, or has nothing.
fn targets<'a>(
    window: &Window,
    block: [usize; 2],
    heights: &'a mut [f32],
    mask: &'a [f32],
) -> Vec<Target<'a>> {
    let width = window.columns.len();
    let mut targets = Vec::new();
    let (mut heights, mut mask) = (heights.chunks_exact_mut(width), mask.chunks_exact(width));
    for (down, rows) in portions(&window.rows, block[1]) {
        let first = targets.len();
        targets.extend(portions(&window.columns, block[0]).map(|(across, columns)| Target {
            across,
            down,
            heights: Vec::with_capacity(rows.len()),
            mask: Vec::new(),
            window: Window { columns, rows: rows.clone() },
        }));
        for mut row in heights.by_ref().take(rows.len()) {
            let mut shown = mask.next();
            for target in &mut targets[first..] {
                let (part, rest) = row.split_at_mut(target.window.columns.len());
                row = rest;
                target.heights.push(part);
                if let Some((part, rest)) = shown.map(|shown| shown.split_at(target.window.columns.len())) {
                    shown = Some(rest);
                    target.mask.push(part);
                }
            }
        }
    }
    targets
}

/// The blocks that a range of columns or rows touches, each with the part of the range in it.
fn portions(range: &Range<usize>, block: usize) -> impl Iterator<Item = (usize, Range<usize>)> {
    let Range { start, end } = *range;
    (start / block..end.div_ceil(block))
        .map(move |index| (index, start.max(index * block)..end.min((index + 1) * block)))
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
