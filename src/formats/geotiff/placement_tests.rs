//! Whole files: where they stand and in which units.

use super::test_tiff::{TestTiff, Values};
use crate::formats::Raster;
use crate::formats::test_files::TestFolder;

fn read(tiff: &TestTiff) -> Raster {
    TestFolder::new().read("a.tif", &tiff.bytes()).expect("read")
}

fn plan() -> TestTiff {
    TestTiff::floats([4, 4], &[3280.8333; 16]).placed([5e5, 10.0, 0.0, 5e6, 0.0, -10.0])
}

fn has_warning(raster: &Raster, code: &str) -> bool {
    raster.facts.warnings.iter().any(|warning| warning.code == code)
}

#[test]
fn survey_feet_in_plan_become_metres() {
    let raster = read(&plan().keyed(&[[1024, 1], [3072, 2927]]));
    assert!(raster.spacing_m.iter().all(|spacing| (spacing - 10.0 * 1200.0 / 3937.0).abs() < 1e-12));
    assert_eq!(raster.facts.unit, "metre");
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("plan coordinates in US survey foot")));
}

#[test]
fn each_source_of_the_height_unit_names_itself() {
    let band = |unit: &str| {
        let item = format!("<Item name=\"U\" sample=\"0\" role=\"unittype\">{unit}</Item>");
        Values::Text(format!("<GDALMetadata>{item}</GDALMetadata>"))
    };
    let utm = [[1024, 1], [3072, 26912]];
    let system = plan().keyed(&[utm[0], utm[1], [4096, 6360]]);
    let key = plan().keyed(&[utm[0], utm[1], [4096, 5703], [4099, 9003]]);
    let both = system.clone().with(42112, band("m"));
    for (tiff, source, metres, conflict) in [
        (&system, "the vertical system EPSG:6360", 1200.0 / 3937.0, false),
        (&key, "the vertical unit key", 1200.0 / 3937.0, true),
        (&both, "the band's unit", 1.0, true),
    ] {
        let raster = read(tiff);
        assert_eq!((raster.facts.unit_source.as_str(), raster.unit_m), (source, metres));
        assert_eq!(has_warning(&raster, "unit-conflict"), conflict, "{source}: {:?}", raster.facts.warnings);
    }
}

#[test]
fn tie_points_without_a_scale_place_a_file_where_one_map_fits_them() {
    let corners = |bend: f64| {
        let point = |[column, row]: [f64; 2]| {
            [column, row, 0.0, 500.0 + 8.0 * column + 6.0 * row, 900.0 + 6.0 * column - 8.0 * row, 0.0]
        };
        let mut tie = [[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]].map(point).concat();
        tie[21] += bend;
        TestTiff::floats([4, 4], &[0.0; 16]).with(33922, Values::Doubles(tie))
    };
    let raster = read(&corners(0.0));
    let expected = [500.0, 8.0, 6.0, 900.0, 6.0, -8.0];
    let found = raster.facts.geotransform.expect("placed");
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    assert!(raster.spacing_m.iter().all(|spacing| (spacing - 10.0).abs() < 1e-9));
    let bent = read(&corners(25.0));
    assert!(bent.facts.geotransform.is_none() && has_warning(&bent, "control-points"));
}

#[test]
fn broken_geo_keys_are_told_and_left_out() {
    for directory in [
        vec![],
        vec![1],
        vec![9, 9, 9, 9],
        vec![1, 1, 0, 500, 1024, 0, 1, 1],
        vec![1, 1, 0, 1, 3072, 34737, 9, 65535],
    ] {
        let raster = read(&plan().with(34735, Values::Shorts(directory.clone())));
        assert!(has_warning(&raster, "geo-keys"), "{directory:?}");
        assert_eq!(raster.facts.geotransform, Some([5e5, 10.0, 0.0, 5e6, 0.0, -10.0]));
    }
}

#[test]
fn a_world_file_places_what_has_no_place_and_never_overrules() {
    let folder = TestFolder::new();
    folder.write("a.tfw", b"2\n0\n0\n-2\n101\n199\n");
    let raster = folder.read("a.tif", &TestTiff::floats([2, 2], &[0.0; 4]).bytes()).expect("read");
    assert_eq!(raster.facts.geotransform, Some([100.0, 2.0, 0.0, 200.0, 0.0, -2.0]));
    assert_eq!(raster.facts.files.len(), 2);
    let raster = folder.read("a.tif", &plan().bytes()).expect("read");
    assert_eq!(raster.facts.geotransform, Some([5e5, 10.0, 0.0, 5e6, 0.0, -10.0]));
    assert!(has_warning(&raster, "place-conflict"));
}
