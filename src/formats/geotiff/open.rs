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
/// Directories below the first that are looked at.
const MOST_BELOW: usize = 64;
/// Bytes that one decoded block may take; layouts are held against stored bytes before.
const LARGEST_BLOCK: usize = 1 << 32;

/// An opened TIFF.
pub(super) struct Opened {
    pub tiff: Arc<TiffFile>,
    /// Whether the main picture's samples are half floats, handed out as 16-bit integers of the same bits.
    pub halves: bool,
}

/// Opens a TIFF.
///
/// # Errors
/// Directories that cannot be read.
pub(super) fn open(input: &Input) -> Result<Opened> {
    let source: SharedSource = Arc::new(FileSource::open(&input.path).map_err(|error| refused(&error))?);
    let options = limits(input.length);
    let open = |source| TiffFile::from_source_with_options(source, options).map_err(|error| refused(&error));
    let tiff = open(source.clone())?;
    Ok(match HalfFloats::find(&tiff, &source) {
        Some(halves) => Opened { tiff: Arc::new(open(Arc::new(halves))?), halves: true },
        None => Opened { tiff: Arc::new(tiff), halves: false },
    })
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

/// What a directory holds, by its subfile type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Picture,
    Overview,
    Mask,
    OverviewMask,
}

impl Kind {
    /// The kind of a directory.
    pub fn of(ifd: &Ifd) -> Self {
        const TAG_NEW_SUBFILE_TYPE: u16 = 254;
        let subfile = ifd.tag(TAG_NEW_SUBFILE_TYPE).and_then(|tag| tag.value.as_u32()).unwrap_or(0);
        match (subfile & 1 != 0, subfile & 4 != 0) {
            (false, false) => Self::Picture,
            (true, false) => Self::Overview,
            (false, true) => Self::Mask,
            (true, true) => Self::OverviewMask,
        }
    }
}

/// Every directory but the first: those that follow it, and those below it. What cannot be read is left out.
pub(super) fn others(tiff: &TiffFile) -> impl Iterator<Item = Ifd> {
    let below = tiff.ifds().first().and_then(Ifd::sub_ifd_offsets).unwrap_or_default();
    let below = below.into_iter().take(MOST_BELOW);
    let below = below.filter_map(|offset| tiff.read_ifd_at_offset(offset).ok());
    tiff.ifds().iter().skip(1).cloned().chain(below)
}
