//! Headerless samples: size and type from the caller, plausible readings where they are missing.

mod answers;
mod guess;
mod proportion;
mod roughness;
mod sizes;
mod stream;
mod variation;

pub use answers::Answers;
pub(super) use guess::guess;
pub use guess::{Guess, Reading};

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::{Input, heights_for};
use super::raster::{ByteOrder, ReadOptions, RowOrder, SampleType};
use super::samples::{Decoder, RawRange, Sample};
use crate::error::{Error, Result};
use stream::Stream;

/// Extensions that headerless files go by, and the type that the extension names.
const EXTENSIONS: &[(&str, SampleType)] = &[
    ("raw", SampleType::U16),
    ("r16", SampleType::U16),
    ("raw16", SampleType::U16),
    ("r8", SampleType::U8),
    ("raw8", SampleType::U8),
    ("r32", SampleType::F32),
    ("raw32", SampleType::F32),
    ("f32", SampleType::F32),
    ("f16", SampleType::F16),
    ("r64", SampleType::F64),
    ("bin", SampleType::U16),
    ("bil", SampleType::I16),
    ("flt", SampleType::F32),
];

/// How many plausible sizes a message lists.
const LISTED: usize = 6;

/// Whether the caller says that the file is headerless, or its name does.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    options.raster_size.is_some() || type_of_extension(input).is_some()
}

/// Reads headerless samples.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let assumed = type_of_extension(input).unwrap_or(SampleType::U16);
    let sample = Sample::from(options.sample_type.unwrap_or(assumed));
    let header = options.header_bytes.unwrap_or(0);
    let Some(size) = options.raster_size else {
        return Err(size_missing(input, options, assumed)?);
    };
    check_length(input, size, sample, header)?;
    let mut decoded = Decoded::new("RAW", input.path.clone(), size, sample.name());
    if options.sample_type.is_none() {
        decoded.notes.assume(format!("Samples are taken as {}; a raw file does not say.", sample.name()));
    }
    decoded.heights = heights_for(size)?;
    let stream = Stream::new(input, header);
    let endian = variation::choose(&stream, sample, options, &mut decoded.notes)?;
    let empty = options.nodata.map(EmptyValue::from_number);
    decoded.nodata_rule = empties::rule(empty.as_ref(), sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    decoded.take_z_range(sample, options)?;
    let decoder = Decoder { sample, endian, empty, scale: decoded.scale, offset: decoded.offset };
    decoded.raw = decode(&stream, &decoder, &mut decoded.heights)?;
    match options.row_order {
        Some(RowOrder::Bottom) => flip_rows(&mut decoded.heights, size[0] as usize),
        Some(RowOrder::Top) => {}
        None => {
            decoded.notes.assume("The first row is taken as the northernmost; --row-order bottom turns that.")
        }
    }
    Ok(decoded)
}

fn type_of_extension(input: &Input) -> Option<SampleType> {
    let extension = input.extension();
    EXTENSIONS.iter().find(|entry| entry.0 == extension).map(|entry| entry.1)
}

impl From<SampleType> for Sample {
    fn from(asked: SampleType) -> Self {
        match asked {
            SampleType::U8 => Self::U8,
            SampleType::U16 => Self::U16,
            SampleType::I16 => Self::I16,
            SampleType::U32 => Self::U32,
            SampleType::I32 => Self::I32,
            SampleType::F16 => Self::F16,
            SampleType::F32 => Self::F32,
            SampleType::F64 => Self::F64,
        }
    }
}

fn check_length(input: &Input, [width, depth]: [u32; 2], sample: Sample, header: u64) -> Result<()> {
    let samples = u64::from(width) * u64::from(depth);
    if samples == 0 {
        let found = format!("a size of {width}×{depth} samples");
        return Err(Error::usage(found, "at least one along each side", "correct --raster-size"));
    }
    let expected = samples.checked_mul(sample.bytes() as u64).and_then(|bytes| bytes.checked_add(header));
    if expected == Some(input.length) {
        return Ok(());
    }
    let needed =
        expected.map_or_else(|| "more bytes than can be counted".to_owned(), |bytes| bytes.to_string());
    let remedy = match expected.and_then(|expected| input.length.checked_sub(expected)) {
        Some(more) => format!("for {more} bytes of header give --header-bytes {}", header + more),
        None => "correct --raster-size, --type or --header-bytes".into(),
    };
    Err(Error::input(
        format!("{} bytes", input.length),
        format!("{needed} for {width}×{depth} samples of {} after {header} header bytes", sample.name()),
        remedy,
    ))
}

/// Decodes all samples, piece by piece.
fn decode(stream: &Stream, decoder: &Decoder, heights: &mut [f32]) -> Result<RawRange> {
    let (mut range, mut done) = (RawRange::default(), 0);
    stream.each(decoder.sample.bytes(), |bytes| {
        let end = done + bytes.len() / decoder.sample.bytes();
        range = range.merge(decoder.decode(bytes, &mut heights[done..end]));
        done = end;
    })?;
    Ok(range)
}

fn flip_rows(heights: &mut [f32], width: usize) {
    let depth = heights.len() / width;
    for row in 0..depth / 2 {
        let (upper, lower) = heights.split_at_mut((depth - 1 - row) * width);
        upper[row * width..][..width].swap_with_slice(&mut lower[..width]);
    }
}

/// The error of a file whose size nobody gives, with the plausible ones as they would be given.
fn size_missing(input: &Input, options: &ReadOptions, assumed: SampleType) -> Result<Error> {
    let assumed = options.sample_type.unwrap_or(assumed);
    let readings = guess::readings(input, options)?;
    let usual = readings.iter().filter(|reading| reading.sample_type == assumed && reading.header_bytes == 0);
    let usual: Vec<String> = usual.take(LISTED).map(|reading| options_of(reading, assumed)).collect();
    let best = readings.first().filter(|best| best.sample_type != assumed || best.header_bytes > 0);
    let best = best.map(|best| options_of(best, assumed));
    let whole = format!("{} bytes are no whole rectangle of {} samples", input.length, assumed.name());
    let expected = match (usual.is_empty(), best) {
        (false, None) => format!("its size, plausibly {}", usual.join(", ")),
        (false, Some(best)) => format!("its size, plausibly {}, or smoother {best}", usual.join(", ")),
        (true, Some(best)) => format!("its size; {whole}, but may be {best}"),
        (true, None) => format!("its size; {whole}"),
    };
    Ok(Error::usage(
        format!("a headerless file of {} bytes", input.length),
        expected,
        format!(
            "give --raster-size WxH, and --type and --byte-order if they are not {} and little",
            assumed.name()
        ),
    ))
}

/// A reading as the options that ask for it, behind `--raster-size`.
fn options_of(reading: &Reading, assumed: SampleType) -> String {
    let [width, depth] = reading.size;
    let mut text = format!("{width}x{depth}");
    if reading.sample_type != assumed {
        text.push_str(&format!(" --type {}", reading.sample_type.name()));
    }
    if reading.byte_order == ByteOrder::Big {
        text.push_str(" --byte-order big");
    }
    if reading.header_bytes > 0 {
        text.push_str(&format!(" --header-bytes {}", reading.header_bytes));
    }
    text
}

#[cfg(test)]
mod tests;
