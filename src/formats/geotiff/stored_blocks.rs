//! Blocks that the TIFF library is not asked for: plain ones, of which only the wanted rows are read;
//! PackBits, whose writers cut the last tiles short; and LZMA, which it does not know.

use super::blocks::Picture;
use super::layout::Stored;
use super::refused;
use crate::error::{Error, Result};
use crate::formats::samples::{Endian, NATIVE};
use lzma_rust2::XzReader;
use std::io::Read;
use tiff_reader::ByteOrder;

const NONE: u16 = 1;
const PACK_BITS: u16 = 32773;
const LZMA: u16 = 34925;
/// Memory for the dictionary of an LZMA stream, in KiB: that of the strongest preset, with room.
const LZMA_MEMORY: u32 = 80 << 10;

/// Rows and columns of a block that are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub rows: usize,
    pub columns: usize,
}

/// Whether blocks of a picture are read here.
pub(super) fn reads(picture: &Picture) -> bool {
    const YCBCR: u16 = 6;
    let ifd = picture.ifd;
    matches!(ifd.compression(), NONE | PACK_BITS | LZMA)
        && !picture.layout.bit_packed
        && ifd.fill_order() == 1
        && ifd.photometric_interpretation() != Some(YCBCR)
}

/// The byte order of the samples that are handed out.
pub(super) fn endian(picture: &Picture) -> Endian {
    match picture.tiff.byte_order() {
        _ if !reads(picture) => NATIVE,
        ByteOrder::LittleEndian => Endian::Little,
        ByteOrder::BigEndian => Endian::Big,
    }
}

/// The band's samples of the upper left part of a block, in the file's byte order.
pub(super) fn read(picture: &Picture, stored: Stored, part: Part) -> Result<Vec<u8>> {
    let layout = picture.layout;
    let pixel = layout.interleaved() * layout.sample.bytes();
    let row = layout.block[0] * pixel;
    let wanted = part.rows * row;
    let bytes = match picture.ifd.compression() {
        LZMA => inflate_lzma(picture, &fetch(picture, stored, stored.bytes)?, wanted)?,
        PACK_BITS => unpack(&fetch(picture, stored, stored.bytes)?, wanted)?,
        _ => fetch(picture, stored, stored.bytes.min(wanted as u64))?,
    };
    if bytes.len() < wanted {
        return Err(too_short(bytes.len(), wanted));
    }
    let first = if layout.planar { 0 } else { picture.band * layout.sample.bytes() };
    let sample = first..first + layout.sample.bytes();
    if pixel == layout.sample.bytes() && part.columns == layout.block[0] {
        return Ok(bytes);
    }
    let samples = bytes.chunks_exact(row).flat_map(|row| row.chunks_exact(pixel).take(part.columns));
    Ok(samples.flat_map(|pixel| &pixel[sample.clone()]).copied().collect())
}

fn fetch(picture: &Picture, stored: Stored, bytes: u64) -> Result<Vec<u8>> {
    let source = picture.tiff.source();
    source.read_exact_at(stored.offset, bytes as usize).map_err(|error| refused(&error))
}

/// Undoes LZMA as far as it is wanted. Its writers leave differences to the stream's own filter.
fn inflate_lzma(picture: &Picture, packed: &[u8], wanted: usize) -> Result<Vec<u8>> {
    if picture.ifd.predictor() != 1 {
        return Err(Error::input(
            format!("LZMA with predictor {}", picture.ifd.predictor()),
            "LZMA without a predictor",
            "convert it, for example with gdal_translate -co COMPRESS=DEFLATE",
        ));
    }
    let mut bytes = Vec::new();
    XzReader::new_mem_limit(packed, false, LZMA_MEMORY).take(wanted as u64).read_to_end(&mut bytes).map_err(
        |error| Error::input(format!("a broken LZMA block: {error}"), "a whole one", "get the file again"),
    )?;
    Ok(bytes)
}

/// Undoes PackBits as far as it is wanted: a count and that many bytes, or a negative count and a byte to
/// repeat.
fn unpack(packed: &[u8], wanted: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(wanted);
    let mut rest = packed;
    while let [count, tail @ ..] = rest
        && bytes.len() < wanted
    {
        rest = match *count as i8 {
            0.. => {
                let literal = usize::from(*count) + 1;
                let (run, tail) =
                    tail.split_at_checked(literal).ok_or_else(|| too_short(tail.len(), literal))?;
                bytes.extend_from_slice(run);
                tail
            }
            // A count that says nothing.
            i8::MIN => tail,
            repeat => {
                let [byte, tail @ ..] = tail else { return Err(too_short(0, 1)) };
                bytes.resize(bytes.len() + usize::from(repeat.unsigned_abs()) + 1, *byte);
                tail
            }
        };
    }
    bytes.truncate(wanted);
    Ok(bytes)
}

fn too_short(found: usize, expected: usize) -> Error {
    Error::input(
        format!("a block that ends after {found} bytes"),
        format!("{expected}"),
        "get the file again",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_bits_runs_literals_and_ends() {
        assert_eq!(unpack(&[2, 7, 8, 9, 0xfe, 5, 0x80], 6).ok(), Some(vec![7, 8, 9, 5, 5, 5]));
        assert_eq!(unpack(&[0xfe, 5], 2).ok(), Some(vec![5, 5]));
        assert!(unpack(&[9, 1, 2], 10).is_err());
        assert!(unpack(&[0xfe], 3).is_err());
    }
}
