//! Heights written into red, green and blue: which of the two ways it is, and its formula.

use super::decoded::Decoded;
use super::input::heights_for;
use super::samples::Sample;
use crate::error::{Error, Result};
use crate::geo::LengthUnit;

/// Heights of the earth's surface in metres, with room around them.
const PLAUSIBLE: std::ops::RangeInclusive<f64> = -11_500.0..=9_500.0;

/// A way of writing heights into three bytes.
pub(super) struct Encoding {
    pub name: &'static str,
    height: fn([f64; 3]) -> f64,
}

const ENCODINGS: [Encoding; 2] = [
    Encoding { name: "Mapbox", height: |[r, g, b]| -10_000.0 + (r * 65_536.0 + g * 256.0 + b) * 0.1 },
    Encoding { name: "Terrarium", height: |[r, g, b]| r * 256.0 + g + b / 256.0 - 32_768.0 },
];

impl Encoding {
    /// The encoding of a name, in any case.
    pub fn named(name: &str) -> Option<&'static Self> {
        ENCODINGS.iter().find(|encoding| encoding.name.eq_ignore_ascii_case(name))
    }

    /// The one encoding under which all pixels are heights on earth; clear ones do not count.
    pub fn fitting(bytes: &[u8], channels: usize) -> Option<&'static Self> {
        ENCODINGS.iter().find(|encoding| encoding.fits(bytes, channels))
    }

    /// The height that a pixel holds in metres; `None` for a clear pixel and for no height on earth.
    pub fn height_of(&self, pixel: &[u8]) -> Option<f64> {
        let height = (self.height)(colours(pixel));
        (!is_clear(pixel) && PLAUSIBLE.contains(&height)).then_some(height)
    }

    fn fits(&self, bytes: &[u8], channels: usize) -> bool {
        let pixels = || bytes.chunks_exact(channels);
        // A picture without any opacity has a meaningless alpha channel.
        let all_clear = pixels().all(is_clear);
        pixels()
            .filter(|pixel| all_clear || !is_clear(pixel))
            .all(|pixel| PLAUSIBLE.contains(&(self.height)(colours(pixel))))
    }
}

/// Decodes the pixels by the one encoding under which all of them are heights on earth.
pub(super) fn decode(bytes: &[u8], channels: usize, sample: Sample, decoded: &mut Decoded) -> Result<()> {
    let encoding = Encoding::fitting(bytes, channels).filter(|_| sample == Sample::U8);
    let Some(encoding) = encoding else {
        return Err(Error::input(
            "a colour picture",
            "grey values, or heights in terrain-RGB",
            "save it as 16-bit grey, or take one channel with --band",
        ));
    };
    decoded.heights = heights_for(decoded.size)?;
    for (height, pixel) in decoded.heights.iter_mut().zip(bytes.chunks_exact(channels)) {
        let value = (encoding.height)(colours(pixel));
        decoded.raw.add(f64::from(value as f32));
        *height = value as f32;
    }
    decoded.sample_type = "f32".into();
    decoded.nodata_rule = "no empty value is declared".into();
    decoded.unit = Some((LengthUnit::metre(), "the encoding".into()));
    let name = encoding.name;
    decoded
        .notes
        .assume(format!("Colours are decoded as {name} terrain-RGB: every pixel gives a height on earth."));
    Ok(())
}

fn colours(pixel: &[u8]) -> [f64; 3] {
    [pixel[0], pixel[1], pixel[2]].map(f64::from)
}

/// Whether a pixel with a fourth channel, that of opacity, cannot be seen.
fn is_clear(pixel: &[u8]) -> bool {
    pixel.get(3) == Some(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn decode_all(pixels: &[[u8; 3]], size: [u32; 2]) -> Result<Decoded> {
        let mut decoded = Decoded::new("PNG", PathBuf::new(), size, "u8");
        decode(pixels.as_flattened(), 3, Sample::U8, &mut decoded).map(|()| decoded)
    }

    #[test]
    fn both_encodings_are_told_apart_by_what_they_give() {
        // 0 m and 0.1 m; 0 m and 100.5 m.
        let mapbox = decode_all(&[[1, 134, 160], [1, 134, 161]], [2, 1]).expect("decoded");
        assert_eq!(mapbox.heights, [0.0, 0.1]);
        let terrarium = decode_all(&[[128, 0, 0], [128, 100, 128]], [2, 1]).expect("decoded");
        assert_eq!(terrarium.heights, [0.0, 100.5]);
    }

    #[test]
    fn clear_pixels_have_no_say_and_no_height() {
        // 0 m in Terrarium's encoding, and a clear black pixel that it would put far below the sea floor.
        let pixels = [128, 0, 0, 255, 0, 0, 0, 0];
        let encoding = Encoding::fitting(&pixels, 4).expect("one fits");
        assert_eq!(encoding.name, "Terrarium");
        assert_eq!([&pixels[..4], &pixels[4..]].map(|pixel| encoding.height_of(pixel)), [Some(0.0), None]);
        assert_eq!(Encoding::named("mapbox").map(|encoding| encoding.name), Some("Mapbox"));
        assert_eq!(Encoding::named("jpeg").map(|encoding| encoding.name), None);
    }

    #[test]
    fn a_photograph_is_refused() {
        let error = decode_all(&[[250, 10, 10], [3, 200, 9]], [2, 1]).expect_err("refused");
        assert_eq!(error.exit_code(), 3);
    }
}
