//! Values of square blocks of cells, and of ever larger blocks over them.

use rayon::prelude::*;
use std::ops::RangeInclusive;

/// A rectangle is answered at the finest level where it meets at most this many blocks along each axis.
const ACROSS: usize = 3;

/// What is known of a block.
pub(super) trait Block: Copy + Send + Sync {
    /// What is known where there is no block: joined with another it leaves that as it is.
    const NONE: Self;

    /// What is known of two blocks together.
    fn join(self, other: Self) -> Self;
}

#[derive(Debug, Clone)]
struct Level<T> {
    /// Blocks along x and z.
    blocks: [usize; 2],
    /// Row-major, x fastest.
    values: Vec<T>,
}

/// Blocks of a field, and what is known of each.
///
/// A block of level k holds `size`·2^k × `size`·2^k cells with the samples on all four sides, so neighbouring blocks share
/// a line of samples. A level's block is 2×2 blocks of the level before it; the last level is one block.
#[derive(Debug, Clone)]
pub(super) struct Pyramid<T> {
    /// The last sample along x and z.
    last: [usize; 2],
    /// Cells along a block of level 0.
    size: usize,
    levels: Vec<Level<T>>,
}

impl<T: Block> Pyramid<T> {
    /// Asks `value` for each block of level 0, by its number along x and along z, rows in parallel.
    pub fn new(last: [usize; 2], size: usize, value: impl Fn(usize, usize) -> T + Sync) -> Self {
        let blocks = last.map(|cells| cells.div_ceil(size).max(1));
        let mut levels = vec![Level::new(blocks, value)];
        while let Some(next) = levels.last().and_then(Level::coarser) {
            levels.push(next);
        }
        Self { last, size, levels }
    }

    /// What is known of at most nine blocks that hold an inclusive rectangle of samples, clamped to the field; `None`
    /// where `max` is below `min`.
    ///
    /// They hold no more than the rectangle where it is at most three blocks of one level along each axis.
    pub fn over(&self, min: [i64; 2], max: [i64; 2]) -> Option<T> {
        if min[0] > max[0] || min[1] > max[1] {
            return None;
        }
        let clamp = |index: i64, axis: usize| index.clamp(0, self.last[axis] as i64) as usize;
        let along = |axis: usize, level: usize| {
            let (first, last) = (clamp(min[axis], axis), clamp(max[axis], axis));
            blocks_met(first, last, self.size << level, self.levels[level].blocks[axis])
        };
        let fits = |level: &usize| (0..2).all(|axis| along(axis, *level).count() <= ACROSS);
        let level = (0..self.levels.len()).find(fits)?;
        let blocks = along(1, level).flat_map(|z| along(0, level).map(move |x| [x, z]));
        blocks.map(|block| self.block(level, block)).reduce(T::join)
    }

    /// The coarsest level, which is one block.
    pub fn coarsest(&self) -> usize {
        self.levels.len() - 1
    }

    /// What is known of a block; an index past the field's last block means that one.
    pub fn block(&self, level: usize, block: [usize; 2]) -> T {
        let Level { blocks, values } = &self.levels[level];
        let [x, z] = [block[0].min(blocks[0] - 1), block[1].min(blocks[1] - 1)];
        values[z * blocks[0] + x]
    }

    /// Blocks of all levels.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.levels.iter().map(|level| level.values.len()).sum()
    }
}

/// The blocks that hold samples `first ..= last` of an axis. A line of samples that two blocks share counts for
/// neither side's extra block.
fn blocks_met(first: usize, last: usize, size: usize, blocks: usize) -> RangeInclusive<usize> {
    let from = (first / size).min(blocks - 1);
    from..=(last.saturating_sub(1) / size).max(from)
}

impl<T: Block> Level<T> {
    fn new(blocks: [usize; 2], value: impl Fn(usize, usize) -> T + Sync) -> Self {
        let mut values = vec![T::NONE; blocks[0] * blocks[1]];
        values.par_chunks_mut(blocks[0]).enumerate().for_each(|(z, row)| {
            for (x, block) in row.iter_mut().enumerate() {
                *block = value(x, z);
            }
        });
        Self { blocks, values }
    }

    fn coarser(&self) -> Option<Self> {
        let [width, depth] = self.blocks;
        (width > 1 || depth > 1).then(|| {
            Self::new([width.div_ceil(2), depth.div_ceil(2)], |x, z| {
                let (left, right) = (2 * x, (2 * x + 1).min(width - 1));
                let row = |z: usize| self.values[z * width + left].join(self.values[z * width + right]);
                row(2 * z).join(row((2 * z + 1).min(depth - 1)))
            })
        })
    }
}
