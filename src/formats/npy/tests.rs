//! Small arrays of every type and order, and what is refused.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{Raster, ReadOptions};
use half::f16;

fn array(version: u8, descr: &str, fortran: bool, shape: &str, samples: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = text.len() as u32;
    let length =
        if version == 1 { length.to_le_bytes()[..2].to_vec() } else { length.to_le_bytes().to_vec() };
    [b"\x93NUMPY".as_slice(), &[version, 0], &length, text.as_bytes(), samples].concat()
}

fn read(content: &[u8]) -> Raster {
    TestFolder::new().read("a.npy", content).expect("read")
}

#[test]
fn every_type_in_both_byte_orders() {
    let bytes = |value: &dyn Fn(u8) -> Vec<u8>| (1..=6).flat_map(value).collect::<Vec<u8>>();
    let cases: Vec<(&str, &str, Vec<u8>)> = vec![
        ("|u1", "u8", bytes(&|v| vec![v])),
        ("|i1", "i8", bytes(&|v| vec![v])),
        ("<u2", "u16", bytes(&|v| u16::from(v).to_le_bytes().to_vec())),
        (">i2", "i16", bytes(&|v| i16::from(v).to_be_bytes().to_vec())),
        ("<i4", "i32", bytes(&|v| i32::from(v).to_le_bytes().to_vec())),
        (">u4", "u32", bytes(&|v| u32::from(v).to_be_bytes().to_vec())),
        ("<i8", "i64", bytes(&|v| i64::from(v).to_le_bytes().to_vec())),
        (">u8", "u64", bytes(&|v| u64::from(v).to_be_bytes().to_vec())),
        ("<f2", "f16", bytes(&|v| f16::from_f32(v.into()).to_le_bytes().to_vec())),
        (">f4", "f32", bytes(&|v| f32::from(v).to_be_bytes().to_vec())),
        ("<f8", "f64", bytes(&|v| f64::from(v).to_le_bytes().to_vec())),
    ];
    for (version, (descr, sample, samples)) in [1, 2, 3].iter().cycle().zip(cases) {
        let raster = read(&array(*version, descr, false, "(2, 3)", &samples));
        assert_eq!((raster.size, raster.heights), ([3, 2], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), "{descr}");
        assert_eq!(raster.facts.sample_type, sample);
    }
}

#[test]
fn the_first_index_may_run_fastest() {
    let raster = read(&array(1, "|u1", true, "(2, 3)", &[1, 2, 3, 4, 5, 6]));
    assert_eq!((raster.size, raster.heights), ([3, 2], vec![1.0, 3.0, 5.0, 2.0, 4.0, 6.0]));
}

#[test]
fn of_three_dimensions_the_first_is_the_band() {
    let folder = TestFolder::new();
    let two = array(1, "|u1", false, "(2, 1, 3)", &[1, 2, 3, 4, 5, 6]);
    let raster = read(&two);
    assert_eq!((raster.size, &raster.heights[..]), ([3, 1], &[1.0, 2.0, 3.0][..]));
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("Band 1 of 2")));
    let band = |band| ReadOptions { band: Some(band), ..ReadOptions::default() };
    let raster = folder.read_with("a.npy", &two, &band(2)).expect("read");
    assert_eq!((raster.facts.band, raster.heights[0]), (2, 4.0));
    let error = folder.read_with("a.npy", &two, &band(3)).expect_err("refused");
    assert_eq!(error.exit_code(), 2);
    for shape in ["(1, 2, 3)", "(2, 3, 1)"] {
        assert_eq!(read(&array(1, "|u1", false, shape, &[1, 2, 3, 4, 5, 6])).size, [3, 2]);
        assert_eq!(read(&array(1, "|u1", true, shape, &[1, 2, 3, 4, 5, 6])).heights[1], 3.0);
    }
}

#[test]
fn codes_spread_over_a_range() {
    let options = ReadOptions { z_range: Some([0.0, 510.0]), ..ReadOptions::default() };
    let content = array(1, "|u1", false, "(1, 2)", &[1, 255]);
    let raster = TestFolder::new().read_with("a.npy", &content, &options).expect("read");
    assert_eq!(raster.heights, [2.0, 510.0]);
}

#[test]
fn what_is_no_grid_of_numbers_is_refused_by_name() {
    let folder = TestFolder::new();
    let refused = |content: &[u8]| message(folder.read("a.npy", content));
    let shaped = |shape: &str, fortran: bool| refused(&array(1, "|u1", fortran, shape, &[0; 64]));
    for descr in ["|O", "<c8", "<U4", "|b1", "<M8[ns]", "|u2", "=f4", "f4", "<f16", ""] {
        let told = refused(&array(1, descr, false, "(2, 3)", &[0; 64]));
        assert!(told.contains(&format!("of type {descr};")), "{told}");
    }
    assert!(shaped("(6,)", false).contains("shape (6)"));
    assert!(shaped("()", false).contains("shape ()"));
    assert!(shaped("(2, 2, 2, 2)", false).contains("shape (2, 2, 2, 2)"));
    assert!(shaped("(8, 2, 3)", false).contains("the band as first dimension"));
    assert!(shaped("(2, 2, 3)", true).contains("the order of C"));
    assert!(shaped("(0, 3)", false).contains("3×0 samples"));
    assert!(shaped("(4294967296, 3)", false).contains("dimensions from 1"));
    assert!(shaped("(4294967295, 4294967295)", false).contains("4294967295×4294967295 samples of u8"));
    assert!(shaped("(4294967295, 9, 4294967295)", false).contains("samples of u8"));
}

#[test]
fn malformed_files_are_refused() {
    let folder = TestFolder::new();
    let refused = |content: &[u8]| message(folder.read("a.npy", content));
    let whole = array(1, "<f4", false, "(2, 3)", &[0; 24]);
    assert!(refused(&whole[..whole.len() - 1]).contains("3×2 samples of f32"));
    assert!(refused(&whole[..30]).contains("a header cut off"));
    assert!(refused(&whole[..8]).contains("a header cut off"));
    assert!(refused(b"\x93NUMPY\x02\0\x10\0").contains("a header cut off"));
    assert!(refused(b"\x93NUMPY\x09\0\x10\0\0\0").contains("version 9"));
    assert!(refused(b"\x93NUMPY\x02\0\xff\xff\xff\xff{}").contains("a header of 4294967295 bytes"));
    assert!(refused(b"\x93NUMPY\x01\0\x02\0\xff\xfe").contains("no text"));
}
