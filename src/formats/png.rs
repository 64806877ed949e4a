//! PNG: grey pictures of up to 16 bits as heights, and the two ways of writing heights into red, green and
//! blue.

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::{Input, heights_for, unreadable};
use super::raster::ReadOptions;
use super::samples::{Decoder, Endian, Sample};
use super::terrain_rgb;
use crate::error::{Error, Result};
use crate::terrain::EMPTY;
use png::{ColorType, DecodingError, Transformations};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek};

/// The most bytes that one byte of Deflate data can stand for.
const DEFLATE_RATIO: u64 = 1032;

/// A decoded picture: channels side by side, samples big-endian as PNG stores them.
pub(super) struct Picture {
    pub size: [u32; 2],
    pub sample: Sample,
    pub channels: usize,
    pub has_alpha: bool,
    pub bytes: Vec<u8>,
    /// The grey value that the file declares transparent.
    pub transparent: Option<u16>,
}

/// Whether the file begins with PNG's signature.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    is_png(&input.head)
}

/// Whether bytes begin with PNG's signature.
pub(super) fn is_png(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n")
}

/// Reads a PNG as heights.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
    let picture = decode(BufReader::new(file), input.length)?;
    let mut decoded = Decoded::new("PNG", input.path.clone(), picture.size, picture.sample.name());
    decoded.compression = "deflate".into();
    take_heights(&picture, options, &mut decoded)?;
    Ok(decoded)
}

/// Takes grey values, or heights written into colours, of a picture in any format.
pub(super) fn take_heights(picture: &Picture, options: &ReadOptions, decoded: &mut Decoded) -> Result<()> {
    match options.band {
        None if picture.colours() == 3 && !picture.is_grey() => {
            terrain_rgb::decode(&picture.bytes, picture.channels, picture.sample, decoded)?;
        }
        band => read_channel(picture, band.unwrap_or(1), options, decoded)?,
    }
    if picture.has_alpha {
        empty_transparent(picture, decoded);
    }
    Ok(())
}

/// Decodes a picture of so many bytes.
pub(super) fn decode(source: impl BufRead + Seek, length: u64) -> Result<Picture> {
    let mut decoder = png::Decoder::new(source);
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(|error| broken(&error))?;
    let info = reader.info();
    let (size, depth, colour) = ([info.width, info.height], info.bit_depth as usize, info.color_type);
    let transparent =
        info.trns.as_ref().filter(|_| colour == ColorType::Grayscale).and_then(|bytes| match **bytes {
            // Below sixteen bits the crate gives the low byte alone.
            [grey] => Some(u16::from(grey)),
            [high, low, ..] => Some(u16::from_be_bytes([high, low])),
            [] => None,
        });
    if colour == ColorType::Indexed {
        return Err(Error::input(
            "a PNG whose pixels are numbers of colours",
            "grey values or terrain-RGB",
            "save it as 16-bit grey",
        ));
    }
    let nominal = reader.output_buffer_size().map(|bytes| bytes as u64).unwrap_or(u64::MAX);
    if nominal > length.saturating_mul(DEFLATE_RATIO) {
        return Err(Error::input(
            format!("a PNG of {}×{} in {} bytes", size[0], size[1], length),
            "a file long enough to hold its pixels",
            "get the file again",
        ));
    }
    let mut bytes = vec![0; nominal as usize];
    let frame = reader.next_frame(&mut bytes).map_err(|error| broken(&error))?;
    bytes.truncate(frame.buffer_size());
    let channels = colour.samples();
    if depth < 8 {
        bytes = unpack(&bytes, size[0] as usize, frame.line_size, depth);
    }
    let sample = if depth == 16 { Sample::U16 } else { Sample::U8 };
    let has_alpha = matches!(colour, ColorType::GrayscaleAlpha | ColorType::Rgba);
    Ok(Picture { size, sample, channels, has_alpha, bytes, transparent })
}

/// Pixels of one, two or four bits to one byte each.
fn unpack(bytes: &[u8], width: usize, line: usize, depth: usize) -> Vec<u8> {
    let mask = (1_u8 << depth) - 1;
    let pixel = |row: &[u8], x: usize| (row[x * depth / 8] >> (8 - depth - x * depth % 8)) & mask;
    bytes.chunks_exact(line).flat_map(|row| (0..width).map(move |x| pixel(row, x))).collect()
}

impl Picture {
    /// Channels without that of opacity.
    pub fn colours(&self) -> usize {
        self.channels - usize::from(self.has_alpha)
    }

    /// Whether red, green and blue are equal everywhere.
    fn is_grey(&self) -> bool {
        let bytes = self.sample.bytes();
        self.bytes.chunks_exact(self.channels * bytes).all(|pixel| {
            pixel[..bytes] == pixel[bytes..2 * bytes] && pixel[..bytes] == pixel[2 * bytes..3 * bytes]
        })
    }

    fn channel(&self, channel: usize) -> Vec<u8> {
        let bytes = self.sample.bytes();
        self.bytes
            .chunks_exact(self.channels * bytes)
            .flat_map(|pixel| &pixel[channel * bytes..(channel + 1) * bytes])
            .copied()
            .collect()
    }
}

fn read_channel(picture: &Picture, band: u32, options: &ReadOptions, decoded: &mut Decoded) -> Result<()> {
    let channels = picture.channels as u32;
    if !(1..=channels).contains(&band) {
        return Err(Error::usage(
            format!("band {band} is asked for"),
            format!("1 to {channels}, the channels of the picture"),
            "correct --band",
        ));
    }
    decoded.band = band;
    let empty = match (options.nodata, picture.transparent) {
        (Some(value), _) => Some(EmptyValue::from_number(value)),
        (None, Some(grey)) => Some(EmptyValue::from_number(f64::from(grey))),
        (None, None) => None,
    };
    decoded.nodata_rule = empties::rule(empty.as_ref(), picture.sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    if options.z_range.is_none() {
        decoded.notes.assume("Grey values are taken as heights; --z-range A,B spreads them.");
    }
    decoded.take_z_range(picture.sample, options)?;
    decoded.heights = heights_for(picture.size)?;
    let (scale, offset) = (decoded.scale, decoded.offset);
    let decoder = Decoder { sample: picture.sample, endian: Endian::Big, empty, scale, offset };
    decoded.raw = if picture.channels == 1 {
        decoder.decode(&picture.bytes, &mut decoded.heights)
    } else {
        decoder.decode(&picture.channel(band as usize - 1), &mut decoded.heights)
    };
    Ok(())
}

/// A pixel of no opacity has no height. A picture without any opacity has a meaningless alpha channel.
fn empty_transparent(picture: &Picture, decoded: &mut Decoded) {
    let alpha = picture.channel(picture.channels - 1);
    let clear: Vec<bool> =
        alpha.chunks_exact(picture.sample.bytes()).map(|alpha| alpha.iter().all(|byte| *byte == 0)).collect();
    if clear.iter().all(|clear| *clear) {
        return;
    }
    for (height, _) in decoded.heights.iter_mut().zip(&clear).filter(|pair| *pair.1) {
        *height = EMPTY;
    }
    decoded.nodata_rule.push_str("; fully transparent pixels are empty");
}

fn broken(error: &DecodingError) -> Error {
    Error::input(format!("a broken PNG: {error}"), "a whole PNG file", "get the file again")
}

#[cfg(test)]
mod tests;
