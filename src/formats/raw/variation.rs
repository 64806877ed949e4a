//! How much a sequence of samples goes up and down: bytes read the wrong way round go far more.

use super::stream::Stream;
use crate::error::Result;
use crate::formats::decoded::Notes;
use crate::formats::raster::{ByteOrder, ReadOptions};
use crate::formats::samples::{Decoder, Endian, Sample};
use crate::terrain::EMPTY;

/// What a pair of samples counts of which one is no height.
pub(super) const LARGE: f64 = 1e12;

/// Whether a decoded sample has a magnitude that heights have, and floats of swapped bytes mostly have not.
pub(super) fn is_plausible(height: f32) -> bool {
    height == 0.0 || (1e-9..1e9).contains(&height.abs())
}

/// The sum of differences between samples that follow one another.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Variation {
    last: Option<f32>,
    pub sum: f64,
}

impl Variation {
    /// Takes the samples that come next.
    pub fn add(&mut self, heights: &[f32]) {
        for height in heights {
            if let Some(last) = self.last.replace(*height) {
                let both = is_plausible(last) && is_plausible(*height);
                self.sum += if both { f64::from(height - last).abs() } else { LARGE };
            }
        }
    }
}

/// The byte order that is asked for, little-endian where nothing is, or the smoother one.
pub(super) fn choose(
    stream: &Stream,
    sample: Sample,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<Endian> {
    if sample.bytes() == 1 {
        return Ok(Endian::Little);
    }
    match options.byte_order {
        Some(ByteOrder::Little) => Ok(Endian::Little),
        Some(ByteOrder::Big) => Ok(Endian::Big),
        Some(ByteOrder::Auto) => smoother(stream, sample, notes),
        None => {
            notes.assume("Bytes are taken as little-endian; --byte-order big or auto reads them otherwise.");
            Ok(Endian::Little)
        }
    }
}

fn smoother(stream: &Stream, sample: Sample, notes: &mut Notes) -> Result<Endian> {
    let mut found = [Endian::Little, Endian::Big].map(|endian| (endian, Variation::default()));
    let mut heights = Vec::new();
    stream.each(sample.bytes(), |bytes| {
        heights.resize(bytes.len() / sample.bytes(), 0.0);
        for (endian, variation) in &mut found {
            decode_plain(sample, *endian, bytes, &mut heights);
            variation.add(&heights);
        }
    })?;
    let [little, big] = found.map(|(_, variation)| variation.sum);
    let (endian, name) =
        if big < little { (Endian::Big, "big-endian") } else { (Endian::Little, "little-endian") };
    notes.assume(format!(
        "Bytes are taken as {name}, the smoother reading: samples differ from the one before by {little} in all \
         read little-endian, by {big} read big-endian."
    ));
    Ok(endian)
}

/// Decodes stored values as they are. Eight-byte floats too small for a height, as swapped bytes often are, would round to
/// a smooth 0 and become empty instead.
pub(super) fn decode_plain(sample: Sample, endian: Endian, bytes: &[u8], values: &mut [f32]) {
    Decoder { sample, endian, empty: None, scale: 1.0, offset: 0.0 }.decode(bytes, values);
    if sample == Sample::F64 {
        let stored = bytes.as_chunks::<8>().0;
        for (value, _) in
            values.iter_mut().zip(stored).filter(|(value, stored)| **value == 0.0 && **stored != [0; 8])
        {
            *value = EMPTY;
        }
    }
}
