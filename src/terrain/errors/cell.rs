//! The samples under one cell of a lattice, held against its two triangles.

/// More than the pass can be wrong by, in parts of the cell's relief: its roundings, each at most 2^-24 of what it rounds,
/// add up to 42 of them.
const ROUNDING: f32 = 1.0 / (1 << 18) as f32;

/// A field's samples, and the lattice over them whose lines are `step` samples apart.
pub(super) struct Lattice<'a> {
    /// The last sample along x and z.
    last: [usize; 2],
    step: usize,
    heights: &'a [f32],
    /// [`fractions`] of a cell along x, and of the last one, which may be narrower.
    across: [Vec<f32>; 2],
}

/// Where the samples of a cell stand between its first line, 0, and its last, 1.
fn fractions(cells: usize) -> Vec<f32> {
    (0..=cells).map(|sample| sample as f32 / cells as f32).collect()
}

impl<'a> Lattice<'a> {
    pub fn new(last: [usize; 2], step: usize, heights: &'a [f32]) -> Self {
        let narrower = last[0] - (last[0] - 1) / step * step;
        Self { last, step, heights, across: [fractions(step.min(last[0])), fractions(narrower)] }
    }

    /// The greatest distance between the samples under a cell, those on its sides included, and its triangles, in
    /// metres; infinite where one is empty.
    pub fn error(&self, x: usize, z: usize) -> f32 {
        let [top, left] = [z * self.step, x * self.step];
        let [bottom, right] = [(top + self.step).min(self.last[1]), (left + self.step).min(self.last[0])];
        let across = &self.across[usize::from(right == self.last[0])];
        let (width, right, bottom) = (self.last[0] + 1, right - left, bottom - top);
        let samples = &self.heights[top * width + left..][..bottom * width + right + 1];
        let corners = Corners::new(&samples[..=right], &samples[bottom * width..]);
        // Small cells are many: told their size, the compiler unrolls them.
        let bits = match (right, bottom) {
            (2, 2) => corners.greatest(samples, width, &across[..3], 2),
            (4, 4) => corners.greatest(samples, width, &across[..5], 4),
            (8, 8) => corners.greatest(samples, width, &across[..9], 8),
            _ => corners.greatest(samples, width, across, bottom),
        };
        corners.allow(f32::from_bits(bits))
    }
}

/// The two triangles of a cell.
struct Corners {
    /// Height of the north-western corner, metres. The others are held as differences from it, so that what is rounded
    /// is the relief of the cell and not its height.
    start: f32,
    /// Rise to the north-eastern, the south-western and the south-eastern corner.
    east: f32,
    south: f32,
    end: f32,
}

impl Corners {
    fn new(top: &[f32], bottom: &[f32]) -> Self {
        let (start, right) = (top[0], top.len() - 1);
        Self { start, east: top[right] - start, south: bottom[0] - start, end: bottom[right] - start }
    }

    /// The greatest distance of rows of samples, `width` apart, from the triangles, as the bits of an f32 without its sign.
    #[inline(always)]
    fn greatest(&self, samples: &[f32], width: usize, across: &[f32], bottom: usize) -> u32 {
        let down = 1.0 / bottom as f32;
        let mut greatest = 0;
        for z in 0..=bottom {
            let row = &samples[z * width..][..across.len()];
            greatest = greatest.max(self.greatest_of_row(row, across, z as f32 * down));
        }
        greatest
    }

    /// As [`Corners::greatest`], of one row.
    ///
    /// Bits, because the maximum of integers may be taken in any order and so in vectors, and because those of NaN are
    /// above all others: an empty sample needs no branch. One plane holds the southern triangle; the eastern one leaves
    /// it beyond the diagonal, by `fold` a unit.
    #[inline(always)]
    fn greatest_of_row(&self, samples: &[f32], across: &[f32], down: f32) -> u32 {
        let first = down * self.south;
        let along = self.end - self.south;
        let fold = self.east - along;
        let mut greatest = 0;
        for (height, across) in samples.iter().zip(across) {
            let beyond = if *across > down { across - down } else { 0.0 };
            let surface = first + across * along + beyond * fold;
            let distance = (height - self.start) - surface;
            // Signed, as the vectors of every processor can compare.
            greatest = greatest.max(distance.abs().to_bits() as i32);
        }
        greatest as u32
    }

    /// A distance and what it may lack by rounding. One of 0 stays: flat ground has no error.
    fn allow(&self, distance: f32) -> f32 {
        if distance == 0.0 {
            return 0.0;
        }
        let relief = distance + self.east.abs().max(self.south.abs()).max(self.end.abs());
        let allowed = distance + relief * ROUNDING;
        if allowed.is_nan() { f32::INFINITY } else { allowed }
    }
}

#[cfg(test)]
mod tests {
    use super::super::brute_force::field;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Before the answer is rounded to 16 bits, which would cover for much.
        #[test]
        fn a_cell_is_the_truth_and_what_rounding_may_take(
            field in field(), level in 1_u32..8, at in [0_i64..70, 0_i64..70],
        ) {
            let step = 1_i64 << level;
            let lines = [0, 1].map(|axis| field.lines(axis, at[axis] % i64::from(field.size[axis]), step));
            let (min, max) = (lines.map(|[first, _]| first), lines.map(|[_, last]| last));
            prop_assume!(!field.has_empty(min, max));
            let truth = field.greatest(level, min, max);
            let last = field.size.map(|samples| samples as usize - 1);
            let lattice = Lattice::new(last, step as usize, &field.heights);
            let error = f64::from(lattice.error((min[0] / step) as usize, (min[1] / step) as usize));
            let slack = field.slack();
            prop_assert!(error <= truth + slack, "{} over {}", error, truth);
            prop_assert!(error >= truth || (error == 0.0 && truth <= slack), "{} below {}", error, truth);
        }
    }
}
