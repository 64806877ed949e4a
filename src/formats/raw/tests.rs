//! Whole files: what is read of them, guessed about them, and how the bad ones are refused.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{ByteOrder, ReadOptions, Reading, RowOrder, SampleType};

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
    let told = "Bytes are taken as big-endian, the smoother reading: samples differ from the one before by 88831 in all \
        read little-endian, by 105 read big-endian.";
    assert!(raster.facts.assumptions.iter().any(|text| text == told), "{:?}", raster.facts.assumptions);
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
    assert!(
        odd.contains("49 bytes are no whole rectangle of i16 samples, but may be 7x7 --type u8"),
        "{odd}"
    );
    assert!(odd.ends_with("if they are not i16 and little"), "{odd}");
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
    assert!(message(folder.read_with("a.r16", &[0; 50], &sized(u32::MAX, u32::MAX))).contains("50 bytes"));
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

/// A hill that has no symmetry, as whole codes.
fn hill([width, depth]: [u32; 2]) -> impl Iterator<Item = f64> {
    (0..width * depth).map(move |at| {
        let (x, z) = (f64::from(at % width), f64::from(at / width));
        (2000.0 + 700.0 * (x * 0.11).sin() + 500.0 * (z * 0.07).cos() + 3.0 * x).round()
    })
}

fn best(name: &str, bytes: &[u8]) -> Reading {
    let path = TestFolder::new();
    let path = path.write(name, bytes);
    let found = crate::formats::guess(&path, &ReadOptions::default()).expect("looked at");
    found.expect("a guess").readings[0]
}

/// Name, size, type and byte order of a file, and a height as its bytes.
type Case = (&'static str, [u32; 2], SampleType, ByteOrder, fn(f64) -> Vec<u8>);

#[test]
fn sizes_types_and_byte_orders_are_told_by_smoothness() {
    use SampleType::{F16, F32, F64, I16, U8, U16};
    let little = |size, bytes: fn(f64) -> Vec<u8>| hill(size).flat_map(bytes).collect::<Vec<u8>>();
    let cases: [Case; 8] = [
        ("a.raw", [64, 64], U16, ByteOrder::Little, |h| (h as u16).to_le_bytes().to_vec()),
        ("a.raw", [64, 64], U16, ByteOrder::Big, |h| (h as u16).to_be_bytes().to_vec()),
        ("a.raw", [96, 48], U16, ByteOrder::Little, |h| (h as u16).to_le_bytes().to_vec()),
        ("a.bin", [48, 96], I16, ByteOrder::Big, |h| (h as i16 - 2000).to_be_bytes().to_vec()),
        ("a.raw", [65, 65], U8, ByteOrder::Little, |h| vec![(h / 16.0) as u8]),
        ("a.raw", [80, 40], F32, ByteOrder::Big, |h| (h as f32 * 0.37).to_be_bytes().to_vec()),
        ("a.r64", [40, 40], F64, ByteOrder::Little, |h| (h * 0.37).to_le_bytes().to_vec()),
        ("a.f16", [40, 40], F16, ByteOrder::Little, |h| {
            half::f16::from_f64(h - 2000.0).to_le_bytes().to_vec()
        }),
    ];
    for (name, size, sample_type, byte_order, bytes) in cases {
        let found = best(name, &little(size, bytes));
        assert_eq!((found.size, found.sample_type, found.byte_order), (size, sample_type, byte_order));
        assert!(found.roughness < 0.3, "{found:?}");
    }
}

#[test]
fn a_name_helps_and_a_header_is_found_where_nothing_fits() {
    let noise: Vec<u8> =
        (0..24_u32).flat_map(|at| (at.wrapping_mul(2_654_435_761) as u16).to_le_bytes()).collect();
    assert_eq!(best("tile_8x3.r16", &noise).size, [8, 3]);
    let square: Vec<u8> = hill([64, 64]).flat_map(|h| (h as u16).to_le_bytes()).collect();
    let found = best("a.r16", &[&[1; 15][..], &square].concat());
    assert_eq!((found.size, found.header_bytes, found.sample_type), ([64, 64], 15, SampleType::U16));
}

#[test]
fn options_bound_the_guess_and_what_contradicts_them_is_none() {
    let folder = TestFolder::new();
    let bytes: Vec<u8> = hill([64, 64]).flat_map(|h| (h as u16).to_be_bytes()).collect();
    let path = folder.write("a.raw", &bytes);
    let guess = |options: &ReadOptions| crate::formats::guess(&path, options).expect("looked at");
    let found =
        guess(&ReadOptions { byte_order: Some(ByteOrder::Little), ..sized(128, 32) }).expect("a guess");
    assert_eq!((found.answers.size, found.answers.byte_order), ([128, 32], ByteOrder::Little));
    assert_eq!(found.readings[0].size, [64, 64]);
    assert_eq!(found.answers.file_bytes(), Some(8192));
    assert_eq!(guess(&sized(100, 100)), None);
    let named = folder.write("a.asc", b"ncols 2\nnrows 2\ncellsize 1\n1 2 3 4");
    assert_eq!(crate::formats::guess(&named, &ReadOptions::default()).expect("looked at"), None);
}

#[test]
fn the_message_gives_other_types_and_orders_as_their_options() {
    let folder = TestFolder::new();
    let told = |name: &str, bytes: &[u8]| folder.read(name, bytes).expect_err("refused").to_string();
    let big: Vec<u8> = hill([64, 64]).flat_map(|h| (h as u16).to_be_bytes()).collect();
    assert!(told("a.raw", &big).contains("plausibly 64x64 --byte-order big"), "{}", told("a.raw", &big));
    let floats: Vec<u8> = hill([40, 40]).flat_map(|h| (h as f32 * 0.37).to_le_bytes()).collect();
    assert!(told("a.raw", &floats).contains("or smoother 40x40 --type f32"), "{}", told("a.raw", &floats));
}
