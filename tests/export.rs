//! Every file of the shared corpus, written anew and read back: nothing of it is lost.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use orograph::export::{Format, Options, Plan};
use orograph::formats::{Raster, ReadOptions, SampleType, read};
use std::path::{Path, PathBuf};

/// Files larger than this, in samples, are left out to keep the test short.
const MOST_SAMPLES: usize = 1 << 18;

fn corpus() -> Option<(PathBuf, serde_json::Value)> {
    let shared = std::env::var_os("OROGRAPH_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let folder = shared.join("corpus");
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.json")) else {
        println!("NOT RUN: no corpus at {}; set OROGRAPH_SHARED", folder.display());
        return None;
    };
    Some((folder, serde_json::from_str(&text).expect("a readable manifest")))
}

/// Writes a raster and what belongs beside it.
fn export(raster: &Raster, path: &Path) -> Result<(), String> {
    let format = Format::from_path(path).expect("a format that is written");
    let plan = Plan::new(raster, format, Options::default()).map_err(|error| error.to_string())?;
    let mut out = std::io::Cursor::new(Vec::new());
    plan.write(&mut out).map_err(|error| error.to_string())?;
    std::fs::write(path, out.into_inner()).expect("written");
    if let Some((beside, text)) = plan.sidecar(path) {
        std::fs::write(beside, text).expect("written");
    }
    Ok(())
}

/// Whether two rasters have the same samples; zero has two signs and one meaning.
fn same_samples(a: &Raster, b: &Raster) -> bool {
    let same = |(a, b): (&f32, &f32)| a == b || a.to_bits() == b.to_bits();
    a.size == b.size && a.heights.iter().zip(&b.heights).all(same)
}

fn near(a: Option<[f64; 6]>, b: Option<[f64; 6]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1.0)),
        (a, b) => a.is_none() == b.is_none(),
    }
}

fn codes(raster: &Raster) -> [Option<u32>; 2] {
    let crs = raster.facts.crs.as_ref();
    [crs.and_then(|crs| crs.epsg), crs.and_then(|crs| crs.vertical.as_ref()?.epsg)]
}

/// What a GeoTIFF lost of a raster.
fn lost(source: &Raster, back: &Raster) -> Vec<&'static str> {
    let checks = [
        ("samples", same_samples(source, back)),
        ("geotransform", near(source.facts.geotransform, back.facts.geotransform)),
        ("pixel_is", source.facts.pixel_is == back.facts.pixel_is || source.facts.geotransform.is_none()),
        ("codes", codes(source) == codes(back)),
        ("unit", source.unit_m == back.unit_m),
        ("spacing", source.facts.geotransform.is_none() || spacing_is_near(source, back)),
    ];
    checks.iter().filter(|check| !check.1).map(|check| check.0).collect()
}

fn spacing_is_near(a: &Raster, b: &Raster) -> bool {
    a.spacing_m.iter().zip(b.spacing_m).all(|(a, b)| (a - b).abs() <= 1e-9 * a)
}

#[test]
fn every_file_comes_back_from_each_format() {
    let Some((folder, manifest)) = corpus() else { return };
    let out = tempfile::tempdir().expect("a folder");
    let (mut failures, mut count) = (Vec::new(), 0);
    for row in manifest["files"].as_array().into_iter().flatten() {
        let path = folder.join(row["path"].as_str().expect("a path"));
        let Ok(source) = read(&path, &ReadOptions::default()) else { continue };
        if source.facts.statistics.valid == 0 || source.heights.len() > MOST_SAMPLES {
            continue;
        }
        count += 1;
        let mut fail = |what: String| failures.push(format!("{}: {what}", path.display()));
        let tif = out.path().join("out.tif");
        match export(&source, &tif)
            .and_then(|()| read(&tif, &ReadOptions::default()).map_err(|e| e.to_string()))
        {
            Ok(back) => lost(&source, &back).iter().for_each(|what| fail(format!("tif loses {what}"))),
            Err(error) => fail(error),
        }
        let asc = out.path().join("out.asc");
        match export(&source, &asc)
            .and_then(|()| read(&asc, &ReadOptions::default()).map_err(|e| e.to_string()))
        {
            Ok(back) if source.orientation().flipped == [false; 2] && !same_samples(&source, &back) => {
                fail("asc loses samples".into());
            }
            Err(error) if !error.contains("a turned grid") => fail(error),
            _ => {}
        }
        let r32 = out.path().join("out.r32");
        let options = ReadOptions {
            raster_size: Some(source.size),
            sample_type: Some(SampleType::F32),
            ..ReadOptions::default()
        };
        export(&source, &r32).expect("written");
        if !read(&r32, &options).is_ok_and(|back| same_samples(&source, &back)) {
            fail("r32 loses samples".into());
        }
    }
    println!("{count} files written and read back");
    assert!(count > 100, "{count} files");
    assert!(failures.is_empty(), "{} losses:\n{}", failures.len(), failures.join("\n"));
}
