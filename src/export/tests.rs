//! What is written is read back with the same samples.

use super::{Format, Options, Plan};
use crate::formats::{self, HeightUnit, Raster, ReadOptions, RowOrder, SampleType};
use std::path::{Path, PathBuf};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A raster of a text grid; its type is the reader's choice.
    fn grid(&self, header: &str, values: &str, options: &ReadOptions) -> Raster {
        let path = self.path("source.asc");
        std::fs::write(&path, format!("{header}\n{values}\n")).expect("written");
        formats::read(&path, options).expect("read")
    }

    fn export(&self, raster: &Raster, name: &str, options: Options) -> (PathBuf, Vec<String>) {
        let path = self.path(name);
        let plan = Plan::new(raster, Format::from_path(&path).expect("known"), options).expect("planned");
        let mut out = std::io::Cursor::new(Vec::new());
        plan.write(&mut out).expect("written");
        std::fs::write(&path, out.into_inner()).expect("written");
        if let Some((beside, text)) = plan.sidecar(&path) {
            std::fs::write(beside, text).expect("written");
        }
        (path, plan.notes())
    }
}

const WHOLE: &str = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -9999";

fn whole(folder: &Folder) -> Raster {
    folder.grid(WHOLE, "1 2 3\n-9999 5 -6", &ReadOptions { crs: Some(32611), ..ReadOptions::default() })
}

fn read(path: &Path, options: &ReadOptions) -> Raster {
    formats::read(path, options).expect("read back")
}

/// Bits of the heights, so that empties compare equal and signs of zero do not.
fn bits(raster: &Raster) -> Vec<u32> {
    raster.heights.iter().map(|height| height.to_bits()).collect()
}

#[test]
fn a_geotiff_keeps_samples_type_place_system_and_empty_value() {
    let folder = Folder::new();
    let source = whole(&folder);
    let (path, _) = folder.export(&source, "out.tif", Options::default());
    let back = read(&path, &ReadOptions::default());
    assert_eq!(bits(&back), bits(&source));
    let (old, new) = (&source.facts, &back.facts);
    assert_eq!((new.geotransform, &new.sample_type), (old.geotransform, &old.sample_type));
    assert_eq!(new.crs.as_ref().and_then(|crs| crs.epsg), Some(32611));
    assert_eq!(new.nodata.as_deref(), Some("-9999"));
    assert_eq!((new.compression.as_str(), new.predictor), ("deflate", 2));
}

#[test]
fn floats_are_written_with_their_own_predictor_over_several_tiles() {
    let folder = Folder::new();
    let mut source = whole(&folder);
    source.size = [300, 270];
    source.heights = (0..300 * 270).map(|index| (index as f32 * 0.37).sin() * 1000.0).collect();
    source.heights[4711] = crate::terrain::EMPTY;
    source.facts.size = source.size;
    source.facts.statistics.empty = 1;
    let (path, notes) = folder.export(&source, "out.tif", Options::default());
    let back = read(&path, &ReadOptions::default());
    assert_eq!(bits(&back), bits(&source));
    assert_eq!((back.facts.predictor, back.facts.nodata.as_deref()), (3, Some("-9999")));
    assert!(notes[0].contains("stored as f32"), "{notes:?}");
}

#[test]
fn a_turned_grid_of_points_and_a_mirrored_one_keep_their_place() {
    let folder = Folder::new();
    for transform in [[100.0, 8.0, 6.0, 200.0, 6.0, -8.0], [0.0, 10.0, 0.0, 0.0, 0.0, 10.0]] {
        for pixel_is in [formats::PixelIs::Point, formats::PixelIs::Area] {
            let mut source = whole(&folder);
            source.facts.geotransform = Some(transform);
            source.facts.pixel_is = pixel_is;
            let (path, _) = folder.export(&source, "out.tif", Options::default());
            let back = read(&path, &ReadOptions::default());
            assert_eq!((back.facts.geotransform, back.facts.pixel_is), (Some(transform), pixel_is));
            assert_eq!(bits(&back), bits(&source));
        }
    }
}

#[test]
fn a_text_grid_gives_every_float_back_and_turns_south_up_rows() {
    let folder = Folder::new();
    let mut source =
        folder.grid(WHOLE, "0.1 1e-7 3.4028e38\n-9999 16777217 -0.333333343", &ReadOptions::default());
    let (path, _) = folder.export(&source, "out.asc", Options::default());
    let back = read(&path, &ReadOptions::default());
    assert_eq!((bits(&back), back.facts.geotransform), (bits(&source), source.facts.geotransform));
    source.facts.geotransform = Some([500_000.0, 10.0, 0.0, 4_000_000.0, 0.0, 10.0]);
    let (path, _) = folder.export(&source, "flipped.asc", Options::default());
    let back = read(&path, &ReadOptions::default());
    assert_eq!(bits(&back)[..3], bits(&source)[3..]);
    assert_eq!(back.facts.geotransform, Some([500_000.0, 10.0, 0.0, 4_000_020.0, 0.0, -10.0]));
}

#[test]
fn a_text_grid_refuses_what_it_cannot_place() {
    let folder = Folder::new();
    let mut source = whole(&folder);
    source.facts.geotransform = Some([100.0, 8.0, 6.0, 200.0, 6.0, -8.0]);
    let error = Plan::new(&source, Format::AsciiGrid, Options::default()).expect_err("refused");
    assert!(error.to_string().contains("a turned grid"), "{error}");
}

#[test]
fn an_empty_value_that_a_height_has_is_replaced() {
    let folder = Folder::new();
    let mut source = folder.grid(WHOLE, "0.5 2 3\n-9999 5 -6", &ReadOptions::default());
    source.heights[0] = -9999.0;
    for name in ["out.asc", "out.tif"] {
        let (path, _) = folder.export(&source, name, Options::default());
        assert_eq!(bits(&read(&path, &ReadOptions::default())), bits(&source), "{name}");
    }
}

#[test]
fn whole_heights_are_exact_in_sixteen_bits_and_others_are_told_of() {
    let folder = Folder::new();
    let source = whole(&folder);
    for (name, options) in [
        ("out.png", ReadOptions { z_range: Some([-7.0, 65_528.0]), ..ReadOptions::default() }),
        (
            "out.r16",
            ReadOptions {
                raster_size: Some([3, 2]),
                sample_type: Some(SampleType::U16),
                z_range: Some([-7.0, 65_528.0]),
                nodata: Some(0.0),
                row_order: Some(RowOrder::Top),
                ..ReadOptions::default()
            },
        ),
    ] {
        let (path, notes) = folder.export(&source, name, Options::default());
        assert!(notes.iter().all(|note| !note.contains("half a step")), "{notes:?}");
        assert_eq!(bits(&read(&path, &options)), bits(&source), "{name}");
    }
    let (_, notes) = folder.export(&source, "out.r16", Options::default());
    assert_eq!(
        notes,
        ["no header: read it with --raster-size 3x2 --spacing 10 --type u16 --z-range -7,65528 --nodata 0"]
    );
    let (_, notes) = folder.export(&source, "out.png", Options { full_range: true });
    assert!(notes[0].contains("65,536 codes in steps of 0.0001678"), "{notes:?}");
}

#[test]
fn heights_that_are_their_codes_need_no_sidecar() {
    let folder = Folder::new();
    let source = folder.grid("ncols 3\nnrows 1\ncellsize 1", "0 1 65535", &ReadOptions::default());
    let mut source = Raster { size: [3, 1], ..source };
    source.facts.geotransform = None;
    let plan = Plan::new(&source, Format::Png, Options::default()).expect("planned");
    assert_eq!(plan.sidecar(Path::new("out.png")), None);
    let (path, _) = folder.export(&source, "out.png", Options::default());
    assert_eq!(read(&path, &ReadOptions::default()).heights, [0.0, 1.0, 65535.0]);
}

#[test]
fn floats_without_a_header_are_the_bits() {
    let folder = Folder::new();
    let options = ReadOptions { z_unit: Some(HeightUnit::UsFoot), ..ReadOptions::default() };
    let source = folder.grid(WHOLE, "0.1 2 3\n-9999 5 -6", &options);
    let (path, notes) = folder.export(&source, "out.r32", Options::default());
    let options = ReadOptions { raster_size: Some([3, 2]), ..ReadOptions::default() };
    assert_eq!(bits(&read(&path, &options)), bits(&source));
    assert!(notes[0].ends_with("--type f32 --z-unit us-ft"), "{notes:?}");
    let (path, _) = folder.export(&source, "out.tif", Options::default());
    assert_eq!(read(&path, &ReadOptions::default()).facts.unit, "US survey foot");
}
