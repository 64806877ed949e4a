//! Blocks of a picture, decompressed and put in place.

use super::{Channel, broken};
use crate::error::Result;
use crate::formats::samples::{Decoder, RawRange};
use exr::block::UncompressedBlock;
use exr::block::chunk::{Chunk, CompressedBlock};
use exr::block::reader::Reader;
use exr::compression::Compression;
use exr::math::Vec2;
use exr::meta::MetaData;
use exr::meta::header::Header;
use rayon::prelude::*;
use std::fs::File;
use std::io::BufReader;

/// Blocks that are in memory at once.
const BLOCKS_AT_ONCE: usize = 32;
/// Which of the counters at the start of a DWA block say how much its parts unpack to.
const UNPACKED_COUNTERS: [usize; 5] = [1, 6, 7, 8, 9];

/// Decodes the blocks of the finest level, some at a time on all threads.
pub(super) fn decode(
    reader: Reader<BufReader<File>>,
    channel: &Channel,
    decoder: &Decoder,
    width: usize,
    heights: &mut [f32],
) -> Result<RawRange> {
    let meta = reader.meta_data().clone();
    let channels = &meta.headers[channel.part].channels;
    let mut chunks = reader
        .filter_chunks(false, |_, _, block| block.layer == channel.part && block.level == Vec2(0, 0))
        .map_err(|error| broken(&error))?;
    let mut raw = RawRange::default();
    loop {
        let batch: Vec<_> = chunks.by_ref().take(BLOCKS_AT_ONCE).collect();
        if batch.is_empty() {
            return Ok(raw);
        }
        let blocks = batch
            .into_par_iter()
            .map(|chunk| decompress(chunk?, &meta))
            .collect::<exr::error::Result<Vec<_>>>()
            .map_err(|error| broken(&error))?;
        // A block may say that it belongs to another part than the table says.
        let own = blocks.iter().filter(|block| block.index.layer == channel.part);
        let lines = own.flat_map(|block| block.lines(channels));
        for line in lines.filter(|line| line.location.channel == channel.index) {
            let Vec2(x, y) = line.location.position;
            let start = y * width + x;
            // The crate holds blocks against the picture; one outside has no heights to give.
            if let Some(out) = heights.get_mut(start..start + line.location.sample_count) {
                raw = raw.merge(decoder.decode(line.value, out));
            }
        }
    }
}

fn decompress(chunk: Chunk, meta: &MetaData) -> exr::error::Result<UncompressedBlock> {
    let header = meta.headers.get(chunk.layer_index);
    if header.is_some_and(|header| !counts_what_it_can_hold(&chunk, header)) {
        return Err(exr::error::Error::Invalid("a block counts more than it can hold".into()));
    }
    UncompressedBlock::decompress_chunk(chunk, meta, false)
}

/// A DWA block begins with counters, by which its decoder asks for memory; they are held against the block's size.
fn counts_what_it_can_hold(chunk: &Chunk, header: &Header) -> bool {
    if !matches!(header.compression, Compression::DWAA(_) | Compression::DWAB(_)) {
        return true;
    }
    let stored = match &chunk.compressed_block {
        CompressedBlock::ScanLine(block) => &block.compressed_pixels_le,
        CompressedBlock::Tile(block) => &block.compressed_pixels_le,
        _ => return true,
    };
    let place = header.get_block_data_indices(&chunk.compressed_block);
    let Ok(window) = place.and_then(|tile| header.get_absolute_block_pixel_coordinates(tile)) else {
        return false;
    };
    let (Vec2(width, depth), bytes) = (window.size, header.channels.bytes_per_pixel);
    if stored.len() == width.saturating_mul(depth).saturating_mul(bytes) {
        // Pixels that do not shrink are stored as they are.
        return true;
    }
    // Blocks are filled up to squares of eight, and runs may be written longer than what they stand for.
    let most = [width.saturating_add(8), depth.saturating_add(8), bytes, 2]
        .iter()
        .fold(1_u64, |product, factor| product.saturating_mul(*factor as u64));
    let (counters, _) = stored.as_chunks::<8>();
    let count = |at: &usize| counters.get(*at).map_or(0, |bytes| u64::from_le_bytes(*bytes));
    UNPACKED_COUNTERS.iter().all(|at| count(at) <= most)
}
