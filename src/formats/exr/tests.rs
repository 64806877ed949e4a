//! Small pictures, written for the tests: which channel is read, and how bad files are refused.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{Raster, ReadOptions};
use exr::image::write::layers::WritableLayers;
use exr::prelude::*;
use std::io::Cursor;

type Channel<'a> = (&'a str, FlatSamples);

fn layer(
    name: &str,
    size: [usize; 2],
    encoding: Encoding,
    channels: &[Channel],
) -> Layer<AnyChannels<FlatSamples>> {
    let list = channels.iter().map(|(name, samples)| AnyChannel::new(*name, samples.clone())).collect();
    Layer::new((size[0], size[1]), LayerAttributes::named(name), encoding, AnyChannels::sort(list))
}

fn write(image: &Image<impl for<'a> WritableLayers<'a>>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write().to_buffered(&mut bytes).expect("written");
    bytes.into_inner()
}

fn picture(size: [usize; 2], encoding: Encoding, channels: &[Channel]) -> Vec<u8> {
    write(&Image::from_layer(layer("main", size, encoding, channels)))
}

fn floats(values: &[f32]) -> FlatSamples {
    FlatSamples::F32(values.to_vec())
}

fn read(bytes: &[u8]) -> Raster {
    TestFolder::new().read("a.bin", bytes).expect("read")
}

#[test]
fn every_type_of_sample_is_read_as_stored() {
    let halves = FlatSamples::F16([0.5, 1.5, -2.0, 100.25].map(f16::from_f32).to_vec());
    let whole = FlatSamples::U32(vec![0, 7, 4_000_000_000, 3]);
    for (samples, name, heights) in [
        (floats(&[1.5, 2.25, f32::NAN, 4.0]), "f32", [1.5, 2.25, f32::NAN, 4.0]),
        (halves, "f16", [0.5, 1.5, -2.0, 100.25]),
        (whole, "u32", [0.0, 7.0, 4e9, 3.0]),
    ] {
        let raster = read(&picture([2, 2], Encoding::UNCOMPRESSED, &[("Y", samples)]));
        assert_eq!((raster.size, raster.facts.sample_type.as_str()), ([2, 2], name));
        let same = |(found, expected): (&f32, &f32)| found == expected || found.is_nan() && expected.is_nan();
        assert!(raster.heights.iter().zip(&heights).all(same), "{:?}", raster.heights);
    }
}

#[test]
fn scan_lines_and_tiles_of_every_lossless_compression_are_read_in_place() {
    let [width, depth] = [70_usize, 50];
    let values: Vec<f32> = (0..width * depth).map(|at| at as f32 * 0.25).collect();
    for (compression, name) in [
        (Compression::Uncompressed, "none"),
        (Compression::RLE, "rle"),
        (Compression::ZIP1, "zips"),
        (Compression::ZIP16, "zip"),
        (Compression::PIZ, "piz"),
    ] {
        for blocks in [Blocks::ScanLines, Blocks::Tiles(Vec2(32, 16))] {
            let encoding = Encoding { compression, blocks, line_order: LineOrder::Increasing };
            let raster = read(&picture([width, depth], encoding, &[("height", floats(&values))]));
            assert_eq!(
                (raster.heights.as_slice(), raster.facts.compression.as_str()),
                (values.as_slice(), name)
            );
        }
    }
}

#[test]
fn the_channel_of_heights_is_taken_and_told_and_others_can_be_asked_for() {
    let channels = ["B", "G", "R", "Z"].map(|name| (name, floats(&[f32::from(name.as_bytes()[0]); 4])));
    let bytes = picture([2, 2], Encoding::UNCOMPRESSED, &channels);
    let raster = read(&bytes);
    assert_eq!((raster.heights[0], raster.facts.band), (f32::from(b'Z'), 4));
    assert_eq!(
        raster.facts.assumptions[0],
        "Channel Z of B, G, R, Z is taken as heights; --band picks another, counted from 1."
    );
    assert_eq!(read(&picture([2, 2], Encoding::UNCOMPRESSED, &channels[..3])).heights[0], f32::from(b'R'));
    let clear = [("A", floats(&[1.0; 4])), ("depth", floats(&[9.0; 4]))];
    assert_eq!(read(&picture([2, 2], Encoding::UNCOMPRESSED, &clear)).heights[0], 9.0);
    let asked = |band| ReadOptions { band: Some(band), ..ReadOptions::default() };
    let green = TestFolder::new().read_with("a.exr", &bytes, &asked(2)).expect("read");
    assert_eq!((green.heights[0], green.facts.band), (f32::from(b'G'), 2));
    for band in [0, 5] {
        let error = TestFolder::new().read_with("a.exr", &bytes, &asked(band)).expect_err("refused");
        assert_eq!(error.exit_code(), 2);
    }
}

#[test]
fn of_several_parts_the_one_with_heights_is_read() {
    let attributes = ImageAttributes::new(IntegerBounds::from_dimensions((3, 2)));
    let image = Image {
        attributes,
        layer_data: SmallVec::from_vec(vec![
            layer("colour", [2, 2], Encoding::UNCOMPRESSED, &[("B", floats(&[1.0; 4]))]),
            layer("ground", [3, 2], Encoding::UNCOMPRESSED, &[("height", floats(&[7.0; 6]))]),
        ]),
    };
    let raster = read(&write(&image));
    assert_eq!((raster.size, raster.heights.as_slice()), ([3, 2], [7.0; 6].as_slice()));
    assert!(raster.facts.assumptions[0].contains("colour.B, ground.height"));
}

#[test]
fn all_of_the_data_window_is_read_whatever_the_display_window() {
    let mut image =
        Image::from_layer(layer("main", [2, 1], Encoding::UNCOMPRESSED, &[("Y", floats(&[3.0, 4.0]))]));
    image.layer_data.attributes.layer_position = Vec2(-5, 6);
    image.attributes.display_window = IntegerBounds::from_dimensions((64, 32));
    let raster = read(&write(&image));
    assert_eq!(raster.heights, [3.0, 4.0]);
    assert!(
        raster.facts.assumptions.iter().any(|text| text.contains("at (-5, 6)") && text.contains("64×32"))
    );
}

#[test]
fn a_window_that_the_file_cannot_hold_is_refused() {
    let mut bytes = picture([2, 2], Encoding::UNCOMPRESSED, &[("Y", floats(&[0.0; 4]))]);
    let at =
        bytes.windows(18).position(|window| window == b"dataWindow\0box2i\0\x10").expect("the window") + 20;
    bytes[at + 8..at + 16].copy_from_slice(&[0xff, 0x75, 0, 0, 0xff, 0x75, 0, 0]);
    let error = message(TestFolder::new().read("a.exr", &bytes));
    assert!(error.contains("OpenEXR picture"), "{error}");
}

#[test]
fn a_block_that_counts_more_than_it_can_hold_is_refused() {
    let encoding = Encoding { compression: Compression::DWAA(None), ..Encoding::SMALL_LOSSLESS };
    let halves = FlatSamples::F16((0..1600).map(|at| f16::from_f32(at as f32 / 4.0)).collect());
    let whole = picture([40, 40], encoding, &[("Y", halves)]);
    let raster = read(&whole);
    assert!(
        raster.heights.iter().zip(0..1600_u16).all(|(height, at)| (height - f32::from(at) / 4.0).abs() < 4.0)
    );
    // The version of the block's counters, 2 in eight bytes, stands first; the counters follow.
    let at = whole.windows(8).rposition(|window| window == [2, 0, 0, 0, 0, 0, 0, 0]).expect("the counters");
    for counter in [1, 6, 7, 8, 9] {
        let mut lying = whole.clone();
        lying[at + 8 * counter + 5] = 0x7f;
        let told = message(TestFolder::new().read("a.exr", &lying));
        assert!(told.contains("counts more than it can hold"), "{counter}: {told}");
    }
}

#[test]
fn no_cut_and_no_change_of_a_byte_panics() {
    let folder = TestFolder::new();
    let encoding = Encoding { compression: Compression::PIZ, ..Encoding::SMALL_LOSSLESS };
    let whole = picture([20, 20], encoding, &[("Y", floats(&[2.5; 400]))]);
    for length in 4..whole.len() {
        message(folder.read("a.exr", &whole[..length]));
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 0xff;
        // Whatever is read of it, it is read or refused.
        let _ = folder.read("a.exr", &changed);
    }
}
