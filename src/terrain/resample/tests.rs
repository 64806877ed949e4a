//! Resampled fields against their sources.

use super::super::fixtures::{field, holed};
use super::*;
use glam::DVec3;
use proptest::prelude::*;

/// Every sample of a resampled field with its index along x and z.
fn samples(terrain: &Terrain) -> impl Iterator<Item = (i64, i64, f32)> {
    let width = terrain.size()[0] as usize;
    let index = move |i: usize| ((i % width) as i64, (i / width) as i64);
    terrain.heights().iter().enumerate().map(move |(i, height)| (index(i).0, index(i).1, *height))
}

proptest! {
    #[test]
    fn source_samples_stay_to_the_bit_over_the_same_extent(terrain in holed(), resolution in 1u32..6) {
        let fine = terrain.resampled(resolution).expect("built");
        prop_assert_eq!(fine.cells(), terrain.cells().map(|cells| cells * resolution));
        prop_assert_eq!(fine.origin(), terrain.origin());
        prop_assert!((fine.extent_x() / terrain.extent_x() - 1.0).abs() < 1e-15);
        prop_assert!((fine.extent_z() / terrain.extent_z() - 1.0).abs() < 1e-15);
        for (ix, iz, height) in samples(&terrain) {
            let new = fine.stored(ix * i64::from(resolution), iz * i64::from(resolution));
            prop_assert_eq!(new.to_bits(), height.to_bits());
        }
    }

    #[test]
    fn new_samples_are_valid_exactly_where_there_was_ground(terrain in holed(), resolution in 2i64..6) {
        let fine = terrain.resampled(resolution as u32).expect("built");
        for (i, j, height) in samples(&fine) {
            let ([ix, fx], [iz, fz]) = ([i / resolution, i % resolution], [j / resolution, j % resolution]);
            let corner = |x: i64, z: i64| !is_empty(terrain.stored(ix + x, iz + z));
            let ends = corner(0, 0) && corner(i64::from(fx > 0), i64::from(fz > 0));
            // On a line its two ends decide, within a cell the half, on the diagonal either half.
            let ground = match (fx, fz) {
                (0, _) | (_, 0) => ends,
                _ => ends && (fx >= fz && corner(1, 0) || fx <= fz && corner(0, 1)),
            };
            prop_assert_eq!(!is_empty(height), ground, "at {} {}", i, j);
        }
    }

    #[test]
    fn a_plane_stays_one_up_to_the_edge_and_around_holes(
        terrain in holed(), rise in [-9.0f64..9.0, -9.0f64..9.0], width in 2u32..40, depth in 2u32..40,
    ) {
        let plane = |x: f64, z: f64| 5.0 + rise[0] * x + rise[1] * z;
        let [columns, rows] = terrain.cells().map(f64::from);
        let heights: Vec<f32> = samples(&terrain)
            .map(|(x, z, height)| if is_empty(height) { EMPTY } else { plane(x as f64, z as f64) as f32 })
            .collect();
        let source = field(terrain.size()[0], terrain.size()[1], &heights);
        let new = source.resampled_to([width, depth]).expect("the first sample is valid");
        for (i, j, height) in samples(&new).filter(|(.., height)| !is_empty(*height)) {
            let (x, z) = (i as f64 * columns / f64::from(width - 1), j as f64 * rows / f64::from(depth - 1));
            prop_assert!((f64::from(height) - plane(x, z)).abs() < 1e-4, "{} at {} {}", height, x, z);
        }
    }
}

#[test]
fn a_parabola_is_kept_between_inner_samples() {
    let square = |x: f64, z: f64| x * x - 2.0 * z * z + x * z;
    let heights: Vec<f32> = (0..100).map(|i| square(f64::from(i % 10), f64::from(i / 10)) as f32).collect();
    let fine = field(10, 10, &heights).resampled(4).expect("built");
    for (i, j, height) in samples(&fine).filter(|(i, j, _)| (4..=32).contains(i) && (4..=32).contains(j)) {
        assert_eq!(f64::from(height), square(i as f64 / 4.0, j as f64 / 4.0), "{i} {j}");
    }
}

#[test]
fn halfway_and_at_the_edge_the_weights_are_known() {
    let row = [1.0, 5.0, -2.0, 7.0, 3.0];
    let terrain = field(5, 2, &[row, row].concat());
    let fine = terrain.resampled(RESOLUTION).expect("built");
    assert_eq!(fine.size(), [9, 3]);
    assert_eq!(fine.stored(3, 1), (-1.0 + 9.0 * 5.0 - 9.0 * 2.0 - 7.0) / 16.0);
    // The line through the first two samples continues to −3.
    assert_eq!(fine.stored(1, 2), (3.0 + 9.0 + 9.0 * 5.0 + 2.0) / 16.0);
    let two = field(2, 2, &[0.0, 4.0, 8.0, 16.0]).resampled(2).expect("built");
    assert_eq!(two.heights(), [0.0, 2.0, 4.0, 4.0, 7.0, 10.0, 8.0, 12.0, 16.0]);
}

#[test]
fn any_size_reads_the_surface_and_keeps_the_samples_it_meets() {
    let heights: Vec<f32> = (0..49).map(|i| (i * 37 % 11) as f32).collect();
    let terrain = Terrain::new(7, 7, [2.0, 3.0], DVec3::new(5.0, 6.0, 7.0), &heights).expect("built");
    let half = terrain.resampled_to([4, 3]).expect("built");
    assert_eq!((half.spacing(), half.origin()), (DVec2::new(4.0, 9.0), terrain.origin()));
    for (i, j, height) in samples(&half) {
        assert_eq!(height, terrain.stored(2 * i, 3 * j));
    }
    let odd = terrain.resampled_to([10, 19]).expect("built");
    assert_eq!((odd.stored(3, 9), odd.stored(9, 18)), (terrain.stored(2, 3), terrain.stored(6, 6)));
}

#[test]
fn a_hole_leaves_its_neighbours_straight_and_its_triangles_empty() {
    // A step beside the hole: were the hole a number, the cubic would feel it.
    let mut heights = [0.0f32; 25];
    (heights[7], heights[12], heights[17]) = (8.0, EMPTY, 8.0);
    let fine = field(5, 5, &heights).resampled(2).expect("built");
    // Along row 1, (0 0 8 0 0); along column 2, (0 8 empty 8 0), whose first line goes straight on.
    assert_eq!((fine.stored(5, 2), fine.stored(4, 1)), (4.5, 4.0));
    assert!([[4, 3], [3, 4], [5, 5], [4, 4]].iter().all(|[i, j]| is_empty(fine.stored(*i, *j))));
    // The cells north-east and south-west of the hole keep the half away from it; their diagonals fall from 8
    // to 0.
    assert_eq!((fine.stored(5, 3), fine.stored(3, 5)), (4.0, 4.0));
}

#[test]
fn sizes_without_a_meaning_are_refused() {
    let terrain = field(2, 2, &[0.0, 1.0, EMPTY, 3.0]);
    let message = |result: Result<Terrain>| result.expect_err("refused").to_string();
    assert!(message(terrain.resampled(0)).starts_with("a resolution of 0; at least 1 quad a cell"));
    assert!(message(terrain.resampled(u32::MAX)).starts_with("a resampled field of 4294967296×4294967296"));
    assert!(
        message(terrain.resampled(1 << 15)).starts_with("a resampled field of 32769×32769 samples; 2×2 to")
    );
    assert!(message(terrain.resampled_to([1, 5])).starts_with("a resampled field of 1×5 samples"));
    assert_eq!(terrain.resampled(1).expect("built").heights()[..2], [0.0, 1.0]);
}
