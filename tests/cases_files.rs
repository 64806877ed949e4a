//! Public complaints about reading terrain files that must not happen here, each with its smallest input.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use orograph::error::Error;
use orograph::formats::{ByteOrder, Raster, ReadOptions, SampleType, read};
use orograph::terrain::is_empty;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder of its own.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("written");
        path
    }

    fn open(&self, name: &str, content: &[u8], options: &ReadOptions) -> Result<Raster, Error> {
        read(&self.write(name, content), options)
    }
}

fn sized(size: [u32; 2]) -> ReadOptions {
    ReadOptions { raster_size: Some(size), ..ReadOptions::default() }
}

fn warnings(raster: &Raster) -> Vec<&str> {
    raster.facts.warnings.iter().map(|warning| warning.text.as_str()).collect()
}

/// A picture of whole grey values of 8 or 16 bits.
fn png(size: [u32; 2], depth: png::BitDepth, pixels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, size[0], size[1]);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(depth);
    encoder.write_header().expect("a header").write_image_data(pixels).expect("pixels");
    bytes
}

/// Row 1: a declared empty value becomes a hole, and nothing is drawn at its depth.
#[test]
fn a_declared_empty_value_is_a_hole_and_no_pit() {
    let text = "ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value -9999\n\
        100 101 102\n103 -9999 104\n105 106 107\n";
    let raster = Folder::new().open("a.asc", text.as_bytes(), &ReadOptions::default()).expect("read");
    let found = raster.facts.statistics;
    assert_eq!((found.min, found.max, found.valid, found.empty), (Some(100.0), Some(107.0), 8, 1));
    let terrain = raster.to_terrain().expect("built");
    assert_eq!((terrain.range(), terrain.sample(1, 1), terrain.valid()), (100.0..=107.0, None, 8));
    assert_eq!(terrain.height_at(0.0, 0.0), None);
}

/// Row 13: the byte order that was meant is the smoother one, by the numbers of the case.
#[test]
fn the_byte_order_is_little_unless_asked_and_auto_takes_the_smoother() {
    let folder = Folder::new();
    let bytes: Vec<u8> = (0..16_u16).flat_map(|index| (1000 + 7 * index).to_be_bytes()).collect();
    let by = |byte_order| {
        let options = ReadOptions { byte_order, ..sized([4, 4]) };
        folder.open("a.r16", &bytes, &options).expect("read")
    };
    let auto = by(Some(ByteOrder::Auto));
    assert_eq!((auto.heights[1], auto.heights[15]), (1007.0, 1105.0));
    let told = auto.facts.assumptions.iter().find(|text| text.contains("big-endian, the smoother"));
    assert!(told.is_some_and(|text| text.contains("88831") && text.contains("105")), "{told:?}");
    assert_eq!(by(Some(ByteOrder::Big)).heights, auto.heights);
    assert_eq!((by(None).heights[0], by(Some(ByteOrder::Little)).heights[0]), (59_395.0, 59_395.0));
}

/// Row 14: a headerless file is asked about, never refused for not being square.
#[test]
fn a_headerless_file_lists_its_plausible_sizes_or_both_lengths() {
    let folder = Folder::new();
    let whole: Vec<u8> = (0..24_u16).flat_map(|at| (500 + at).to_le_bytes()).collect();
    let error = folder.open("a.raw", &whole, &ReadOptions::default()).expect_err("asked");
    assert_eq!(error.exit_code(), 2);
    assert!(error.to_string().contains("plausibly ") && error.to_string().contains("6x4"), "{error}");
    let raster = folder.open("a.raw", &whole, &sized([6, 4])).expect("read");
    assert_eq!((raster.size, raster.heights[23]), ([6, 4], 523.0));
    let tailed = [&whole[..], &[0, 0]].concat();
    let error = folder.open("a.raw", &tailed, &sized([6, 4])).expect_err("refused");
    assert_eq!(error.exit_code(), 3);
    for part in ["50 bytes", "48 for 6×4 samples", "--header-bytes 2"] {
        assert!(error.to_string().contains(part), "{error}");
    }
}

/// Row 16: eight bits as heights are told once, and smoothed only on demand.
#[test]
fn eight_bits_are_told_once_and_smoothed_only_when_asked() {
    let folder = Folder::new();
    let pixels: Vec<u8> = (0..64).flat_map(|_| 0..64).collect();
    let bytes = png([64, 64], png::BitDepth::Eight, &pixels);
    let spread = ReadOptions { z_range: Some([0.0, 1000.0]), ..ReadOptions::default() };
    let raster = folder.open("a.png", &bytes, &spread).expect("read");
    let mut heights: Vec<f32> = raster.heights.clone();
    heights.sort_by(f32::total_cmp);
    heights.dedup();
    assert_eq!(heights.len(), 64);
    assert!(heights.windows(2).all(|pair| (pair[1] - pair[0] - 1000.0 / 255.0).abs() < 1e-3));
    assert_eq!(warnings(&raster), ["8-bit source, step 3.92 m"]);
    assert!(raster.facts.assumptions.iter().all(|text| !text.contains("smooth")));
    let smooth = folder.open("a.png", &bytes, &ReadOptions { smooth: true, ..spread }).expect("read");
    assert!(smooth.facts.assumptions.iter().any(|text| text.contains("Heights are smoothed, as asked")));
    let most = smooth.heights.iter().zip(&raster.heights).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(most > 0.0 && most <= 0.5 * 1000.0 / 255.0 + 1e-3, "{most}");
}

/// Row 17: the low byte of sixteen bits is kept, and one that says nothing is told.
#[test]
fn sixteen_bits_stay_sixteen_bits() {
    let folder = Folder::new();
    let picture = |codes: &[u16]| {
        let pixels: Vec<u8> = codes.iter().flat_map(|code| code.to_be_bytes()).collect();
        png([codes.len() as u32 / 2, 2], png::BitDepth::Sixteen, &pixels)
    };
    let codes: Vec<u16> = (0..2).flat_map(|_| 0..512).collect();
    let raster = folder.open("a.png", &picture(&codes), &ReadOptions::default()).expect("read");
    assert!(raster.heights.iter().map(|height| *height as u16).eq(codes.iter().copied()));
    assert!(warnings(&raster).is_empty());
    let squeezed: Vec<u16> = codes.iter().map(|code| code >> 1 << 8).collect();
    let raster = folder.open("b.png", &picture(&squeezed), &ReadOptions::default()).expect("read");
    assert_eq!(
        warnings(&raster),
        ["16-bit file of 8-bit steps, all codes are multiples of 256, step 256.00 m"]
    );
}

/// Row 19: floats of 0 to 1 are told to look normalised, and are given a range in one step; metres are let alone.
#[test]
fn normalised_floats_are_told_and_metres_let_alone() {
    let folder = Folder::new();
    let options = ReadOptions { sample_type: Some(SampleType::F16), ..sized([4, 4]) };
    let halves = |factor: f32| -> Vec<u8> {
        let values = (0..16).map(|at| half::f16::from_f32(at as f32 / 15.0 * factor));
        values.flat_map(half::f16::to_le_bytes).collect()
    };
    let raster = folder.open("a.raw", &halves(1.0), &options).expect("read");
    assert_eq!(warnings(&raster), ["values span 0…1, looks normalised; --z-range A,B gives heights"]);
    assert_eq!((raster.heights[0], raster.heights[15]), (0.0, 1.0));
    let spread = ReadOptions { z_range: Some([0.0, 800.0]), ..options.clone() };
    let raster = folder.open("a.raw", &halves(1.0), &spread).expect("read");
    assert_eq!((raster.heights[0], raster.heights[15], warnings(&raster).len()), (0.0, 800.0, 0));
    let metres = folder.open("a.raw", &halves(640.0), &options).expect("read");
    assert_eq!((metres.heights[15], warnings(&metres).len()), (640.0, 0));
    assert_eq!(folder.open("a.raw", &halves(640.0), &spread).expect_err("refused").exit_code(), 2);
}

/// Row 20: sizes that are no power of two, and longer than a texture, open as they are.
#[test]
fn odd_and_over_limit_sizes_open_unchanged() {
    let folder = Folder::new();
    let pixels: Vec<u8> = (0..62 * 52_u32).map(|at| (at % 251) as u8).collect();
    let raster = folder.open("a.png", &png([62, 52], png::BitDepth::Eight, &pixels), &ReadOptions::default());
    let terrain = raster.expect("read").to_terrain().expect("built");
    assert_eq!((terrain.size(), terrain.sample(61, 51)), ([62, 52], Some(f64::from(pixels[62 * 52 - 1]))));
    let codes: Vec<u8> = (0..8193 * 4_u32).flat_map(|at| ((at % 8193) as u16).to_le_bytes()).collect();
    let terrain = folder.open("a.r16", &codes, &sized([8193, 4])).expect("read").to_terrain().expect("built");
    assert_eq!((terrain.size(), terrain.sample(8192, 3)), ([8193, 4], Some(8192.0)));
}

/// An empty value is compared in the samples' own type; usual ones that nothing declares are told, and kept on demand.
#[test]
fn sentinels_are_told_and_switchable_and_heights_never_dropped() {
    let folder = Folder::new();
    let open = |values: &[i16; 4], nodata: Option<f64>| {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let options = ReadOptions { sample_type: Some(SampleType::I16), nodata, ..sized([2, 2]) };
        folder.open("a.raw", &bytes, &options).expect("read")
    };
    let undeclared = open(&[100, -9999, 102, 103], None);
    assert!(is_empty(undeclared.heights[1]) && warnings(&undeclared)[0].contains("--nodata none keeps them"));
    let kept = open(&[100, -9999, 102, 103], Some(f64::NAN));
    assert_eq!((kept.heights[1], kept.facts.nodata, kept.facts.warnings.len()), (-9999.0, None, 0));
    assert!(kept.facts.nodata_rule.contains("as asked"), "{}", kept.facts.nodata_rule);
    let declared = open(&[100, 0, 102, -9999], Some(0.0));
    assert!(is_empty(declared.heights[1]) && declared.heights[3] == -9999.0);
    // The greatest and the least code are heights like any other unless something says otherwise.
    let codes: Vec<u8> = [0_u16, 65_535, 30_000, 1].iter().flat_map(|code| code.to_le_bytes()).collect();
    let raster = folder.open("b.r16", &codes, &sized([2, 2])).expect("read");
    assert_eq!((raster.facts.statistics.valid, raster.facts.statistics.max), (4, Some(65_535.0)));
}
