//! The same ground with other samples: bicubic, once, when a field is built.

use super::facet::Half;
use super::{EMPTY, Terrain, is_empty};
use crate::error::{Error, Result};
use glam::{DVec2, UVec2};
use rayon::prelude::*;

/// Quads along a side of a source cell where no other number is asked for.
pub const RESOLUTION: u32 = 2;

/// Most samples that a resampled field may have, 4 GiB of heights.
const MOST_SAMPLES: u64 = 1 << 30;

impl Terrain {
    /// This ground with `resolution` quads along each side of a cell, over the same extent.
    ///
    /// The samples of this field stay at their places to the bit. Between them stands the bicubic surface
    /// through them (Catmull and Rom 1974), which continues straight past the field's edge and into a hole.
    /// In a cell that touches an empty sample the drawn triangle stands instead, and where there is none the
    /// new sample is empty.
    ///
    /// # Errors
    /// A resolution of 0, or more samples than a field may have.
    pub fn resampled(&self, resolution: u32) -> Result<Self> {
        if resolution == 0 {
            return Err(Error::usage("a resolution of 0", "at least 1 quad a cell", "correct the value"));
        }
        self.resample(self.cells().map(|cells| u64::from(cells) * u64::from(resolution) + 1))
    }

    /// As [`Terrain::resampled`], with any number of samples along x and z. A sample of this field stays to
    /// the bit where one of the new samples stands on it. Fewer samples are read off the surface; they are no
    /// means.
    ///
    /// # Errors
    /// A size below 2×2, more samples than a field may have, or no valid sample among the new ones.
    pub fn resampled_to(&self, size: [u32; 2]) -> Result<Self> {
        self.resample(size.map(u64::from))
    }

    fn resample(&self, size: [u64; 2]) -> Result<Self> {
        let [width, depth] = checked(size)?;
        let [along_x, along_z] = [0, 1].map(|axis| places(self.cells()[axis], size[axis]));
        let mut heights = vec![EMPTY; width as usize * depth as usize];
        heights.par_chunks_exact_mut(width as usize).zip(along_z).for_each_init(
            Vec::new,
            |columns, (row, z)| {
                self.blend_rows(z, columns);
                for (height, x) in row.iter_mut().zip(&along_x) {
                    let between = cubic(|n| columns.get((x.sample + n).checked_sub(1)?).copied()?, x.share);
                    *height =
                        between.or_else(|| self.on_triangle(*x, z)).map_or(EMPTY, |height| height as f32);
                }
            },
        );
        let [old, new] = [self.cells(), [width - 1, depth - 1]].map(|cells| UVec2::from(cells).as_dvec2());
        Self::from_vec(width, depth, (self.spacing() * old / new).to_array(), self.origin(), heights)
    }

    /// Heights at each column of samples, along a line of the new samples.
    fn blend_rows(&self, z: Place, columns: &mut Vec<Option<f64>>) {
        let [width, _] = self.size().map(|samples| samples as usize);
        let blended = |x: usize| {
            cubic(
                |n| {
                    let row = (z.sample + n).checked_sub(1)?;
                    let stored = *self.heights().get(row * width + x)?;
                    (!is_empty(stored)).then(|| f64::from(stored))
                },
                z.share,
            )
        };
        columns.clear();
        columns.extend((0..width).map(blended));
    }

    /// Height of the drawn triangle at a place within a cell.
    fn on_triangle(&self, x: Place, z: Place) -> Option<f64> {
        let facet = |half| self.facet(x.sample as i64, z.sample as i64, half);
        let east = if x.share >= z.share { facet(Half::East) } else { None };
        let facet = east.or_else(|| if x.share <= z.share { facet(Half::South) } else { None })?;
        Some(facet.height(DVec2::new(x.sample as f64 + x.share, z.sample as f64 + z.share)))
    }
}

/// Where a new sample stands along one axis.
#[derive(Clone, Copy)]
struct Place {
    /// The source sample at or before it.
    sample: usize,
    /// Cells past that sample, below 1.
    share: f64,
}

/// The places of `samples` new samples over a number of source cells.
fn places(cells: u32, samples: u64) -> Vec<Place> {
    let quads = samples - 1;
    let place = |i: u64| {
        // Whole numbers, so that a place on a source sample has a share of exactly 0.
        let past = i * u64::from(cells);
        Place { sample: (past / quads) as usize, share: (past % quads) as f64 / quads as f64 }
    };
    (0..samples).map(place).collect()
}

/// The cubic through four samples, `share` of the way from sample 1 to sample 2; `None` where one of those
/// two is missing and counts. A missing sample 0 or 3 continues the line of these two.
fn cubic(sample: impl Fn(usize) -> Option<f64>, share: f64) -> Option<f64> {
    let from = sample(1)?;
    if share == 0.0 {
        return Some(from);
    }
    let to = sample(2)?;
    let before = sample(0).unwrap_or(2.0 * from - to);
    let after = sample(3).unwrap_or(2.0 * to - from);
    let third = 3.0 * (from - to) + after - before;
    let second = 2.0 * before - 5.0 * from + 4.0 * to - after;
    Some(from + 0.5 * share * (to - before + share * (second + share * third)))
}

fn checked(size: [u64; 2]) -> Result<[u32; 2]> {
    let [width, depth] = size;
    let count = width.checked_mul(depth).filter(|count| *count <= MOST_SAMPLES);
    match (u32::try_from(width), u32::try_from(depth), count) {
        (Ok(width), Ok(depth), Some(_)) if width >= 2 && depth >= 2 => Ok([width, depth]),
        _ => Err(Error::usage(
            format!("a resampled field of {width}×{depth} samples"),
            format!("2×2 to {MOST_SAMPLES} samples"),
            "choose another resolution",
        )),
    }
}

#[cfg(test)]
mod tests;
