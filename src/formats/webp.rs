//! WebP: pictures of red, green and blue that hold heights, as tiles of terrain-RGB do.

use super::decoded::Decoded;
use super::input::{Input, unreadable};
use super::png::{Picture, take_heights};
use super::raster::ReadOptions;
use super::samples::Sample;
use crate::error::{Error, Result};
use image_webp::{DecodingError, WebPDecoder};
use std::fs::File;
use std::io::{BufRead, BufReader, Seek};

/// Bytes of pixels that any file may stand for: flat pictures take next to nothing.
const LARGEST_FLAT: u64 = 16 << 20;
/// Bytes of pixels that one stored byte of a larger picture may stand for.
const RATIO: u64 = 1032;

/// Whether the file begins as WebP does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    is_webp(&input.head)
}

/// Whether bytes begin as WebP does.
pub(super) fn is_webp(bytes: &[u8]) -> bool {
    bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP")
}

/// Reads a WebP picture as heights.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
    let (picture, is_lossy) = decode(BufReader::new(file), input.length)?;
    let mut decoded = Decoded::new("WebP", input.path.clone(), picture.size, picture.sample.name());
    decoded.compression = if is_lossy { "lossy WebP" } else { "lossless WebP" }.into();
    take_heights(&picture, options, &mut decoded)?;
    if is_lossy {
        decoded
            .notes
            .warn("lossy", "lossy WebP changes colours, and with them the heights written into them");
    }
    Ok(decoded)
}

/// Decodes a picture of so many bytes, and tells whether its compression changed colours.
pub(super) fn decode(source: impl BufRead + Seek, length: u64) -> Result<(Picture, bool)> {
    let mut decoder = WebPDecoder::new(source).map_err(|error| broken(&error))?;
    let (width, depth) = decoder.dimensions();
    let has_alpha = decoder.has_alpha();
    let nominal = decoder.output_buffer_size().map_or(u64::MAX, |bytes| bytes as u64);
    if nominal > length.saturating_mul(RATIO).max(LARGEST_FLAT) {
        return Err(Error::input(
            format!("a WebP picture of {width}×{depth} in {length} bytes"),
            "a file long enough to hold its pixels",
            "get the file again",
        ));
    }
    decoder.set_memory_limit(nominal as usize);
    let mut bytes = vec![0; nominal as usize];
    decoder.read_image(&mut bytes).map_err(|error| broken(&error))?;
    let picture = Picture {
        size: [width, depth],
        sample: Sample::U8,
        channels: if has_alpha { 4 } else { 3 },
        has_alpha,
        bytes,
        transparent: None,
    };
    Ok((picture, decoder.is_lossy()))
}

fn broken(error: &DecodingError) -> Error {
    Error::input(format!("a broken WebP picture: {error}"), "a whole WebP file", "get the file again")
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};
    use image_webp::{ColorType, WebPEncoder};

    fn picture(size: [u32; 2], colour: ColorType, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        WebPEncoder::new(&mut bytes).encode(pixels, size[0], size[1], colour).expect("encoded");
        bytes
    }

    #[test]
    fn both_encodings_are_read_and_clear_pixels_are_empty() {
        let folder = TestFolder::new();
        // 0 m and 0.1 m in Mapbox's encoding.
        let mapbox = picture([2, 1], ColorType::Rgb8, &[1, 134, 160, 1, 134, 161]);
        let raster = folder.read("a.webp", &mapbox).expect("read");
        assert_eq!((raster.heights.as_slice(), raster.size), ([0.0, 0.1].as_slice(), [2, 1]));
        assert_eq!(raster.facts.compression, "lossless WebP");
        assert!(raster.facts.warnings.is_empty());
        // 0 m, clear, and 100.5 m in Terrarium's.
        let pixels = [128, 0, 0, 255, 128, 7, 0, 0, 128, 100, 128, 255];
        let raster = folder.read("b.png", &picture([3, 1], ColorType::Rgba8, &pixels)).expect("read");
        assert_eq!((raster.heights[0], raster.heights[2]), (0.0, 100.5));
        assert!(raster.heights[1].is_nan());
    }

    #[test]
    fn grey_pictures_are_heights_and_photographs_are_refused() {
        let folder = TestFolder::new();
        let grey = picture([2, 1], ColorType::Rgb8, &[7, 7, 7, 9, 9, 9]);
        assert_eq!(folder.read("a.webp", &grey).expect("read").heights, [7.0, 9.0]);
        let photograph = picture([2, 1], ColorType::Rgb8, &[250, 10, 10, 3, 200, 9]);
        assert!(message(folder.read("a.webp", &photograph)).contains("a colour picture"));
    }

    #[test]
    fn cut_files_and_pictures_too_large_for_their_bytes_are_refused() {
        let folder = TestFolder::new();
        let good = picture([40, 40], ColorType::Rgb8, &[1, 134, 160].repeat(1600));
        for length in 12..good.len() - 1 {
            assert!(message(folder.read("a.webp", &good[..length])).contains("WebP"), "{length}");
        }
        let mut wide = good;
        // Fourteen bits each of width and depth follow the signature byte of the lossless stream.
        wide[21..25].copy_from_slice(&[0xff, 0xff, 0xff, 0x0f]);
        assert!(message(folder.read("a.webp", &wide)).contains("WebP"));
    }
}
