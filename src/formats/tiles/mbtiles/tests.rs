//! Databases, written for the tests.

use crate::formats::test_files::{TestFolder, message};
use crate::formats::tiles::tests::{mapbox, tile};
use rusqlite::{Connection, params};

/// A database made by statements, and then filled with tiles by zoom, column, row from the south, and bytes.
fn database(statements: &str, tiles: &[(u8, u32, u32, Vec<u8>)]) -> Vec<u8> {
    let folder = TestFolder::new();
    let path = folder.write("new.mbtiles", b"");
    let connection = Connection::open(&path).expect("opened");
    connection.execute_batch(statements).expect("made");
    for (zoom, column, row, bytes) in tiles {
        let insert = "INSERT INTO stored VALUES (?1, ?2, ?3, ?4)";
        connection.execute(insert, params![zoom, column, row, bytes]).expect("filled");
    }
    drop(connection);
    std::fs::read(path).expect("read")
}

const COLUMNS: &str = "(zoom_level integer, tile_column integer, tile_row integer, tile_data blob);";

fn plain(tiles: &[(u8, u32, u32, Vec<u8>)]) -> Vec<u8> {
    let view = "CREATE VIEW tiles AS SELECT * FROM stored;";
    let metadata =
        "CREATE TABLE metadata (name text, value text); INSERT INTO metadata VALUES ('encoding', 'mapbox');";
    database(&format!("CREATE TABLE stored {COLUMNS} {view} {metadata}"), tiles)
}

#[test]
fn rows_count_from_the_south_and_a_view_will_do() {
    let bytes = plain(&[(1, 0, 1, tile(2, mapbox(10))), (1, 1, 0, tile(2, mapbox(20)))]);
    let raster = TestFolder::new().read("a%20 #b?.bin", &bytes).expect("read");
    assert_eq!((raster.facts.format.as_str(), raster.size), ("MBTiles", [4, 4]));
    assert_eq!((raster.heights[0], raster.heights[15]), (1.0, 2.0));
    assert!(raster.heights[3].is_nan() && raster.heights[12].is_nan());
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("as the archive says")));
}

#[test]
fn nothing_is_written_beside_the_file() {
    let folder = TestFolder::new();
    let path = folder.write("a.mbtiles", &plain(&[(0, 0, 0, tile(2, mapbox(10)))]));
    crate::formats::read(&path, &crate::formats::ReadOptions::default()).expect("read");
    let beside = std::fs::read_dir(path.parent().expect("a folder")).expect("listed");
    assert_eq!(beside.count(), 1);
}

#[test]
fn other_databases_and_broken_ones_are_refused() {
    let folder = TestFolder::new();
    let other = database("CREATE TABLE roads (name text);", &[]);
    assert!(message(folder.read("a.db", &other)).contains("without tiles"));
    assert!(message(folder.read("a.db", &plain(&[]))).contains("without tiles"));
    let wrong = database("CREATE TABLE tiles (name text);", &[]);
    assert!(message(folder.read("a.db", &wrong)).contains("broken MBTiles"));
    let whole = plain(&[(0, 0, 0, tile(2, mapbox(10)))]);
    for length in (16..whole.len()).step_by(509) {
        // What is cut off may be a page that no question needs.
        match folder.read("a.db", &whole[..length]) {
            Ok(raster) => assert_eq!(raster.heights, [1.0; 4]),
            Err(error) => assert_eq!(error.exit_code(), 3, "{error}"),
        }
    }
}

#[test]
fn views_that_never_end_or_make_up_huge_tiles_are_given_up() {
    let folder = TestFolder::new();
    let endless = "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) \
                   SELECT 3 AS zoom_level, i AS tile_column, 0 AS tile_row, x'00' AS tile_data FROM n;";
    assert!(message(folder.read("a.db", &database(endless, &[]))).contains("broken MBTiles"));
    let huge = "CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, \
                zeroblob(900000000) AS tile_data;";
    assert!(message(folder.read("a.db", &database(huge, &[]))).contains("broken MBTiles"));
}
