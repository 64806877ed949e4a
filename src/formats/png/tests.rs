//! Whole pictures: what is read of them, and how the bad ones are refused.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{Raster, ReadOptions};
use crate::terrain::is_empty;
use png::{BitDepth, ColorType};

fn picture(size: [u32; 2], colour: ColorType, depth: BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.write_header().expect("a header").write_image_data(pixels).expect("pixels");
    bytes
}

fn read(bytes: &[u8]) -> Raster {
    TestFolder::new().read("a.png", bytes).expect("read")
}

/// Values 0 to 511 in each of two rows.
fn codes() -> impl Iterator<Item = u16> {
    (0..2).flat_map(|_| 0..512)
}

fn has_every_code(raster: &Raster) -> bool {
    raster.heights.iter().map(|height| *height as u16).eq(codes())
}

/// The same values, interlaced by hand: the encoder has no such mode.
fn interlaced() -> Vec<u8> {
    /// First column and row, and steps, of the seven passes.
    const PASSES: [[usize; 4]; 7] =
        [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];
    let mut data = Vec::new();
    for [x0, y0, dx, dy] in PASSES {
        for _ in (y0..2).step_by(dy) {
            data.push(0);
            data.extend((x0..512).step_by(dx).flat_map(|x| (x as u16).to_be_bytes()));
        }
    }
    // A zlib stream of one stored block.
    let length = data.len() as u16;
    let mut zlib = vec![0x78, 0x01, 0x01];
    zlib.extend(length.to_le_bytes().into_iter().chain((!length).to_le_bytes()));
    zlib.extend(&data);
    let sums = data.iter().fold([1_u32, 0], |[a, b], byte| {
        let a = (a + u32::from(*byte)) % 65_521;
        [a, (b + a) % 65_521]
    });
    zlib.extend((sums[1] << 16 | sums[0]).to_be_bytes());
    let header = [&512_u32.to_be_bytes()[..], &2_u32.to_be_bytes(), &[16, 0, 0, 0, 1]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), chunk(b"IDAT", &zlib), chunk(b"IEND", &[])]
        .concat()
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [name, data].concat();
    let sum = !named.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 },
        )
    });
    [&(data.len() as u32).to_be_bytes()[..], &named, &sum.to_be_bytes()].concat()
}

#[test]
fn sixteen_bits_keep_their_low_byte() {
    let grey: Vec<u8> = codes().flat_map(u16::to_be_bytes).collect();
    let with_alpha: Vec<u8> = codes().flat_map(|v| [v.to_be_bytes(), [0xff; 2]].concat()).collect();
    let colours: Vec<u8> = codes().flat_map(|v| [v.to_be_bytes(); 3].concat()).collect();
    let size = [512, 2];
    for bytes in [
        picture(size, ColorType::Grayscale, BitDepth::Sixteen, &grey),
        picture(size, ColorType::GrayscaleAlpha, BitDepth::Sixteen, &with_alpha),
        picture(size, ColorType::Rgb, BitDepth::Sixteen, &colours),
        interlaced(),
    ] {
        let raster = read(&bytes);
        assert!(has_every_code(&raster), "{:?}", &raster.heights[..8]);
        assert_eq!(raster.facts.sample_type, "u16");
        assert!(raster.facts.warnings.is_empty());
    }
}

#[test]
fn eight_bits_are_spread_and_told_once() {
    let pixels: Vec<u8> = (0..64).flat_map(|_| 0..64).collect();
    let bytes = picture([64, 64], ColorType::Grayscale, BitDepth::Eight, &pixels);
    let options = ReadOptions { z_range: Some([0.0, 1000.0]), ..ReadOptions::default() };
    let raster = TestFolder::new().read_with("a.png", &bytes, &options).expect("read");
    assert!((raster.heights[1] - 3.9216).abs() < 1e-4);
    assert_eq!(raster.heights[..64].windows(2).filter(|pair| pair[0] < pair[1]).count(), 63);
    let notices: Vec<&str> = raster.facts.warnings.iter().map(|warning| warning.text.as_str()).collect();
    assert_eq!(notices, ["8-bit source, step 3.92 m"]);
}

#[test]
fn any_size_opens_unchanged_and_clear_pixels_are_empty() {
    let pixels = vec![7; 62 * 52];
    assert_eq!(read(&picture([62, 52], ColorType::Grayscale, BitDepth::Eight, &pixels)).size, [62, 52]);
    let pixels = [1, 255, 2, 0, 3, 255, 4, 255];
    let raster = read(&picture([2, 2], ColorType::GrayscaleAlpha, BitDepth::Eight, &pixels));
    assert!(is_empty(raster.heights[1]) && raster.heights[3] == 4.0);
    assert_eq!(
        read(&picture([3, 1], ColorType::Grayscale, BitDepth::Four, &[0x12, 0x30])).heights,
        [1.0, 2.0, 3.0]
    );
}

#[test]
fn photographs_and_broken_files_are_refused() {
    let folder = TestFolder::new();
    let photograph = picture([2, 1], ColorType::Rgb, BitDepth::Eight, &[250, 10, 10, 3, 200, 9]);
    assert!(message(folder.read("a.png", &photograph)).contains("a colour picture"));
    let options = ReadOptions { band: Some(2), ..ReadOptions::default() };
    let green = folder.read_with("a.png", &photograph, &options).expect("read");
    assert_eq!((green.heights.as_slice(), green.facts.band), ([10.0, 200.0].as_slice(), 2));
    let good = picture([64, 64], ColorType::Grayscale, BitDepth::Eight, &[7; 64 * 64]);
    for length in 8..good.len() {
        // Cut within the last chunks it may still be whole.
        let _ = folder.read("a.png", &good[..length]);
    }
    assert!(message(folder.read("a.png", &good[..40])).contains("a broken PNG"));
}

#[test]
fn the_transparent_grey_of_either_depth_is_empty() {
    for (depth, pixels, transparent) in [
        (BitDepth::Eight, vec![10, 11, 12, 13], vec![0, 10]),
        (BitDepth::Sixteen, vec![0, 10, 0, 11, 0, 12, 0, 13], vec![0, 10]),
    ] {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(depth);
        encoder.set_trns(transparent);
        encoder.write_header().expect("a header").write_image_data(&pixels).expect("pixels");
        let raster = read(&bytes);
        assert!(is_empty(raster.heights[0]), "{depth:?}");
        assert_eq!((raster.heights[1], raster.facts.nodata.as_deref()), (11.0, Some("10")));
    }
}
