//! Small grids of each form, whole and broken.

use crate::formats::Raster;
use crate::formats::test_files::{TestFolder, message};

/// Heights 1 to 6, the fourth blank, on 3 columns from 10 to 14 and 2 rows from 20 to 23; south row first.
fn values() -> [f64; 6] {
    [1.0, 2.0, 3.0, 1.70141e38, 5.0, 6.5]
}

const BOUNDS: [f64; 6] = [10.0, 14.0, 20.0, 23.0, 1.0, 6.5];

fn surfer_6() -> Vec<u8> {
    let mut file = b"DSBB\x03\0\x02\0".to_vec();
    file.extend(BOUNDS.iter().flat_map(|bound| bound.to_le_bytes()));
    file.extend(values().iter().flat_map(|value| (*value as f32).to_le_bytes()));
    file
}

fn section(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [name, (content.len() as u32).to_le_bytes().as_slice(), content].concat()
}

/// The sections of a Surfer 7 file after its first: grid and data.
fn grid_and_data(blank: f64) -> [Vec<u8>; 2] {
    let mut grid = [2_u32, 3].map(u32::to_le_bytes).concat();
    let numbers = [10.0, 20.0, 2.0, 3.0, 1.0, 6.5, 0.0, blank];
    grid.extend(numbers.iter().flat_map(|number: &f64| number.to_le_bytes()));
    let data: Vec<u8> = values().iter().flat_map(|value| value.to_le_bytes()).collect();
    [section(b"GRID", &grid), section(b"DATA", &data)]
}

fn surfer_7(sections: &[&[u8]]) -> Vec<u8> {
    [section(b"DSRB", &[1, 0, 0, 0]).as_slice(), &sections.concat()].concat()
}

fn check(raster: &Raster, sample: &str) {
    assert_eq!(raster.heights[1..], [5.0, 6.5, 1.0, 2.0, 3.0]);
    assert!(raster.heights[0].is_nan());
    assert_eq!(raster.facts.geotransform, Some([9.0, 2.0, 0.0, 24.5, 0.0, -3.0]));
    assert_eq!((raster.facts.sample_type.as_str(), raster.facts.statistics.empty), (sample, 1));
    assert!(raster.facts.warnings.is_empty(), "{:?}", raster.facts.warnings);
    let blank: f64 = raster.facts.nodata.as_ref().and_then(|text| text.parse().ok()).expect("declared");
    assert_eq!(blank, 1.70141e38);
}

#[test]
fn ascii_rows_span_lines_and_run_north() {
    let folder = TestFolder::new();
    let text = "DSAA\r\n3 2\r\n10 14\r\n20 23\r\n1 6.5\r\n1 2\r\n3\r\n\r\n1.70141E+038 5 6.5\r\n";
    check(&folder.read("a.grd", text.as_bytes()).expect("read"), "f64");
    let falling = "DSAA\n3 2\n10 14\n23 20\n1 6.5\n1.70141e38 5 6.5\n1 2 3";
    check(&folder.read("b.grd", falling.as_bytes()).expect("read"), "f64");
}

#[test]
fn binary_forms_have_the_same_heights() {
    let folder = TestFolder::new();
    check(&folder.read("a.grd", &surfer_6()).expect("read"), "f32");
    let [grid, data] = grid_and_data(1.70141e38);
    check(&folder.read("b.grd", &surfer_7(&[&grid, &data])).expect("read"), "f64");
    let faults = section(b"FLTI", &[1; 13]);
    check(&folder.read("c.grd", &surfer_7(&[&faults, &data, &faults, &grid])).expect("read"), "f64");
}

#[test]
fn a_surfer_7_file_names_its_own_blank() {
    let [grid, data] = grid_and_data(3.0);
    let raster = TestFolder::new().read("a.grd", &surfer_7(&[&grid, &data])).expect("read");
    // The other value is of a magnitude that no height has.
    assert_eq!((raster.facts.statistics.valid, raster.facts.warnings.len()), (4, 1));
    assert!(raster.heights[5].is_nan());
}

#[test]
fn malformed_grids_are_refused() {
    let folder = TestFolder::new();
    let refused = |content: &[u8]| message(folder.read("a.grd", content));
    assert!(refused(b"DSAA\n3 2\n10 14\n20 23\n1 6.5\n1.25 2 3 4 5").contains("5 samples; 6 for 3×2"));
    assert!(refused(b"DSAA\n3 2\n10 14\n20 23\n1 6.5\n1 2 3 4 5 6 7").contains("7 samples; 6 for 3×2"));
    assert!(refused(b"DSAA\n3 2\n10 14\n20 23\n1 6.5\n1 2 3 x 5 6").contains("\"x\" at column 0, row 1"));
    assert!(refused(b"DSAA\n3 two\n").contains("\"two\" for the rows"));
    assert!(refused(b"DSAA\n3 -2\n").contains("-2 rows"));
    assert!(refused(b"DSAA\n3 2\n10").contains("\"\" for the bounds"));
    assert!(refused(b"DSAA\n900000000 900000000\n0 1\n0 1\n0 1\n1 2").contains("room for 2"));
    assert!(refused(&surfer_6()[..30]).contains("cut off after 30 bytes"));
    assert!(refused(&surfer_6()[..60]).contains("60 bytes; 3×2 samples of f32"));
    let [grid, data] = grid_and_data(0.0);
    assert!(refused(&surfer_7(&[&grid])).contains("without a grid"));
    assert!(refused(&surfer_7(&[&grid, &data[..40]])).contains("samples of f64"));
    assert!(refused(&surfer_7(&[&grid, &section(b"DATA", &[0; 40])])).contains("DATA section of 40 bytes"));
    assert!(refused(&surfer_7(&[&section(b"GRID", &[2, 0]), &data])).contains("cut off after 2 bytes"));
    assert!(refused(&surfer_7(&[&[0; 80_000]])).contains("without a grid"));
}
