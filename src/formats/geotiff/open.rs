//! Opening a TIFF with limits that follow from its length.

use super::half_floats::HalfFloats;
use super::refused;
use crate::error::{Error, Result};
use crate::formats::input::Input;
use std::sync::Arc;
use tiff_reader::source::{FileSource, SharedSource};
use tiff_reader::{Ifd, OpenOptions, ParseBudgets, TiffFile};

/// Directories that are followed: pages, overviews and masks.
const MOST_DIRECTORIES: usize = 4096;
/// Bytes that one decoded block may take; layouts are held against stored bytes before.
const LARGEST_BLOCK: usize = 1 << 32;

/// An opened TIFF.
pub(super) struct Opened {
    pub tiff: TiffFile,
    /// Whether the main picture's samples are half floats, handed out as 16-bit integers of the same bits.
    pub halves: bool,
}

/// Opens a TIFF.
pub(super) fn open(input: &Input) -> Result<Opened> {
    let source: SharedSource = Arc::new(FileSource::open(&input.path).map_err(|error| refused(&error))?);
    let options = limits(input.length);
    let open = |source| TiffFile::from_source_with_options(source, options).map_err(|error| refused(&error));
    let tiff = open(source.clone())?;
    match HalfFloats::find(&tiff, &source) {
        Some(halves) => Ok(Opened { tiff: open(Arc::new(halves))?, halves: true }),
        None => Ok(Opened { tiff, halves: false }),
    }
}

/// The directory of the main picture.
pub(super) fn first_directory(tiff: &TiffFile) -> Result<&Ifd> {
    tiff.ifds().first().ok_or_else(|| {
        Error::input("a TIFF without a picture", "at least one directory", "get the file again")
    })
}

fn limits(length: u64) -> OpenOptions {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let defaults = ParseBudgets::default();
    OpenOptions {
        // Every block is read once, so none needs to be kept.
        block_cache_bytes: 0,
        block_cache_slots: 1,
        parse_budgets: ParseBudgets {
            max_ifds: MOST_DIRECTORIES,
            max_ifd_entries: defaults.max_ifd_entries.min(length / 12 + 1),
            max_tag_value_bytes: defaults.max_tag_value_bytes.min(length),
            max_metadata_value_bytes: defaults.max_metadata_value_bytes.min(length.saturating_mul(2)),
        },
        decode_output_bytes: LARGEST_BLOCK,
    }
}
