//! Several files as one terrain: no seam in the picture, and the commands that take them.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::gpu;
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Viewpoint};
use orograph::formats::{ReadOptions, read_mosaic};
use orograph::frame::{FrameInput, ONE_SAMPLE, Offscreen};
use orograph::passes::Look;
use orograph::terrain::Terrain;
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

/// Metres between samples.
const STEP: f64 = 10.0;

/// A tile of 8×8 samples of the plane z = 0.3x + 0.2y from a column on, with all of it raised by some metres.
fn tile(folder: &Path, name: &str, column: u32, raised: f64) -> PathBuf {
    let height = |x: u32, y: u32| {
        format!("{:.6} ", 0.3 * STEP * f64::from(column + x) + 0.2 * STEP * f64::from(7 - y) + raised)
    };
    let rows: Vec<String> = (0..8).map(|y| (0..8).map(|x| height(x, y)).collect()).collect();
    let left = f64::from(column) * STEP;
    let header = format!("ncols 8\nnrows 8\nxllcorner {left}\nyllcorner 0\ncellsize {STEP}\n");
    let path = folder.join(name);
    std::fs::write(&path, header + &rows.join("\n")).expect("written");
    path
}

/// Two tiles, the second from a column on.
fn two_tiles(folder: &Path, column: u32, raised: f64) -> Arc<Terrain> {
    let paths = [tile(folder, "west.asc", 0, 0.0), tile(folder, "east.asc", column, raised)];
    let raster = read_mosaic(&paths, &ReadOptions::default()).expect("a mosaic");
    assert_eq!(raster.size, [column + 8, 8]);
    Arc::new(raster.to_terrain().expect("a terrain"))
}

/// Snow everywhere and no air: the one ground without patches of colour, so that a pixel's colour is its light.
fn shade_alone() -> Look {
    let mut look = Look::natural(5.5, 0.8, 1000.0);
    (look.air[2], look.scree[3], look.snow[3]) = (0.0, -1e6, -10.0);
    look
}

/// The greatest difference of a colour between pixels of the ground, seen from above with so many pixels a cell.
fn contrast(terrain: &Arc<Terrain>, pixels_a_cell: f64) -> u8 {
    const FOV: f64 = 0.02;
    let cells = terrain.cells().map(f64::from);
    let size = cells.map(|cells| (cells * pixels_a_cell) as u32 + 16);
    let height = f64::from(size[1]) * STEP / pixels_a_cell / (2.0 * (FOV / 2.0).tan());
    let mut camera = Camera::looking_at(DVec3::new(0.0, height, 0.0), DVec3::ZERO);
    (camera.pitch, camera.yaw, camera.fov_y) = (-FRAC_PI_2, 0.0, FOV);
    let gpu = gpu::gpu();
    let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
    let mut renderer = gpu::renderer(&gpu, terrain, settings);
    let picture = Offscreen::new(&gpu, size);
    let input = FrameInput { view: Viewpoint::new(camera, size), look: shade_alone(), wireframe: false };
    // Edges are left in steps, so that the sky's colour does not reach the ground.
    renderer.draw_samples(&gpu, &input, &ONE_SAMPLE, picture.view()).expect("a picture");
    let pixels = picture.pixels(&gpu).expect("pixels");
    // The outermost pixels may show the sky beside the ground.
    let [within_x, within_y] = [0, 1].map(|axis| {
        let half = (cells[axis] * pixels_a_cell / 2.0) as u32 - 1;
        size[axis] / 2 - half..size[axis] / 2 + half
    });
    let inner: Vec<[u8; 4]> = within_y
        .flat_map(|y| within_x.clone().map(move |x| [x, y]))
        .map(|[x, y]| pixels[(y * size[0] + x) as usize])
        .collect();
    assert!(inner.len() >= 10, "{} pixels are too few to tell", inner.len());
    let spread = |channel: usize| {
        let values = || inner.iter().map(|pixel| pixel[channel]);
        values().max().unwrap_or_default() - values().min().unwrap_or_default()
    };
    (0..3).map(spread).max().unwrap_or_default()
}

/// Row 22: slopes at the edge of a tile see the neighbour, whether tiles share their outer samples or not.
#[test]
fn one_plane_in_two_tiles_has_one_shade() {
    let folder = tempfile::tempdir().expect("a folder");
    for column in [8, 7] {
        let terrain = two_tiles(folder.path(), column, 0.0);
        for pixels_a_cell in [1.0, 4.0] {
            let found = contrast(&terrain, pixels_a_cell);
            assert!(found <= 1, "{found} of 255 from column {column} at {pixels_a_cell} pixels a cell");
        }
    }
    let step = contrast(&two_tiles(folder.path(), 8, 10.0), 4.0);
    assert!(step > 3, "a step between the tiles would show, by {step} of 255");
}

fn run(folder: &TempDir, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_orograph"))
        .args(line.split_whitespace())
        .current_dir(folder.path())
        .env("NODEVICE_SELECT", "1")
        .output()
        .expect("started")
}

/// Results of a run that went well, as JSON.
fn json(folder: &TempDir, line: &str) -> serde_json::Value {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(0), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn commands_take_several_files_a_folder_and_a_vrt() {
    let folder = tempfile::tempdir().expect("a folder");
    let tiles = folder.path().join("tiles");
    std::fs::create_dir(&tiles).expect("made");
    tile(&tiles, "west.asc", 0, 0.0);
    tile(&tiles, "east.asc", 8, 0.0);
    let apart = json(&folder, "info tiles/west.asc tiles/east.asc --json");
    assert_eq!(apart.as_array().map(Vec::len), Some(2));
    let listed = json(&folder, "info tiles/west.asc tiles/east.asc --mosaic --json --checksum");
    let whole = json(&folder, "info tiles --json --checksum");
    for (info, file) in [(&listed, "tiles/west.asc"), (&whole, "tiles")] {
        assert_eq!((&info["format"], &info["file"]), (&"mosaic".into(), &file.into()));
        assert_eq!((&info["size"], &info["valid"]), (&serde_json::json!([16, 8]), &128.into()));
    }
    assert_eq!(listed["sha256"], whole["sha256"]);
    let source = |name: &str, x: u32| {
        format!(
            "<SimpleSource><SourceFilename relativeToVRT=\"1\">tiles/{name}.asc</SourceFilename>\
             <SrcRect xOff=\"0\" yOff=\"0\" xSize=\"8\" ySize=\"8\"/>\
             <DstRect xOff=\"{x}\" yOff=\"0\" xSize=\"8\" ySize=\"8\"/></SimpleSource>"
        )
    };
    let band = source("west", 0) + &source("east", 8);
    let text = format!(
        "<VRTDataset rasterXSize=\"16\" rasterYSize=\"8\"><GeoTransform>0,10,0,80,0,-10</GeoTransform>\
         <VRTRasterBand dataType=\"Float32\" band=\"1\">{band}</VRTRasterBand></VRTDataset>"
    );
    std::fs::write(folder.path().join("both.vrt"), text).expect("written");
    let virtual_raster = json(&folder, "info both.vrt --json --checksum");
    assert_eq!(virtual_raster["sha256"], whole["sha256"]);
    assert_eq!(virtual_raster["geotransform"], whole["geotransform"]);
    for file in ["tiles", "both.vrt"] {
        let found = json(&folder, &format!("query {file} --at 80,40 --json"));
        // Samples stand in the middles of their cells, from 5 m east and 5 m north of the corner.
        let height = found[0]["height"].as_f64().expect("a height");
        assert!((height - (0.3 * 75.0 + 0.2 * 35.0)).abs() < 1e-4, "{height}");
    }
}

#[test]
fn a_mosaic_is_drawn_and_files_that_do_not_go_together_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    tile(folder.path(), "west.asc", 0, 0.0);
    tile(folder.path(), "east.asc", 8, 0.0);
    let drawn = run(&folder, "render west.asc east.asc -o two.png --size 64x48 --quiet");
    assert_eq!(drawn.status.code(), Some(0), "{}", String::from_utf8_lossy(&drawn.stderr));
    let drawn = run(&folder, "render . -o folder.png --size 64x48 --quiet");
    assert_eq!(drawn.status.code(), Some(0), "{}", String::from_utf8_lossy(&drawn.stderr));
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a picture");
    assert_eq!(read("two.png"), read("folder.png"));
    std::fs::write(folder.path().join("bad.asc"), "ncols 2\nnrows 2\ncellsize 10\n1 2 3").expect("written");
    let refused = run(&folder, "info west.asc bad.asc --mosaic");
    let told = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{told}");
    assert!(told.starts_with("bad.asc: 2×2 samples declared") && told.lines().count() == 1, "{told}");
    assert_eq!(run(&folder, "info west.asc west.asc --mosaic").status.code(), Some(2));
    assert_eq!(run(&folder, "render west.asc --demo -o a.png").status.code(), Some(2));
}
