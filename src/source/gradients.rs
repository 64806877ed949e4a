//! Gradients for shading: differences of samples at level 0, smooth averages of them above.
//!
//! Each level halves the one below it with the tent [1 2 1]⊗[1 2 1], whose overlapping footprints keep shading from jumping
//! where levels meet. The spread that the average loses is kept as variance, as for normal maps (Toksvig 2005; Olano and
//! Baker 2010), so that far ground can be shaded rough instead of smooth.

use super::{Gradient, LatticeRect};
use crate::terrain::{EMPTY, Terrain, is_empty};
use glam::{Vec3, Vec4, Vec4Swizzles};
use half::f16;
use half::slice::HalfFloatSliceExt;
use rayon::prelude::*;
use std::ops::Range;

/// Weights of the tent along one axis.
const TENT: [f32; 3] = [1.0, 2.0, 1.0];

/// The averaged gradients of every level from 1 upward; level 0 is read from the samples.
#[derive(Debug)]
pub(super) struct Gradients {
    levels: Vec<Level>,
}

/// Rise along x, rise along z and variance at each lattice point, as 16-bit floats; NaN where there is none.
#[derive(Debug)]
struct Level {
    size: [usize; 2],
    texels: Vec<[f16; 3]>,
}

/// One level's gradients, row by row, whatever they are stored as.
///
/// A point is (rise x, rise z, mean square of the rise, weight): all four add up under averaging. Weight 0 is no gradient.
trait Rows: Sync {
    /// Lattice points along x and z.
    fn size(&self) -> [usize; 2];

    /// Writes the points `xs` of row `z`; what lies outside the lattice has weight 0.
    fn read(&self, z: i64, xs: Range<i64>, out: &mut [Vec4]);
}

impl Gradients {
    /// Averages level after level, until a level is one cell; coarser levels have the same points and read it.
    pub(super) fn new(terrain: &Terrain) -> Self {
        let mut levels = Vec::new();
        if terrain.size() != [2, 2] {
            levels.push(Level::above(terrain));
        }
        while let Some(next) = levels.last().filter(|level| level.size != [2, 2]).map(Level::above) {
            levels.push(next);
        }
        Self { levels }
    }

    /// The gradients of a rectangle of the lattice, row-major; indices off the lattice take its edge's.
    pub(super) fn read(&self, terrain: &Terrain, level: u32, rect: LatticeRect, out: &mut Vec<Gradient>) {
        out.clear();
        let level = (level as usize).min(self.levels.len());
        match level.checked_sub(1).and_then(|above| self.levels.get(above)) {
            None => gradients_of(terrain, relief_scale(terrain), rect, out),
            Some(averaged) => gradients_of(averaged, relief_scale(terrain), rect, out),
        }
    }
}

/// Metres of relief, for each axis, that a difference of rises over two cells stands for, in units of the mean cell.
///
/// With rises that are central differences, −½·Σ(rise after − rise before)·spacing is the height of a point over the mean
/// of the four points two cells away.
fn relief_scale(terrain: &Terrain) -> [f32; 2] {
    let spacing = terrain.spacing();
    let mean = spacing.element_sum() / 2.0;
    (spacing / mean * -0.5).as_vec2().to_array()
}

fn gradients_of(rows: &impl Rows, relief_scale: [f32; 2], rect: LatticeRect, out: &mut Vec<Gradient>) {
    if rect.count() == 0 {
        return;
    }
    let axis = |n: usize| {
        let last = rows.size()[n] as i64 - 1;
        let (first, end) = (i64::from(rect.min[n]), i64::from(rect.max[n]));
        (first..end).map(move |index| index.clamp(0, last))
    };
    let padded = |n| axis(n).next().unwrap_or(0) - 1..axis(n).next_back().unwrap_or(0) + 2;
    let (xs, zs) = (padded(0), padded(1));
    let width = (xs.end - xs.start) as usize;
    let mut points = vec![Vec4::ZERO; width * (zs.end - zs.start) as usize];
    for (row, z) in points.chunks_exact_mut(width).zip(zs.clone()) {
        rows.read(z, xs.clone(), row);
    }
    for z in axis(1) {
        for x in axis(0) {
            let centre = (z - zs.start) as usize * width + (x - xs.start) as usize;
            out.push(gradient_at(&points, centre, width, relief_scale));
        }
    }
}

fn gradient_at(points: &[Vec4], centre: usize, width: usize, relief_scale: [f32; 2]) -> Gradient {
    let here = points[centre];
    if here.w == 0.0 {
        return Gradient::default();
    }
    let or_here = |index: usize| if points[index].w == 0.0 { here } else { points[index] };
    let across = or_here(centre + 1).x - or_here(centre - 1).x;
    let down = or_here(centre + width).y - or_here(centre - width).y;
    Gradient {
        rise: [here.x, here.y],
        variance: (here.z - here.xy().length_squared()).max(0.0),
        relief: relief_scale[0] * across + relief_scale[1] * down,
    }
}

impl Level {
    /// Averages the level below.
    fn above(below: &impl Rows) -> Self {
        let size = below.size().map(|points| (points - 1).div_ceil(2) + 1);
        let mut texels = vec![[f16::ZERO; 3]; size[0] * size[1]];
        let wide = below.size()[0];
        texels.par_chunks_exact_mut(size[0]).enumerate().for_each_init(
            || (vec![Vec4::ZERO; wide], vec![Vec4::ZERO; wide], vec![Vec3::ZERO; size[0]]),
            |(row, sums, averages), (j, texels)| {
                let z = (2 * j).min(below.size()[1] - 1) as i64;
                sums.fill(Vec4::ZERO);
                for (dz, weight) in (-1..).zip(TENT) {
                    below.read(z + dz, 0..wide as i64, row);
                    sums.iter_mut().zip(row.iter()).for_each(|(sum, point)| *sum += weight * *point);
                }
                average_row(sums, averages);
                texels.as_flattened_mut().convert_from_f32_slice(bytemuck::cast_slice::<Vec3, f32>(averages));
            },
        );
        Self { size, texels }
    }
}

/// Every other point of a row of column sums, averaged along the row: rise along x and z, and variance.
fn average_row(sums: &[Vec4], averages: &mut [Vec3]) {
    let largest = Vec3::splat(f16::MAX.to_f32());
    let at = |x: usize| sums.get(x).copied().unwrap_or(Vec4::ZERO);
    for (i, average) in averages.iter_mut().enumerate() {
        let x = (2 * i).min(sums.len() - 1);
        let sum = TENT[0] * at(x.wrapping_sub(1)) + TENT[1] * at(x) + TENT[2] * at(x + 1);
        let mean = sum / sum.w;
        let variance = (mean.z - mean.xy().length_squared()).max(0.0);
        // 0/0 where nothing has weight: the NaN that marks no gradient.
        *average = if sum.w == 0.0 { Vec3::NAN } else { mean.xy().extend(variance).clamp(-largest, largest) };
    }
}

impl Rows for Level {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn read(&self, z: i64, xs: Range<i64>, out: &mut [Vec4]) {
        let [width, depth] = self.size;
        out.fill(Vec4::ZERO);
        if !(0..depth as i64).contains(&z) {
            return;
        }
        let row = &self.texels[z as usize * width..][..width];
        let inside = xs.start.max(0)..xs.end.min(width as i64);
        for x in inside {
            let [rise_x, rise_z, variance] = row[x as usize].map(f16::to_f32);
            if !rise_x.is_nan() {
                let square = rise_x * rise_x + rise_z * rise_z + variance;
                out[(x - xs.start) as usize] = Vec4::new(rise_x, rise_z, square, 1.0);
            }
        }
    }
}

impl Rows for Terrain {
    fn size(&self) -> [usize; 2] {
        Terrain::size(self).map(|samples| samples as usize)
    }

    fn read(&self, z: i64, xs: Range<i64>, out: &mut [Vec4]) {
        let [width, depth] = Rows::size(self);
        out.fill(Vec4::ZERO);
        let row =
            |z: i64| (0..depth as i64).contains(&z).then(|| &self.heights()[z as usize * width..][..width]);
        let Some(here) = row(z) else { return };
        let (north, south) = (row(z - 1), row(z + 1));
        let spacing = self.spacing().as_vec2();
        let inside = xs.start.max(0) as usize..xs.end.clamp(0, width as i64) as usize;
        for x in inside {
            if is_empty(here[x]) {
                continue;
            }
            let west = if x > 0 { here[x - 1] } else { EMPTY };
            let east = if x + 1 < width { here[x + 1] } else { EMPTY };
            let rise_x = rise(west, here[x], east, spacing.x);
            let rise_z = rise(
                north.map_or(EMPTY, |row| row[x]),
                here[x],
                south.map_or(EMPTY, |row| row[x]),
                spacing.y,
            );
            let square = rise_x * rise_x + rise_z * rise_z;
            out[(x as i64 - xs.start) as usize] = Vec4::new(rise_x, rise_z, square, 1.0);
        }
    }
}

/// Metres of rise a metre along one axis, over the distance between the two samples really there.
fn rise(before: f32, here: f32, after: f32, spacing: f32) -> f32 {
    let (low, back) = if is_empty(before) { (here, 0.0) } else { (before, spacing) };
    let (high, ahead) = if is_empty(after) { (here, 0.0) } else { (after, spacing) };
    let run = back + ahead;
    if run == 0.0 { 0.0 } else { (high - low) / run }
}

#[cfg(test)]
mod tests;
