//! Headerless samples: size and type from the caller, plausible sizes where they are missing.

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::{Input, heights_for};
use super::raster::{ByteOrder, ReadOptions, RowOrder, SampleType};
use super::samples::{Decoder, Endian, Sample};
use crate::error::{Error, Result};
use std::io::{Read, Seek, SeekFrom};

/// Extensions that headerless files go by, and the type that the extension names.
const EXTENSIONS: &[(&str, Sample)] = &[
    ("raw", Sample::U16),
    ("r16", Sample::U16),
    ("raw16", Sample::U16),
    ("r8", Sample::U8),
    ("r32", Sample::F32),
    ("f32", Sample::F32),
    ("r64", Sample::F64),
    ("bin", Sample::U16),
    ("bil", Sample::I16),
    ("flt", Sample::F32),
];

/// How many plausible sizes a message lists.
const LISTED: usize = 6;

/// Whether the caller says that the file is headerless, or its name does.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    options.raster_size.is_some() || type_of_extension(input).is_some()
}

/// Reads headerless samples.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let sample =
        options.sample_type.map_or_else(|| type_of_extension(input).unwrap_or(Sample::U16), sample_of);
    let header = options.header_bytes.unwrap_or(0);
    let Some(size) = options.raster_size else {
        return Err(size_missing(input, sample, header));
    };
    check_length(input, size, sample, header)?;
    let mut decoded = Decoded::new("RAW", input.path.clone(), size, sample.name());
    if options.sample_type.is_none() {
        decoded.notes.assume(format!("Samples are taken as {}; a raw file does not say.", sample.name()));
    }
    decoded.heights = heights_for(size)?;
    let bytes = samples_of(input, header)?;
    let endian = choose_endian(&bytes, size, sample, options, &mut decoded);
    let empty = options.nodata.map(EmptyValue::from_number);
    decoded.nodata_rule = empties::rule(empty.as_ref(), sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    decoded.take_z_range(sample, options)?;
    decoded.tell_of_eight_bits(sample);
    let decoder = Decoder { sample, endian, empty, scale: decoded.scale, offset: decoded.offset };
    decoded.raw = decoder.decode(&bytes, &mut decoded.heights);
    if options.row_order == Some(RowOrder::Bottom) {
        flip_rows(&mut decoded.heights, size[0] as usize);
        decoded.notes.assume("Rows were read south first, as asked.");
    }
    Ok(decoded)
}

fn type_of_extension(input: &Input) -> Option<Sample> {
    let extension = input.extension();
    EXTENSIONS.iter().find(|entry| entry.0 == extension).map(|entry| entry.1)
}

fn sample_of(asked: SampleType) -> Sample {
    match asked {
        SampleType::U8 => Sample::U8,
        SampleType::U16 => Sample::U16,
        SampleType::I16 => Sample::I16,
        SampleType::U32 => Sample::U32,
        SampleType::I32 => Sample::I32,
        SampleType::F16 => Sample::F16,
        SampleType::F32 => Sample::F32,
        SampleType::F64 => Sample::F64,
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

fn samples_of(input: &Input, header: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(&input.path)
        .and_then(|mut file| {
            file.seek(SeekFrom::Start(header))?;
            file.take(input.length - header).read_to_end(&mut bytes)
        })
        .map_err(|error| super::input::unreadable(&error))?;
    Ok(bytes)
}

fn choose_endian(
    bytes: &[u8],
    size: [u32; 2],
    sample: Sample,
    options: &ReadOptions,
    decoded: &mut Decoded,
) -> Endian {
    if sample.bytes() == 1 {
        return Endian::Little;
    }
    match options.byte_order {
        Some(ByteOrder::Little) => Endian::Little,
        Some(ByteOrder::Big) => Endian::Big,
        Some(ByteOrder::Auto) => {
            let [little, big] = [Endian::Little, Endian::Big]
                .map(|endian| roughness(bytes, size[0] as usize, sample, endian));
            let (endian, name) =
                if big < little { (Endian::Big, "big-endian") } else { (Endian::Little, "little-endian") };
            decoded.notes.assume(format!(
                "Bytes are taken as {name}, the smoother reading: neighbours differ by {little} in all read \
                 little-endian, by {big} read big-endian."
            ));
            endian
        }
        None => {
            decoded
                .notes
                .assume("Bytes are taken as little-endian; --byte-order big or auto reads them otherwise.");
            Endian::Little
        }
    }
}

/// The sum of differences between neighbours along the rows. A float of a magnitude that bytes read the wrong
/// way round have, and heights do not, counts as a large step.
fn roughness(bytes: &[u8], width: usize, sample: Sample, endian: Endian) -> f64 {
    const LARGE: f64 = 1e12;
    let plausible = |height: f32| height == 0.0 || (1e-9..1e9).contains(&height.abs());
    let decoder = Decoder { sample, endian, empty: None, scale: 1.0, offset: 0.0 };
    let mut row = vec![0.0_f32; width];
    let mut sum = 0.0;
    for stored in bytes.chunks_exact(width * sample.bytes()) {
        decoder.decode(stored, &mut row);
        sum += row
            .windows(2)
            .map(|pair| match sample.is_float() && !pair.iter().all(|height| plausible(*height)) {
                true => LARGE,
                false => f64::from(pair[1] - pair[0]).abs(),
            })
            .sum::<f64>();
    }
    sum
}

fn flip_rows(heights: &mut [f32], width: usize) {
    let depth = heights.len() / width;
    for row in 0..depth / 2 {
        let (upper, lower) = heights.split_at_mut((depth - 1 - row) * width);
        upper[row * width..][..width].swap_with_slice(&mut lower[..width]);
    }
}

fn size_missing(input: &Input, sample: Sample, header: u64) -> Error {
    let bytes = input.length.saturating_sub(header);
    let sizes = if bytes.is_multiple_of(sample.bytes() as u64) {
        plausible_sizes(bytes / sample.bytes() as u64, &input.stem())
    } else {
        Vec::new()
    };
    let expected = if sizes.is_empty() {
        format!("its size; {bytes} bytes are no whole rectangle of {} samples", sample.name())
    } else {
        let sizes: Vec<String> = sizes.iter().map(|[width, depth]| format!("{width}x{depth}")).collect();
        format!("its size, plausibly {}", sizes.join(", "))
    };
    Error::usage(
        format!("a headerless file of {} bytes", input.length),
        expected,
        format!(
            "give --raster-size WxH, and --type and --byte-order if they are not {} and little",
            sample.name()
        ),
    )
}

/// Sizes of exactly so many samples: the one in the file's name first, then the squarest.
fn plausible_sizes(samples: u64, name: &str) -> Vec<[u64; 2]> {
    let mut sizes = Vec::new();
    if let Some(named) =
        size_in_name(name).filter(|[width, depth]| width.checked_mul(*depth) == Some(samples))
    {
        sizes.push(named);
    }
    let root = samples.isqrt();
    // Rows more than 64 times as long as the columns are no plausible terrain; this also bounds the search.
    let least = (samples / 64).isqrt().max(2);
    for depth in (least..=root).rev().filter(|depth| samples.is_multiple_of(*depth)) {
        for size in [[samples / depth, depth], [depth, samples / depth]] {
            if !sizes.contains(&size) {
                sizes.push(size);
            }
        }
        if sizes.len() >= LISTED {
            break;
        }
    }
    sizes.truncate(LISTED);
    sizes
}

/// A size such as `513x513` within a name.
fn size_in_name(name: &str) -> Option<[u64; 2]> {
    let lower = name.to_lowercase();
    lower.match_indices('x').find_map(|(at, _)| {
        let left = lower[..at].rsplit(|c: char| !c.is_ascii_digit()).next()?;
        let right = lower[at + 1..].split(|c: char| !c.is_ascii_digit()).next()?;
        Some([left.parse().ok()?, right.parse().ok()?])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::test_files::{TestFolder, message};

    /// Values 1000, 1007 … 1105 on 4×4.
    fn ramp(bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        (0..16).flat_map(|index| bytes(1000 + 7 * index)).collect()
    }

    fn sized(width: u32, depth: u32) -> ReadOptions {
        ReadOptions { raster_size: Some([width, depth]), ..ReadOptions::default() }
    }

    #[test]
    fn byte_order_is_little_unless_asked_and_auto_takes_the_smoother() {
        let folder = TestFolder::new();
        let big = ramp(u16::to_be_bytes);
        let order = |byte_order| ReadOptions { byte_order: Some(byte_order), ..sized(4, 4) };
        let raster = folder.read_with("a.r16", &big, &order(ByteOrder::Auto)).expect("opened");
        assert_eq!((raster.heights[0], raster.heights[15]), (1000.0, 1105.0));
        assert!(raster.facts.assumptions.iter().any(|text| text.contains("big-endian, the smoother")));
        let raster = folder.read_with("a.r16", &big, &order(ByteOrder::Big)).expect("opened");
        assert_eq!(raster.heights[1], 1007.0);
        let raster = folder.read_with("a.r16", &ramp(u16::to_le_bytes), &sized(4, 4)).expect("opened");
        assert_eq!(raster.heights[1], 1007.0);
        assert!(raster.facts.assumptions.iter().any(|text| text.contains("little-endian")));
    }

    #[test]
    fn a_size_must_be_given_and_plausible_ones_are_listed() {
        let folder = TestFolder::new();
        let error = folder.read("a.r16", &[0; 48]).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("plausibly 6x4, 4x6, 8x3, 3x8"), "{error}");
        assert_eq!(folder.read_with("a.r16", &[0; 48], &sized(6, 4)).expect("opened").size, [6, 4]);
        assert!(error.to_string().ends_with("if they are not u16 and little"), "{error}");
        let odd = folder.read("a.bil", &[0; 49]).expect_err("refused").to_string();
        assert!(odd.contains("rectangle of i16") && odd.ends_with("if they are not i16 and little"), "{odd}");
        let error = folder.read("tile_8x3.r16", &[0; 48]).expect_err("refused").to_string();
        assert!(error.contains("plausibly 8x3, 6x4"), "{error}");
    }

    #[test]
    fn a_length_that_does_not_fit_names_both_lengths_and_the_option() {
        let folder = TestFolder::new();
        let error = message(folder.read_with("a.r16", &[0; 50], &sized(6, 4)));
        assert!(error.contains("50 bytes") && error.contains("48 for 6×4"), "{error}");
        assert!(error.contains("--header-bytes 2"), "{error}");
        let with_header = ReadOptions { header_bytes: Some(2), ..sized(6, 4) };
        assert!(folder.read_with("a.r16", &[0; 50], &with_header).is_ok());
        assert!(
            message(folder.read_with("a.r16", &[0; 50], &sized(u32::MAX, u32::MAX))).contains("50 bytes")
        );
    }

    #[test]
    fn types_rows_and_ranges_follow_the_options() {
        let folder = TestFolder::new();
        let floats: Vec<u8> = [1.0_f32, 2.0, 3.0, 4.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let options = ReadOptions { row_order: Some(RowOrder::Bottom), ..sized(2, 2) };
        let raster = folder.read_with("a.r32", &floats, &options).expect("opened");
        assert_eq!(raster.heights, [3.0, 4.0, 1.0, 2.0]);
        let options = ReadOptions { z_range: Some([-100.0, 100.0]), ..sized(2, 1) };
        let raster = folder.read_with("a.r16", &[0, 0, 0xff, 0xff], &options).expect("opened");
        assert_eq!(raster.heights, [-100.0, 100.0]);
    }
}
