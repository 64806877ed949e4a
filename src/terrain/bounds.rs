//! Least and greatest height of any rectangle of samples, from a pyramid of blocks.

use super::Terrain;
use rayon::prelude::*;
use std::ops::RangeInclusive;

/// Cells along a block of the finest level.
const BLOCK: usize = 8;
/// A rectangle is answered at the finest level where it meets at most this many blocks along each axis.
const ACROSS: usize = 3;

/// Least and greatest height of one block; the least is above the greatest where no sample is valid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    /// Least stored height.
    pub low: f32,
    /// Greatest stored height.
    pub high: f32,
}

impl Range {
    const EMPTY: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY };

    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn of(heights: &[f32]) -> Self {
        let valid = heights.iter().filter(|height| height.is_finite());
        valid.fold(Self::EMPTY, |range, &height| range.join(Self { low: height, high: height }))
    }
}

#[derive(Debug, Clone)]
struct Level {
    /// Blocks along x and z.
    blocks: [usize; 2],
    /// Row-major, x fastest.
    ranges: Vec<Range>,
}

/// The minimum/maximum pyramid of a field.
///
/// A block of level k holds 8·2^k × 8·2^k cells with the samples on all four sides, so neighbouring blocks share a line
/// of samples. A level's block is 2×2 blocks of the level before it; the last level is one block. Empties are left out.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// The last sample along x and z.
    last: [usize; 2],
    levels: Vec<Level>,
}

impl Bounds {
    /// Builds the pyramid of `width × depth` heights, row-major, x fastest; a height that is not finite is empty.
    ///
    /// # Panics
    /// Where `heights` is shorter than `width × depth`, or the field has no sample.
    pub fn new(width: u32, depth: u32, heights: &[f32]) -> Self {
        let last = [width as usize - 1, depth as usize - 1];
        let mut levels = vec![finest(last, heights)];
        while let Some(next) = levels.last().and_then(coarser) {
            levels.push(next);
        }
        Self { last, levels }
    }

    /// Least and greatest height in an inclusive rectangle of samples, clamped to the field.
    ///
    /// Looks at no more than nine blocks, so the answer may be wider than the truth; it is never narrower. `None` where
    /// those blocks hold no valid sample, or `max` is below `min`.
    pub fn range(&self, min: [i64; 2], max: [i64; 2]) -> Option<RangeInclusive<f32>> {
        if min[0] > max[0] || min[1] > max[1] {
            return None;
        }
        let clamp = |index: i64, axis: usize| index.clamp(0, self.last[axis] as i64) as usize;
        let along = |axis: usize, level: usize| {
            let (first, last) = (clamp(min[axis], axis), clamp(max[axis], axis));
            blocks_met(first, last, BLOCK << level, self.levels[level].blocks[axis])
        };
        let fits = |level: &usize| (0..2).all(|axis| along(axis, *level).count() <= ACROSS);
        let level = (0..self.levels.len()).find(fits)?;
        let mut range = Range::EMPTY;
        for z in along(1, level) {
            for x in along(0, level) {
                range = range.join(self.block(level, [x, z]));
            }
        }
        (range.low <= range.high).then_some(range.low..=range.high)
    }

    /// The coarsest level, which is one block.
    pub(super) fn coarsest(&self) -> usize {
        self.levels.len() - 1
    }

    /// Cells along a block of a level.
    pub(super) fn block_cells(level: usize) -> usize {
        BLOCK << level
    }

    /// The range of a block; an index past the field's last block means that one.
    pub(super) fn block(&self, level: usize, block: [usize; 2]) -> Range {
        let Level { blocks, ranges } = &self.levels[level];
        let [x, z] = [block[0].min(blocks[0] - 1), block[1].min(blocks[1] - 1)];
        ranges[z * blocks[0] + x]
    }
}

impl Terrain {
    /// The minimum/maximum pyramid of the stored heights, built by the first call.
    pub fn bounds(&self) -> &Bounds {
        let [width, depth] = self.size();
        self.bounds.get_or_init(|| Bounds::new(width, depth, self.heights()))
    }
}

/// The blocks that hold samples `first ..= last` of an axis. A line of samples that two blocks share counts for
/// neither side's extra block.
fn blocks_met(first: usize, last: usize, size: usize, blocks: usize) -> RangeInclusive<usize> {
    let from = (first / size).min(blocks - 1);
    from..=(last.saturating_sub(1) / size).max(from)
}

fn finest(last: [usize; 2], heights: &[f32]) -> Level {
    let width = last[0] + 1;
    let blocks = last.map(|cells| cells.div_ceil(BLOCK).max(1));
    build(blocks, |x, z| {
        let (left, right) = (x * BLOCK, (x * BLOCK + BLOCK).min(last[0]));
        let rows = z * BLOCK..=(z * BLOCK + BLOCK).min(last[1]);
        rows.map(|row| Range::of(&heights[row * width + left..=row * width + right]))
            .fold(Range::EMPTY, Range::join)
    })
}

fn coarser(fine: &Level) -> Option<Level> {
    let [width, depth] = fine.blocks;
    (width > 1 || depth > 1).then(|| {
        build([width.div_ceil(2), depth.div_ceil(2)], |x, z| {
            let rows = 2 * z..(2 * z + 2).min(depth);
            rows.flat_map(|row| &fine.ranges[row * width + 2 * x..row * width + (2 * x + 2).min(width)])
                .fold(Range::EMPTY, |range, block| range.join(*block))
        })
    })
}

/// Fills a level's blocks, rows in parallel.
fn build(blocks: [usize; 2], range: impl Fn(usize, usize) -> Range + Sync) -> Level {
    let mut ranges = vec![Range::EMPTY; blocks[0] * blocks[1]];
    ranges.par_chunks_mut(blocks[0]).enumerate().for_each(|(z, row)| {
        for (x, block) in row.iter_mut().enumerate() {
            *block = range(x, z);
        }
    });
    Level { blocks, ranges }
}

#[cfg(test)]
mod tests {
    use super::super::EMPTY;
    use super::*;
    use proptest::prelude::*;

    /// Min and max by looking at every sample.
    fn truth(size: [u32; 2], heights: &[f32], min: [i64; 2], max: [i64; 2]) -> Option<RangeInclusive<f32>> {
        let clamp = |index: i64, axis: usize| index.clamp(0, i64::from(size[axis]) - 1) as usize;
        let mut range = Range::EMPTY;
        for z in clamp(min[1], 1)..=clamp(max[1], 1) {
            let row = &heights[z * size[0] as usize..];
            range = range.join(Range::of(&row[clamp(min[0], 0)..=clamp(max[0], 0)]));
        }
        (range.low <= range.high).then_some(range.low..=range.high)
    }

    fn heights(size: [u32; 2], seed: u32, holes: bool) -> Vec<f32> {
        let noise = |i: u32| (i ^ seed).wrapping_mul(2_654_435_761) >> 12;
        let height = |i| if holes && noise(i) % 3 == 0 { EMPTY } else { noise(i) as f32 * 0.01 - 3000.0 };
        (0..size[0] * size[1]).map(height).collect()
    }

    proptest! {
        #[test]
        fn never_narrower_than_the_truth(
            width in 2u32..150, depth in 2u32..150, seed: u32, holes: bool,
            min in [-20i64..170, -20i64..170], span in [0i64..170, 0i64..170],
        ) {
            let size = [width, depth];
            let heights = heights(size, seed, holes);
            let max = [min[0] + span[0], min[1] + span[1]];
            let bounds = Bounds::new(width, depth, &heights);
            if let Some(truth) = truth(size, &heights, min, max) {
                let range = bounds.range(min, max).expect("a valid sample");
                prop_assert!(range.start() <= truth.start() && range.end() >= truth.end());
            }
        }

        #[test]
        fn whole_blocks_and_their_squares_are_exact(
            width in 2u32..150, depth in 2u32..150, seed: u32, level in 0u32..4, x in 0i64..20, z in 0i64..20,
        ) {
            let size = [width, depth];
            let heights = heights(size, seed, true);
            let cells = 8i64 << level;
            let min = [x * cells % i64::from(width), z * cells % i64::from(depth)].map(|i| i / cells * cells);
            prop_assume!(min[0] < i64::from(width) - 1 && min[1] < i64::from(depth) - 1);
            let max = min.map(|i| i + cells);
            let bounds = Bounds::new(width, depth, &heights);
            prop_assert_eq!(bounds.range(min, max), truth(size, &heights, min, max));
        }
    }

    #[test]
    fn empty_ground_and_turned_rectangles_have_no_range() {
        let mut heights = vec![EMPTY; 64 * 64];
        heights[63 * 64 + 63] = 5.0;
        let bounds = Bounds::new(64, 64, &heights);
        assert_eq!(bounds.range([0, 0], [16, 16]), None);
        assert_eq!(bounds.range([5, 5], [4, 9]), None);
        assert_eq!(bounds.range([100, 100], [200, 200]), Some(5.0..=5.0));
        assert_eq!(bounds.range([i64::MIN; 2], [i64::MAX; 2]), Some(5.0..=5.0));
    }

    #[test]
    fn terrain_builds_its_pyramid_once_and_clones_keep_it() {
        let terrain =
            Terrain::new(3, 2, 1.0, glam::DVec3::ZERO, &[1.0, 2.0, 3.0, f32::NAN, 5.0, 6.0]).expect("built");
        assert_eq!(terrain.bounds().range([0, 0], [2, 1]), Some(1.0..=6.0));
        assert!(std::ptr::eq(terrain.bounds(), terrain.bounds()));
        assert_eq!(terrain.clone().bounds().range([0, 1], [0, 1]), Some(1.0..=6.0));
    }
}
