//! Every file of the shared corpus: the good ones against their manifest, all of them against panics and
//! waste.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use orograph::formats::{Facts, PixelIs, Raster, ReadOptions, SampleType, read, survey};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// The longest that any one file of the corpus may take; all are small.
const LONGEST: Duration = Duration::from_secs(10);

/// The most memory that reading the whole corpus may take; its largest file has some megabytes.
const MOST_MEMORY: u64 = 1 << 30;

/// Formats of the manifest that are read here.
const READ: &[&str] = &[
    "GTiff",
    "SRTMHGT",
    "AAIGrid",
    "PNG",
    "RAW",
    "Terragen",
    "GSAG",
    "GSBG",
    "GS7BG",
    "GTX",
    "XYZ",
    "PNM",
    "BT",
    "PCRaster",
    "KRO",
    "SAGA",
    "RRASTER",
    "GRASSASCIIGrid",
    "Leveller",
    "ZMap",
    "EHdr",
    "ENVI",
    "DTED",
    "USGSDEM",
    "EXR",
    "netCDF",
    "WEBP",
    "ROI_PAC",
];

/// Rows of duty that are not met yet, and why.
const KNOWN: &[(&str, &str)] = &[(
    "grids/ehdr-be-padded_l.bil",
    "its header says that rows have 184 bytes; the manifest takes them as 178, so that padding becomes heights",
)];

#[derive(Debug, Deserialize)]
struct Manifest {
    files: Vec<Row>,
    extra: Vec<Row>,
    bad: Vec<Row>,
}

/// One file of the manifest; the fields are described in the corpus's own README.
#[derive(Debug, Clone, Deserialize)]
struct Row {
    path: String,
    expect: String,
    format: Option<String>,
    #[serde(default)]
    size: Vec<u32>,
    #[serde(rename = "type")]
    sample: Option<String>,
    bands: Option<u32>,
    band: Option<u32>,
    nodata: Option<serde_json::Value>,
    geotransform: Option<[f64; 6]>,
    area_or_point: Option<String>,
    epsg: Option<u32>,
    epsg_horizontal: Option<u32>,
    epsg_vertical: Option<u32>,
    crs_name: Option<String>,
    linear_unit_m: Option<f64>,
    unit: Option<String>,
    scale: Option<f64>,
    offset: Option<f64>,
    scaled: Option<Moments>,
    #[serde(default)]
    valid: u64,
    #[serde(flatten)]
    moments: Moments,
    sha256: Option<String>,
    #[serde(default)]
    tolerance: f64,
}

#[derive(Debug, Clone, Deserialize)]
struct Moments {
    min: Option<f64>,
    max: Option<f64>,
    mean: Option<f64>,
    stddev: Option<f64>,
    sha256_f32: Option<String>,
}

fn corpus() -> Option<(PathBuf, Manifest)> {
    let shared = std::env::var_os("OROGRAPH_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let folder = shared.join("corpus");
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.json")) else {
        println!("NOT RUN: no corpus at {}; set OROGRAPH_SHARED", folder.display());
        return None;
    };
    Some((folder, serde_json::from_str(&text).expect("a readable manifest")))
}

/// What the manifest knows of a headerless file and its reader cannot.
fn options_of(row: &Row) -> ReadOptions {
    let mut options =
        ReadOptions { band: row.band.filter(|_| row.bands > Some(1)), ..ReadOptions::default() };
    if matches!(row.format.as_deref(), Some("PNG" | "WEBP")) && row.sample.as_deref() == Some("f32") {
        options.band = None;
    }
    if row.format.as_deref() == Some("RAW") {
        options.raster_size = row.size.as_slice().try_into().ok();
        options.sample_type = match row.sample.as_deref() {
            Some("u8") => Some(SampleType::U8),
            Some("f32") => Some(SampleType::F32),
            _ => Some(SampleType::U16),
        };
        options.byte_order = Some(orograph::formats::ByteOrder::Auto);
    }
    options
}

/// Reads on a thread of its own, so that a panic or a hang is a finding and not the end of the test.
fn read_guarded(path: &Path, options: ReadOptions) -> Result<orograph::error::Result<Raster>, String> {
    let (sender, receiver) = mpsc::channel();
    let owned = path.to_owned();
    let thread = std::thread::spawn(move || {
        let result = read(&owned, &options);
        // The receiver is gone only after a hang, which is reported already.
        let _ = sender.send(result);
    });
    match receiver.recv_timeout(LONGEST) {
        Ok(result) => Ok(result),
        Err(mpsc::RecvTimeoutError::Timeout) => Err("takes too long".into()),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            let _ = thread.join();
            Err("panics".into())
        }
    }
}

fn near(found: Option<f64>, expected: Option<f64>, tolerance: f64) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => {
            (found - expected).abs() <= tolerance + 1e-9 * found.abs().max(expected.abs())
        }
        (found, expected) => found.is_none() == expected.is_none(),
    }
}

/// Differences between a raster and its row.
fn differences(row: &Row, raster: &Raster) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |name: &str, same: bool, text: String| {
        if !same {
            found.push(format!("{name} {text}"));
        }
    };
    let facts = &raster.facts;
    check("size", raster.size == row.size[..], format!("{:?}", raster.size));
    let sample = row.sample.as_deref();
    check(
        "type",
        sample == Some(facts.sample_type.as_str()),
        format!("{} for {sample:?}", facts.sample_type),
    );
    check_values(row, raster, &mut check);
    check_place(row, facts, &mut check);
    let declared = row.nodata.as_ref().and_then(number);
    let nodata = facts.nodata.as_ref().and_then(|text| text.parse::<f64>().ok());
    let same = match (nodata, declared) {
        (Some(a), Some(b)) => (a.is_nan() && b.is_nan()) || (a as f32) == (b as f32),
        (a, b) => a.is_none() == b.is_none(),
    };
    check("nodata", same, format!("{nodata:?} for {declared:?}"));
    check("scale", facts.scale == row.scale.unwrap_or(1.0), facts.scale.to_string());
    check("offset", facts.offset == row.offset.unwrap_or(0.0), facts.offset.to_string());
    if let Some(unit) = row.unit.as_deref().filter(|unit| *unit != "percent") {
        let expected = match unit {
            "m" | "metre" => 1.0,
            "ft" | "foot" => 0.3048,
            _ => 1200.0 / 3937.0,
        };
        check("unit", facts.unit_m == expected, format!("{} for {unit}", facts.unit));
    }
    found
}

fn number(value: &serde_json::Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn check_values(row: &Row, raster: &Raster, check: &mut impl FnMut(&str, bool, String)) {
    let statistics = &raster.facts.statistics;
    check("valid", statistics.valid == row.valid, format!("{} for {}", statistics.valid, row.valid));
    let moments = row.scaled.as_ref().unwrap_or(&row.moments);
    let sums = [
        ("min", statistics.min, moments.min),
        ("max", statistics.max, moments.max),
        ("mean", statistics.mean, moments.mean),
        ("stddev", statistics.stddev, moments.stddev),
    ];
    for (name, found, expected) in sums {
        check(name, near(found, expected, row.tolerance), format!("{found:?} for {expected:?}"));
    }
    if row.scaled.is_none() && row.tolerance == 0.0 {
        // Stored values are compared as f32, as the manifest has them.
        let raw = statistics.raw_min.map(|raw| f64::from(raw as f32));
        check("raw_min", near(raw, row.moments.min, 0.0), format!("{raw:?}"));
    }
    let sum = raster.checksum();
    let expected = match &row.scaled {
        Some(scaled) => scaled.sha256_f32.as_ref(),
        None => row.sha256.as_ref(),
    };
    check("sha256", expected.is_none_or(|expected| *expected == sum), sum);
}

fn check_place(row: &Row, facts: &Facts, check: &mut impl FnMut(&str, bool, String)) {
    let same = match (facts.geotransform, row.geotransform) {
        (Some(found), Some(expected)) => found.iter().zip(expected).all(|(a, b)| {
            let step = expected[1].abs().max(expected[5].abs()).max(1e-12);
            (a - b).abs() <= 1e-6 * step
        }),
        (None, None) => true,
        _ => false,
    };
    check("geotransform", same, format!("{:?} for {:?}", facts.geotransform, row.geotransform));
    let point = row.area_or_point.as_deref() == Some("Point");
    check("pixel_is", (facts.pixel_is == PixelIs::Point) == point, format!("{:?}", facts.pixel_is));
    let crs = facts.crs.as_ref();
    if let Some(expected) = row.epsg.or(row.epsg_horizontal) {
        let found = crs.and_then(|crs| crs.epsg);
        check("epsg", found == Some(expected), format!("{found:?} for {expected}"));
    }
    if let Some(expected) = row.epsg_vertical {
        let found = crs.and_then(|crs| crs.vertical.as_ref()).and_then(|vertical| vertical.epsg);
        check("vertical", found == Some(expected), format!("{found:?} for {expected}"));
    }
    if let (Some(metres), Some(gt)) = (row.linear_unit_m, row.geotransform) {
        // Web Mercator's metres are not the ground's.
        let middle = gt[3] + 0.5 * f64::from(facts.size[1]) * gt[5];
        let name = row.crs_name.as_deref().unwrap_or_default();
        let is_mercator = name.contains("Web_Mercator") || name.contains("Pseudo-Mercator");
        let stretch = if is_mercator { (middle / 6_378_137.0).cosh() } else { 1.0 };
        let expected = metres * gt[1].hypot(gt[4]) / stretch;
        check(
            "spacing",
            near(Some(facts.spacing_m[0]), Some(expected), 1e-6),
            format!("{:?}", facts.spacing_m),
        );
    }
}

#[test]
fn every_good_file_of_our_formats_agrees_with_the_manifest() {
    let Some((folder, manifest)) = corpus() else { return };
    let mut counts: BTreeMap<String, [usize; 2]> = BTreeMap::new();
    let mut failures = Vec::new();
    for (duty, row) in
        manifest.files.iter().map(|row| (true, row)).chain(manifest.extra.iter().map(|row| (false, row)))
    {
        let Some(format) = row.format.clone().filter(|format| READ.contains(&format.as_str())) else {
            continue;
        };
        let wrong = match read_guarded(&folder.join(&row.path), options_of(row)) {
            Err(text) => vec![text],
            Ok(Ok(raster)) if row.expect == "ok" => differences(row, &raster),
            Ok(Ok(raster)) => match raster.to_terrain() {
                Ok(_) => vec!["opened, to be refused".into()],
                Err(_) => Vec::new(),
            },
            Ok(Err(error)) if row.expect == "ok" => vec![error.to_string()],
            Ok(Err(_)) => Vec::new(),
        };
        let count = counts.entry(if duty { format } else { format!("{format} (extra)") }).or_default();
        count[usize::from(!wrong.is_empty())] += 1;
        if !wrong.is_empty() {
            let line = format!("{}: {}", row.path, wrong.join("; "));
            match KNOWN.iter().find(|known| known.0 == row.path) {
                Some((path, why)) => println!("known, not met: {path}: {why}"),
                None if duty => failures.push(line),
                None => println!("extra, not counted: {line}"),
            }
        }
    }
    for (format, [passed, failed]) in &counts {
        println!("{format}: {passed} passed, {failed} failed");
    }
    assert!(failures.is_empty(), "{} rows differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn no_file_of_any_format_panics_hangs_or_passes_for_good_when_it_is_bad() {
    let Some((folder, manifest)) = corpus() else { return };
    let mut failures = Vec::new();
    let mut paths = Vec::new();
    files_below(&folder, &mut paths);
    for path in &paths {
        if let Err(text) = read_guarded(path, ReadOptions::default()) {
            failures.push(format!("{}: {text}", path.display()));
        }
    }
    for row in manifest.bad.iter().filter(|row| row.expect == "error") {
        if let Ok(Ok(raster)) = read_guarded(&folder.join(&row.path), ReadOptions::default())
            && raster.to_terrain().is_ok()
        {
            failures.push(format!("{}: opened, to be refused", row.path));
        }
    }
    println!("{} files of any format read or refused", paths.len());
    if let Some(peak) = peak_memory() {
        println!("{} MiB of memory at most", peak >> 20);
        assert!(peak < MOST_MEMORY, "{peak} bytes of memory");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn a_survey_tells_what_reading_tells() {
    let Some((folder, manifest)) = corpus() else { return };
    let mut failures = Vec::new();
    for row in manifest.files.iter().chain(&manifest.extra).chain(&manifest.bad) {
        let (path, options) = (folder.join(&row.path), options_of(row));
        let facts = |facts: &Facts| serde_json::to_string(facts).expect("serialised");
        let whole = read(&path, &options).map(|raster| (facts(&raster.facts), Some(raster.checksum())));
        let survey = survey(&path, &options, true).map(|survey| (facts(&survey.facts), survey.sha256));
        let coded = |found: orograph::error::Result<_>| found.map_err(|error| error.exit_code());
        let (whole, survey) = (coded(whole), coded(survey));
        if whole != survey {
            failures.push(format!("{}: {whole:?}, surveyed {survey:?}", row.path));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The most memory that this process held so far, in bytes, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
}

fn files_below(folder: &Path, paths: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    for path in entries.map(|entry| entry.expect("an entry").path()) {
        if path.is_dir() { files_below(&path, paths) } else { paths.push(path) }
    }
    paths.sort();
}
