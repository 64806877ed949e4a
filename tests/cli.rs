//! Drives the built program: its results, its exit codes, and what it says.
#![allow(clippy::expect_used, reason = "a test stops at the first thing that is not as it says")]

use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// 5 × 4 samples, 10 m apart, rising 1 in 1 to the east, with a hole in the middle.
const RAMP: &str = "ncols 5\nnrows 4\nxllcorner 1000\nyllcorner 2000\ncellsize 10\nNODATA_value -9999\n\
    0 10 20 30 40\n0 10 20 30 40\n0 10 -9999 30 40\n0 10 20 30 40\n";
/// One height of infinity, which counts as empty and brings a warning.
const WARNED: &str = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1.5 2.5\n3.5 inf\n";
const INFO_KEYS: &str = "file format files size type compression predictor band crs geotransform pixel_is spacing_m \
    nodata nodata_rule scale offset unit unit_m unit_source valid empty raw_min raw_max min max mean stddev levels \
    memory_estimate gpu_memory_estimate assumptions warnings";

/// A folder of its own with the ramp in it.
struct Bench(TempDir);

impl Bench {
    fn new() -> Self {
        let bench = Self(tempfile::tempdir().expect("a folder"));
        bench.file("ramp.asc", RAMP);
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    fn run(&self, line: &str) -> Run {
        self.run_with(line, "")
    }

    /// Runs a command line, split at spaces, in the folder.
    fn run_with(&self, line: &str, input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_orograph"))
            .args(line.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("started");
        // A program that reads no input may have ended already.
        let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
        Run::from(child.wait_with_output().expect("ended"))
    }

    /// The names of everything in the folder.
    fn names(&self) -> BTreeSet<String> {
        let entries = self.0.path().read_dir().expect("listed");
        entries.map(|entry| entry.expect("listed").file_name().to_string_lossy().into_owned()).collect()
    }
}

/// What a run left behind.
struct Run {
    code: Option<i32>,
    out: String,
    err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Run {
    /// Standard output as JSON, after a run that went well.
    fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.err);
        serde_json::from_str(&self.out).expect("JSON")
    }

    /// Holds a failed run to its code, and to one line on standard error that starts with this.
    fn fails(&self, code: i32, start: &str) {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with(start), "{}", self.err);
    }
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn info_has_the_keys_of_the_contract_and_no_others() {
    let bench = Bench::new();
    let info = bench.run("info ramp.asc --json").json();
    assert_eq!(keys(&info), INFO_KEYS.split_whitespace().collect());
    assert_eq!(
        (&info["size"], &info["valid"], &info["empty"]),
        (&serde_json::json!([5, 4]), &19.into(), &1.into())
    );
    assert_eq!((&info["min"], &info["max"], &info["levels"]), (&0.0.into(), &40.0.into(), &1.into()));
    let with = bench.run("info ramp.asc --json --checksum").json();
    assert_eq!(keys(&with).difference(&keys(&info)).collect::<Vec<_>>(), [&"sha256"]);
    assert_eq!(with["sha256"].as_str().map(str::len), Some(64));
}

#[test]
fn info_for_people_is_aligned_and_names_the_unit() {
    let text = Bench::new().run("info ramp.asc").out;
    assert!(text.starts_with("ramp.asc\n"), "{text}");
    assert!(
        text.contains("5 × 4 samples") && text.contains("0 … 40 metre") && text.contains("19 valid, 1 empty")
    );
    let starts: BTreeSet<_> = text.lines().skip(1).map(|line| line.find("  ").map(|at| at + 2)).collect();
    assert_eq!(starts.len(), 1, "{text}");
}

#[test]
fn several_inputs_go_on_after_a_bad_one_and_the_highest_code_is_returned() {
    let bench = Bench::new();
    let run = bench.run("info ramp.asc missing.asc --demo --json");
    run.fails(3, "missing.asc: ");
    let found: Value = serde_json::from_str(&run.out).expect("JSON");
    let files: Vec<_> = found.as_array().expect("an array").iter().map(|info| info["file"].clone()).collect();
    assert_eq!(files, ["ramp.asc", "demo"]);
}

#[test]
fn a_raster_without_a_valid_sample_is_told_of_and_refused() {
    let bench = Bench::new();
    bench.file(
        "void.asc",
        "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -1\n-1 -1\n-1 -1\n",
    );
    for conduct in ["", "--quiet", "--strict"] {
        let run = bench.run(&format!("info void.asc --json {conduct}"));
        run.fails(3, "void.asc: none of 2×2 samples is valid; ");
        let found: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!((&found["valid"], &found["empty"], &found["min"]), (&0.into(), &4.into(), &Value::Null));
        assert_eq!(found["warnings"][0]["code"], "no-valid-sample");
        bench.run(&format!("query void.asc --at 0,0 {conduct}")).fails(3, "void.asc: none of 2×2 samples");
    }
}

#[test]
fn inputs_that_are_no_files_are_refused() {
    let bench = Bench::new();
    bench.run("info missing.asc").fails(3, "missing.asc: ");
    bench.run("query missing.asc --at 1,2").fails(3, "missing.asc: ");
    std::fs::create_dir(bench.path("folder")).expect("made");
    bench.run("info folder").fails(3, "folder: ");
}

#[test]
fn wrong_usage_is_told_apart() {
    let bench = Bench::new();
    let lines = [
        "info",
        "info --nonsense",
        "info ramp.asc --size 0x3",
        "info ramp.asc --threads 0",
        "info ramp.asc --threads 257",
        "query ramp.asc",
        "query ramp.asc --at 1",
        "query ramp.asc --demo --at 1,2",
        "query --at 1,2",
        "profile ramp.asc --from 0,0 -o a.csv",
        "--quiet info ramp.asc",
        "ramp.asc info ramp.asc",
        "profile ramp.asc --from 1005,2005 --to 1045,2005 -o a.txt",
        "profile ramp.asc --from 1005,2005 --to 1005,2005 -o a.csv",
        "profile ramp.asc --from 0,0 --to 1,1 -o a.csv",
    ];
    for line in lines {
        let run = bench.run(line);
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "{line}: {}", run.err);
        assert_eq!(run.err.lines().count(), 1, "{line}: {}", run.err);
    }
    assert_eq!(bench.names(), BTreeSet::from(["ramp.asc".to_owned()]));
    for line in ["--help", "--version", "info --help"] {
        assert_eq!(bench.run(line).code, Some(0), "{line}");
    }
}

#[test]
fn query_answers_by_coordinates_and_by_pixel() {
    let bench = Bench::new();
    let by_place = bench.run("query ramp.asc --json --at 1010,2030 1030,2015 --at 0,0").json();
    let expected = "x y column row height normal slope_deg aspect_deg".split(' ').collect();
    assert!(by_place.as_array().expect("an array").iter().all(|answer| keys(answer) == expected));
    let ground = &by_place[0];
    assert_eq!((&ground["x"], &ground["column"], &ground["row"]), (&1010.0.into(), &0.5.into(), &0.5.into()));
    assert_eq!((&ground["height"], &ground["aspect_deg"]), (&5.0.into(), &270.0.into()));
    assert!((ground["slope_deg"].as_f64().expect("a number") - 45.0).abs() < 1e-9);
    for void in [&by_place[1], &by_place[2]] {
        assert!(
            ["height", "normal", "slope_deg", "aspect_deg"].iter().all(|key| void[key].is_null()),
            "{void}"
        );
    }
    let by_pixel = bench.run("query ramp.asc --json --pixel --at 4,3").json();
    assert_eq!((&by_pixel[0]["x"], &by_pixel[0]["y"]), (&1045.0.into(), &2005.0.into()));
    assert_eq!(by_pixel[0]["height"], 40.0);
}

#[test]
fn query_for_people_names_unit_method_and_why_there_is_no_height() {
    let bench = Bench::new();
    let run = bench.run("query ramp.asc --at 1010,2030 1025,2015 0,0 --z-unit us-ft");
    let lines: Vec<_> = run.out.lines().collect();
    assert!(
        lines[0].contains("height 5 ")
            && lines[0].contains("foot")
            && lines[0].contains("central differences")
    );
    assert!(lines[1].ends_with("no data") && lines[2].ends_with("outside"), "{}", run.out);
}

#[test]
fn heights_stay_in_the_files_unit_and_slopes_are_metric() {
    let bench = Bench::new();
    let answer = bench.run("query ramp.asc --json --pixel --at 1,1 --z-unit ft").json();
    assert_eq!(answer[0]["height"], 10.0);
    let slope = answer[0]["slope_deg"].as_f64().expect("a number");
    assert!((slope - 0.3048_f64.atan().to_degrees()).abs() < 1e-9, "{slope}");
}

#[test]
fn query_reads_points_from_standard_input_and_goes_on_after_a_bad_line() {
    let bench = Bench::new();
    let run =
        bench.run_with("query ramp.asc --stdin --json --pixel", "0,0\n# remark\n\n1 ; 1\nnonsense\n2\t0\n");
    run.fails(2, "line 5 of standard input");
    let answers: Value = serde_json::from_str(&run.out).expect("JSON");
    let heights: Vec<_> =
        answers.as_array().expect("an array").iter().map(|answer| answer["height"].clone()).collect();
    assert_eq!(heights, [0.0, 10.0, 20.0]);
}

#[test]
fn profiles_are_written_as_a_table_with_gaps() {
    let bench = Bench::new();
    let run = bench.run("profile ramp.asc --from 1005,2015 --to 1045,2015 -o out.csv");
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
    let table = std::fs::read_to_string(bench.path("out.csv")).expect("written");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["distance", "x", "y", "height", "slope"]);
    let column = |at: usize| rows[1..].iter().map(|row| row[at]).collect::<Vec<_>>();
    assert_eq!(column(0), ["0", "10", "20", "30", "40"]);
    assert_eq!(column(3), ["0", "10", "", "30", "40"]);
}

#[test]
fn profiles_are_drawn() {
    let bench = Bench::new();
    let run = bench.run("profile --demo --from -900,-400 --to 900,700 --samples 300 -o out.png --quiet");
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    let file = BufReader::new(std::fs::File::open(bench.path("out.png")).expect("written"));
    let reader = png::Decoder::new(file).read_info().expect("a picture");
    assert_eq!((reader.info().width, reader.info().height), (1600, 900));
}

#[test]
fn outputs_that_cannot_be_written_leave_nothing() {
    let bench = Bench::new();
    let line = "profile ramp.asc --from 1005,2015 --to 1045,2015 -o";
    bench.run(&format!("{line} nowhere/out.csv")).fails(5, "nowhere/out.csv: ");
    std::fs::create_dir(bench.path("folder.csv")).expect("made");
    bench.run(&format!("{line} folder.csv")).fails(5, "folder.csv: ");
    assert_eq!(bench.names(), ["folder.csv", "ramp.asc"].map(str::to_owned).into());
}

#[test]
fn warnings_are_told_hushed_or_held_against_the_input() {
    let bench = Bench::new();
    bench.file("odd.asc", WARNED);
    let run = bench.run("info odd.asc --json");
    assert!(!run.json()["warnings"].as_array().expect("an array").is_empty());
    assert!(run.err.contains("odd.asc: warning: "), "{}", run.err);
    assert_eq!(bench.run("info odd.asc --quiet").err, "");
    bench.run("info odd.asc --quiet --strict").fails(6, "");
    assert_eq!(bench.run("info ramp.asc --strict").code, Some(0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_program_ends_with_130() {
    let bench = Bench::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_orograph"))
        .args(["query", "ramp.asc", "--stdin"])
        .current_dir(bench.0.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"1005,2035\n").expect("taken");
    // Its first answer shows that it listens by now.
    let mut answer = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut answer).expect("answered");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("sent");
    assert!(sent.success() && answer.contains("height 0 "), "{answer}");
    assert_eq!(child.wait().expect("ended").code(), Some(130));
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_problem_and_a_full_disk_is() {
    let bench = Bench::new();
    let program = Path::new(env!("CARGO_BIN_EXE_orograph")).display();
    let shell = |script: String| {
        let output =
            Command::new("sh").arg("-c").arg(script).current_dir(bench.0.path()).output().expect("started");
        Run::from(output)
    };
    let closed =
        shell(format!("yes 1,1 | head -n 100000 | {program} query ramp.asc --pixel --stdin | head -n 1"));
    assert_eq!((closed.code, closed.out.lines().count(), closed.err.as_str()), (Some(0), 1, ""));
    if Path::new("/dev/full").exists() {
        shell(format!("{program} info ramp.asc > /dev/full")).fails(5, "standard output");
    }
}

#[test]
fn export_writes_what_the_extension_names_and_tells_how_to_read_it() {
    let bench = Bench::new();
    for name in ["out.tif", "out.asc", "out.png", "out.r16", "out.r32"] {
        let run = bench.run(&format!("export ramp.asc -o {name}"));
        assert_eq!((run.code, run.out.as_str()), (Some(0), ""), "{}", run.err);
        assert!(run.err.contains(&format!("wrote {name}")), "{}", run.err);
    }
    let sums = ["ramp.asc", "out.tif", "out.asc", "out.r32 --raster-size 5x4"].map(|file| {
        let run = bench.run(&format!("info {file} --json --checksum"));
        serde_json::from_str::<Value>(&run.out).expect("JSON")["sha256"].clone()
    });
    assert!(sums.iter().all(|sum| sum.is_string() && *sum == sums[0]), "{sums:?}");
    // What is told reads the codes back.
    let told = bench.run("export ramp.asc -o out.r16").err;
    let options = told.split("read it with ").nth(1).expect("told").trim();
    let back = bench.run(&format!("info out.r16 --json --checksum {options}"));
    assert_eq!(serde_json::from_str::<Value>(&back.out).expect("JSON")["sha256"], sums[0]);
}

#[test]
fn export_refuses_unknown_extensions_its_own_input_and_empty_fields() {
    let bench = Bench::new();
    let run = bench.run("export ramp.asc -o out.xyz");
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("out.xyz: the extension “xyz”; .tif, .asc, .png, .r16 or .r32"), "{}", run.err);
    assert_eq!(bench.run("export ramp.asc -o ramp.asc").code, Some(2));
    assert_eq!(std::fs::read_to_string(bench.path("ramp.asc")).expect("kept"), RAMP);
    bench.file("empty.asc", "ncols 2\nnrows 2\ncellsize 1\nNODATA_value 0\n0 0 0 0\n");
    assert_eq!(bench.run("export empty.asc -o out.tif").code, Some(3));
    assert_eq!(bench.run("export ramp.asc -o nowhere/out.tif").code, Some(5));
    assert!(!bench.names().iter().any(|name| name.starts_with("out.")));
}
