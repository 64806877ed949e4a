//! Undoing the compressions of blocks that are kept as bytes of samples.

use super::codec::{self, DEFLATE, DEFLATE_OLD, LZMA, LZW, PACK_BITS, ZSTD};
use super::refused;
use crate::error::{Error, Result};
use libdeflater::Decompressor;
use lzma_rust2::XzReader;
use std::io::Read;

/// Memory for the dictionary of an LZMA stream, in KiB: that of the strongest preset, with room.
const LZMA_MEMORY: u32 = 80 << 10;

/// Whether a compression is undone here.
pub(super) fn undoes(compression: u16) -> bool {
    codec::is_plain(compression)
        || matches!(compression, DEFLATE | DEFLATE_OLD | LZMA | LZW | PACK_BITS | ZSTD)
}

/// Whether a predictor is undone after a compression. Some programs name one beside others, where it means nothing.
pub(super) fn takes_predictor(compression: u16) -> bool {
    matches!(compression, DEFLATE | DEFLATE_OLD | LZMA | LZW | ZSTD)
}

/// The bytes of a block, at most `room` of them.
///
/// # Errors
/// A block that is broken, or longer than `room`.
pub(super) fn unpack(compression: u16, packed: Vec<u8>, room: usize) -> Result<Vec<u8>> {
    match compression {
        DEFLATE | DEFLATE_OLD => inflate(&packed, room),
        LZMA => unpack_lzma(&packed, room),
        LZW => tiff_reader::filters::decompress(LZW, &packed, 0, None, room).map_err(|error| refused(&error)),
        PACK_BITS => unpack_runs(&packed, room),
        ZSTD => zstd::bulk::decompress(&packed, room).map_err(|error| broken("ZSTD", &error)),
        _ => Ok(packed),
    }
}

fn inflate(packed: &[u8], room: usize) -> Result<Vec<u8>> {
    let mut bytes = vec![0; room];
    let length =
        Decompressor::new().zlib_decompress(packed, &mut bytes).map_err(|error| broken("Deflate", &error))?;
    bytes.truncate(length);
    Ok(bytes)
}

/// Undoes LZMA as far as there is room.
fn unpack_lzma(packed: &[u8], room: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    XzReader::new_mem_limit(packed, false, LZMA_MEMORY)
        .take(room as u64)
        .read_to_end(&mut bytes)
        .map_err(|error| broken("LZMA", &error))?;
    Ok(bytes)
}

/// Undoes PackBits (TIFF 6.0, section 9) as far as there is room: a count and that many bytes, or a negative count
/// and a byte to repeat.
fn unpack_runs(packed: &[u8], room: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(room);
    let mut rest = packed;
    while let [count, tail @ ..] = rest
        && bytes.len() < room
    {
        rest = match *count as i8 {
            0.. => {
                let literal = usize::from(*count) + 1;
                let cut = || broken("PackBits", &format!("{} bytes for {literal}", tail.len()));
                let (run, tail) = tail.split_at_checked(literal).ok_or_else(cut)?;
                bytes.extend_from_slice(run);
                tail
            }
            // A count that says nothing.
            i8::MIN => tail,
            repeat => {
                let [byte, tail @ ..] = tail else { return Err(broken("PackBits", &"no byte to repeat")) };
                bytes.resize(bytes.len() + usize::from(repeat.unsigned_abs()) + 1, *byte);
                tail
            }
        };
    }
    bytes.truncate(room);
    Ok(bytes)
}

fn broken(codec: &str, why: &dyn std::fmt::Display) -> Error {
    Error::input(format!("a broken {codec} block: {why}"), "a whole one", "get the file again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_bits_runs_literals_and_ends() {
        assert_eq!(unpack_runs(&[2, 7, 8, 9, 0xfe, 5, 0x80], 6).ok(), Some(vec![7, 8, 9, 5, 5, 5]));
        assert_eq!(unpack_runs(&[0xfe, 5], 2).ok(), Some(vec![5, 5]));
        assert!(unpack_runs(&[9, 1, 2], 10).is_err());
        assert!(unpack_runs(&[0xfe], 3).is_err());
    }

    #[test]
    fn deflate_and_zstd_give_no_more_than_there_is_room_for() {
        let mut packer = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
        let mut deflated = vec![0; 64];
        let length = packer.zlib_compress(&[7; 100], &mut deflated).expect("packed");
        deflated.truncate(length);
        let zstd = zstd::bulk::compress(&[7; 100], 1).expect("packed");
        for (compression, packed) in [(DEFLATE, deflated), (ZSTD, zstd)] {
            assert_eq!(unpack(compression, packed.clone(), 100).ok(), Some(vec![7; 100]));
            assert_eq!(unpack(compression, packed.clone(), 120).ok(), Some(vec![7; 100]));
            let cut = packed[..packed.len() / 2].to_vec();
            for (bytes, room) in [(packed, 99), (cut, 100)] {
                let error = unpack(compression, bytes, room).expect_err("refused");
                assert_eq!(error.exit_code(), 3);
            }
        }
    }
}
