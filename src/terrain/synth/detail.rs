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
    let kernels = (0..sampling.per_cell).map(|n| Kernel::new(n as f32 / sampling.per_cell as f32)).collect();
    let gullies =
        GULLIES.map(|(stride, wavelength, height)| Gullies::new(surface, stride, wavelength, height));
    let finish = Finish { surface, sampling, kernels, gullies };
    let mut heights = vec![0.0; sampling.side * sampling.side];
    heights.par_chunks_exact_mut(sampling.side).enumerate().for_each_init(
        || vec![Column::default(); surface.side],
        |columns, (z, row)| {
            finish.blend_rows(z, columns);
            finish.finish_row(z, columns, row);
        },
    );
    heights
}

/// The surface at a column of its grid, along a row of samples.
#[derive(Debug, Clone, Copy, Default)]
struct Column {
    /// Metres.
    height: f32,
    /// Metres of rise a cell southward.
    rise: f32,
}

/// What makes samples of a surface.
struct Finish<'a> {
    surface: &'a Surface,
    sampling: &'a Sampling,
    /// For each sample of a cell.
    kernels: Vec<Kernel>,
    gullies: [Gullies; 2],
}

impl Finish<'_> {
    /// Reads the surface along a row of samples, at its columns.
    fn blend_rows(&self, z: usize, columns: &mut [Column]) {
        let Sampling { first, per_cell, .. } = *self.sampling;
        let side = self.surface.side;
        let kernel = &self.kernels[z % per_cell];
        columns.fill(Column::default());
        let rows = self.surface.heights[(first + z / per_cell - 1) * side..].chunks_exact(side);
        for ((row, weight), slope) in rows.zip(kernel.weights).zip(kernel.slopes) {
            for (column, height) in columns.iter_mut().zip(row) {
                column.height += weight * height;
                column.rise += slope * height;
            }
        }
    }

    fn finish_row(&self, z: usize, columns: &[Column], row: &mut [f32]) {
        let Sampling { first, per_cell, .. } = *self.sampling;
        let nodes = columns[first - 1..].windows(4);
        for ((cell, samples), near) in row.chunks_mut(per_cell).enumerate().zip(nodes) {
            for ((n, sample), kernel) in samples.iter_mut().enumerate().zip(&self.kernels) {
                let (height, rise) = kernel.read(near);
                let at = Vec2::new((cell * per_cell + n) as f32, z as f32);
                *sample = height + self.detail(at, rise.length() / self.surface.cell);
            }
        }
    }

    /// Metres of detail at a place in samples from the first, on a slope in metres a metre.
    fn detail(&self, at: Vec2, slope: f32) -> f32 {
        let steepness = ((slope - STEEPNESS[0]) / (STEEPNESS[1] - STEEPNESS[0])).clamp(0.0, 1.0);
        let share = DETAIL[0] + (DETAIL[1] - DETAIL[0]) * steepness;
        let at = at * (self.surface.cell / self.sampling.per_cell as f32);
        let from_corner = at + self.sampling.first as f32 * self.surface.cell;
        let gullies = self.gullies[0].height(from_corner) + self.gullies[1].height(from_corner);
        share * (gullies + rock(at))
    }
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

    /// Height, and rise a cell along x and z, from four columns.
    fn read(&self, near: &[Column]) -> (f32, Vec2) {
        let (mut height, mut rise) = (0.0, Vec2::ZERO);
        for ((column, weight), slope) in near.iter().zip(self.weights).zip(self.slopes) {
            height += weight * column.height;
            rise += Vec2::new(slope * column.height, weight * column.rise);
        }
        (height, rise)
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
