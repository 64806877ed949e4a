//! Least and greatest height of any rectangle of samples, from a pyramid of blocks.

use super::Terrain;
use super::pyramid::{Block, Pyramid};
use std::ops::RangeInclusive;

/// Cells along a block of the finest level.
const BLOCK: usize = 8;

/// Least and greatest height of one block; the least is above the greatest where no sample is valid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    /// Least stored height.
    pub low: f32,
    /// Greatest stored height.
    pub high: f32,
}

impl Range {
    fn of(heights: &[f32]) -> Self {
        let valid = heights.iter().filter(|height| height.is_finite());
        valid.fold(Self::NONE, |range, &height| range.join(Self { low: height, high: height }))
    }
}

impl Block for Range {
    const NONE: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY };

    fn join(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
}

/// The minimum/maximum pyramid of a field: blocks of 8 cells, of 16, and so on until one holds the field. Empties are
/// left out.
#[derive(Debug, Clone)]
pub struct Bounds {
    blocks: Pyramid<Range>,
}

impl Bounds {
    /// Builds the pyramid of `width × depth` heights, row-major, x fastest; a height that is not finite is empty.
    ///
    /// # Panics
    /// Where `heights` is shorter than `width × depth`, or the field has no sample.
    pub fn new(width: u32, depth: u32, heights: &[f32]) -> Self {
        let (width, last) = (width as usize, [width as usize - 1, depth as usize - 1]);
        let blocks = Pyramid::new(last, BLOCK, |x, z| {
            let (left, right) = (x * BLOCK, (x * BLOCK + BLOCK).min(last[0]));
            let rows = z * BLOCK..=(z * BLOCK + BLOCK).min(last[1]);
            rows.map(|row| Range::of(&heights[row * width + left..=row * width + right]))
                .fold(Range::NONE, Range::join)
        });
        Self { blocks }
    }

    /// Least and greatest height in an inclusive rectangle of samples, clamped to the field.
    ///
    /// Looks at no more than nine blocks, so the answer may be wider than the truth; it is never narrower. `None` where
    /// those blocks hold no valid sample, or `max` is below `min`.
    pub fn range(&self, min: [i64; 2], max: [i64; 2]) -> Option<RangeInclusive<f32>> {
        let range = self.blocks.over(min, max)?;
        (range.low <= range.high).then_some(range.low..=range.high)
    }

    /// The coarsest level, which is one block.
    pub(super) fn coarsest(&self) -> usize {
        self.blocks.coarsest()
    }

    /// Cells along a block of a level.
    pub(super) fn block_cells(level: usize) -> usize {
        BLOCK << level
    }

    /// The range of a block; an index past the field's last block means that one.
    pub(super) fn block(&self, level: usize, block: [usize; 2]) -> Range {
        self.blocks.block(level, block)
    }
}

impl Terrain {
    /// The minimum/maximum pyramid of the stored heights, built by the first call.
    pub fn bounds(&self) -> &Bounds {
        let [width, depth] = self.size();
        if let Some(known) = self.bounds.get() {
            return known;
        }
        // Not within the cell: a thread that waits there for parts of the work may be handed a call of this, and would wait for itself.
        let measured = Bounds::new(width, depth, self.heights());
        self.bounds.get_or_init(|| measured)
    }
}

#[cfg(test)]
mod tests {
    use super::super::EMPTY;
    use super::*;
    use proptest::prelude::*;

    /// Min and max by looking at every sample.
    fn truth(size: [u32; 2], heights: &[f32], min: [i64; 2], max: [i64; 2]) -> Option<RangeInclusive<f32>> {
        let clamp = |index: i64, axis: usize| index.clamp(0, i64::from(size[axis]) - 1) as usize;
        let mut range = Range::NONE;
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
