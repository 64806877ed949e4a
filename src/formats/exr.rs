//! OpenEXR: one channel of half, float or unsigned 32-bit samples as heights. The layout is that of the
//! Academy Software Foundation's "OpenEXR File Layout".

mod blocks;

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::{Input, heights_for, unreadable};
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, Sample};
use crate::error::{Error, Result};
use crate::terrain::EMPTY;
use exr::compression::Compression;
use exr::math::Vec2;
use exr::meta::attribute::SampleType;
use exr::meta::header::Header;
use std::fs::File;
use std::io::BufReader;

/// Channels that hold heights, by the last part of their names, the surest first.
const HEIGHT_NAMES: [&str; 5] = ["z", "height", "elevation", "y", "r"];
/// The channel of opacity, taken only where there is no other.
const OPACITY: &str = "a";
/// Bytes that each block takes at least: its entry in the table of offsets.
const BYTES_OF_OFFSET: u64 = 8;

/// A channel that can be read.
#[derive(Debug, PartialEq)]
struct Channel {
    /// The part of the file that it lies in.
    part: usize,
    /// Its place in the part's list of channels.
    index: usize,
    name: String,
    sample: Sample,
}

/// Whether the file begins with OpenEXR's magic number.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(&[0x76, 0x2f, 0x31, 0x01])
}

/// Reads one channel of an OpenEXR picture as heights.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
    let reader = exr::block::read(BufReader::new(file), false).map_err(|error| broken(&error))?;
    check_offsets(reader.headers(), input.length)?;
    let channels = channels(reader.headers())?;
    let band = choose(&channels, options)?;
    let channel = &channels[band];
    let header = &reader.headers()[channel.part];
    let size = size_of(header, input.length)?;
    let mut decoded = Decoded::new("OpenEXR", input.path.clone(), size, channel.sample.name());
    decoded.band = band as u32 + 1;
    decoded.compression = compression_name(header.compression).into();
    tell_of_choice(&channels, channel, &mut decoded);
    tell_of_windows(header, &mut decoded);
    let empty = options.nodata.map(EmptyValue::from_number);
    decoded.nodata_rule = empties::rule(empty.as_ref(), channel.sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    decoded.take_z_range(channel.sample, options)?;
    decoded.heights = heights_for(size)?;
    // A block that the file leaves out leaves its samples without a height.
    decoded.heights.fill(EMPTY);
    let (scale, offset) = (decoded.scale, decoded.offset);
    let decoder = Decoder { sample: channel.sample, endian: NATIVE, empty, scale, offset };
    decoded.raw = blocks::decode(reader, channel, &decoder, size[0] as usize, &mut decoded.heights)?;
    Ok(decoded)
}

/// Every block has an entry in a table, so that the file's length bounds their number.
fn check_offsets(headers: &[Header], length: u64) -> Result<()> {
    let blocks = headers.iter().fold(0_u64, |sum, header| sum.saturating_add(header.chunk_count as u64));
    if blocks.saturating_mul(BYTES_OF_OFFSET) > length {
        return Err(too_short(&format!("{blocks} blocks"), length));
    }
    Ok(())
}

/// The channels of all flat parts, in the order of the file.
fn channels(headers: &[Header]) -> Result<Vec<Channel>> {
    let several = headers.len() > 1;
    let readable = |header: &&Header| {
        !header.deep && header.channels.list.iter().all(|channel| channel.sampling == Vec2(1, 1))
    };
    let found: Vec<Channel> = headers
        .iter()
        .enumerate()
        .filter(|(_, header)| readable(header))
        .flat_map(|(part, header)| {
            let layer = header.own_attributes.layer_name.as_ref().filter(|_| several);
            header.channels.list.iter().enumerate().map(move |(index, channel)| Channel {
                part,
                index,
                name: layer.map_or_else(String::new, |layer| format!("{layer}.")) + &channel.name.to_string(),
                sample: sample_of(channel.sample_type),
            })
        })
        .collect();
    if found.is_empty() {
        return Err(Error::input(
            "an OpenEXR picture of deep or subsampled pixels",
            "a channel with one sample a pixel",
            "save it as a flat picture of one channel",
        ));
    }
    Ok(found)
}

fn sample_of(stored: SampleType) -> Sample {
    match stored {
        SampleType::F16 => Sample::F16,
        SampleType::F32 => Sample::F32,
        SampleType::U32 => Sample::U32,
    }
}

/// The place in the list of the channel that is asked for, or that most surely holds heights.
fn choose(channels: &[Channel], options: &ReadOptions) -> Result<usize> {
    let Some(band) = options.band else {
        let best = (0..channels.len()).min_by_key(|at| rank(&channels[*at].name));
        return Ok(best.unwrap_or_default());
    };
    (band as usize).checked_sub(1).filter(|at| *at < channels.len()).ok_or_else(|| {
        Error::usage(
            format!("band {band} is asked for"),
            format!("1 to {}, the channels {}", channels.len(), names(channels)),
            "correct --band",
        )
    })
}

fn rank(name: &str) -> usize {
    let last = name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let others = HEIGHT_NAMES.len() + usize::from(last == OPACITY);
    HEIGHT_NAMES.iter().position(|height| *height == last).unwrap_or(others)
}

fn names(channels: &[Channel]) -> String {
    channels.iter().map(|channel| channel.name.as_str()).collect::<Vec<_>>().join(", ")
}

/// Samples along x and y, held against the file's length before memory is asked for.
fn size_of(header: &Header, length: u64) -> Result<[u32; 2]> {
    let Vec2(width, depth) = header.layer_size;
    let bytes = [width, depth, header.channels.bytes_per_pixel]
        .iter()
        .fold(1_u64, |product, factor| product.saturating_mul(*factor as u64));
    let found = format!("{width}×{depth} pixels");
    if bytes > length.saturating_mul(most_bytes_of_one(header.compression)) {
        return Err(too_short(&found, length));
    }
    match (u32::try_from(width), u32::try_from(depth)) {
        (Ok(width), Ok(depth)) => Ok([width, depth]),
        _ => Err(too_short(&found, length)),
    }
}

/// The most bytes that one stored byte can stand for.
fn most_bytes_of_one(compression: Compression) -> u64 {
    /// Deflate's longest match of 258 bytes in two bits.
    const DEFLATE: u64 = 1032;
    match compression {
        Compression::Uncompressed => 1,
        // Two bytes for a run of at most 128.
        Compression::RLE => 64,
        // Three bytes for a flat square of 16 half floats.
        Compression::B44 | Compression::B44A => 11,
        // One code for a square of 64 half floats, deflated.
        Compression::DWAA(_) | Compression::DWAB(_) => 64 * DEFLATE,
        // Three of four bytes are kept before deflating; the wavelets' runs are shorter.
        _ => DEFLATE * 4 / 3,
    }
}

fn compression_name(compression: Compression) -> &'static str {
    match compression {
        Compression::Uncompressed => "none",
        Compression::RLE => "rle",
        Compression::ZIP1 => "zips",
        Compression::ZIP16 => "zip",
        Compression::PIZ => "piz",
        Compression::PXR24 => "pxr24",
        Compression::B44 => "b44",
        Compression::B44A => "b44a",
        Compression::DWAA(_) => "dwaa",
        Compression::DWAB(_) => "dwab",
        _ => "unknown",
    }
}

fn tell_of_choice(channels: &[Channel], channel: &Channel, decoded: &mut Decoded) {
    let name = &channel.name;
    decoded.notes.assume(if channels.len() == 1 {
        format!("Channel {name} is taken as heights.")
    } else {
        format!(
            "Channel {name} of {} is taken as heights; --band picks another, counted from 1.",
            names(channels)
        )
    });
}

/// The data window holds all samples; the display window is only what a viewer of pictures would show.
fn tell_of_windows(header: &Header, decoded: &mut Decoded) {
    let Vec2(x, y) = header.own_attributes.layer_position;
    let display = header.shared_attributes.display_window;
    if display.position == Vec2(x, y) && display.size == header.layer_size {
        return;
    }
    let [width, depth] = decoded.size;
    decoded.notes.assume(format!(
        "All {width}×{depth} samples of the data window at ({x}, {y}) are read; the display window has {}×{}.",
        display.size.0, display.size.1
    ));
}

fn too_short(found: &str, length: u64) -> Error {
    Error::input(
        format!("an OpenEXR picture of {found} in {length} bytes"),
        "a file long enough to hold its pixels",
        "get the file again",
    )
}

fn broken(error: &exr::error::Error) -> Error {
    Error::input(format!("a broken OpenEXR picture: {error}"), "a whole OpenEXR file", "get the file again")
}

#[cfg(test)]
mod tests;
