use super::*;
use crate::formats::raster::Raster;
use crate::formats::test_files::{TestFolder, message};

fn column(index: u16, samples: &[[u8; 2]]) -> Vec<u8> {
    let mut record = vec![SENTINEL, 0, 0, index as u8];
    record.extend(index.to_be_bytes());
    record.extend([0, 0]);
    record.extend(samples.iter().flatten());
    let sum: u32 = record.iter().map(|byte| u32::from(*byte)).sum();
    record.extend(sum.to_be_bytes());
    record
}

/// A cell of 3 columns and 2 rows, 30 seconds apart, with the columns that are given.
fn cell(columns: &[Vec<u8>]) -> Vec<u8> {
    let mut label = format!("UHL10800000W0430000N03000300{:<19}00030002", "").into_bytes();
    label.resize(LABEL_BYTES, b' ');
    let mut description = vec![b' '; DESCRIPTION_BYTES];
    description[141..149].copy_from_slice(b"E96WGS84");
    [label, description, vec![b' '; ACCURACY_BYTES], columns.concat()].concat()
}

fn whole() -> [Vec<u8>; 3] {
    [column(0, &[[0, 1], [0, 2]]), column(1, &[[0x80, 3], [0xff, 0xff]]), column(2, &[[0xff, 0xfb], [1, 0]])]
}

fn read_cell(bytes: &[u8]) -> Raster {
    TestFolder::new().read("n43.dt0", bytes).expect("read")
}

#[test]
fn columns_rise_northward_in_sign_and_magnitude() {
    let raster = read_cell(&cell(&whole()));
    assert_eq!((raster.heights[0], raster.heights[2]), (2.0, 256.0));
    assert!(raster.heights[1].is_nan());
    assert_eq!(raster.heights[3..], [1.0, -3.0, -5.0]);
    let step = 30.0 / 3600.0;
    let expected = [-80.0 - 0.5 * step, step, 0.0, 43.0 + 1.5 * step, 0.0, -step];
    assert_eq!(raster.facts.geotransform, Some(expected));
    let vertical = raster.facts.crs.and_then(|crs| crs.vertical).expect("named");
    assert_eq!(vertical.epsg, Some(5773));
    assert!(raster.facts.warnings.iter().any(|warning| warning.code == "twos-complement"));
}

#[test]
fn tape_labels_before_the_header_are_passed_over() {
    let tape = format!("{:80}{:80}", "VOL1", "HDR1");
    assert_eq!(read_cell(&[tape.as_bytes(), &cell(&whole())].concat()).heights[3], 1.0);
}

#[test]
fn a_partial_cell_has_its_columns_where_they_say() {
    let raster = read_cell(&cell(&whole()[2..]));
    assert_eq!((raster.facts.statistics.valid, raster.heights[2]), (2, 256.0));
    assert!(raster.facts.warnings.iter().any(|warning| warning.text.contains("1 of 3 columns")));
}

#[test]
fn whole_cells_follow_the_columns_numbers_where_those_can_be_right() {
    let [first, second, third] = whole();
    let raster = read_cell(&cell(&[third.clone(), first.clone(), second.clone()]));
    assert_eq!((raster.heights[0], raster.heights[2], raster.heights[3]), (2.0, 256.0, 1.0));
    let mut misnamed = third;
    misnamed[5] = 0;
    let raster = read_cell(&cell(&[first, second, misnamed]));
    assert_eq!((raster.heights[0], raster.heights[2]), (2.0, 256.0));
    assert!(raster.facts.warnings.iter().any(|warning| warning.code == "column-numbers"));
}

#[test]
fn latitude_and_longitude_in_each_others_place_are_told_apart_by_their_sides() {
    let right = cell(&whole());
    let mut swapped = right.clone();
    swapped[4..20].copy_from_slice(b"0430000N0800000W");
    let (right, swapped) = (read_cell(&right), read_cell(&swapped));
    assert_eq!(right.facts.geotransform, swapped.facts.geotransform);
    let is_told = |raster: &Raster| raster.facts.warnings.iter().any(|told| told.code == "swapped-origin");
    assert!(is_told(&swapped) && !is_told(&right));
}

#[test]
fn a_wrong_sum_is_told_and_forgiven() {
    let mut bytes = cell(&whole());
    *bytes.last_mut().expect("a byte") ^= 1;
    let raster = read_cell(&bytes);
    assert!(raster.facts.warnings.iter().any(|warning| warning.text.starts_with("the sums of 1 columns")));
}

#[test]
fn malformed_cells_are_refused() {
    let folder = TestFolder::new();
    let refused = |bytes: &[u8]| message(folder.read("a.dt0", bytes));
    let good = cell(&whole());
    assert!(refused(&good[..3000]).contains("cut off after 3000 bytes"));
    assert!(refused(&cell(&[])).contains("without columns"));
    let with = |at: usize, text: &[u8]| {
        let mut bytes = good.clone();
        bytes[at..at + text.len()].copy_from_slice(text);
        bytes
    };
    assert!(refused(&with(47, b"0000")).contains("as columns in the header"));
    assert!(refused(&with(47, b"99999999")).contains("9999×9999 samples in"));
    assert!(refused(&with(4, b"08x0000W")).contains("\"08x0000W\" and \"0430000N\" as longitude"));
    assert!(refused(&with(4, b"0800000N")).contains("as longitude and latitude in the header"));
    assert!(refused(&with(3428, b"x")).contains("column 1 begins with byte 0x78"));
}

#[test]
fn degrees_in_figures() {
    assert_eq!(degrees("0794500W"), Some((-79.75, 'W')));
    assert_eq!(degrees("0430000N"), Some((43.0, 'N')));
    assert_eq!(degrees("430036s"), Some((-43.01, 'S')));
    assert_eq!(degrees("0430000X"), None);
    assert_eq!(degrees("W"), None);
}
