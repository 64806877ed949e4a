//! Where a picture's blocks lie in its file, also where the file's own tables are not whole.

use super::codec;
use crate::error::{Error, Result};
use tiff_reader::{Ifd, TagValue};

const TAG_STRIP_OFFSETS: u16 = 273;
const TAG_STRIP_BYTES: u16 = 279;
const TAG_TILE_OFFSETS: u16 = 324;
const TAG_TILE_BYTES: u16 = 325;

/// Where a block lies in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Stored {
    pub offset: u64,
    /// Bytes in the file; none for a block that is missing.
    pub bytes: u64,
}

/// Where every block lies. `blocks`: how many there must be. `plain_bytes`: bytes of one that is not compressed.
///
/// Byte counts that are left out are made up for: a plain block has the bytes that it needs, any other ends
/// where the next one or the file does.
pub(super) fn read(ifd: &Ifd, blocks: usize, plain_bytes: u64, file_length: u64) -> Result<Vec<Stored>> {
    // Some writers keep tiles under the tags of strips.
    let tables = [(TAG_TILE_OFFSETS, TAG_TILE_BYTES), (TAG_STRIP_OFFSETS, TAG_STRIP_BYTES)];
    let found = tables.into_iter().find_map(|(offsets, bytes)| Some((numbers(ifd, offsets)?, bytes)));
    let Some((mut offsets, bytes)) = found.filter(|(offsets, _)| offsets.len() >= blocks) else {
        return Err(Error::input(
            format!("no full table of where {blocks} blocks of samples are stored"),
            "an offset for every strip or tile",
            "get the file again",
        ));
    };
    offsets.truncate(blocks);
    let told = numbers(ifd, bytes).unwrap_or_default();
    let ends = if told.len() < blocks { ends(&offsets, file_length) } else { Vec::new() };
    let bytes_of = |index: usize, offset: u64| match told.get(index) {
        Some(bytes) => *bytes,
        None if codec::is_plain(ifd.compression()) => plain_bytes.min(file_length.saturating_sub(offset)),
        None => ends[ends.partition_point(|end| *end <= offset).min(ends.len() - 1)].saturating_sub(offset),
    };
    let stored =
        |(index, offset)| Stored { offset, bytes: if offset == 0 { 0 } else { bytes_of(index, offset) } };
    Ok(offsets.into_iter().enumerate().map(stored).collect())
}

/// Every place where a block may end, in order: where another begins, and the end of the file.
fn ends(offsets: &[u64], file_length: u64) -> Vec<u64> {
    let mut ends = offsets.to_vec();
    ends.push(file_length);
    ends.sort_unstable();
    ends
}

/// A tag's whole numbers, of whichever type they are written in.
fn numbers(ifd: &Ifd, tag: u16) -> Option<Vec<u64>> {
    match &ifd.tag(tag)?.value {
        TagValue::SLong8(values) => values.iter().map(|value| u64::try_from(*value).ok()).collect(),
        TagValue::SLong(values) => values.iter().map(|value| u64::try_from(*value).ok()).collect(),
        other => other.as_u64_vec(),
    }
}
