//! Holds the source tree to its own rules: who may use whom, and how long a file may be.
#![allow(clippy::expect_used, reason = "a test stops at the first thing that is not as it says")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The layers, lowest first. A module uses those before it and itself.
const LAYERS: [&str; 21] = [
    "error", "space", "camera", "terrain", "geo", "formats", "analysis", "source", "splat", "deform",
    "clipmap", "gpu", "passes", "frame", "mirror", "export", "script", "app", "cli", "lib", "main",
];
/// Crates of the GPU, and the layers that may name them.
const GPU_CRATES: [&str; 2] = ["wgpu", "wgpu_profiler"];
const GPU_LAYERS: [&str; 5] = ["gpu", "passes", "frame", "mirror", "app"];
/// Crates of the window, for the viewer alone.
const WINDOW_CRATES: [&str; 4] = ["winit", "egui", "egui_wgpu", "egui_winit"];
/// The longest that a file may be, in lines.
const MOST_LINES: usize = 450;

#[test]
fn modules_use_only_the_layers_before_them() {
    let mut broken = Vec::new();
    for file in files("src") {
        let text = std::fs::read_to_string(&file).expect("readable");
        let found = violations(&layer_of(&file), &text);
        broken.extend(found.into_iter().map(|what| format!("{}: {what}", file.display())));
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_layer_test_finds_what_it_looks_for() {
    let upward = "use crate::error::Error;\nuse crate::{\n    space,\n    cli::{report, output},\n};\nlet x = crate::frame::new();";
    assert_eq!(violations("terrain", upward), ["uses cli", "uses frame"]);
    assert_eq!(
        violations("terrain", "/// See [`crate::frame`].\n// crate::cli\nuse crate::space; // crate::app"),
        [""; 0]
    );
    assert_eq!(
        violations("source", "let d = wgpu::Limits::default(); use winit::event;"),
        ["names wgpu", "names winit"]
    );
    assert_eq!(violations("frame", "use wgpu::Device; use egui::Ui;"), ["names egui"]);
    assert_eq!(
        violations("app", "use {wgpu::Device, egui_wgpu::Renderer}; use crate::frame::Renderer;"),
        [""; 0]
    );
    assert_eq!(violations("attic", ""), ["is in no layer"]);
}

#[test]
fn files_are_short_enough_to_hold_in_the_head() {
    let long: Vec<String> = [files("src"), files("shaders")]
        .concat()
        .into_iter()
        .map(|file| (std::fs::read_to_string(&file).expect("readable").lines().count(), file))
        .filter(|(lines, _)| *lines > MOST_LINES)
        .map(|(lines, file)| format!("{}: {lines} lines", file.display()))
        .collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Every Rust and WGSL file under a folder of the project; none where there is no folder.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("listed").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "wgsl") {
                found.push(path);
            }
        }
    }
    assert!(folder != "src" || found.len() > 10, "the sources are not where they should be");
    found.sort();
    found
}

/// The first part of a file's path under `src`, without an ending.
fn layer_of(file: &Path) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = file.strip_prefix(source).expect("under src").components().next().expect("a name");
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// What a file of a layer uses against the rules.
fn violations(layer: &str, text: &str) -> Vec<String> {
    let Some(rank) = LAYERS.iter().position(|name| *name == layer) else {
        return vec!["is in no layer".to_owned()];
    };
    let code = without_comments(text);
    let upward = used_modules(&code).into_iter().filter(|module| {
        match LAYERS.iter().position(|name| name == module) {
            Some(used) => used > rank,
            None => false,
        }
    });
    let mut found: Vec<String> = upward.map(|module| format!("uses {module}")).collect();
    let words: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let foreign = |crates: &[&str], layers: &[&str]| -> Vec<String> {
        let named = crates.iter().filter(|name| words.contains(*name) && !layers.contains(&layer));
        named.map(|name| format!("names {name}")).collect()
    };
    found.extend(foreign(&GPU_CRATES, &GPU_LAYERS));
    found.extend(foreign(&WINDOW_CRATES, &["app"]));
    found
}

/// Modules named right after `crate::`, also within braces.
fn used_modules(code: &str) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => modules.extend(heads(group)),
            None => modules.extend(head(rest)),
        }
    }
    modules
}

/// The leading names of a brace group's entries, up to the brace that closes it.
fn heads(group: &str) -> Vec<String> {
    let (mut depth, mut entry, mut entries) = (0, String::new(), Vec::new());
    for c in group.chars() {
        match c {
            '}' if depth == 0 => break,
            ',' if depth == 0 => entries.push(std::mem::take(&mut entry)),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                entry.push(c);
            }
        }
    }
    entries.push(entry);
    entries.iter().filter_map(|entry| head(entry.trim_start())).collect()
}

fn head(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

/// The text without what stands after `//`.
fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}
