//! Whole files: what is read of them, and how the bad ones are refused.

use super::test_tiff::{TestTiff, Values};
use crate::formats::test_files::{TestFolder, message};
use crate::formats::{HeightUnit, PixelIs, Raster, ReadOptions};
use crate::terrain::is_empty;

fn read(tiff: &TestTiff) -> Raster {
    TestFolder::new().read("a.tif", &tiff.bytes()).expect("read")
}

fn refusal(tiff: &TestTiff) -> String {
    message(TestFolder::new().read("a.tif", &tiff.bytes()))
}

fn nodata(text: &str) -> Values {
    Values::Text(text.into())
}

fn metadata(items: &[(&str, &str)]) -> Values {
    let items: String = items
        .iter()
        .map(|(role, value)| format!("<Item name=\"X\" sample=\"0\" role=\"{role}\">{value}</Item>"))
        .collect();
    Values::Text(format!("<GDALMetadata>{items}</GDALMetadata>"))
}

#[test]
fn nan_is_a_hole_declared_or_not() {
    let mut samples: Vec<f32> = (0..16).map(|index| 10.0 + index as f32).collect();
    samples[5] = f32::NAN;
    let undeclared = TestTiff::floats([4, 4], &samples);
    for tiff in [undeclared.clone().with(42113, nodata("nan")), undeclared] {
        let raster = read(&tiff);
        let found = raster.facts.statistics;
        assert_eq!((found.valid, found.empty, found.min, found.max), (15, 1, Some(10.0), Some(25.0)));
        assert!(is_empty(raster.heights[5]));
        assert!(raster.to_terrain().is_ok_and(|terrain| terrain.range() == (10.0..=25.0)));
    }
}

#[test]
fn a_declared_text_is_rounded_as_the_samples_were() {
    for (text, stored) in [("-3.4e+38", -3.4e38_f32), ("-3.4028234663852886e+38", f32::MIN)] {
        let samples = [5.0, 6.0, 7.0, 8.0, stored, 9.0, 10.0, 11.0, 12.0];
        let raster = read(&TestTiff::floats([3, 3], &samples).with(42113, nodata(text)));
        let found = raster.facts.statistics;
        assert_eq!((found.empty, found.min, found.max), (1, Some(5.0), Some(12.0)));
    }
}

#[test]
fn height_units_come_from_the_band_or_the_vertical_key() {
    let plan = TestTiff::floats([4, 4], &[3280.8333; 16]).placed([5e5, 10.0, 0.0, 5e6, 0.0, -10.0]);
    let band = plan
        .clone()
        .keyed(&[[1024, 1], [3072, 32632]])
        .with(42112, metadata(&[("unittype", "US survey foot")]));
    let vertical = plan.clone().keyed(&[[1024, 1], [3072, 32632], [4096, 6360], [4099, 9003]]);
    for (tiff, source) in [(band, "the band's unit"), (vertical, "the vertical unit key")] {
        let raster = read(&tiff);
        assert_eq!(
            (raster.facts.unit.as_str(), raster.facts.unit_source.as_str()),
            ("US survey foot", source)
        );
        let height = raster.to_terrain().expect("built").sample(0, 0).expect("a height");
        assert!((height - 1000.0).abs() < 5e-4, "{height}");
    }
    let options = ReadOptions { z_unit: Some(HeightUnit::Foot), ..ReadOptions::default() };
    let raster = TestFolder::new().read_with("a.tif", &plan.bytes(), &options).expect("read");
    let height = raster.to_terrain().expect("built").sample(0, 0).expect("a height");
    assert!((height - 999.998).abs() < 5e-4, "{height}");
}

#[test]
fn degrees_become_metres_at_the_middle_latitude() {
    let step = 1.0 / 3600.0;
    let tiff = TestTiff::floats([4, 4], &[1.0; 16])
        .placed([10.0, step, 0.0, 60.0 + 2.0 * step, 0.0, -step])
        .keyed(&[[1024, 2], [2048, 4326]]);
    let raster = read(&tiff);
    let terrain = raster.to_terrain().expect("built");
    assert!((terrain.spacing().x - 15.50).abs() < 0.005 && (terrain.spacing().y - 30.95).abs() < 0.005);
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("derived from degrees")));
    assert_eq!(raster.facts.crs.as_ref().map(|crs| crs.name.as_str()), Some("WGS 84"));
}

#[test]
fn a_turned_grid_keeps_its_spacing_and_tells_the_turn() {
    let (sine, cosine) = 30_f64.to_radians().sin_cos();
    let (sine, cosine) = (10.0 * sine, 10.0 * cosine);
    let tiff = TestTiff::floats([8, 4], &[0.0; 32])
        .placed([1000.0, cosine, sine, 2000.0, sine, -cosine])
        .keyed(&[[1024, 1], [3072, 32632]]);
    let raster = read(&tiff);
    assert!(raster.spacing_m.iter().all(|spacing| (spacing - 10.0).abs() < 1e-12));
    assert!(raster.facts.assumptions.iter().any(|text| text.contains("turned 30.000000°")));
    let [x, y] = raster.georeference().position(7.5, -0.5);
    assert!((x - 1069.28).abs() < 0.005 && (y - 2040.0).abs() < 0.005, "{x} {y}");
    assert_eq!(raster.orientation().flipped, [false, false]);
}

#[test]
fn south_up_and_mirrored_files_give_the_same_terrain_as_their_north_up_twin() {
    let ramp: Vec<f32> = (0..16).map(|index| index as f32).collect();
    let rows_flipped: Vec<f32> = ramp.chunks(4).rev().flatten().copied().collect();
    let columns_flipped: Vec<f32> = ramp.chunks(4).flat_map(|row| row.iter().rev()).copied().collect();
    let north_up = read(&TestTiff::floats([4, 4], &ramp).placed([0.0, 5.0, 0.0, 20.0, 0.0, -5.0]));
    let south_up = read(&TestTiff::floats([4, 4], &rows_flipped).placed([0.0, 5.0, 0.0, 0.0, 0.0, 5.0]));
    let mirrored =
        read(&TestTiff::floats([4, 4], &columns_flipped).placed([20.0, -5.0, 0.0, 20.0, 0.0, -5.0]));
    assert_eq!(south_up.heights, rows_flipped);
    let expected = north_up.to_terrain().expect("built");
    for raster in [&south_up, &mirrored] {
        let terrain = raster.to_terrain().expect("built");
        assert_eq!((terrain.heights(), terrain.origin()), (expected.heights(), expected.origin()));
        let [x, y] = north_up.georeference().position(1.0, 2.0);
        let [column, row] = raster.georeference().sample(x, y);
        assert_eq!(raster.orientation().terrain_from_raster([column, row]), [1.0, 2.0]);
    }
    assert!(south_up.facts.assumptions.iter().any(|text| text.contains("south first")));
    assert!(mirrored.facts.assumptions.iter().any(|text| text.contains("east first")));
}

#[test]
fn both_byte_orders_classic_and_big() {
    for (big_endian, bigtiff) in [(true, false), (true, true), (false, true), (false, false)] {
        let samples = [10.0_f32, 20.0, 30.0, -9999.0];
        let samples = samples.iter().flat_map(|v| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() });
        let tiff =
            TestTiff { big_endian, bigtiff, samples: samples.collect(), ..TestTiff::new([2, 2], 32, 3) };
        let raster = read(&tiff.with(42113, nodata("-9999")));
        let found = raster.facts.statistics;
        assert_eq!((found.valid, found.empty, found.min, found.max), (3, 1, Some(10.0), Some(30.0)));
    }
}

#[test]
fn lerc_holds_the_numbers_of_a_foreign_byte_order_turned_round() {
    for big_endian in [false, true] {
        let stored = [10_i16, 20, -3, 400].map(|value| if big_endian { value.swap_bytes() } else { value });
        let pack = |_: usize, _: &[u8]| {
            let options = tiff_writer::LercOptions { max_z_error: 0.0, ..Default::default() };
            tiff_writer::compress::compress_block_lerc(&stored, 2, 2, 1, &options, 0).expect("packed")
        };
        let tiff = TestTiff { big_endian, samples: vec![0; 8], ..TestTiff::new([2, 2], 16, 2) };
        let tiff = tiff.packed(34887, pack).with(50674, Values::Longs(vec![4, 0]));
        assert_eq!(read(&tiff).heights, [10.0, 20.0, -3.0, 400.0], "{big_endian}");
    }
}

#[test]
fn half_floats_of_both_byte_orders() {
    let halves = [half::f16::from_f32(1.5), half::f16::from_f32(-2.0)];
    for big_endian in [false, true] {
        let samples = halves.iter().flat_map(|v| if big_endian { v.to_be_bytes() } else { v.to_le_bytes() });
        let tiff = TestTiff { big_endian, samples: samples.collect(), ..TestTiff::new([2, 1], 16, 3) };
        let raster = read(&tiff);
        assert_eq!(
            (raster.heights.as_slice(), raster.facts.sample_type.as_str()),
            ([1.5, -2.0].as_slice(), "f16")
        );
    }
}

#[test]
fn scale_and_offset_follow_the_test_for_empties_and_can_be_turned_off() {
    let samples = [1234_i16, 0, 1, -32768].iter().flat_map(|v| v.to_le_bytes()).collect();
    let tiff = TestTiff { samples, ..TestTiff::new([2, 2], 16, 2) }
        .with(42113, nodata("-32768"))
        .with(42112, metadata(&[("scale", "0.01"), ("offset", "100")]));
    let raster = read(&tiff);
    assert_eq!(raster.heights[..3], [112.34, 100.0, 100.01]);
    let found = raster.facts.statistics;
    assert_eq!((found.empty, found.raw_min, found.raw_max), (1, Some(0.0), Some(1234.0)));
    let options = ReadOptions { no_scale: true, ..ReadOptions::default() };
    let raster = TestFolder::new().read_with("a.tif", &tiff.bytes(), &options).expect("read");
    assert_eq!((raster.heights[0], raster.facts.scale), (1234.0, 1.0));
}

#[test]
fn points_shift_by_half_a_pixel() {
    let tiff = TestTiff::floats([2, 2], &[0.0; 4]).placed([100.0, 10.0, 0.0, 200.0, 0.0, -10.0]).keyed(&[
        [1024, 1],
        [1025, 2],
        [3072, 32632],
    ]);
    let raster = read(&tiff);
    assert_eq!(raster.facts.pixel_is, PixelIs::Point);
    assert_eq!(raster.facts.geotransform, Some([95.0, 10.0, 0.0, 205.0, 0.0, -10.0]));
    assert_eq!(raster.georeference().position(0.0, 0.0), [100.0, 200.0]);
}

#[test]
fn odd_sizes_open_whole_and_missing_blocks_are_empty() {
    let samples: Vec<f32> = (0..8193 * 4).map(|index| index as f32).collect();
    let raster = read(&TestTiff::floats([8193, 4], &samples));
    assert_eq!((raster.size, raster.heights.last().copied()), ([8193, 4], samples.last().copied()));
    let missing = TestTiff::floats([16_385, 5], &[]);
    let empty = read(&missing.clone().with(42113, nodata("-9999")));
    assert_eq!((empty.size, empty.facts.statistics.valid), ([16_385, 5], 0));
    assert_eq!(empty.to_terrain().expect_err("refused").exit_code(), 3);
    assert_eq!(read(&missing).facts.statistics.max, Some(0.0));
}

#[test]
fn codecs_that_are_not_read_are_named() {
    for (code, name) in [(34712, "JPEG 2000 (34712)"), (34676, "SGI Log (34676)"), (999, "(999)")] {
        let error = refusal(&TestTiff::floats([4, 4], &[0.0; 16]).with(259, Values::Shorts(vec![code])));
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn sizes_that_no_bytes_stand_behind_are_refused() {
    let huge = TestTiff::floats([60_000, 60_000], &[0.0; 4]);
    assert!(refusal(&huge).contains("in 16 stored ones"), "{}", refusal(&huge));
    let sparse = TestTiff::floats([1_000_000, 1_000_000], &[]);
    assert!(refusal(&sparse).contains("GiB of heights"), "{}", refusal(&sparse));
    let short = TestTiff::floats([4, 4], &[0.0; 15]);
    assert!(refusal(&short).contains("ends after 60 bytes"), "{}", refusal(&short));
    let blocks = TestTiff::floats([4, 4], &[0.0; 16]).with(278, Values::Longs(vec![1]));
    assert!(refusal(&blocks).contains("where 4 blocks of samples are stored"), "{}", refusal(&blocks));
}

#[test]
fn a_band_that_is_not_there_is_a_wrong_option() {
    let options = ReadOptions { band: Some(2), ..ReadOptions::default() };
    let tiff = TestTiff::floats([2, 2], &[0.0; 4]).bytes();
    let error = TestFolder::new().read_with("a.tif", &tiff, &options).expect_err("refused");
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn every_byte_of_a_small_file_may_be_wrong() {
    let folder = TestFolder::new();
    let good = TestTiff::floats([4, 4], &[1.0; 16])
        .placed([0.0, 1.0, 0.0, 0.0, 0.0, -1.0])
        .keyed(&[[1024, 1], [3072, 32632]])
        .with(42112, metadata(&[("scale", "2")]))
        .bytes();
    for at in 0..good.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bad = good.clone();
            bad[at] = value;
            if let Ok(raster) = folder.read("a.tif", &bad) {
                assert_eq!(
                    raster.heights.len() as u64,
                    u64::from(raster.size[0]) * u64::from(raster.size[1])
                );
            }
        }
        let _ = folder.read("a.tif", &good[..at]);
    }
}
