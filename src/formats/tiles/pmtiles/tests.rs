//! Files of the specification's layout, written for the tests.

use super::*;
use crate::formats::test_files::{TestFolder, message};
use crate::formats::tiles::tests::{mapbox, tile};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn number(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn directory(entries: &[Entry]) -> Vec<u8> {
    let steps = entries.iter().scan(0, |last, entry| {
        let step = entry.id - *last;
        *last = entry.id;
        Some(step)
    });
    std::iter::once(entries.len() as u64)
        .chain(steps)
        .chain(entries.iter().map(|entry| entry.run))
        .chain(entries.iter().map(|entry| entry.length))
        .chain(entries.iter().map(|entry| entry.offset + 1))
        .flat_map(number)
        .collect()
}

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("written");
    encoder.finish().expect("finished")
}

/// A file of a root directory, one leaf directory and tiles, in gzip where it is asked for.
fn file(root: &[Entry], leaf: &[Entry], data: &[u8], zip: bool) -> Vec<u8> {
    let pack = |bytes: Vec<u8>| if zip { zipped(&bytes) } else { bytes };
    let parts = [
        pack(directory(root)),
        pack(br#"{"encoding":"Terrarium"}"#.to_vec()),
        pack(directory(leaf)),
        data.to_vec(),
    ];
    let mut header = vec![0; HEADER_BYTES];
    header[..8].copy_from_slice(b"PMTiles\x03");
    let mut offset = HEADER_BYTES as u64;
    for (part, at) in parts.iter().zip([8, 24, 40, 56]) {
        header[at..at + 8].copy_from_slice(&offset.to_le_bytes());
        header[at + 8..at + 16].copy_from_slice(&(part.len() as u64).to_le_bytes());
        offset += part.len() as u64;
    }
    header[97..100].copy_from_slice(&[if zip { 2 } else { 1 }, 1, 2]);
    [header, parts.concat()].concat()
}

fn entry(id: u64, run: u64, offset: u64, length: usize) -> Entry {
    Entry { id, run, offset, length: length as u64 }
}

/// Two tiles of zoom 1 in the root, and a run of two with the same bytes in a leaf.
fn small(zip: bool) -> Vec<u8> {
    let tiles = [[128, 10, 0], [128, 20, 0], [128, 30, 0]].map(|colour| tile(2, colour));
    let [first, second, third] = tiles.each_ref().map(Vec::len);
    let leaf = [entry(3, 2, (first + second) as u64, third)];
    let leaf_length = if zip { zipped(&directory(&leaf)).len() } else { directory(&leaf).len() };
    let root = [entry(1, 1, 0, first), entry(2, 1, first as u64, second), entry(3, 0, 0, leaf_length)];
    file(&root, &leaf, &tiles.concat(), zip)
}

#[test]
fn tiles_follow_the_curve_and_runs_share_their_bytes() {
    for zip in [false, true] {
        let raster = TestFolder::new().read("a.bin", &small(zip)).expect("read");
        assert_eq!((raster.facts.format.as_str(), raster.size), ("PMTiles", [4, 4]));
        // The curve of zoom 1 runs down the west and up the east.
        let corners = [0, 12, 15, 3].map(|at| raster.heights[at]);
        assert_eq!(corners, [10.0, 20.0, 30.0, 30.0]);
        assert!(
            raster.facts.assumptions.iter().any(|text| text.contains("Terrarium") && text.contains("says"))
        );
    }
}

#[test]
fn the_curve_is_that_of_the_specification() {
    // Examples of the specification: zoom, column and row of the first tile numbers.
    for (id, zoom, place) in
        [(0, 0, [0, 0]), (1, 1, [0, 0]), (2, 1, [0, 1]), (3, 1, [1, 1]), (4, 1, [1, 0]), (5, 2, [0, 0])]
    {
        assert_eq!(place_on_curve(zoom, id - first_id(zoom)), place, "{id}");
    }
    assert_eq!(place_on_curve(12, 19_078_479 - first_id(12)), [3423, 1763]);
}

#[test]
fn directories_that_repeat_lie_or_blow_up_are_refused() {
    let folder = TestFolder::new();
    let bytes = tile(2, mapbox(10));
    // A directory that names itself.
    let root = [entry(0, 0, 0, 5)];
    let loops = file(&root, &[entry(0, 0, 0, 5)], &bytes, false);
    assert!(message(folder.read("a", &loops)).contains("directories"));
    let outside = file(&[entry(0, 1, 1 << 40, 99)], &[], &bytes, false);
    assert!(message(folder.read("a", &outside)).contains("outside the file"));
    let many = file(&[entry(0, 1 << 40, 0, bytes.len())], &[], &bytes, false);
    assert!(folder.read("a", &many).is_ok(), "the coarsest zoom fits");
    let blown = entries(&[number(1 << 40), vec![0; 64]].concat());
    assert_eq!(blown, None);
    let mut brotli = small(false);
    brotli[97] = 3;
    assert!(message(folder.read("a", &brotli)).contains("Brotli"));
    let mut vector = small(false);
    vector[99] = 1;
    assert!(message(folder.read("a", &vector)).contains("vector tiles"));
    let whole = small(true);
    for length in 7..whole.len() {
        assert!(message_or_read(folder.read("a", &whole[..length])), "{length}");
    }
}

/// Tiles at the end may be cut off; the rest is refused with one line.
fn message_or_read(result: Result<crate::formats::Raster>) -> bool {
    result.map_or_else(|error| error.exit_code() == 3, |_| true)
}
