use super::*;
use crate::formats::mosaic::extent::{check_size, lattice_over};
use crate::terrain::EMPTY;

const STEP: f64 = 10.0;

/// A tile of `step` metres whose first pixel's corner is at (x, −y).
fn tile(x: f64, y: f64, step: f64, size: [u32; 2]) -> Tile {
    let grid = Grid::new([x, step, 0.0, -y, 0.0, -step], size).expect("regular");
    Tile { grid, covers_rim: true, worth: u64::MAX }
}

/// Samples of a plane over the map, exact in single precision.
fn plane(tile: &Tile) -> Samples {
    let at = |k: u32| {
        let g = tile.grid.geotransform;
        let (column, row) = (f64::from(k % tile.grid.size[0]) + 0.5, f64::from(k / tile.grid.size[0]) + 0.5);
        height(g[0] + column * g[1], g[3] + row * g[5])
    };
    let count = tile.grid.size[0] * tile.grid.size[1];
    Samples { size: tile.grid.size, heights: (0..count).map(at).collect() }
}

fn height(x: f64, y: f64) -> f32 {
    (0.25 * x - 0.125 * y) as f32
}

fn composed(tiles: &[Tile]) -> (Grid, Vec<f32>, Outcome) {
    let lattice = lattice_over(tiles).expect("a lattice");
    let (heights, outcome) = compose(&lattice, tiles, |number| Ok(plane(&tiles[number]))).expect("composed");
    (lattice, heights, outcome)
}

/// Every sample of the lattice has the plane's height.
fn is_plane(lattice: &Grid, heights: &[f32]) {
    for (k, found) in heights.iter().enumerate() {
        let (column, row) = (k as u32 % lattice.size[0], k as u32 / lattice.size[0]);
        let g = lattice.geotransform;
        let expected = height(g[0] + (f64::from(column) + 0.5) * g[1], g[3] + (f64::from(row) + 0.5) * g[5]);
        assert!((found - expected).abs() < 1e-4, "{found} for {expected} at {column}, {row}");
    }
}

#[test]
fn abutting_and_sharing_tiles_keep_their_samples() {
    for second in [80.0, 70.0] {
        let (lattice, heights, outcome) =
            composed(&[tile(0.0, 0.0, STEP, [8, 8]), tile(second, 0.0, STEP, [8, 8])]);
        assert_eq!(lattice.size, [second as u32 / 10 + 8, 8]);
        is_plane(&lattice, &heights);
        assert_eq!(outcome, Outcome::default());
    }
}

#[test]
fn a_missing_tile_is_a_hole() {
    let (lattice, heights, _) = composed(&[tile(0.0, 0.0, STEP, [2, 2]), tile(20.0, 20.0, STEP, [2, 2])]);
    assert_eq!(lattice.size, [4, 4]);
    let holes: Vec<usize> = (0..16).filter(|k| is_empty(heights[*k])).collect();
    assert_eq!(holes, [2, 3, 6, 7, 8, 9, 12, 13]);
}

#[test]
fn the_first_tile_is_kept_where_two_disagree_and_the_next_fills_its_holes() {
    let tiles = [tile(0.0, 0.0, STEP, [3, 2]), tile(10.0, 0.0, STEP, [2, 2])];
    let samples = [vec![1.0, 2.0, EMPTY, 4.0, 5.0, 6.0], vec![2.0, 7.0, 5.5, EMPTY]];
    let lattice = lattice_over(&tiles).expect("a lattice");
    let load =
        |number: usize| Ok(Samples { size: tiles[number].grid.size, heights: samples[number].clone() });
    let (heights, outcome) = compose(&lattice, &tiles, load).expect("composed");
    assert_eq!(heights, [1.0, 2.0, 7.0, 4.0, 5.0, 6.0]);
    assert_eq!(outcome, Outcome { disagreeing: 1, greatest: 0.5, resampled: 0 });
}

#[test]
fn coarser_and_shifted_tiles_leave_no_gap_and_no_bend() {
    let fine = tile(0.0, 0.0, STEP, [8, 8]);
    for others in [
        vec![tile(80.0, 0.0, 20.0, [4, 4])],
        vec![tile(80.0, 0.0, 20.0, [4, 4]), tile(160.0, 0.0, 20.0, [4, 4])],
        vec![tile(84.0, 0.0, STEP, [8, 8])],
        vec![tile(80.0, 0.0, 40.0, [2, 2]), tile(0.0, 80.0, 20.0, [4, 4]), tile(80.0, 80.0, 20.0, [4, 4])],
    ] {
        let count = others.len();
        let tiles = [vec![fine], others].concat();
        let (lattice, heights, outcome) = composed(&tiles);
        assert_eq!(outcome.resampled, count);
        is_plane(&lattice, &heights);
    }
}

#[test]
fn a_coarse_tile_under_a_fine_one_only_shows_around_it() {
    let tiles = [tile(20.0, 20.0, STEP, [2, 2]), tile(0.0, 0.0, 20.0, [4, 4])];
    let lattice = lattice_over(&tiles).expect("a lattice");
    let load = |number: usize| {
        let heights =
            vec![[9.0, 1.0][number]; (tiles[number].grid.size[0] * tiles[number].grid.size[1]) as usize];
        Ok(Samples { size: tiles[number].grid.size, heights })
    };
    let (heights, _) = compose(&lattice, &tiles, load).expect("composed");
    // The lattice spans the coarse samples, at 10, 30, 50 and 70 m; the fine ones stand at 25 and 35 m.
    assert_eq!(lattice.size, [6, 6]);
    assert_eq!(heights.iter().filter(|height| **height == 9.0).count(), 4);
    assert_eq!(heights.iter().filter(|height| **height == 1.0).count(), 32);
    assert_eq!(heights[7], 9.0);
}

#[test]
fn tiles_without_a_rim_end_at_their_samples() {
    let coarse = Tile { covers_rim: false, ..tile(80.0, 0.0, 20.0, [4, 4]) };
    let (lattice, heights, _) = composed(&[tile(0.0, 0.0, STEP, [8, 8]), coarse]);
    let holes: Vec<u32> =
        (0..lattice.size[0]).filter(|k| is_empty(heights[(lattice.size[0] + *k) as usize])).collect();
    assert_eq!(holes, [8], "the column before the first coarse samples");
}

#[test]
fn what_is_mostly_empty_or_too_large_is_refused_before_memory_is_asked_for() {
    let far = [tile(0.0, 0.0, STEP, [2, 2]), tile(2e5, 0.0, STEP, [2, 2]), tile(0.0, 2e5, STEP, [2, 2])];
    let lattice = lattice_over(&far).expect("a lattice");
    let error = compose(&lattice, &far, |number| Ok(plane(&far[number]))).expect_err("refused").to_string();
    assert!(error.contains("20002×20002 samples, of which tiles hold 12 at most"), "{error}");
    let farther = [far[0], tile(1e6, 1e6, STEP, [2, 2])];
    let error = check_size(&lattice_over(&farther).expect("a lattice")).expect_err("refused").to_string();
    assert!(error.contains("100002×100002 samples at the finest tile's spacing, 38 GiB"), "{error}");
    let farthest = [far[0], tile(1e300, 0.0, STEP, [2, 2])];
    assert!(lattice_over(&farthest).is_err());
}

#[test]
fn tiles_beside_the_lattice_and_numbers_out_of_range_do_no_harm() {
    let lattice = tile(0.0, 0.0, STEP, [4, 4]).grid;
    for [x, y] in [[400.0, 0.0], [-400.0, 0.0], [0.0, 400.0], [0.0, -400.0], [403.0, 3.0]] {
        let tiles = [tile(x, y, STEP, [3, 3])];
        let (heights, _) = compose(&lattice, &tiles, |_| Ok(plane(&tiles[0]))).expect("composed");
        assert!(heights.iter().all(|height| is_empty(*height)), "{x}, {y}");
    }
    let far = [tile(1e18, 0.0, STEP, [3, 3])];
    let error = compose(&lattice, &far, |_| Ok(plane(&far[0]))).expect_err("refused");
    assert!(error.to_string().starts_with("tiles so far apart"), "{error}");
}

#[test]
fn tiles_of_very_many_lattices_are_refused() {
    // Shifted by fortieths of a cell, which is beyond what rounding explains.
    let shifted = |k: i32| tile(0.25 * f64::from(k % 40), 0.25 * f64::from(k / 40), STEP, [2, 2]);
    let tiles: Vec<Tile> = (0..1100).map(shifted).collect();
    let error = compose(&tiles[0].grid, &tiles, |number| Ok(plane(&tiles[number]))).expect_err("refused");
    assert!(error.to_string().starts_with("tiles of more than 1024 lattices"), "{error}");
}

#[test]
fn a_row_of_samples_off_the_lattice_is_refused() {
    let thin = [tile(0.0, 0.0, STEP, [8, 8]), tile(80.0, 0.0, 20.0, [4, 1])];
    let lattice = lattice_over(&thin).expect("a lattice");
    let error = compose(&lattice, &thin, |number| Ok(plane(&thin[number]))).expect_err("refused");
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("4×1 samples that stand off"), "{error}");
}
