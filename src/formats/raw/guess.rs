//! What a headerless file plausibly is: every reading that its length allows, the smoothest first.

use super::answers::Answers;
use super::roughness::{self, Form, Look};
use super::sizes::{self, Size};
use super::stream::Stream;
use super::{proportion, type_of_extension};
use crate::error::Result;
use crate::formats::input::Input;
use crate::formats::raster::{ByteOrder, ReadOptions, RowOrder, SampleType};
use crate::formats::samples::{Endian, Sample};

/// How much smoother a reading after a header must be to be taken for likelier.
const HEADER_HANDICAP: f64 = 3.0;

/// One way to read a headerless file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Samples along x and z.
    pub size: [u32; 2],
    /// Type of the samples.
    pub sample_type: SampleType,
    /// Order of a sample's bytes.
    pub byte_order: ByteOrder,
    /// Bytes before the samples.
    pub header_bytes: u64,
    /// The mean difference between neighbours in mean deviations from the mean height, by a look at some rows: near 0 for
    /// ground, near 1.4 for noise.
    pub roughness: f64,
    /// The roughness times how unusual the reading is: what it is ranked by.
    pub(super) score: f64,
    /// Least and greatest stored value where it was looked; not finite where no height was met.
    pub(super) values: [f64; 2],
}

/// What is made of a headerless file where nobody says.
#[derive(Debug, Clone, PartialEq)]
pub struct Guess {
    /// The best reading, with row order, range and spacing.
    pub answers: Answers,
    /// Every plausible reading, the best first.
    pub readings: Vec<Reading>,
}

/// The best reading that agrees with the options, and what there is beside it; `None` where none agrees.
pub(in crate::formats) fn guess(input: &Input, options: &ReadOptions) -> Result<Option<Guess>> {
    let all = readings(input, &ReadOptions::default())?;
    let agreeing = readings(input, options)?;
    Ok(agreeing.first().map(|best| Guess { answers: best.answers(options), readings: all }))
}

impl Reading {
    /// The reading with what else there is to answer: as the options say, else plausible.
    pub fn answers(&self, options: &ReadOptions) -> Answers {
        let proportion = proportion::of(self, options);
        Answers {
            size: self.size,
            sample_type: self.sample_type,
            byte_order: self.byte_order,
            row_order: options.row_order.unwrap_or(RowOrder::Top),
            header_bytes: self.header_bytes,
            z_range: proportion.z_range,
            spacing: proportion.spacing,
        }
    }
}

/// Every reading that the length allows and the options agree with, the best first.
///
/// A reading's roughness is multiplied by how unusual it is, so that of two alike the usual one comes first. The most unusual has a
/// header before a square.
pub(super) fn readings(input: &Input, options: &ReadOptions) -> Result<Vec<Reading>> {
    let usual = type_of_extension(input).unwrap_or(SampleType::U16);
    let forms = forms(input, options);
    let mut found = Vec::with_capacity(forms.len());
    for (sample_type, header, size) in forms {
        if let [Ok(width), Ok(depth)] = size.samples.map(u32::try_from) {
            let handicap = size.handicap * handicap(sample_type, usual);
            let reading = look(input, options, sample_type, [width, depth], header)?;
            found.push((Reading { score: reading.roughness * handicap, ..reading }, handicap));
        }
    }
    found.sort_by(|(a, by_a), (b, by_b)| a.score.total_cmp(&b.score).then(by_a.total_cmp(by_b)));
    Ok(found.into_iter().map(|(reading, _)| reading).collect())
}

/// How much smoother a type must read than the usual one to be taken for likelier.
fn handicap(sample_type: SampleType, usual: SampleType) -> f64 {
    match sample_type {
        same if same == usual => 1.0,
        sibling if sibling.bytes() == usual.bytes() => 1.25,
        _ => 1.5,
    }
}

/// Types, header bytes and sizes that the length and the options allow.
fn forms(input: &Input, options: &ReadOptions) -> Vec<(SampleType, u64, Size)> {
    let types: Vec<SampleType> = match options.sample_type {
        Some(asked) => vec![asked],
        None => SampleType::ALL.to_vec(),
    };
    let header = options.header_bytes.unwrap_or(0);
    let length = input.length.saturating_sub(header);
    let whole = types.iter().flat_map(|kind| {
        let samples = length / kind.bytes();
        let sizes = match options.raster_size {
            Some(asked) => given(asked, samples),
            None => sizes::plausible(samples, &input.stem()),
        };
        let fits = length.is_multiple_of(kind.bytes());
        sizes.into_iter().filter(move |_| fits).map(|size| (*kind, header, size))
    });
    if options.header_bytes.is_some() || options.raster_size.is_some() {
        return whole.collect();
    }
    whole.chain(types.iter().filter_map(|kind| after_header(input.length, *kind))).collect()
}

fn given(asked: [u32; 2], samples: u64) -> Vec<Size> {
    let size = Size { samples: asked.map(u64::from), handicap: 1.0 };
    if size.samples[0] * size.samples[1] == samples { vec![size] } else { Vec::new() }
}

/// The largest square that the file has room for, where something is left for a header.
fn after_header(length: u64, kind: SampleType) -> Option<(SampleType, u64, Size)> {
    let side = (length / kind.bytes()).isqrt();
    let header = length - side * side * kind.bytes();
    let size = Size { samples: [side; 2], handicap: HEADER_HANDICAP };
    (side >= 2 && header > 0).then_some((kind, header, size))
}

/// Looks at a reading in the byte order that is asked for, or the smoother one.
fn look(
    input: &Input,
    options: &ReadOptions,
    sample_type: SampleType,
    size: [u32; 2],
    header: u64,
) -> Result<Reading> {
    let stream = Stream::new(input, header);
    let sample = Sample::from(sample_type);
    let look = |endian| roughness::look(&stream, &Form { size, sample, endian, header });
    let (byte_order, Look { roughness, values, .. }) = match options.byte_order {
        Some(ByteOrder::Big) => (ByteOrder::Big, look(Endian::Big)?),
        Some(ByteOrder::Little) => (ByteOrder::Little, look(Endian::Little)?),
        Some(ByteOrder::Auto) | None => {
            let (little, big) = (look(Endian::Little)?, look(Endian::Big)?);
            let is_big = sample.bytes() > 1 && big.variation < little.variation;
            if is_big { (ByteOrder::Big, big) } else { (ByteOrder::Little, little) }
        }
    };
    let score = roughness;
    Ok(Reading { size, sample_type, byte_order, header_bytes: header, roughness, score, values })
}
