//! The headerless files of the shared corpus, guessed without a word from their manifest.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use orograph::formats::{ReadOptions, guess};
use std::path::{Path, PathBuf};

#[test]
fn every_headerless_file_of_the_corpus_is_guessed() {
    let shared = std::env::var_os("OROGRAPH_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let folder = shared.join("corpus");
    let Ok(text) = std::fs::read_to_string(folder.join("manifest.json")) else {
        println!("NOT RUN: no corpus at {}; set OROGRAPH_SHARED", folder.display());
        return;
    };
    let manifest: serde_json::Value = serde_json::from_str(&text).expect("a readable manifest");
    let rows = ["files", "extra"].into_iter().flat_map(|part| manifest[part].as_array().expect("rows"));
    let headerless: Vec<_> = rows.filter(|row| row["format"] == "RAW").collect();
    assert!(!headerless.is_empty());
    for row in headerless {
        let path = row["path"].as_str().expect("a path");
        // Without the size that stands in the name.
        let (nameless, extension) = (tempfile::tempdir().expect("a folder"), path.rsplit('.').next());
        let copy = nameless.path().join(format!("a.{}", extension.unwrap_or_default()));
        std::fs::copy(folder.join(path), &copy).expect("copied");
        let found = guess(&copy, &ReadOptions::default()).expect("looked at").expect("a guess");
        let best = serde_json::to_value(found.answers).expect("serialised");
        for key in ["size", "type", "byte_order"] {
            assert_eq!(best[key], row[key], "{path}: {:?}", found.readings[0]);
        }
    }
}
