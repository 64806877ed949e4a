//! Small grids, written for the tests: which values are read, where they stand, and how bad files are refused.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::{Raster, ReadOptions};
use crate::terrain::is_empty;
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions, NcWriteType, VariableId};

const FORMATS: [NcWriteFormat; 4] =
    [NcWriteFormat::Classic, NcWriteFormat::Offset64, NcWriteFormat::Cdf5, NcWriteFormat::Nc4];

/// A coordinate variable: its name, its values and its text attributes.
type Axis<'a> = (&'a str, &'a [f64], &'a [(&'a str, &'a str)]);

const NORTHWARD: Axis = ("lat", &[45.0, 45.5], &[("units", "degrees_north")]);
const EASTWARD: Axis = ("lon", &[8.0, 8.5, 9.0], &[("units", "degrees_east")]);
/// The south row first.
const VALUES: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn chars(text: &str) -> NcAttrValue {
    NcAttrValue::Chars(text.into())
}

/// A file of one grid with coordinates.
fn grid<T: NcWriteType>(name: &str, axes: [Axis; 2], values: &[T]) -> (NcFileBuilder, VariableId) {
    let mut file = NcFileBuilder::new();
    let dimensions = axes.map(|(name, values, attributes)| {
        let dimension = file.add_dimension(name, values.len() as u64).expect("a dimension");
        let variable = file.add_variable::<f64>(name, &[dimension]).expect("a variable");
        file.write_variable(variable, values).expect("values");
        for (name, text) in attributes {
            file.add_variable_attribute(variable, *name, chars(text)).expect("an attribute");
        }
        dimension
    });
    let variable = file.add_variable::<T>(name, &dimensions).expect("a variable");
    file.write_variable(variable, values).expect("values");
    (file, variable)
}

fn with<T: NcWriteType>(attributes: &[(&str, NcAttrValue)], values: &[T]) -> NcFileBuilder {
    let (mut file, variable) = grid("z", [NORTHWARD, EASTWARD], values);
    for (name, value) in attributes {
        file.add_variable_attribute(variable, *name, value.clone()).expect("an attribute");
    }
    file
}

fn bytes(file: &NcFileBuilder, format: NcWriteFormat) -> Vec<u8> {
    file.to_vec(NcWriteOptions { format }).expect("written").1
}

fn read(file: &NcFileBuilder) -> Raster {
    TestFolder::new().read("a.nc", &bytes(file, NcWriteFormat::Classic)).expect("read")
}

#[test]
fn every_kind_of_file_has_its_north_row_first_and_its_corner_half_a_step_out() {
    let (file, _) = grid("elevation", [NORTHWARD, EASTWARD], &VALUES);
    for format in FORMATS {
        let raster = TestFolder::new().read("a.bin", &bytes(&file, format)).expect("read");
        assert_eq!((raster.size, raster.facts.sample_type.as_str()), ([3, 2], "f32"));
        assert_eq!(raster.heights, [4.0, 5.0, 6.0, 1.0, 2.0, 3.0], "{format:?}");
        assert_eq!(raster.facts.geotransform, Some([7.75, 0.5, 0.0, 45.75, 0.0, -0.5]));
        // Half a degree of latitude at 45.25° is 55.57 km, of longitude 39.2 km.
        assert!((raster.spacing_m[1] - 55_570.0).abs() < 20.0, "{:?}", raster.spacing_m);
        assert!((raster.spacing_m[0] - 39_230.0).abs() < 30.0, "{:?}", raster.spacing_m);
    }
}

#[test]
fn a_compressed_grid_in_chunks_is_read_whole() {
    let rows: Vec<f64> = (0..300).map(|row| 60.0 - f64::from(row) * 0.01).collect();
    let columns: Vec<f64> = (0..200).map(|column| f64::from(column) * 0.01).collect();
    let axes = [("lat", rows.as_slice(), NORTHWARD.2), ("lon", columns.as_slice(), EASTWARD.2)];
    let values: Vec<i16> = (0..60_000).map(|at| (at / 7 - 4000) as i16).collect();
    let (mut file, variable) = grid("z", axes, &values);
    file.set_variable_chunking(variable, [64, 70]).expect("chunks");
    file.set_variable_deflate(variable, Some(6), true).expect("deflate");
    let raster = TestFolder::new().read("a.nc", &bytes(&file, NcWriteFormat::Nc4)).expect("read");
    assert_eq!((raster.size, raster.facts.format.as_str()), ([200, 300], "netCDF-4/HDF5"));
    assert!(raster.heights.iter().zip(&values).all(|(height, value)| *height == f32::from(*value)));
}

#[test]
fn empties_are_told_apart_before_scaling() {
    let scaled = [
        ("_FillValue", NcAttrValue::Shorts(vec![-7])),
        ("scale_factor", NcAttrValue::Doubles(vec![0.5])),
        ("add_offset", NcAttrValue::Floats(vec![100.0])),
        ("units", chars("feet")),
    ];
    let raster = read(&with(&scaled, &[1_i16, 2, 3, -7, 5, 6]));
    assert!(is_empty(raster.heights[0]));
    assert_eq!(raster.heights[1..], [102.5, 103.0, 100.5, 101.0, 101.5]);
    assert_eq!((raster.facts.scale, raster.facts.offset, raster.unit_m), (0.5, 100.0, 0.3048));
    assert_eq!(raster.facts.nodata.as_deref(), Some("-7"));
    let missing = read(&with(&[("missing_value", NcAttrValue::Floats(vec![2.0]))], &VALUES));
    assert!(is_empty(missing.heights[4]) && missing.facts.statistics.valid == 5);
    let undeclared = read(&with(&[], &[1_i16, 2, 3, -32_767, 5, 6]));
    assert!(is_empty(undeclared.heights[0]));
    assert!(undeclared.facts.nodata_rule.contains("the format's own fill value"));
}

#[test]
fn values_outside_the_declared_range_are_empty() {
    let raster = read(&with(&[("valid_range", NcAttrValue::Floats(vec![2.0, 5.0]))], &VALUES));
    let valid: Vec<f32> = raster.heights.iter().copied().filter(|height| !is_empty(*height)).collect();
    assert_eq!(valid, [4.0, 5.0, 2.0, 3.0]);
    assert_eq!((raster.facts.statistics.raw_min, raster.facts.statistics.raw_max), (Some(2.0), Some(5.0)));
}

#[test]
fn every_type_of_number_is_read_and_unsigned_ones_by_convention() {
    let first = |file: &NcFileBuilder, format| {
        let raster = TestFolder::new().read("a.nc", &bytes(file, format)).expect("read");
        (raster.facts.sample_type.clone(), raster.heights[3])
    };
    let unsigned = [("_Unsigned", chars("true"))];
    let range = [("valid_range", NcAttrValue::Shorts(vec![0, 255]))];
    for (file, format, name, value) in [
        (with(&[], &[-3_i8; 6]), NcWriteFormat::Classic, "i8", -3.0),
        (with(&unsigned, &[-3_i8; 6]), NcWriteFormat::Classic, "u8", 253.0),
        (with(&range, &[-3_i8; 6]), NcWriteFormat::Classic, "u8", 253.0),
        (with(&unsigned, &[-3_i16; 6]), NcWriteFormat::Classic, "u16", 65_533.0),
        (with(&[], &[70_000_i32; 6]), NcWriteFormat::Classic, "i32", 70_000.0),
        (with(&[], &[0.5_f64; 6]), NcWriteFormat::Classic, "f64", 0.5),
        (with(&[], &[200_u8; 6]), NcWriteFormat::Nc4, "u8", 200.0),
        (with(&[], &[40_000_u16; 6]), NcWriteFormat::Nc4, "u16", 40_000.0),
        (with(&[], &[3_000_000_000_u32; 6]), NcWriteFormat::Nc4, "u32", 3e9),
        (with(&[], &[-5_i64; 6]), NcWriteFormat::Nc4, "i64", -5.0),
        (with(&[], &[5_u64; 6]), NcWriteFormat::Nc4, "u64", 5.0),
    ] {
        assert_eq!(first(&file, format), (name.to_owned(), value));
    }
}

#[test]
fn the_grid_of_heights_is_taken_among_others_and_others_can_be_asked_for() {
    let mut file = NcFileBuilder::new();
    let [time, y, x] = [("time", 2), ("y", 2), ("x", 3)]
        .map(|(name, size)| file.add_dimension(name, size).expect("a dimension"));
    let mut add = |name: &str, dimensions: &[_], values: &[i16]| {
        let variable = file.add_variable::<i16>(name, dimensions).expect("a variable");
        file.write_variable(variable, values).expect("values");
    };
    add("slope", &[time, y, x], &[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    add("Elevation", &[y, x], &[3; 6]);
    let content = bytes(&file, NcWriteFormat::Classic);
    let folder = TestFolder::new();
    for (asked, band, height) in [(None, 3, 3.0), (Some(1), 1, 1.0), (Some(2), 2, 2.0), (Some(3), 3, 3.0)] {
        let options = ReadOptions { band: asked, ..ReadOptions::default() };
        let raster = folder.read_with("a.nc", &content, &options).expect("read");
        assert_eq!((raster.facts.band, raster.heights[0]), (band, height));
        assert!(raster.facts.assumptions[0].contains("--band picks another"));
    }
    let options = ReadOptions { band: Some(4), ..ReadOptions::default() };
    assert_eq!(folder.read_with("a.nc", &content, &options).expect_err("refused").exit_code(), 2);
}

#[test]
fn planes_are_placed_by_what_their_coordinates_say() {
    let projected: Axis = ("y", &[200.0, 100.0], &[("units", "km")]);
    let east: Axis =
        ("x", &[0.0, 100.0, 200.0], &[("standard_name", "projection_x_coordinate"), ("units", "km")]);
    let raster = read(&grid("z", [projected, east], &VALUES).0);
    assert_eq!(raster.heights, VALUES);
    assert_eq!(raster.facts.geotransform, Some([-50.0, 100.0, 0.0, 250.0, 0.0, -100.0]));
    assert_eq!(raster.spacing_m, [100_000.0; 2]);
    // Coordinates without a word on what they are still tell which row is the north one.
    let plain: [Axis; 2] = [("y", &[0.0, 1.0], &[]), ("x", &[0.0, 1.0, 2.0], &[])];
    let raster = read(&grid("z", plain, &VALUES).0);
    assert_eq!((raster.heights[0], raster.facts.geotransform), (4.0, None));
    assert!(raster.facts.warnings.iter().any(|warning| warning.code == "unplaced"));
    let uneven: Axis = ("lon", &[8.0, 8.5, 9.5], EASTWARD.2);
    assert_eq!(read(&grid("z", [NORTHWARD, uneven], &VALUES).0).facts.geotransform, None);
}

#[test]
fn a_grid_stored_by_columns_is_turned() {
    // Columns west to east, each from south to north: 1 and 4 stand in the west.
    let raster = read(&grid("z", [EASTWARD, NORTHWARD], &[1.0_f32, 4.0, 2.0, 5.0, 3.0, 6.0]).0);
    assert_eq!((raster.size, raster.heights.as_slice()), ([3, 2], [4.0, 5.0, 6.0, 1.0, 2.0, 3.0].as_slice()));
    assert_eq!(raster.facts.geotransform, Some([7.75, 0.5, 0.0, 45.75, 0.0, -0.5]));
}

#[test]
fn the_grid_mapping_names_the_system() {
    let mut file = with(&[("grid_mapping", chars("crs"))], &VALUES);
    let mapping = file.add_variable::<i32>("crs", &[]).expect("a variable");
    file.write_variable(mapping, &[0_i32]).expect("a value");
    let text = r#"GEOGCS["WGS 84",DATUM["D",SPHEROID["S",6378137,298.25]],UNIT["degree",0.0174],AUTHORITY["EPSG","4326"]]"#;
    file.add_variable_attribute(mapping, "crs_wkt", chars(text)).expect("an attribute");
    let crs = read(&file).facts.crs.expect("a system");
    assert_eq!(
        (crs.epsg, crs.name.as_str(), crs.source.as_str()),
        (Some(4326), "WGS 84", "the grid mapping crs")
    );
}

#[test]
fn old_grids_of_gmt_hold_their_rows_in_one_dimension() {
    let mut file = NcFileBuilder::new();
    let side = file.add_dimension("side", 2).expect("a dimension");
    let samples = file.add_dimension("xysize", 6).expect("a dimension");
    for (name, values) in [("x_range", [8.0, 9.0]), ("y_range", [45.0, 45.5])] {
        let variable = file.add_variable::<f64>(name, &[side]).expect("a variable");
        file.write_variable(variable, &values).expect("values");
    }
    let dimension = file.add_variable::<i32>("dimension", &[side]).expect("a variable");
    file.write_variable(dimension, &[3_i32, 2]).expect("values");
    let z = file.add_variable::<f32>("z", &[samples]).expect("a variable");
    file.write_variable(z, &VALUES).expect("values");
    let raster = read(&file);
    assert_eq!((raster.size, raster.heights.as_slice()), ([3, 2], VALUES.as_slice()));
    assert_eq!(raster.facts.geotransform, Some([7.75, 0.5, 0.0, 45.75, 0.0, -0.5]));
    file.add_variable_attribute(z, "node_offset", NcAttrValue::Ints(vec![1])).expect("an attribute");
    assert_eq!(read(&file).facts.geotransform, Some([8.0, 1.0 / 3.0, 0.0, 45.5, 0.0, -0.25]));
}

#[test]
fn files_without_a_grid_and_broken_ones_are_refused() {
    let folder = TestFolder::new();
    let mut line = NcFileBuilder::new();
    let samples = line.add_dimension("x", 6).expect("a dimension");
    let z = line.add_variable::<f32>("z", &[samples]).expect("a variable");
    line.write_variable(z, &VALUES).expect("values");
    assert!(message(folder.read("a.nc", &bytes(&line, NcWriteFormat::Classic))).contains("no grid"));
    let (file, _) = grid("z", [NORTHWARD, EASTWARD], &VALUES);
    for format in FORMATS {
        let whole = bytes(&file, format);
        for length in (4..whole.len()).step_by(whole.len() / 97) {
            match folder.read("a.nc", &whole[..length]) {
                // Coordinates and names may be missing, but no sample.
                Ok(raster) => assert_eq!(raster.heights.iter().sum::<f32>(), 21.0, "{format:?} {length}"),
                Err(error) => assert_eq!(error.exit_code(), 3, "{error}"),
            }
        }
    }
}

#[test]
fn a_file_too_short_for_its_samples_is_refused_before_memory_is_asked_for() {
    let folder = TestFolder::new();
    let mut whole = bytes(&with(&[], &VALUES), NcWriteFormat::Classic);
    // The lengths of the two dimensions follow their names, padded to four bytes.
    for name in [b"lat\0", b"lon\0"] {
        let at = whole.windows(4).position(|window| window == name).expect("the dimension") + 4;
        whole[at..at + 4].copy_from_slice(&1_000_000_u32.to_be_bytes());
    }
    assert!(message(folder.read("a.nc", &whole)).contains("netCDF") || whole.len() < 1000);
}

#[test]
fn no_change_of_a_byte_panics_or_hangs() {
    let folder = TestFolder::new();
    let (file, _) = grid("z", [NORTHWARD, EASTWARD], &VALUES);
    for format in [NcWriteFormat::Classic, NcWriteFormat::Nc4] {
        let whole = bytes(&file, format);
        for at in (0..whole.len()).step_by(1 + whole.len() / 400) {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            // Whatever is read of it, it is read or refused.
            let _ = folder.read("a.nc", &changed);
        }
    }
}
