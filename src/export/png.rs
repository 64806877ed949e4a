//! Grey PNG of 16 bits. The code of an empty is declared transparent.

use super::codes::Codes;
use super::plan::Target;
use crate::formats::Raster;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};
use std::io::{self, BufWriter, Write};

/// Writes the codes.
pub(super) fn write(raster: &Raster, codes: &Codes, out: &mut dyn Target) -> io::Result<()> {
    let [width, depth] = raster.size;
    let mut encoder = Encoder::new(BufWriter::new(out), width, depth);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::Sixteen);
    encoder.set_compression(Compression::Balanced);
    encoder.set_filter(Filter::Adaptive);
    if let Some(empty) = codes.empty {
        encoder.set_trns((empty as u16).to_be_bytes().to_vec());
    }
    let mut writer = encoder.write_header().map_err(io_error)?;
    let mut stream = writer.stream_writer().map_err(io_error)?;
    for heights in raster.heights.chunks(width as usize) {
        let row: Vec<u8> = heights.iter().flat_map(|h| (codes.code(*h) as u16).to_be_bytes()).collect();
        stream.write_all(&row)?;
    }
    stream.finish().map_err(io_error)?;
    writer.finish().map_err(io_error)
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
