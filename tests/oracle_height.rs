//! Heights and normals against values computed elsewhere.
#![allow(clippy::expect_used, reason = "a test stops at the first thing that is not as it says")]

mod common;

use common::{numbers, oracle_cases};
use glam::DVec3;
use orograph::terrain::Terrain;
use serde_json::Value;

struct Case {
    width: u32,
    depth: u32,
    spacing: f64,
    origin: DVec3,
    heights: Vec<f32>,
    /// x, z, height, normal x, y, z.
    points: Vec<[f64; 6]>,
}

fn parse(case: &Value) -> Case {
    let size = |key: &str| case[key].as_u64().expect("a size") as u32;
    let origin: [f64; 3] = numbers(&case["origin"]).try_into().expect("three numbers");
    let point = |row: &Value| numbers(row).try_into().expect("six numbers");
    Case {
        width: size("width"),
        depth: size("depth"),
        spacing: case["spacing_m"].as_f64().expect("a spacing"),
        origin: origin.into(),
        heights: numbers(&case["heights"]).iter().map(|height| *height as f32).collect(),
        points: case["points"].as_array().expect("points").iter().map(point).collect(),
    }
}

fn terrain(case: &Case, heights: &[f32]) -> Terrain {
    Terrain::new(case.width, case.depth, case.spacing, case.origin, heights).expect("a field")
}

/// How far a height may be off: a hundred-thousandth of the field's height range.
fn tolerance(terrain: &Terrain) -> f64 {
    1e-5 * (f64::from(*terrain.range().end()) - f64::from(*terrain.range().start()))
}

#[test]
fn oracle_height_query() {
    let Some(cases) = oracle_cases("height_query.json") else { return };
    for case in cases.iter().map(parse) {
        let terrain = terrain(&case, &case.heights);
        assert!(!case.points.is_empty());
        for [x, z, height, nx, ny, nz] in &case.points {
            let answer = terrain.height_at(*x, *z).expect("ground");
            assert!(
                (answer - height).abs() <= tolerance(&terrain),
                "height {answer}, not {height}, at {x}, {z}"
            );
            let normal = terrain.normal_at(*x, *z).expect("ground");
            assert!((normal - DVec3::new(*nx, *ny, *nz)).length() <= 1e-5, "normal {normal} at {x}, {z}");
        }
    }
    println!("{} cases", cases.len());
}

/// A field mirrored along x has the other diagonal.
#[test]
fn the_other_diagonal_misses_every_case() {
    let Some(cases) = oracle_cases("height_query.json") else { return };
    for case in cases.iter().map(parse) {
        let rows = case.heights.chunks(case.width as usize);
        let mirrored: Vec<f32> = rows.flat_map(|row| row.iter().rev().copied()).collect();
        let terrain = terrain(&case, &mirrored);
        let mirror = 2.0 * case.origin.x + terrain.extent_x();
        let wrong = case.points.iter().filter(|[x, z, height, ..]| {
            let answer = terrain.height_at(mirror - x, *z).expect("ground");
            (answer - height).abs() > tolerance(&terrain)
        });
        assert!(wrong.count() > 0);
    }
}
