//! Archives, written for the tests.

use crate::formats::test_files::{TestFolder, message};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const GRID: &str = "ncols 2\nnrows 1\ncellsize 1\n";

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).expect("a file");
        writer.write_all(content).expect("content");
    }
    writer.finish().expect("finished").into_inner()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("written");
    encoder.finish().expect("finished")
}

fn cell() -> Vec<u8> {
    [0x01, 0x02].repeat(1201 * 1201)
}

#[test]
fn names_inside_place_the_terrain() {
    let folder = TestFolder::new();
    for (name, content) in [
        ("any.zip", zip(&[("readme.bin", b"of the data!"), ("tiles/N46E008.hgt", &cell())])),
        ("N46E008.hgt.gz", gzip(&cell())),
    ] {
        let raster = folder.read(name, &content).expect("read");
        assert_eq!((raster.size, raster.heights[0]), ([1201, 1201], 258.0));
        let at = raster.georeference().position(0.0, 0.0);
        assert!((at[0] - 8.0).abs() < 1e-9 && (at[1] - 47.0).abs() < 1e-9, "{at:?}");
        assert!(raster.facts.file.ends_with(name));
        assert!(raster.facts.files[1].ends_with("N46E008.hgt"), "{:?}", raster.facts.files);
    }
}

#[test]
fn sidecars_inside_count_as_they_do_outside() {
    let projection = br#"GEOGCS["WGS 84",UNIT["degree",0.01745],AUTHORITY["EPSG","4326"]]"#;
    let grid = format!("{GRID}1 2");
    let content =
        zip(&[("a/dem.prj", projection), ("a/dem.asc", grid.as_bytes()), ("__MACOSX/a/._dem.asc", b"x")]);
    let raster = TestFolder::new().read("dem.zip", &content).expect("read");
    assert_eq!(raster.heights, [1.0, 2.0]);
    assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(4326));
}

#[test]
fn none_several_and_nested_ones_are_refused_by_name() {
    let folder = TestFolder::new();
    let grid = format!("{GRID}1 2");
    let several = zip(&[("b.asc", grid.as_bytes()), ("c/d.asc", grid.as_bytes())]);
    let told = message(folder.read("a.zip", &several));
    assert!(told.contains("2 terrain files: b.asc, ") && told.contains("d.asc"), "{told}");
    let inner = zip(&[("a.asc", grid.as_bytes())]);
    for content in [zip(&[("a.zip", &inner)]), zip(&[("readme.txt", b"nothing here")]), zip(&[])] {
        let told = message(folder.read("a.zip", &content));
        assert!(told.contains("archive"), "{told}");
    }
    assert!(message(folder.read("a.gz", &gzip(&inner))).contains("an archive inside an archive"));
    assert!(message(folder.read("a.gz", &gzip(b"a b c\nd e f\n"))).contains("not elevation data"));
}

#[test]
fn names_that_lead_out_of_the_folder_are_left_out() {
    let grid = format!("{GRID}1 2");
    let content = zip(&[("../../escaped.asc", grid.as_bytes()), ("/etc/rooted.asc", b"no grid")]);
    assert!(message(TestFolder::new().read("a.zip", &content)).contains("without a terrain file"));
}

#[test]
fn lying_lengths_and_cut_archives_are_refused() {
    let folder = TestFolder::new();
    let grid = format!("{GRID}1 2");
    let whole = zip(&[("dem.asc", grid.as_bytes())]);
    for length in 4..whole.len() {
        message(folder.read("a.zip", &whole[..length]));
    }
    let whole = gzip(grid.as_bytes());
    for length in 2..whole.len() {
        assert!(folder.read("a.asc.gz", &whole[..length]).is_err(), "{length}");
    }
    // The directory's length of the unpacked file, a million times what it is.
    let mut lying = zip(&[("N46E008.hgt", &cell())]);
    let entry = lying.windows(4).rposition(|window| window == b"PK\x01\x02").expect("the directory");
    lying[entry + 24..entry + 28].copy_from_slice(&0xffff_fff0_u32.to_le_bytes());
    message(folder.read("a.zip", &lying));
}
