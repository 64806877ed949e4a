use super::*;
use crate::formats::test_files::{TestFolder, message};
use crate::terrain::is_empty;

/// An ASCII grid of 10 m cells with its lower left corner at (x, y), of given rows.
fn grid(x: i32, y: i32, rows: &[&str]) -> String {
    let columns = rows.first().map_or(0, |row| row.split_whitespace().count());
    format!(
        "ncols {columns}\nnrows {}\nxllcorner {x}\nyllcorner {y}\ncellsize 10\nNODATA_value -9999\n{}\n",
        rows.len(),
        rows.join("\n")
    )
}

fn write(folder: &TestFolder, tiles: &[(&str, String)]) -> Vec<PathBuf> {
    tiles.iter().map(|(name, text)| folder.write(name, text.as_bytes())).collect()
}

fn mosaic(paths: &[PathBuf]) -> Result<Raster> {
    read_mosaic(paths, &ReadOptions::default())
}

fn west() -> String {
    grid(0, 0, &["1 2 3", "4 5 6"])
}

#[test]
fn two_tiles_are_one_terrain_with_the_facts_of_both() {
    let folder = TestFolder::new();
    let paths = write(&folder, &[("b.asc", west()), ("a.asc", grid(20, 0, &["3 7", "6 -9999"]))]);
    let raster = mosaic(&paths).expect("read");
    assert_eq!(raster.size, [4, 2]);
    assert_eq!(raster.heights[..7], [1.0, 2.0, 3.0, 7.0, 4.0, 5.0, 6.0]);
    assert!(is_empty(raster.heights[7]));
    let facts = &raster.facts;
    assert_eq!((facts.format.as_str(), &facts.files, &facts.file), ("mosaic", &paths, &paths[0]));
    assert_eq!(facts.geotransform, Some([0.0, 10.0, 0.0, 20.0, 0.0, -10.0]));
    assert_eq!((facts.statistics.valid, facts.statistics.raw_max), (7, Some(7.0)));
    assert_eq!((facts.nodata.as_deref(), facts.spacing_m), (Some("-9999"), [10.0, 10.0]));
    assert!(facts.warnings.is_empty(), "{:?}", facts.warnings);
}

#[test]
fn tiles_that_disagree_are_told_and_the_first_named_is_kept() {
    let folder = TestFolder::new();
    let paths = write(&folder, &[("a.asc", west()), ("b.asc", grid(20, 0, &["3.5 7", "6 8"]))]);
    let raster = mosaic(&paths).expect("read");
    assert_eq!(raster.heights[2], 3.0);
    assert_eq!(raster.facts.warnings[0].code, "tiles-disagree");
    assert!(raster.facts.warnings[0].text.starts_with("1 samples that two tiles share differ, by 0.5"));
    let turned = mosaic(&[paths[1].clone(), paths[0].clone()]).expect("read");
    assert_eq!(turned.heights[2], 3.5);
}

#[test]
fn a_coarse_tile_is_read_off_its_triangles_and_told() {
    let folder = TestFolder::new();
    let coarse = grid(30, 0, &["5 7", "9 11"]).replace("cellsize 10", "cellsize 20");
    let raster = mosaic(&write(&folder, &[("coarse.asc", coarse), ("fine.asc", west())])).expect("read");
    assert_eq!(raster.spacing_m, [10.0, 10.0]);
    assert_eq!(raster.facts.geotransform, Some([0.0, 10.0, 0.0, 30.0, 0.0, -10.0]));
    // The coarse samples stand at x = 40 and 60 m, y = 30 and 10 m; the fine ones at 5, 15 and 25 m.
    assert_eq!((raster.size, raster.heights[9..12].to_vec()), ([6, 3], vec![7.5, 8.5, 9.5]));
    assert!(raster.facts.assumptions.iter().any(|text| text.starts_with("1 tiles stand off the lattice")));
}

#[test]
fn mixed_units_are_metres_and_one_unit_is_kept() {
    let folder = TestFolder::new();
    let mut paths = write(&folder, &[("a.asc", west()), ("b.asc", grid(30, 0, &["10 20", "30 40"]))]);
    let feet = ReadOptions { z_unit: Some(crate::formats::HeightUnit::Foot), ..ReadOptions::default() };
    let raster = read_mosaic(&paths, &feet).expect("read");
    assert_eq!((raster.unit_m, raster.heights[3]), (0.3048, 10.0));
    paths.truncate(1);
    paths.push(folder.write("feet.tif", &feet_tile()));
    let raster = mosaic(&paths).expect("read");
    assert_eq!((raster.unit_m, raster.heights[0], raster.heights[3]), (1.0, 1.0, (100.0 * 0.3048) as f32));
    assert_eq!(raster.facts.unit_source, "each tile by its own unit");
}

/// A TIFF of 2×2 samples of 100 feet, right beside [`west`].
fn feet_tile() -> Vec<u8> {
    use crate::formats::geotiff::test_tiff::{TestTiff, Values};
    let metadata =
        "<GDALMetadata><Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">ft</Item></GDALMetadata>";
    TestTiff::floats([2, 2], &[100.0; 4])
        .placed([30.0, 10.0, 0.0, 20.0, 0.0, -10.0])
        .with(42112, Values::Text(metadata.into()))
        .bytes()
}

#[test]
fn two_systems_are_refused_with_both_names() {
    let folder = TestFolder::new();
    let paths = write(&folder, &[("a.asc", west()), ("b.asc", grid(30, 0, &["1 2", "3 4"]))]);
    let system = |zone: u32| {
        let unit = "UNIT[\"metre\",1]";
        format!("PROJCS[\"Zone {zone}\",GEOGCS[\"WGS 84\"],{unit},AUTHORITY[\"EPSG\",\"{}\"]]", 32600 + zone)
    };
    folder.write("a.prj", system(32).as_bytes());
    let raster = mosaic(&paths).expect("the second names none");
    assert!(
        raster.facts.assumptions.iter().any(|text| text.starts_with("1 tiles name no coordinate system"))
    );
    folder.write("b.prj", system(33).as_bytes());
    let told = message(mosaic(&paths));
    assert!(
        told.contains("b.asc: EPSG:32633, and EPSG:32632 in a.asc; tiles of one coordinate system"),
        "{told}"
    );
}

#[test]
fn tiles_without_a_place_lie_as_their_names_say() {
    let folder = TestFolder::new();
    let png = |first: u16| {
        let samples: Vec<u8> =
            (0..4u16).flat_map(|k| (first + 100 * (k / 2) + k % 2).to_be_bytes()).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Sixteen);
        encoder.write_header().expect("a header").write_image_data(&samples).expect("samples");
        bytes
    };
    let paths =
        [("hill_x0_y0.png", 0), ("hill_x1_y0.png", 2), ("hill_x0_y1.png", 200), ("hill_x1_y1.png", 202)]
            .map(|(name, first)| folder.write(name, &png(first)));
    let raster = mosaic(&paths).expect("read");
    let expected = [0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202, 203, 300, 301, 302, 303];
    assert_eq!((raster.size, raster.heights.as_slice()), ([4, 4], expected.map(|k| k as f32).as_slice()));
    assert_eq!(raster.facts.geotransform, None);
    assert!(raster.facts.assumptions[0].starts_with("Tiles lie as their names number them: columns"));
    let stray = folder.write("overview.png", &png(7));
    let told = message(mosaic(&[paths[0].clone(), stray]));
    assert!(told.contains("overview.png: no place in the file or its name"), "{told}");
}

#[test]
fn grids_that_all_start_at_the_same_corner_lie_as_their_names_say() {
    let folder = TestFolder::new();
    let tiles = [("dem_0_0.asc", grid(0, 0, &["1 2", "4 5"])), ("dem_1_0.asc", grid(0, 0, &["3 9", "6 8"]))];
    let raster = mosaic(&write(&folder, &tiles)).expect("read");
    assert_eq!((raster.size, raster.heights[..4].to_vec()), ([4, 2], vec![1.0, 2.0, 3.0, 9.0]));
    assert!(raster.facts.assumptions[0].contains("neighbours share no sample"), "{:?}", raster.facts);
    let named = [("dem.asc", grid(0, 0, &["1 2", "4 5"])), ("other.asc", grid(0, 0, &["1 2", "4 5"]))];
    assert_eq!(mosaic(&write(&folder, &named)).expect("read").size, [2, 2], "names tell nothing");
}

#[test]
fn grids_named_by_degree_squares_stand_on_them() {
    let folder = TestFolder::new();
    let options = ReadOptions {
        raster_size: Some([4, 4]),
        sample_type: Some(crate::formats::SampleType::U8),
        ..ReadOptions::default()
    };
    let samples: Vec<u8> = (0..16).collect();
    let paths = ["n45_w074.raw", "n45_w073.raw"].map(|name| folder.write(name, &samples));
    let raster = read_mosaic(&paths, &options).expect("read");
    // Four samples a degree cannot hold both its lines, so they stand in the middles of their quarters.
    assert_eq!(raster.size, [8, 4]);
    assert_eq!(raster.facts.geotransform, Some([-74.0, 0.25, 0.0, 46.0, 0.0, -0.25]));
    assert_eq!(raster.facts.crs.as_ref().and_then(|crs| crs.epsg), Some(4326));
    assert!(raster.facts.assumptions[0].starts_with("2 tiles stand on the degree squares"));
}

#[test]
fn degree_squares_share_their_edges() {
    let folder = TestFolder::new();
    // Rising to the east by one a sample, each tile going on where the other ends.
    let cell = |start: i16| -> Vec<u8> {
        let row: Vec<u8> = (0..1201).flat_map(|column: i16| (start + column).to_be_bytes()).collect();
        row.repeat(1201)
    };
    let paths = [folder.write("N46E009.hgt", &cell(1200)), folder.write("N46E008.hgt", &cell(0))];
    let raster = mosaic(&paths).expect("read");
    assert_eq!(raster.size, [2401, 1201]);
    let expected: Vec<f32> = (0..2401u16).map(f32::from).collect();
    assert_eq!(&raster.heights[2401 * 600..2401 * 601], expected.as_slice());
    let at = raster.georeference().position(1200.0, 1200.0);
    assert!((at[0] - 9.0).abs() < 1e-9 && (at[1] - 46.0).abs() < 1e-9, "{at:?}");
    assert!(raster.facts.warnings.is_empty(), "{:?}", raster.facts.warnings);
}

#[test]
fn a_folder_is_the_terrain_in_it() {
    let folder = TestFolder::new();
    let paths = write(&folder, &[("a.asc", west()), ("b.asc", grid(30, 0, &["1 2", "3 4"]))]);
    folder.write("readme.txt", b"not a grid");
    folder.write(".hidden.asc", west().as_bytes());
    folder.write("a.prj", b"PROJCS[\"Mine\",UNIT[\"metre\",1]]");
    let path = paths[0].parent().expect("a folder");
    let raster = super::super::read(path, &ReadOptions::default()).expect("read");
    assert_eq!((raster.size, raster.facts.file.as_path()), ([5, 2], path));
    assert!(raster.facts.assumptions.iter().any(|text| text.ends_with("are skipped: readme.txt.")));
    folder.write("b.asc", b"ncols 2\nnrows 2\ncellsize 10\n1 2 3");
    let raster = super::super::read(path, &ReadOptions::default()).expect("read");
    assert_eq!(raster.size, [3, 2]);
    assert!(
        raster.facts.warnings[0].text.contains("b.asc: 2×2 samples declared"),
        "{:?}",
        raster.facts.warnings
    );
    std::fs::remove_file(&paths[1]).expect("removed");
    let raster = super::super::read(path, &ReadOptions::default()).expect("read");
    assert_eq!((raster.facts.format.as_str(), raster.size), ("ESRI ASCII grid", [3, 2]));
    std::fs::remove_file(&paths[0]).expect("removed");
    let told = message(super::super::read(path, &ReadOptions::default()));
    assert!(told.contains("a folder without terrain: readme.txt; terrain files right in it"), "{told}");
}

#[test]
fn a_file_named_twice_is_wrong_usage() {
    let folder = TestFolder::new();
    let path = folder.write("a.asc", west().as_bytes());
    let error = mosaic(&[path.clone(), path]).expect_err("refused");
    assert_eq!(error.exit_code(), 2);
    assert_eq!(mosaic(&[]).expect_err("refused").exit_code(), 2);
}
