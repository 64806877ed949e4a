//! Lists that are grids and lists that are not.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{Raster, ReadOptions};

fn read(text: &str) -> Raster {
    TestFolder::new().read("a.xyz", text.as_bytes()).expect("read")
}

/// 3 columns from 10 to 14, rows at 20 and 23, heights 1 to 6 from the north-west.
const LINES: [&str; 6] = ["10 23 1", "12 23 2", "14 23 3", "10 20 4", "12 20 5", "14 20 6.5"];

#[test]
fn any_order_of_lines_is_the_same_grid() {
    let orders = [[0, 1, 2, 3, 4, 5], [3, 4, 5, 0, 1, 2], [0, 3, 1, 4, 2, 5], [5, 2, 4, 0, 3, 1]];
    for order in orders {
        let text: Vec<&str> = order.iter().map(|line| LINES[*line]).collect();
        let raster = read(&text.join("\r\n"));
        assert_eq!((raster.size, raster.heights), ([3, 2], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.5]), "{order:?}");
        assert_eq!(raster.facts.geotransform, Some([9.0, 2.0, 0.0, 24.5, 0.0, -3.0]));
        assert!(raster.facts.warnings.is_empty());
    }
}

#[test]
fn missing_places_are_empty_and_repeated_ones_are_told() {
    let text = format!("# a comment\n{}\n\n{}\n{}\n10 23 7\n", LINES[0], LINES[2], LINES[4]);
    let raster = read(&text);
    assert_eq!(
        (raster.size, raster.heights[0], raster.heights[2], raster.heights[4]),
        ([3, 2], 7.0, 3.0, 5.0)
    );
    assert_eq!((raster.facts.statistics.valid, raster.facts.statistics.empty), (3, 3));
    let warnings: Vec<&str> = raster.facts.warnings.iter().map(|warning| warning.code.as_str()).collect();
    assert_eq!(warnings, ["repeated-points"]);
    assert!(raster.facts.nodata_rule.contains("without a point are empty"));
    assert_eq!(raster.facts.nodata, None);
}

#[test]
fn the_type_follows_the_numbers() {
    let sample = |heights: [&str; 4]| {
        let [a, b, c, d] = heights;
        read(&format!("0 0 {a}\n1 0 {b}\n0 1 {c}\n1 1 {d}")).facts.sample_type
    };
    assert_eq!(sample(["0", "255", "3", "4"]), "u8");
    assert_eq!(sample(["0", "256", "3", "4"]), "i16");
    assert_eq!(sample(["-1", "3", "3", "4"]), "i16");
    assert_eq!(sample(["-32769", "3", "3", "4"]), "i32");
    assert_eq!(sample(["3000000000", "3", "3", "4"]), "f32");
    assert_eq!(sample(["0.5", "3", "3", "4"]), "f32");
    assert_eq!(sample(["nan", "3", "3", "4"]), "f32");
}

#[test]
fn an_empty_value_can_be_given() {
    let options = ReadOptions { nodata: Some(-5.0), ..ReadOptions::default() };
    let text = "x y z flag\n0 0 -5 1\n1 0 1e39 1\n0 1 3 1\n1 1 4 1\n";
    let raster = TestFolder::new().read_with("a.xyz", text.as_bytes(), &options).expect("read");
    assert_eq!((raster.facts.statistics.valid, raster.facts.statistics.empty), (2, 2));
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("beside x, y and z")));
}

#[test]
fn unknown_names_are_told() {
    let raster = read("a b c\n0 0 1\n1 0 2\n0 1 3\n1 1 4\n");
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("named a, b, c")));
}

#[test]
fn what_is_no_grid_is_refused_in_one_line() {
    let folder = TestFolder::new();
    let refused = |text: &str| message(folder.read("a.xyz", text.as_bytes()));
    assert!(refused("0 0 1\n1 0 2\n0.3 1.7 3\n9 9 4\n").contains("line 3 stands at x 0.3"));
    assert!(refused("0 0 1\n").contains("1 positions along x"));
    assert!(refused("0 0 1\n0 1 2\n0 2 3\n").contains("1 positions along x"));
    assert!(refused("0 0 1\n1e-6 0 2\n1e9 1e9 3\n").contains("uneven steps along x"));
    assert!(refused("0 0 1\n1 1 2\n10000 10000 3\n").contains("3 points scattered over 10001×10001"));
    assert!(refused("0 0\n1 0\n").contains("not elevation data"));
    let long = format!("{}\n", LINES.join("\n")).repeat(100);
    assert!(refused(&format!("{long}10 23\n")).contains("line 601 gives no point"));
    assert!(refused(&format!("{long}10 x 23\n")).contains("\"x\" in line 601"));
    assert!(refused(&format!("{long}{}\n", "1".repeat(70_000))).contains("line 601 is no text, or of more"));
    assert!(refused(&format!("{long}1\0 2 3\n")).contains("line 601 is no text"));
}
