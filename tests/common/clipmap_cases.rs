//! The clipmap oracle's cases as frames and rows.

use super::{integers, numbers, oracle_cases};
use orograph::clipmap::{ClipmapFrame, ClipmapPatch, ClipmapSettings, clipmap_frame};
use serde_json::Value;

/// One case of the oracle.
pub struct ClipmapCase {
    /// The frame, built by the library.
    pub frame: ClipmapFrame,
    /// Whether our list has to equal the case's in full.
    pub whole: bool,
    /// Block origins, two a level.
    pub origins: Vec<i32>,
    /// index, level, x, z, cells, step, four neighbour steps.
    pub rows: Vec<Vec<i32>>,
    /// cell x, cell z, level or −1.
    pub level_at: Vec<Vec<i32>>,
}

/// Every case, or `None` where the oracle is not there.
pub fn clipmap_cases() -> Option<Vec<ClipmapCase>> {
    Some(oracle_cases("clipmap.json")?.iter().map(parse).collect())
}

/// A patch as a row of the oracle.
pub fn row(patch: &ClipmapPatch) -> Vec<i32> {
    let mut row = vec![patch.index as i32, patch.level as i32, patch.x, patch.z, patch.cells, patch.step];
    row.extend(patch.neighbours);
    row
}

/// Compares our rows with a case's.
pub fn compare(case: &ClipmapCase, ours: &[Vec<i32>]) -> Result<(), String> {
    if case.whole {
        return if ours == case.rows { Ok(()) } else { Err("the lists differ".into()) };
    }
    let missing = case.rows.iter().find(|row| !ours.iter().any(|our| our[..6] == row[..6]));
    missing.map_or(Ok(()), |row| Err(format!("{row:?} is not in our list")))
}

fn parse(case: &Value) -> ClipmapCase {
    let int = |key: &str| case[key].as_i64().expect("an integer") as i32;
    let rows = |key: &str| case[key].as_array().expect("rows").iter().map(integers).collect();
    let spacing = case["spacing_m"].as_f64().expect("a spacing");
    let (origin, camera) = (numbers(&case["origin"]), numbers(&case["camera"]));
    let cell =
        [(camera[0] - origin[0]) / spacing, (camera[1] - origin[2]) / spacing].map(|c| c.floor() as i32);
    let settings = ClipmapSettings { patch_cells: int("patch_cells"), patches_across: int("patches_across") };
    let cells = [int("width") - 1, int("depth") - 1];
    ClipmapCase {
        frame: clipmap_frame(settings, int("levels") as u32, cell, cells).expect("a frame"),
        whole: case["whole"].as_bool().expect("whole"),
        origins: integers(&case["origins"]),
        rows: rows("patches"),
        level_at: rows("level_at"),
    }
}
