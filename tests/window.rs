//! The viewer in a window that nobody sees: it draws, survives a lost device, and ends with the right code.
//!
//! Xvfb gives the window system (Debian: apt-get install xvfb).
#![cfg(target_os = "linux")]
#![allow(clippy::expect_used, reason = "a test stops at the first thing that is not as it says")]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that a run may take, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// A screen that lasts as long as the value.
struct Screen {
    server: Child,
    display: String,
}

impl Screen {
    fn open() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; install it to test the window (Debian: apt-get install xvfb)");
        let mut number = String::new();
        let told = server.stdout.take().expect("piped");
        BufReader::new(told).read_line(&mut number).expect("Xvfb tells its display");
        Self { server, display: format!(":{}", number.trim()) }
    }

    /// The exit code and standard error of the viewer.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        run(Some(&self.display), None, arguments)
    }

    /// The same with a configuration folder of its own.
    fn run_configured(&self, folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
        run(Some(&self.display), Some(folder), arguments)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // It may have gone by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn run(display: Option<&str>, configuration: Option<&Path>, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orograph"));
    command.args(arguments).env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("DISPLAY");
    if let Some(display) = display {
        command.env("DISPLAY", display);
    }
    if let Some(folder) = configuration {
        command.env("XDG_CONFIG_HOME", folder);
    }
    let mut viewer = command.stderr(Stdio::piped()).spawn().expect("started");
    let begun = Instant::now();
    while viewer.try_wait().expect("waited").is_none() {
        if begun.elapsed() > PATIENCE {
            viewer.kill().expect("ended");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = viewer.wait_with_output().expect("ended");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A small field with a hole.
fn field(folder: &Path) -> String {
    let path = folder.join("field.asc");
    let mut text =
        "ncols 40\nnrows 30\nxllcorner 0\nyllcorner 0\ncellsize 5\nNODATA_value -9999\n".to_owned();
    for at in 0..40 * 30 {
        let (x, y) = (at % 40, at / 40);
        let hole = (10..15).contains(&x) && (8..12).contains(&y);
        text.push_str(&if hole { "-9999 ".into() } else { format!("{} ", (x * y) % 37) });
    }
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("plain").to_owned()
}

#[test]
fn frames_are_drawn_and_a_lost_device_comes_back() {
    let (screen, folder) = (Screen::open(), tempfile::tempdir().expect("a folder"));
    let field = field(folder.path());
    let (code, told) = screen.run(&[&field, "--selftest-frames", "4"]);
    assert_eq!(code, Some(0), "{told}");
    let losses = ["--selftest-frames", "50", "--selftest-losses", "3,30", "--exaggeration", "2"];
    let (code, told) = screen.run(&[&[field.as_str()], &losses[..]].concat());
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn a_device_that_never_lasts_ends_the_program() {
    let (screen, folder) = (Screen::open(), tempfile::tempdir().expect("a folder"));
    let losses = ["--selftest-frames", "50", "--selftest-losses", "2,4,6,8,10"];
    let (code, told) = screen.run(&[&[field(folder.path()).as_str()], &losses[..]].concat());
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("was lost 3 times in a row"), "{told}");
}

#[test]
fn what_cannot_be_opened_ends_a_self_test_with_its_own_code() {
    let (screen, folder) = (Screen::open(), tempfile::tempdir().expect("a folder"));
    let page = folder.path().join("page.tif");
    std::fs::write(&page, "<!DOCTYPE html>").expect("written");
    let (code, told) = screen.run(&[page.to_str().expect("plain"), "--selftest-frames", "4"]);
    assert_eq!(code, Some(3), "{told}");
    let (code, told) = run(None, None, &[&field(folder.path()), "--selftest-frames", "4"]);
    assert_eq!(code, Some(4), "{told}");
    assert!(told.contains("no window can be opened"), "{told}");
}

#[test]
fn a_headerless_file_opens_by_a_guess_and_what_is_told_is_remembered() {
    let (screen, folder) = (Screen::open(), tempfile::tempdir().expect("a folder"));
    let path = folder.path().join("slope.raw");
    let bytes: Vec<u8> =
        (0..4096_u32).flat_map(|at| (300 + (at % 64 + at / 64) as u16).to_be_bytes()).collect();
    std::fs::write(&path, bytes).expect("written");
    let (file, book) = (path.to_str().expect("plain"), folder.path().join("orograph/answers.json"));
    let frames = ["--selftest-frames", "2"];
    let (code, told) = screen.run_configured(folder.path(), &[&[file], &frames[..]].concat());
    assert_eq!((code, book.exists()), (Some(0), false), "{told}");
    let answered = [&[file, "--row-order", "bottom"], &frames[..]].concat();
    let (code, told) = screen.run_configured(folder.path(), &answered);
    assert_eq!(code, Some(0), "{told}");
    let kept: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&book).expect("a book")).expect("JSON");
    assert_eq!(kept["files"][0]["path"], file);
    let answers = &kept["files"][0]["answers"];
    assert_eq!((&answers["row_order"], &answers["byte_order"]), (&"bottom".into(), &"big".into()));
    assert_eq!(answers["size"], serde_json::json!([64, 64]));
    std::fs::write(&book, "{").expect("written");
    let (code, told) = screen.run_configured(folder.path(), &[&[file], &frames[..]].concat());
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("remembered answers are ignored"), "{told}");
}
