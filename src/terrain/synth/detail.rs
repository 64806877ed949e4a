//! The finished samples: a smooth surface through the landscape's grid, and rock detail where it is steep.

use super::gullies::Gullies;
use super::sediment::Surface;
use crate::terrain::noise::noise;
use glam::Vec2;
use rayon::prelude::*;

/// Nodes between pivots, metres between gullies and metres of their height, octave by octave.
const GULLIES: [(usize, f32, f32); 2] = [(2, 95.0, 5.5), (1, 43.0, 1.8)];

/// Metres between the crests of rock, and metres of their height.
const ROCK: [f32; 2] = [57.0, 6.0];

/// Tells the rock's noise from other noise.
const ROCK_SEED: u32 = 71;

/// Share of the detail that meadow keeps, and that rock does.
const DETAIL: [f32; 2] = [0.04, 1.0];

/// Slopes between which meadow turns to rock, in metres a metre.
const STEEPNESS: [f32; 2] = [0.12, 0.9];

/// Where the samples stand on the surface's grid.
pub(super) struct Sampling {
    /// Samples along a side.
    pub side: usize,
    /// Cells from the surface's corner to the first sample, along both axes; at least one.
    pub first: usize,
    /// Samples to a cell.
    pub per_cell: usize,
}

/// Heights of the samples, row-major.
pub(super) fn detailed(surface: &Surface, sampling: &Sampling) -> Vec<f32> {
    let gullies =
        GULLIES.map(|(stride, wavelength, height)| Gullies::new(surface, stride, wavelength, height));
    let mut heights = vec![0.0; sampling.side * sampling.side];
    heights.par_chunks_exact_mut(sampling.side).enumerate().for_each_init(
        || (vec![0.0; surface.side], vec![0.0; surface.side]),
        |(columns, columns_rise), (z, row)| {
            blend_rows(surface, sampling, z, columns, columns_rise);
            let detail = Detail { sampling, cell: surface.cell, gullies: &gullies };
            detail.finish_row(z, [columns, columns_rise], row);
        },
    );
    heights
}

/// The surface along a row of samples, at the grid's columns: its height, and its rise a cell southward.
fn blend_rows(
    surface: &Surface,
    sampling: &Sampling,
    z: usize,
    columns: &mut [f32],
    columns_rise: &mut [f32],
) {
    let (node, kernel) = place(sampling, z);
    columns.fill(0.0);
    columns_rise.fill(0.0);
    for (n, row) in
        surface.heights[(node - 1) * surface.side..].chunks_exact(surface.side).take(4).enumerate()
    {
        for ((column, rise), height) in columns.iter_mut().zip(columns_rise.iter_mut()).zip(row) {
            *column += kernel.weights[n] * height;
            *rise += kernel.slopes[n] * height;
        }
    }
}

/// What is added to the surface.
struct Detail<'a> {
    sampling: &'a Sampling,
    /// Metres between the surface's nodes.
    cell: f32,
    gullies: &'a [Gullies],
}

impl Detail<'_> {
    fn finish_row(&self, z: usize, columns: [&[f32]; 2], row: &mut [f32]) {
        for (x, sample) in row.iter_mut().enumerate() {
            let (node, kernel) = place(self.sampling, x);
            let height = dot(kernel.weights, &columns[0][node - 1..]);
            let rise = Vec2::new(
                dot(kernel.slopes, &columns[0][node - 1..]),
                dot(kernel.weights, &columns[1][node - 1..]),
            );
            *sample = height + self.height(Vec2::new(x as f32, z as f32), rise.length() / self.cell);
        }
    }

    /// Metres of detail at a place in samples from the first, on a slope in metres a metre.
    fn height(&self, at: Vec2, slope: f32) -> f32 {
        let steepness = ((slope - STEEPNESS[0]) / (STEEPNESS[1] - STEEPNESS[0])).clamp(0.0, 1.0);
        let share = DETAIL[0] + (DETAIL[1] - DETAIL[0]) * steepness;
        let at = at * (self.cell / self.sampling.per_cell as f32);
        let from_corner = at + self.sampling.first as f32 * self.cell;
        let gullies: f32 = self.gullies.iter().map(|octave| octave.height(from_corner)).sum();
        share * (gullies + rock(at))
    }
}

fn dot(weights: [f32; 4], along: &[f32]) -> f32 {
    weights.iter().zip(along).map(|(weight, height)| weight * height).sum()
}

/// The grid node before a sample, and the kernel of the sample's place after it.
fn place(sampling: &Sampling, sample: usize) -> (usize, Kernel) {
    let fraction = (sample % sampling.per_cell) as f32 / sampling.per_cell as f32;
    (sampling.first + sample / sampling.per_cell, Kernel::new(fraction))
}

/// Weights of four nodes in a row for the cubic through them (Catmull and Rom 1974), and for its slope a cell.
struct Kernel {
    weights: [f32; 4],
    slopes: [f32; 4],
}

impl Kernel {
    fn new(f: f32) -> Self {
        let (f2, f3) = (f * f, f * f * f);
        let weights = [-f3 + 2.0 * f2 - f, 3.0 * f3 - 5.0 * f2 + 2.0, -3.0 * f3 + 4.0 * f2 + f, f3 - f2];
        let slopes =
            [-3.0 * f2 + 4.0 * f - 1.0, 9.0 * f2 - 10.0 * f, -9.0 * f2 + 8.0 * f + 1.0, 3.0 * f2 - 2.0 * f];
        Self { weights: weights.map(|w| 0.5 * w), slopes: slopes.map(|w| 0.5 * w) }
    }
}

/// Ridged noise, in metres.
fn rock(at: Vec2) -> f32 {
    let [wavelength, height] = ROCK;
    height * (0.5 - noise(at / wavelength, ROCK_SEED).value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_detail_a_plane_stays_one_between_its_nodes() {
        let plane = |x: f32, z: f32| 0.02 * x - 0.01 * z;
        let heights = (0..64).map(|at| plane((at % 8) as f32, (at / 8) as f32)).collect();
        let surface = Surface { side: 8, cell: 40.0, heights };
        let sampling = Sampling { side: 17, first: 1, per_cell: 4 };
        for (at, height) in detailed(&surface, &sampling).iter().enumerate() {
            let (x, z) = ((at % 17) as f32, (at / 17) as f32);
            let most = DETAIL[0] * (ROCK[1] + GULLIES[0].2 + GULLIES[1].2);
            assert!((height - plane(1.0 + x / 4.0, 1.0 + z / 4.0)).abs() < most);
        }
    }
}
