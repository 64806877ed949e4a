//! A field that is held in memory.

use super::gradients::Gradients;
use super::{Gradient, LatticeRect, Source};
use crate::terrain::{Terrain, is_empty, lattice_sample, lattice_to_sample};
use glam::DVec2;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Reads levels from a [`Terrain`]: heights as stored, without the origin's.
#[derive(Debug)]
pub struct MemorySource {
    terrain: Arc<Terrain>,
    gradients: Gradients,
}

impl MemorySource {
    /// Averages the gradients of every level, and measures bounds and errors, in parallel.
    ///
    /// Not when they are first asked for: that may be from many threads at once, and each would measure for itself.
    pub fn new(terrain: Arc<Terrain>) -> Self {
        terrain.bounds();
        terrain.errors();
        let gradients = Gradients::new(&terrain);
        Self { terrain, gradients }
    }

    /// The terrain that is read.
    pub fn terrain(&self) -> &Arc<Terrain> {
        &self.terrain
    }

    fn read_row(&self, level: u32, j: i64, columns: &Columns, out: &mut Vec<f32>) {
        let width = self.terrain.size()[0] as usize;
        let z = lattice_to_sample(j, level, self.terrain.cells()[1]) as usize;
        let row = &self.terrain.heights()[z * width..][..width];
        out.extend(std::iter::repeat_n(row[0], columns.before));
        if columns.step == 1 {
            out.extend_from_slice(&row[columns.first..][..columns.inside]);
        } else if columns.inside > 0 {
            out.extend(row[columns.first..].iter().step_by(columns.step).take(columns.inside));
        }
        out.extend(std::iter::repeat_n(row[width - 1], columns.after));
    }

    /// Gives empty lattice points their nearest neighbour.
    fn fill_empties(&self, level: u32, rect: LatticeRect, out: &mut [f32]) {
        let [width, _] = rect.size();
        for (j, row) in (i64::from(rect.min[1])..).zip(out.chunks_exact_mut(width as usize)) {
            for (i, height) in (i64::from(rect.min[0])..).zip(row) {
                if is_empty(*height) {
                    *height = lattice_sample(&self.terrain, level, i, j);
                }
            }
        }
    }
}

/// The columns of a rectangle by what they stand on: the field's first sample, every `step`-th from `first`, its last.
struct Columns {
    before: usize,
    first: usize,
    step: usize,
    inside: usize,
    after: usize,
}

impl Columns {
    fn new(level: u32, min: i32, max: i32, last: u32) -> Self {
        let step = 1_u64 << level.min(32);
        let end = i64::from(last) / step as i64 + 1;
        let (min, max) = (i64::from(min), i64::from(max));
        let (from, to) = (min.clamp(0, end), max.clamp(0, end));
        Self {
            before: (max.min(0) - min.min(0)) as usize,
            first: from as usize * step as usize,
            step: step as usize,
            inside: (to - from) as usize,
            after: (max.max(end) - min.max(end)) as usize,
        }
    }
}

impl Source for MemorySource {
    fn size(&self) -> [u32; 2] {
        self.terrain.size()
    }

    fn spacing(&self) -> DVec2 {
        self.terrain.spacing()
    }

    fn range(&self) -> RangeInclusive<f32> {
        self.terrain.range()
    }

    fn has_empties(&self) -> bool {
        self.terrain.has_empties()
    }

    fn heights(&self, level: u32, rect: LatticeRect, out: &mut Vec<f32>) {
        out.clear();
        if rect.count() == 0 {
            return;
        }
        out.reserve(rect.count());
        let columns = Columns::new(level, rect.min[0], rect.max[0], self.terrain.cells()[0]);
        for j in rect.min[1]..rect.max[1] {
            self.read_row(level, i64::from(j), &columns, out);
        }
        if level > 0 && self.has_empties() {
            self.fill_empties(level, rect, out);
        }
    }

    fn gradients(&self, level: u32, rect: LatticeRect, out: &mut Vec<Gradient>) {
        self.gradients.read(&self.terrain, level, rect, out);
    }

    fn bounds(&self, min: [i32; 2], max: [i32; 2]) -> Option<RangeInclusive<f32>> {
        self.terrain.bounds().range(min.map(i64::from), max.map(i64::from))
    }

    fn error(&self, level: u32, min: [i32; 2], max: [i32; 2]) -> f32 {
        self.terrain.errors().greatest(level, min.map(i64::from), max.map(i64::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::EMPTY;
    use glam::DVec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn heights_are_the_lattice_rule_point_by_point(
            size in prop::array::uniform2(2_u32..24),
            seed in any::<u64>(),
            holes in any::<bool>(),
            level in 0_u32..7,
            min in prop::array::uniform2(-5_i32..30),
            extent in prop::array::uniform2(0_i32..20),
        ) {
            let heights: Vec<f32> = (0..u64::from(size[0] * size[1]))
                .map(|n| {
                    let hash = (n + 1).wrapping_mul(seed | 1) >> 32;
                    if holes && n > 0 && hash % 3 == 0 { EMPTY } else { n as f32 }
                })
                .collect();
            let terrain = Terrain::from_vec(size[0], size[1], 1.0, DVec3::ZERO, heights).expect("built");
            let source = MemorySource::new(Arc::new(terrain));
            let rect = LatticeRect { min, max: [min[0] + extent[0], min[1] + extent[1]] };
            let mut out = vec![1.0; 3];
            source.heights(level, rect, &mut out);
            let expected: Vec<u32> = (rect.min[1]..rect.max[1])
                .flat_map(|j| (rect.min[0]..rect.max[0]).map(move |i| (i64::from(i), i64::from(j))))
                .map(|(i, j)| lattice_sample(source.terrain(), level, i, j).to_bits())
                .collect();
            prop_assert_eq!(out.iter().map(|h| h.to_bits()).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_new_source_has_measured_its_terrain() {
        let terrain = Terrain::from_vec(3, 2, 1.0, DVec3::ZERO, vec![1.0; 6]).expect("built");
        let terrain = Arc::new(terrain);
        assert!(!terrain.is_measured());
        let _source = MemorySource::new(terrain.clone());
        assert!(terrain.is_measured());
    }

    #[test]
    fn bounds_hold_every_sample_of_their_rectangle_and_know_the_empties() {
        let height = |n: u32| if n % 40 < 16 { EMPTY } else { (n * 37 % 101) as f32 };
        let heights: Vec<f32> = (0..40 * 40).map(height).collect();
        let terrain = Terrain::from_vec(40, 40, 1.0, DVec3::ZERO, heights).expect("built");
        let source = MemorySource::new(Arc::new(terrain));
        let bounds = source.bounds([18, 3], [30, 50]).expect("valid samples");
        for (x, z) in (18..=30).flat_map(|x| (3..40).map(move |z| (x, z))) {
            assert!(bounds.contains(&source.terrain().stored(x, z)));
        }
        assert_eq!(source.bounds([0, 0], [5, 9]), None);
    }

    #[test]
    fn errors_are_those_of_the_terrain() {
        let heights: Vec<f32> = (0..40 * 40).map(|n| (n * 37 % 101) as f32).collect();
        let terrain = Terrain::from_vec(40, 40, 1.0, DVec3::ZERO, heights).expect("built");
        let source = MemorySource::new(Arc::new(terrain));
        let expected = source.terrain().errors().greatest(2, [-4, 8], [12, 70]);
        assert!(expected > 0.0);
        assert_eq!(source.error(2, [-4, 8], [12, 70]), expected);
    }
}
