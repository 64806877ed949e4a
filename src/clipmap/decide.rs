//! The whole decision for one patch, from the frame and the patch's index alone.

use super::ClipmapFrame;

/// One drawn patch. Cells and steps count field cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipmapPatch {
    /// Index in the frame.
    pub index: u32,
    /// Level, 0 the finest.
    pub level: u32,
    /// First cell along x.
    pub x: i32,
    /// First cell along z.
    pub z: i32,
    /// Field cells along the patch.
    pub cells: i32,
    /// Field cells along one drawn cell.
    pub step: i32,
    /// Step of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
    pub neighbours: [i32; 4],
}

/// The patch of an index, or `None` where nothing is drawn: outside the field, within the next finer level's
/// block, below the first level, or beyond the frame.
pub fn clipmap_patch_at(frame: &ClipmapFrame, index: u32) -> Option<ClipmapPatch> {
    let across = frame.settings.patches_across;
    let per_level = frame.settings.patches_per_level() as u32;
    let level = index / per_level;
    if level >= frame.levels || level < frame.first_level {
        return None;
    }
    let in_block = (index % per_level) as i32;
    let span = frame.span(level);
    let [origin_x, origin_z] = frame.origins[level as usize];
    let x = origin_x + (in_block % across) * span;
    let z = origin_z + (in_block / across) * span;
    if x + span <= 0 || z + span <= 0 || x >= frame.cells[0] || z >= frame.cells[1] {
        return None;
    }
    if level > frame.first_level && block_holds(frame, level - 1, [x, z]) {
        return None;
    }
    let beyond = [[x - 1, z], [x + span, z], [x, z - 1], [x, z + span]];
    let neighbours = beyond.map(|cell| coarser_step(frame, level, cell));
    Some(ClipmapPatch { index, level, x, z, cells: span, step: frame.step(level), neighbours })
}

/// The finest drawn level whose block holds a field cell; `None` off the field and beyond the coarsest block.
pub fn clipmap_level_at(frame: &ClipmapFrame, cell: [i32; 2]) -> Option<u32> {
    let on_field = cell[0] >= 0 && cell[1] >= 0 && cell[0] < frame.cells[0] && cell[1] < frame.cells[1];
    if !on_field {
        return None;
    }
    (frame.first_level..frame.levels).find(|&level| block_holds(frame, level, cell))
}

/// Every drawn patch in the order of the indices: near to far by level.
pub fn clipmap_patches(frame: &ClipmapFrame) -> Vec<ClipmapPatch> {
    (0..frame.index_count()).filter_map(|index| clipmap_patch_at(frame, index)).collect()
}

fn block_holds(frame: &ClipmapFrame, level: u32, cell: [i32; 2]) -> bool {
    let extent = frame.span(level) * frame.settings.patches_across;
    let [origin_x, origin_z] = frame.origins[level as usize];
    let (x, z) = (cell[0] - origin_x, cell[1] - origin_z);
    x >= 0 && z >= 0 && x < extent && z < extent
}

fn coarser_step(frame: &ClipmapFrame, level: u32, cell: [i32; 2]) -> i32 {
    match clipmap_level_at(frame, cell) {
        Some(other) if other > level => frame.step(other),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ClipmapSettings, clipmap_frame, clipmap_frame_covering};
    use super::*;
    use proptest::prelude::*;

    /// How often each field cell is held by a patch, as the least and the greatest count.
    fn cell_counts(frame: &ClipmapFrame, patches: &[ClipmapPatch]) -> (u32, u32) {
        let [width, depth] = frame.cells.map(|n| n as usize);
        let mut counts = vec![0u32; width * depth];
        for patch in patches {
            for z in patch.z.max(0)..(patch.z + patch.cells).min(depth as i32) {
                for x in patch.x.max(0)..(patch.x + patch.cells).min(width as i32) {
                    counts[z as usize * width + x as usize] += 1;
                }
            }
        }
        (counts.iter().copied().min().unwrap_or(0), counts.iter().copied().max().unwrap_or(0))
    }

    fn covering_frames() -> impl Strategy<Value = ClipmapFrame> {
        let side = prop_oneof![Just(1), 1..40, 1..700];
        let camera = prop_oneof![-50..750, -100_000..100_000];
        (2..=16i32, 2..=16i32, (side.clone(), side), (camera.clone(), camera), 0..4u32).prop_map(
            |(half_cells, quarter_across, (width, depth), (x, z), first)| {
                let settings =
                    ClipmapSettings { patch_cells: half_cells * 2, patches_across: quarter_across * 4 };
                clipmap_frame_covering(settings, [x, z], [width, depth])
                    .expect("a frame")
                    .with_first_level(first)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn every_cell_is_drawn_exactly_once(frame in covering_frames()) {
            prop_assert_eq!(cell_counts(&frame, &clipmap_patches(&frame)), (1, 1));
        }
    }

    proptest! {
        #[test]
        fn neighbours_are_one_level_up_and_patches_start_on_coarser_lattices(frame in covering_frames()) {
            for patch in clipmap_patches(&frame) {
                for step in patch.neighbours {
                    prop_assert!(step == 0 || step == 2 * patch.step);
                    prop_assert!(step == 0 || (patch.x % step == 0 && patch.z % step == 0));
                }
            }
        }

        #[test]
        fn order_of_asking_does_not_matter(frame in covering_frames(), stride in 1..1000u32) {
            let count = frame.index_count() + 3;
            let mut scrambled: Vec<_> = (0..count)
                .map(|i| (u64::from(i) * u64::from(stride * 2 + 1) % u64::from(count)) as u32)
                .filter_map(|index| clipmap_patch_at(&frame, index))
                .collect();
            scrambled.sort_by_key(|patch| patch.index);
            scrambled.dedup();
            let ordered = clipmap_patches(&frame);
            prop_assert!(scrambled.iter().all(|patch| ordered.contains(patch)));
        }

        #[test]
        fn a_drawn_patch_is_of_the_level_at_its_cells(frame in covering_frames()) {
            for patch in clipmap_patches(&frame) {
                let last = [patch.x + patch.cells - 1, patch.z + patch.cells - 1];
                let last = [last[0].min(frame.cells[0] - 1), last[1].min(frame.cells[1] - 1)];
                for cell in [[patch.x, patch.z], last] {
                    prop_assert_eq!(clipmap_level_at(&frame, cell), Some(patch.level));
                }
            }
        }
    }

    #[test]
    fn counting_sees_a_block_that_starts_on_an_odd_patch() {
        let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
        let mut frame = clipmap_frame_covering(settings, [100, 100], [300, 300]).expect("a frame");
        frame.origins[0][0] += frame.span(0);
        assert_ne!(cell_counts(&frame, &clipmap_patches(&frame)), (1, 1));
    }

    #[test]
    fn indices_outside_the_frame_draw_nothing() {
        let settings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
        let frame = clipmap_frame(settings, 2, [0, 0], [50, 50]).expect("a frame");
        assert_eq!(clipmap_patch_at(&frame, frame.index_count()), None);
        assert_eq!(clipmap_patch_at(&frame, u32::MAX), None);
    }
}
