//! Heights and normals against recorded answers, kept outside this repository.

use glam::DVec3;
use orograph::terrain::Terrain;
use std::path::PathBuf;

/// The recorded cases; `None` where the folder with them is absent.
fn oracle(name: &str) -> Option<serde_json::Value> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let file =
        std::env::var_os("OROGRAPH_SHARED").map_or_else(beside, PathBuf::from).join("oracle").join(name);
    if !file.exists() {
        eprintln!("not checked: {} is absent; set OROGRAPH_SHARED to its folder", file.display());
        return None;
    }
    let text = std::fs::read_to_string(&file).expect("readable");
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn numbers(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number")).collect()
}

fn terrain(case: &serde_json::Value) -> Terrain {
    let size = |name: &str| u32::try_from(case[name].as_u64().expect("a size")).expect("a small size");
    let origin: [f64; 3] = numbers(&case["origin"]).try_into().expect("three numbers");
    let heights: Vec<f32> = numbers(&case["heights"]).iter().map(|height| *height as f32).collect();
    let spacing = case["spacing_m"].as_f64().expect("a spacing");
    Terrain::new(size("width"), size("depth"), spacing, DVec3::from(origin), &heights).expect("a field")
}

#[test]
fn oracle_height_query() {
    let Some(oracle) = oracle("height_query.json") else { return };
    let mut checked = 0;
    for case in oracle["cases"].as_array().expect("cases") {
        let terrain = terrain(case);
        let range = terrain.range();
        let tolerance = 1e-5 * (f64::from(*range.end()) - f64::from(*range.start()));
        for point in case["points"].as_array().expect("points") {
            let [x, z, height, nx, ny, nz] = numbers(point).try_into().expect("six numbers");
            let answer = terrain.height_at(x, z).expect("ground");
            assert!((answer - height).abs() <= tolerance, "height {answer} not {height} at {x}, {z}");
            let normal = terrain.normal_at(x, z).expect("ground");
            assert!((normal - DVec3::new(nx, ny, nz)).length() <= 1e-5, "normal {normal} at {x}, {z}");
            checked += 1;
        }
    }
    assert!(checked > 0, "the file holds no point");
    println!("{checked} points checked");
}
