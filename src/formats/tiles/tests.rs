//! Stitching, with an archive that the tests make up.

use super::*;
use crate::formats::ReadOptions;
use crate::formats::test_files::TestFolder;
use crate::terrain::is_empty;

/// A PNG tile of one colour.
pub(super) fn tile(side: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, side, side);
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    let pixels = colour.repeat((side * side) as usize);
    encoder.write_header().expect("a header").write_image_data(&pixels).expect("pixels");
    bytes
}

/// The colour of so many decimetres in Mapbox's encoding.
pub(super) fn mapbox(decimetres: u32) -> [u8; 3] {
    let [_, r, g, b] = (100_000 + decimetres).to_be_bytes();
    [r, g, b]
}

struct MadeUp {
    /// Zoom, column, row and bytes.
    tiles: Vec<(u8, u32, u32, Vec<u8>)>,
    encoding: Option<&'static str>,
}

impl Archive for MadeUp {
    type Key = usize;

    fn levels(&self) -> Result<Vec<Level>> {
        let count = |zoom: u8| self.tiles.iter().filter(|tile| tile.0 == zoom).count() as u64;
        Ok((0..20).map(|zoom| Level { zoom, tiles: count(zoom) }).collect())
    }

    fn tiles(&self, zoom: u8) -> Result<Vec<Tile<usize>>> {
        let tile = |(key, (at, x, y, _)): (usize, &(u8, u32, u32, _))| {
            (*at == zoom).then_some(Tile { at: [*x, *y], key })
        };
        Ok(self.tiles.iter().enumerate().filter_map(tile).collect())
    }

    fn load(&self, _: u8, tile: &Tile<usize>) -> Result<Vec<u8>> {
        Ok(self.tiles[tile.key].3.clone())
    }

    fn encoding(&self) -> Option<String> {
        self.encoding.map(str::to_owned)
    }
}

fn stitched(tiles: Vec<(u8, u32, u32, Vec<u8>)>, encoding: Option<&'static str>) -> Result<Decoded> {
    let folder = TestFolder::new();
    let input = Input::open(&folder.write("a.tiles", b"tiles"))?;
    stitch(&input, "tiles", &MadeUp { tiles, encoding })
}

#[test]
fn the_finest_zoom_is_stitched_and_missing_tiles_are_empty() {
    let tiles = vec![
        (1, 0, 0, tile(4, mapbox(9990))),
        (2, 1, 1, tile(4, mapbox(10))),
        (2, 2, 2, tile(4, mapbox(20))),
        (2, 2, 1, tile(4, mapbox(30))),
    ];
    let decoded = stitched(tiles, None).expect("stitched");
    assert_eq!(decoded.size, [8, 8]);
    let at = |x: usize, y: usize| decoded.heights[y * 8 + x];
    assert_eq!([at(0, 0), at(3, 3), at(4, 4), at(7, 7), at(4, 0)], [1.0, 1.0, 2.0, 2.0, 3.0]);
    assert!(is_empty(at(0, 4)) && is_empty(at(3, 7)));
    assert_eq!((decoded.raw.min, decoded.raw.max), (1.0, 3.0));
    // A quarter of the world is 10 018 754 m; a tile has four samples.
    let step = HALF_WORLD / 8.0;
    assert_eq!(decoded.geotransform, Some([-HALF_WORLD / 2.0, step, 0.0, HALF_WORLD / 2.0, 0.0, -step]));
    assert!(decoded.notes.assumptions.contains(&"1 of 4 tiles are not in the archive and are empty.".into()));
    let raster = decoded.finish(&ReadOptions::default()).expect("a raster");
    assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(3857));
}

#[test]
fn a_zoom_whose_tiles_lie_too_far_apart_gives_way_to_a_coarser_one() {
    let far = vec![
        (16, 0, 0, tile(4, mapbox(10))),
        (16, 65_535, 65_535, tile(4, mapbox(10))),
        (0, 0, 0, tile(4, mapbox(20))),
    ];
    let decoded = stitched(far, None).expect("stitched");
    assert_eq!((decoded.size, decoded.heights[0]), ([4, 4], 2.0));
    assert!(decoded.notes.assumptions[0].contains("Zoom 0 is read; at the finest zoom, 16"));
    let only = vec![(16, 0, 0, tile(4, mapbox(10))), (16, 65_535, 65_535, tile(4, mapbox(10)))];
    assert!(stitched(only, None).expect_err("refused").to_string().contains("2 tiles at zoom 16"));
}

#[test]
fn the_encoding_is_the_archives_word_or_what_gives_heights_on_earth() {
    let terrarium = || vec![(0, 0, 0, tile(4, [128, 5, 0]))];
    assert_eq!(stitched(terrarium(), None).expect("stitched").heights[0], 5.0);
    let told = stitched(vec![(0, 0, 0, tile(4, [1, 134, 160]))], Some("mapbox")).expect("stitched");
    assert_eq!(told.heights[0], 0.0);
    assert!(told.notes.assumptions.iter().any(|text| text.contains("as the archive says")));
    let photograph = stitched(vec![(0, 0, 0, tile(4, [250, 10, 10]))], None);
    assert!(photograph.expect_err("refused").to_string().contains("tiles of pictures"));
}

#[test]
fn broken_tiles_are_empty_and_told_and_other_kinds_are_refused() {
    let tiles = vec![
        (1, 0, 0, tile(4, mapbox(10))),
        (1, 1, 0, tile(8, mapbox(10))),
        (1, 1, 1, tile(4, mapbox(10))[..40].to_vec()),
    ];
    let decoded = stitched(tiles, None).expect("stitched");
    assert_eq!(decoded.heights.iter().filter(|height| is_empty(**height)).count(), 48);
    assert!(decoded.notes.warnings[0].text.starts_with("2 of 3 tiles"));
    for (bytes, name) in
        [([0xff, 0xd8, 0xff], "JPEG"), ([0x1f, 0x8b, 8], "vector tiles"), ([1, 2, 3], "unknown")]
    {
        let error = stitched(vec![(0, 0, 0, bytes.to_vec())], None).expect_err("refused");
        assert!(error.to_string().contains(name), "{error}");
    }
    assert!(stitched(Vec::new(), None).expect_err("refused").to_string().contains("without tiles"));
}
