//! The samples of one block. Compressions of bytes are undone here, only as far as wanted; pictures' codecs, LERC
//! and samples that fill no whole bytes are left to the TIFF library.

use super::block_table::Stored;
use super::blocks::{Picture, Window};
use super::predictor::RowLayout;
use super::refused;
use super::unpack::{takes_predictor, undoes, unpack};
use crate::error::{Error, Result};
use crate::formats::samples::{Endian, NATIVE};
use std::borrow::Cow;
use tiff_reader::ByteOrder;

/// Rows of samples, of which one band is wanted.
pub(super) struct Samples {
    bytes: Vec<u8>,
    /// Bytes of one row.
    row: usize,
    /// The wanted bytes of a row, before other bands are left out.
    columns: std::ops::Range<usize>,
    /// Bytes of one pixel, and where the band's sample lies in it.
    pixel: usize,
    sample: std::ops::Range<usize>,
}

impl Samples {
    /// The band's samples of a row, counted from the first that was asked for.
    pub fn row(&self, row: usize) -> Cow<'_, [u8]> {
        let start = row * self.row;
        let bytes = &self.bytes[start + self.columns.start..start + self.columns.end];
        if self.pixel == self.sample.len() {
            return bytes.into();
        }
        let samples = bytes.chunks_exact(self.pixel).flat_map(|pixel| &pixel[self.sample.clone()]);
        samples.copied().collect::<Vec<u8>>().into()
    }
}

const LERC: u16 = 34887;

/// The byte order of the samples that are handed out.
pub(super) fn endian(picture: &Picture) -> Endian {
    match (is_own(picture), picture.ifd.compression()) {
        (true, _) => row_layout(picture).endian_after(),
        // libtiff turns a foreign byte order round before its codec sees the samples, so that LERC holds turned numbers.
        (false, LERC) => row_layout(picture).endian,
        (false, _) => NATIVE,
    }
}

/// The samples of a window that lies within one block.
///
/// # Errors
/// A block that is broken or not whole.
pub(super) fn read(picture: &Picture, stored: Stored, window: &Window) -> Result<Samples> {
    let samples = if is_own(picture) {
        read_own(picture, stored, window)?
    } else {
        read_with_library(picture, window)?
    };
    let wanted = window.rows.len() * samples.row;
    if samples.bytes.len() < wanted {
        return Err(too_short(samples.bytes.len(), wanted));
    }
    Ok(samples)
}

/// Whether blocks of a picture are read here.
fn is_own(picture: &Picture) -> bool {
    const YCBCR: u16 = 6;
    let ifd = &picture.ifd;
    undoes(ifd.compression()) && !picture.layout.bit_packed && ifd.photometric_interpretation() != Some(YCBCR)
}

fn row_layout(picture: &Picture) -> RowLayout {
    let layout = &picture.layout;
    RowLayout {
        predictor: if takes_predictor(picture.ifd.compression()) { picture.ifd.predictor() } else { 1 },
        bytes: layout.block[0] * layout.interleaved() * layout.sample.bytes(),
        sample: layout.sample.bytes(),
        interleaved: layout.interleaved(),
        endian: match picture.tiff.byte_order() {
            ByteOrder::LittleEndian => Endian::Little,
            ByteOrder::BigEndian => Endian::Big,
        },
    }
}

fn read_own(picture: &Picture, stored: Stored, window: &Window) -> Result<Samples> {
    let layout = &picture.layout;
    let rows = row_layout(picture);
    let [block_columns, block_rows] = layout.block;
    let (left, top) = (window.columns.start % block_columns, window.rows.start % block_rows);
    let (skipped, wanted) = (top * rows.bytes, window.rows.len() * rows.bytes);
    let mut bytes = if layout.is_plain {
        let there = stored.bytes.saturating_sub(skipped as u64).min(wanted as u64);
        fetch(picture, stored.offset.saturating_add(skipped as u64), there)?
    } else {
        // A strip at the end may be packed with more rows than the picture has.
        let room = block_rows * rows.bytes;
        let mut bytes =
            unpack(picture.ifd.compression(), fetch(picture, stored.offset, stored.bytes)?, room)?;
        bytes.drain(..skipped.min(bytes.len()));
        bytes.truncate(wanted);
        bytes
    };
    rows.undo(&mut bytes)?;
    let pixel = rows.interleaved * rows.sample;
    let first = if layout.planar { 0 } else { picture.band * rows.sample };
    Ok(Samples {
        bytes,
        row: rows.bytes,
        columns: left * pixel..(left + window.columns.len()) * pixel,
        pixel,
        sample: first..first + rows.sample,
    })
}

fn read_with_library(picture: &Picture, window: &Window) -> Result<Samples> {
    let Window { columns, rows } = window;
    let bytes = picture
        .tiff
        .read_band_window_bytes_from_ifd(
            &picture.ifd,
            picture.band,
            rows.start,
            columns.start,
            rows.len(),
            columns.len(),
        )
        .map_err(|error| refused(&error))?;
    let sample = picture.layout.sample.bytes();
    let row = columns.len() * sample;
    Ok(Samples { bytes, row, columns: 0..row, pixel: sample, sample: 0..sample })
}

/// The stored bytes of a block as far as the file has them, each with its highest bit first.
fn fetch(picture: &Picture, offset: u64, bytes: u64) -> Result<Vec<u8>> {
    const LOWEST_BIT_FIRST: u16 = 2;
    let source = picture.tiff.source();
    let length = bytes.min(source.len().saturating_sub(offset)) as usize;
    let mut bytes = source.read_exact_at(offset, length).map_err(|error| refused(&error))?;
    if picture.ifd.fill_order() == LOWEST_BIT_FIRST {
        bytes.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
    }
    Ok(bytes)
}

fn too_short(found: usize, expected: usize) -> Error {
    Error::input(
        format!("a block that ends after {found} bytes"),
        format!("{expected}"),
        "get the file again",
    )
}
