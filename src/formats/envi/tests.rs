use crate::formats::raster::{Raster, ReadOptions};
use crate::formats::test_files::{TestFolder, message};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const HEADER: &str = "ENVI\ndescription = {\n two = 2,\n lines = 7}\nsamples = 2\nlines   = 2\nbands = 2\n\
    header offset = 1\ndata type = 2\ninterleave = bip\nbyte order = 1\ndata ignore value = 3\n";

fn read(header: &str, options: &ReadOptions) -> Raster {
    let folder = TestFolder::new();
    folder.write("a.hdr", header.as_bytes());
    let samples: Vec<u8> = (0..8_i16).flat_map(i16::to_be_bytes).collect();
    folder.read_with("a", &[vec![0], samples].concat(), options).expect("read")
}

#[test]
fn a_band_with_gain_offset_and_empty_value() {
    let header = format!("{HEADER}data gain values = {{1, 2}}\ndata offset values = {{0,\n 10}}\n");
    let raster = read(&header, &ReadOptions { band: Some(2), ..ReadOptions::default() });
    assert_eq!(raster.heights[0], 12.0);
    assert!(raster.heights[1].is_nan());
    assert_eq!(raster.heights[2..], [20.0, 24.0]);
    let raster = read(&header, &ReadOptions { band: Some(2), no_scale: true, ..ReadOptions::default() });
    assert_eq!(raster.heights[0], 1.0);
}

#[test]
fn the_map_info_places_the_grid_and_names_its_system() {
    let place = |info: &str| read(&format!("{HEADER}map info = {{{info}}}\n"), &ReadOptions::default()).facts;
    let facts = place("UTM, 1.5, 1.5, 1000, 2000, 10, 20, 11, North, WGS-84, units=Meters");
    assert_eq!(facts.geotransform, Some([995.0, 10.0, 0.0, 2010.0, 0.0, -20.0]));
    assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_611));
    let facts = place("UTM, 1, 1, 1000, 2000, 10, 10, 11, South, WGS-84, rotation=30");
    let turned = facts.geotransform.expect("placed");
    assert!((turned[1] - 8.660_254).abs() < 1e-6 && (turned[2] - 5.0).abs() < 1e-9, "{turned:?}");
    assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_711));
    let facts = place(" UTM , 1.0 , 1.0 , 1000 , 2000 , 1e1 , 10 , 12 , North , WGS-72 , rotation=180.0 ");
    assert_eq!(facts.geotransform, Some([1000.0, 10.0, 0.0, 2000.0, 0.0, 10.0]));
    assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(32_212));
    let facts = place("Geographic Lat/Lon, 1, 1, 10, 20, 0.1, 0.1, WGS-84, units=Degrees");
    assert_eq!(facts.crs.and_then(|crs| crs.epsg), Some(4326));
    let facts = place("State Plane, 1, 1, 10, 20, 100, 100, units=Feet");
    assert!((facts.spacing_m[0] - 30.48).abs() < 1e-9);
}

#[test]
fn the_header_opens_the_grid_too() {
    let folder = TestFolder::new();
    folder.write("b.dat", &[0; 17]);
    let raster = folder.read("b.hdr", HEADER.as_bytes()).expect("read");
    assert_eq!((raster.size, raster.facts.files.len()), ([2, 2], 2));
}

#[test]
fn malformed_headers_are_refused() {
    let folder = TestFolder::new();
    let refused = |from: &str, to: &str| {
        folder.write("a.hdr", HEADER.replace(from, to).as_bytes());
        message(folder.read("a.dat", &[0; 17]))
    };
    assert!(refused("samples = 2", "samples = 0").contains("samples = 0 in the header"));
    assert!(refused("samples = 2\n", "").contains("a header without samples"));
    assert!(refused("data type = 2", "data type = 6").contains("data type 6"));
    assert!(refused("samples = 2", "samples = 4000000000").contains("17 bytes; band 1 of 4000000000×2"));
    assert!(refused("bip", "zip").contains("the layout zip"));
    assert!(refused("header offset", "file compression = 1\nheader offset").contains("cannot be read"));
    let none = ReadOptions { band: Some(0), ..ReadOptions::default() };
    folder.write("a.hdr", HEADER.as_bytes());
    let error = folder.read_with("a.dat", &[0; 17], &none).expect_err("refused");
    assert_eq!(error.exit_code(), 2, "{error}");
}

#[test]
fn samples_packed_by_gzip_and_what_they_claim() {
    let folder = TestFolder::new();
    let packed = |header: &str, bytes: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).expect("packed");
        folder.write(
            "a.hdr",
            header.replace("header offset", "file compression = 1\nheader offset").as_bytes(),
        );
        folder.read("a.dat", &encoder.finish().expect("packed"))
    };
    let samples: Vec<u8> = (0..8_i16).flat_map(i16::to_be_bytes).collect();
    let raster = packed(HEADER, &[vec![0], samples].concat()).expect("read");
    assert_eq!((&raster.heights[..], raster.facts.compression.as_str()), (&[0.0, 2.0, 4.0, 6.0][..], "gzip"));
    assert!(message(packed(HEADER, &[0; 14])).contains("14 bytes; band 1 of 2×2 samples of i16"));
    let huge = HEADER.replace("samples = 2", "samples = 4000000000");
    assert!(message(packed(&huge, &[0; 17])).contains("band 1 of 4000000000×2"));
}

#[test]
fn samples_that_look_like_text_are_samples_where_the_name_says_nothing_else() {
    let folder = TestFolder::new();
    let header = HEADER.replace("data type = 2", "data type = 1").replace("bands = 2", "bands = 1");
    folder.write("a.hdr", header.as_bytes());
    assert_eq!(folder.read("a", b" hill").expect("read").heights, [104.0, 105.0, 108.0, 108.0]);
    assert!(message(folder.read("a.txt", b" hill")).contains("not elevation data"));
}
