//! What the integration tests share.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

pub mod clipmap_cases;
pub mod field;
pub mod gpu;
pub mod sheet;

use serde_json::Value;
use std::path::PathBuf;

/// The folder of values computed elsewhere: `OROGRAPH_SHARED`, else `../shared`.
pub fn shared() -> PathBuf {
    std::env::var_os("OROGRAPH_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
}

/// The cases of an oracle file, or `None`, said aloud, where the folder is not there.
pub fn oracle_cases(name: &str) -> Option<Vec<Value>> {
    let path = shared().join("oracle").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        assert!(std::env::var_os("OROGRAPH_SHARED").is_none(), "{} is not there", path.display());
        println!("{} is not there: nothing to compare", path.display());
        return None;
    };
    let file: Value = serde_json::from_str(&text).expect("an oracle file is JSON");
    let cases = file["cases"].as_array().expect("an oracle file has cases").clone();
    assert!(!cases.is_empty(), "an oracle file has at least one case");
    Some(cases)
}

/// The integers of a JSON array.
pub fn integers(value: &Value) -> Vec<i32> {
    value.as_array().expect("an array").iter().map(|n| n.as_i64().expect("an integer") as i32).collect()
}

/// The numbers of a JSON array.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("an array").iter().map(|n| n.as_f64().expect("a number")).collect()
}
