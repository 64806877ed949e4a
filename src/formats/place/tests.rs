//! Whole files with others beside them.

use crate::formats::test_files::TestFolder;
use crate::formats::{HeightUnit, PixelIs, Raster, ReadOptions};
use crate::terrain::is_empty;
use std::path::PathBuf;

/// 2×2 samples of 10 m cells at (500000, 4000000), without a system.
const GRID: &str = "ncols 2\nnrows 2\nxllcorner 500000\nyllcorner 3999980\ncellsize 10\n1 2 3 4\n";
const PLACE: [f64; 6] = [500_000.0, 10.0, 0.0, 4_000_000.0, 0.0, -10.0];
const UTM_11: &str = r#"PROJCS["NAD_1983_UTM_Zone_11N",GEOGCS["GCS_North_American_1983",UNIT["Degree",0.0174532925199433]],UNIT["Meter",1.0]]"#;

/// A grey picture of 2×2 samples.
fn picture() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().expect("a header").write_image_data(&[1, 2, 3, 4]).expect("pixels");
    bytes
}

/// A grid with sidecars, in a folder of its own.
fn grid_with(sidecars: &[(&str, &str)]) -> Raster {
    grid_by(sidecars, &ReadOptions::default())
}

fn grid_by(sidecars: &[(&str, &str)], options: &ReadOptions) -> Raster {
    let folder = TestFolder::new();
    for (name, content) in sidecars {
        folder.write(name, content.as_bytes());
    }
    folder.read_with("a.asc", GRID.as_bytes(), options).expect("read")
}

fn warnings(raster: &Raster, code: &str) -> Vec<String> {
    raster
        .facts
        .warnings
        .iter()
        .filter(|warning| warning.code == code)
        .map(|warning| warning.text.clone())
        .collect()
}

fn file_names(raster: &Raster) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
    raster.facts.files.iter().map(name).collect()
}

#[test]
fn a_projection_names_the_system_of_any_format() {
    let raster = grid_with(&[("a.prj", UTM_11)]);
    let crs = raster.facts.crs.as_ref().expect("a system");
    assert_eq!((crs.epsg, crs.name.as_str(), crs.source.as_str()), (None, "NAD83 / UTM zone 11N", ".prj"));
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("EPSG:26911")));
    assert_eq!(file_names(&raster), ["a.asc", "a.prj"]);
    let raster = grid_with(&[("a.prj", "EPSG:2927")]);
    assert!((raster.spacing_m[0] - 10.0 * 1200.0 / 3937.0).abs() < 1e-12);
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("US survey foot")));
}

#[test]
fn the_first_source_wins_and_is_named_where_others_differ() {
    let auxiliary =
        "<PAMDataset><SRS>EPSG:32611</SRS><GeoTransform>0, 5, 0, 0, 0, -5</GeoTransform></PAMDataset>";
    let world = "20\n0\n0\n-20\n7\n7\n";
    let raster = grid_with(&[("a.asc.aux.xml", auxiliary), ("a.prj", "EPSG:2056"), ("a.acw", world)]);
    assert_eq!(raster.facts.geotransform, Some([0.0, 5.0, 0.0, 0.0, 0.0, -5.0]));
    assert_eq!(raster.facts.crs.as_ref().and_then(|crs| crs.epsg), Some(32611));
    let told = warnings(&raster, "place-conflict");
    assert_eq!(
        told[0],
        "the place is taken from the .aux.xml file; the file itself and the world file would have another"
    );
    assert_eq!(
        told[1],
        "the coordinate system is taken from the .aux.xml file; the .prj file would have another"
    );
    assert_eq!(file_names(&raster), ["a.asc", "a.asc.aux.xml", "a.prj", "a.acw"]);
    let raster = grid_with(&[("a.prj", "EPSG:32611"), ("a.acw", "10\n0\n0\n-10\n500005.3\n3999995\n")]);
    assert_eq!(raster.facts.geotransform, Some(PLACE));
    assert!(raster.facts.warnings.is_empty(), "a world file is rounded: {:?}", raster.facts.warnings);
}

#[test]
fn a_table_goes_before_a_world_file_and_after_the_file() {
    let table = "Type \"RASTER\"\n(0,0) (0,2) Label \"a\",\n(50,0) (2,2) Label \"b\",\n(50,50) (2,0) Label \"c\"\n\
        CoordSys Earth Projection 8, 79, \"ft\"\n";
    let folder = TestFolder::new();
    folder.write("a.tab", table.as_bytes());
    folder.write("a.pgw", b"1\n0\n0\n-1\n100\n200\n");
    let raster = folder.read("a.png", &picture()).expect("read");
    assert_eq!(raster.facts.geotransform, Some([0.0, 25.0, 0.0, 50.0, 0.0, -25.0]));
    assert!((raster.spacing_m[0] - 25.0 * 0.3048).abs() < 1e-12);
    assert_eq!(warnings(&raster, "place-conflict").len(), 1);
    assert_eq!(grid_with(&[("a.tab", table)]).facts.geotransform, Some(PLACE));
}

#[test]
fn heights_in_feet_name_their_source() {
    for (sidecars, source) in [
        (
            vec![("a.prj", "Projection UTM\nZone 11\nUnits METERS\nZunits FEET\n")],
            "the height unit of the .prj",
        ),
        (vec![("a.prj", "EPSG:26911+8228")], "the vertical system EPSG:8228"),
        (
            vec![(
                "a.asc.aux.xml",
                "<P><PAMRasterBand band=\"1\"><UnitType>ft</UnitType></PAMRasterBand></P>",
            )],
            "the .aux.xml file's unit",
        ),
    ] {
        let raster = grid_with(&sidecars);
        assert_eq!((raster.facts.unit.as_str(), raster.facts.unit_m), ("foot", 0.3048), "{source}");
        assert_eq!(raster.facts.unit_source, source);
        assert!(raster.facts.warnings.is_empty());
    }
    let metres = "<P><PAMRasterBand band=\"1\"><UnitType>m</UnitType></PAMRasterBand></P>";
    let raster = grid_with(&[("a.prj", "EPSG:26911+6360"), ("a.asc.aux.xml", metres)]);
    assert_eq!((raster.facts.unit_m, warnings(&raster, "unit-conflict").len()), (1.0, 1));
    let options = ReadOptions { z_unit: Some(HeightUnit::UsFoot), ..ReadOptions::default() };
    let raster = grid_by(&[("a.asc.aux.xml", metres)], &options);
    assert_eq!(raster.facts.unit_source, "the --z-unit option");
}

#[test]
fn auxiliary_values_are_applied() {
    let auxiliary = r#"<?xml version="1.0"?><PAMDataset>
      <Metadata><MDI key="AREA_OR_POINT">Point</MDI></Metadata>
      <PAMRasterBand band="1"><NoDataValue le_hex_equiv="0000000000000840">3.0</NoDataValue><Offset>100</Offset><Scale>0.5</Scale></PAMRasterBand>
      <PAMRasterBand band="2"><NoDataValue>1</NoDataValue></PAMRasterBand></PAMDataset>"#;
    let raster = grid_with(&[("a.asc.aux.xml", auxiliary)]);
    assert!(is_empty(raster.heights[2]));
    assert_eq!((raster.heights[0], raster.heights[3]), (100.5, 102.0));
    assert_eq!(
        (raster.facts.pixel_is, raster.facts.scale, raster.facts.offset),
        (PixelIs::Point, 0.5, 100.0)
    );
    assert_eq!((raster.facts.statistics.raw_max, raster.facts.statistics.max), (Some(4.0), Some(102.0)));
    let options = ReadOptions { no_scale: true, nodata: Some(1.0), ..ReadOptions::default() };
    let raster = grid_by(&[("a.asc.aux.xml", auxiliary)], &options);
    assert!(is_empty(raster.heights[0]));
    assert_eq!(raster.heights[1..], [2.0, 3.0, 4.0]);
}

#[test]
fn control_points_and_the_system_of_arcgis() {
    let point = |pixel: f64, line: f64| {
        format!(
            "<GCP Id=\"\" Pixel=\"{pixel}\" Line=\"{line}\" X=\"{}\" Y=\"{}\"/>",
            100.0 + 2.0 * pixel,
            50.0 - 2.0 * line
        )
    };
    let points = format!("{}{}{}", point(0.0, 0.0), point(2.0, 0.0), point(0.0, 2.0));
    let auxiliary = format!(
        "<PAMDataset><GCPList Projection=\"\">{points}</GCPList><Metadata domain=\"xml:ESRI\" format=\"xml\"><GeodataXform>\
         <SpatialReference><WKT>{UTM_11}</WKT></SpatialReference></GeodataXform></Metadata></PAMDataset>"
    );
    let raster = grid_with(&[("a.asc.aux.xml", &auxiliary)]);
    assert_eq!(raster.facts.geotransform, Some([100.0, 2.0, 0.0, 50.0, 0.0, -2.0]));
    assert_eq!(raster.facts.crs.map(|crs| crs.source).as_deref(), Some(".aux.xml"));
}

#[test]
fn sidecars_that_cannot_be_used_are_told_and_left_out() {
    let deep = "<a>".repeat(100_000);
    for (name, content) in [
        ("a.prj", "no projection at all"),
        ("a.prj", "binary\0text"),
        ("a.acw", "1 2 three"),
        ("a.asc.aux.xml", "<PAMDataset><SRS>"),
        ("a.asc.aux.xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"),
        ("a.asc.aux.xml", "<PAMDataset><SRS>nothing known</SRS></PAMDataset>"),
        ("a.asc.aux.xml", deep.as_str()),
    ] {
        let raster = grid_with(&[(name, content)]);
        assert_eq!(raster.facts.geotransform, Some(PLACE));
        assert_eq!(warnings(&raster, "sidecar").len(), 1, "{name}: {:?}", raster.facts.warnings);
        assert!(raster.facts.crs.is_none());
    }
    let raster = grid_with(&[("a.acw", "0 0 0 0 1 1")]);
    assert_eq!((raster.facts.geotransform, warnings(&raster, "bad-geotransform").len()), (Some(PLACE), 1));
}

#[test]
fn the_callers_system_goes_before_all_and_keeps_the_heights_of_the_file() {
    let options = |crs| ReadOptions { crs: Some(crs), ..ReadOptions::default() };
    let raster = grid_by(&[("a.prj", "EPSG:26911+6360")], &options(32611));
    let crs = raster.facts.crs.expect("a system");
    assert_eq!((crs.epsg, crs.vertical.and_then(|vertical| vertical.epsg)), (Some(32611), Some(6360)));
    assert_eq!(raster.facts.unit, "US survey foot");
    let raster = grid_by(&[("a.prj", "EPSG:26911+6360")], &options(7405));
    let crs = raster.facts.crs.expect("a system");
    assert_eq!((crs.epsg, crs.vertical.and_then(|vertical| vertical.epsg)), (Some(27700), Some(5701)));
    assert_eq!(raster.facts.unit, "metre");
    let error = TestFolder::new().read_with("a.asc", GRID.as_bytes(), &options(5703)).expect_err("refused");
    assert_eq!(error.exit_code(), 2);
    let unknown = grid_by(&[], &options(65_000));
    assert!(unknown.facts.assumptions.iter().any(|text| text.contains("unknown system")));
}
