//! Drives the built program's commands that draw: pictures, reports, and what it says where nothing can be drawn with.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

const VERIFY_KEYS: &str = "adapter raster cameras patch_decisions decision_mismatches order_mismatches vertices \
    vertex_mismatches max_height_error cells cells_missing cells_twice pixels crack_pixels position_max_subpixels \
    pixel_mismatches ids_agree splat_pixels splat_max_error carve_vertices carve_max_error passed";
const BENCH_KEYS: &str = "adapter raster size flight frames field passes frame wall cpu patches_tested patches_drawn triangles uniform_triangles \
    gpu_bytes host_bytes upload_bytes_per_frame first_picture_ms";

/// A folder with a small hill in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let rows =
        (0..30).map(|z| (0..40).map(|x| format!("{} ", (x - 20) * (z - 15) / 8 + 100)).collect::<String>());
    let text = rows.collect::<Vec<_>>().join("\n");
    let header = "ncols 40\nnrows 30\nxllcorner 5000\nyllcorner 7000\ncellsize 10\n";
    std::fs::write(folder.path().join("hill.asc"), format!("{header}{text}\n")).expect("written");
    folder
}

fn run(folder: &Path, line: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orograph"))
        .args(line.split_whitespace())
        .current_dir(folder)
        // Mesa's layer asks for a display at once, and says so where there is none.
        .env("NODEVICE_SELECT", "1")
        .envs(variables.iter().copied())
        .output()
        .expect("started")
}

fn json(output: &Output) -> Value {
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {told}"))
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// Size and pixels of a picture.
fn picture(path: &Path) -> ([u32; 2], Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    ([info.width, info.height], pixels)
}

#[test]
fn the_same_command_renders_the_same_picture() {
    let folder = folder();
    for name in ["a.png", "b.png"] {
        let output = run(folder.path(), &format!("render hill.asc -o {name} --size 120x80 --quiet"), &[]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    let (size, pixels) = picture(&folder.path().join("a.png"));
    assert_eq!(size, [120, 80]);
    assert!(pixels == picture(&folder.path().join("b.png")).1);
    assert!(pixels.chunks_exact(3).collect::<BTreeSet<_>>().len() > 100, "there is something to see");
}

#[test]
fn each_quality_is_a_picture_of_its_own_and_always_the_same() {
    let folder = folder();
    let drawn = |options: &str| {
        let line = format!("render hill.asc -o a.png --size 120x80 --quiet {options}");
        let output = run(folder.path(), &line, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        picture(&folder.path().join("a.png")).1
    };
    let qualities = ["draft", "normal", "high", "truth"].map(|name| format!("--quality {name}"));
    let pictures: Vec<_> = qualities.iter().map(|quality| drawn(quality)).collect();
    assert_eq!(pictures.iter().collect::<BTreeSet<_>>().len(), 4);
    assert!(pictures[1] == drawn("") && pictures[2] == drawn(&qualities[2]));
    let unknown = run(folder.path(), "render hill.asc -o b.png --quality best", &[]);
    let told = String::from_utf8_lossy(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(2), "{told}");
    assert!(told.contains("draft, normal, high, truth"), "{told}");
}

#[test]
fn a_background_shows_in_its_own_colour() {
    let folder = folder();
    let line = "render hill.asc -o sky.png --size 60x40 --background #ff00ff --eye 5200,7150,900 --target 5200,7150,2000";
    assert_eq!(run(folder.path(), line, &[]).status.code(), Some(0));
    let (_, pixels) = picture(&folder.path().join("sky.png"));
    assert!(
        pixels.chunks_exact(3).all(|pixel| pixel == [255, 0, 255]),
        "the eye looks up from above the ground"
    );
}

#[test]
fn reports_have_the_keys_of_the_contract() {
    let folder = folder();
    let both = json(&run(folder.path(), "verify hill.asc --cameras 3 --size 64x48 --json", &[]));
    for (verify, raster) in both.as_array().expect("both paths").iter().zip(["vertex", "compute"]) {
        assert_eq!(keys(verify), words(VERIFY_KEYS));
        assert_eq!((&verify["passed"], &verify["cameras"]), (&Value::Bool(true), &Value::from(3)));
        assert_eq!(verify["raster"], raster);
        assert_eq!(verify["pixel_mismatches"].is_null(), raster == "vertex");
        assert!(verify["ids_agree"].as_f64().is_some_and(|share| (0.99..=1.0).contains(&share)), "{verify}");
    }
    let one =
        json(&run(folder.path(), "verify hill.asc --cameras 1 --size 64x48 --json --raster vertex", &[]));
    assert_eq!(keys(&one), words(VERIFY_KEYS));
    assert!(one["ids_agree"].is_null(), "there is nothing to compare with");
    let text = run(folder.path(), "verify hill.asc --cameras 1 --size 64x48", &[]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("pixels show the same triangle"));
    let bench = json(&run(folder.path(), "bench hill.asc --frames 3 --size 64x48 --json", &[]));
    assert_eq!(keys(&bench), words(BENCH_KEYS));
    let passes = keys(&bench["passes"]);
    assert!(passes.contains("visibility") && passes.contains("reference"), "{passes:?}");
    assert_eq!(keys(&bench["frame"]), words("p50_ms p95_ms p99_ms max_ms"));
    let adapters = json(&run(folder.path(), "adapters --json", &[]));
    assert_eq!(keys(&adapters[0]), words("name backend kind driver features"));
}

#[test]
fn every_flight_is_flown_and_named_in_the_report() {
    let folder = folder();
    let default = json(&run(folder.path(), "bench hill.asc --frames 2 --size 64x48 --json", &[]));
    assert_eq!(default["flight"], "flyover");
    for name in ["flyover", "orbit", "descent"] {
        let line = format!("bench hill.asc --frames 4 --size 64x48 --json --flight {name}");
        let bench = json(&run(folder.path(), &line, &[]));
        assert_eq!((&bench["flight"], &bench["frames"]), (&Value::from(name), &Value::from(4)));
        let number = |value: &Value| value.as_f64().expect("a number");
        assert!(number(&bench["patches_drawn"]) > 0.0, "{name} sees ground");
        for times in bench["passes"].as_object().expect("passes").values().chain([&bench["frame"]]) {
            assert_eq!(keys(times), words("p50_ms p95_ms p99_ms max_ms"));
            assert!(number(&times["max_ms"]) >= number(&times["p99_ms"]), "{name}: {times}");
        }
    }
    let text = run(folder.path(), "bench hill.asc --frames 2 --size 64x48 --flight orbit", &[]);
    assert!(String::from_utf8_lossy(&text.stdout).contains("2 frames of the orbit"));
    let unknown = run(folder.path(), "bench hill.asc --flight sideways", &[]);
    let told = String::from_utf8_lossy(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(2), "{told}");
    assert!(told.contains("flyover, orbit, descent"), "{told}");
}

#[test]
fn wrong_usage_and_unwritable_outputs_leave_nothing() {
    let folder = folder();
    let code = |line: &str| run(folder.path(), line, &[]).status.code();
    assert_eq!(code("render hill.asc -o hill.jpg"), Some(2));
    assert_eq!(code("render hill.asc hill.asc -o a.png"), Some(2));
    assert_eq!(code("render hill.asc -o a.png --size 999999x4"), Some(2));
    assert_eq!(code("render none.asc -o a.png"), Some(3));
    assert_eq!(code("render hill.asc -o nowhere/a.png --size 40x30"), Some(5));
    let unknown = run(folder.path(), "render hill.asc -o a.png --adapter Nobody", &[]);
    let told = String::from_utf8_lossy(&unknown.stderr);
    assert_eq!(unknown.status.code(), Some(4), "{told}");
    assert!(told.contains("one named Nobody; choose one of those that `orograph adapters` lists"), "{told}");
    assert_eq!(folder.path().read_dir().expect("listed").count(), 1, "only the input is there");
}

#[test]
fn without_an_adapter_it_says_what_to_install_and_still_answers() {
    let folder = folder();
    let none = [
        ("WGPU_BACKEND", "vulkan"),
        ("VK_DRIVER_FILES", "/nowhere.json"),
        ("VK_ICD_FILENAMES", "/nowhere.json"),
    ];
    for line in ["render hill.asc -o a.png", "verify hill.asc", "bench hill.asc", "adapters"] {
        let output = run(folder.path(), line, &none);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{line}: {told}");
        assert!(
            told.lines().any(|told| told.contains("apt-get install mesa-vulkan-drivers")),
            "{line}: {told}"
        );
    }
    for line in ["info hill.asc --json", "query hill.asc --at 5100,7100 --json"] {
        assert_eq!(run(folder.path(), line, &none).status.code(), Some(0), "{line}");
    }
}
