//! A frame of the clipmap: the plain data that every decision is made from.

use crate::error::{Error, Result};

/// The most levels that a frame can have: enough for 2²⁰ patches along the field's longer side.
pub const MAX_LEVELS: u32 = 20;

/// Sizes that hold for every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipmapSettings {
    /// Drawn cells along a patch; even.
    pub patch_cells: i32,
    /// Patches along a block; a multiple of four, so that a block starts on the next level's patch boundary.
    pub patches_across: i32,
}

impl ClipmapSettings {
    /// Middling sizes: at 1080 rows, triangles of 20 pixels where a level begins.
    pub const DRAWN: Self = Self { patch_cells: 16, patches_across: 16 };

    /// The sizes at which triangles are about `triangle_pixels` wide where a level begins, a quarter of its block from the eye; wider
    /// in pictures that want more than the largest block.
    /// `pixel_angle`: radians of a pixel in the middle of the picture.
    ///
    /// Few sizes are told apart, so that a window can change its own without the renderer being built anew each time.
    pub fn for_picture(pixel_angle: f64, triangle_pixels: f64) -> Self {
        const CELLS: i32 = 16;
        const ACROSS: [i32; 6] = [8, 16, 24, 32, 48, 64];
        // A block that is short by a tenth will do.
        let block = 0.9 * 4.0 / (triangle_pixels * pixel_angle);
        let patches_across =
            ACROSS.into_iter().find(|across| f64::from(CELLS * across) >= block).unwrap_or(64);
        Self { patch_cells: CELLS, patches_across }
    }

    /// Patches of one level's block.
    pub fn patches_per_level(&self) -> i32 {
        self.patches_across * self.patches_across
    }

    /// Triangles of a patch.
    pub fn triangles_per_patch(&self) -> u64 {
        2 * (self.patch_cells as u64).pow(2)
    }

    /// Refuses sizes for which the decision is not defined.
    ///
    /// # Errors
    /// Patch cells below 2 or odd, patches across that are not a positive multiple of four, or either above 64.
    pub fn check(&self) -> Result<()> {
        let refuse = |what: &str, found: i32, expected: &str| {
            Err(Error::usage(format!("{found} {what}"), expected, "choose another size"))
        };
        if !(2..=64).contains(&self.patch_cells) || self.patch_cells % 2 != 0 {
            return refuse("cells along a patch", self.patch_cells, "an even number from 2 to 64");
        }
        if !(4..=64).contains(&self.patches_across) || self.patches_across % 4 != 0 {
            return refuse("patches across", self.patches_across, "a multiple of four from 4 to 64");
        }
        Ok(())
    }

    /// Refuses sizes that cannot be drawn: with 4 patches across a ring can be missing on one side, and the step between neighbours
    /// then has no bound.
    ///
    /// # Errors
    /// As [`ClipmapSettings::check`], and below 8 patches across or 4 cells along a patch.
    pub fn check_drawn(&self) -> Result<()> {
        self.check()?;
        if self.patches_across < 8 || self.patch_cells < 4 {
            return Err(Error::usage(
                format!("{} patches across of {} cells", self.patches_across, self.patch_cells),
                "at least 8 patches of 4 cells where levels are drawn",
                "choose larger sizes",
            ));
        }
        Ok(())
    }
}

/// Everything that decides the patches of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClipmapFrame {
    /// Sizes that hold for every level.
    pub settings: ClipmapSettings,
    /// Number of levels; level `levels − 1` is the coarsest.
    pub levels: u32,
    /// The finest level that is drawn.
    pub first_level: u32,
    /// First cell (x, z) of each level's block, in field cells.
    pub origins: Vec<[i32; 2]>,
    /// Cells of the field along x and z.
    pub cells: [i32; 2],
}

impl ClipmapFrame {
    /// Field cells along one drawn cell of a level.
    pub fn step(&self, level: u32) -> i32 {
        1 << level
    }

    /// Field cells along one patch of a level.
    pub fn span(&self, level: u32) -> i32 {
        self.settings.patch_cells << level
    }

    /// Patch indices of the frame, drawn or not.
    pub fn index_count(&self) -> u32 {
        self.levels * self.settings.patches_per_level() as u32
    }

    /// Draws from `level` on, at most the coarsest.
    #[must_use]
    pub fn with_first_level(mut self, level: u32) -> Self {
        self.first_level = level.min(self.levels - 1);
        self
    }
}

/// A frame with the levels and the camera's cell as given.
///
/// # Errors
/// Sizes refused by [`ClipmapSettings::check`], no level or more than [`MAX_LEVELS`], or a field without a cell.
pub fn clipmap_frame(
    settings: ClipmapSettings,
    levels: u32,
    camera_cell: [i32; 2],
    cells: [i32; 2],
) -> Result<ClipmapFrame> {
    settings.check()?;
    if !(1..=MAX_LEVELS).contains(&levels) {
        return Err(Error::usage(
            format!("{levels} levels"),
            format!("1 to {MAX_LEVELS}"),
            "choose another number",
        ));
    }
    if cells.iter().any(|&count| count < 1) {
        return Err(Error::usage(
            format!("a field of {}×{} cells", cells[0], cells[1]),
            "at least one cell each way",
            "give at least 2×2 samples",
        ));
    }
    let origins =
        (0..levels).map(|level| camera_cell.map(|cell| block_start(settings, level, cell))).collect();
    Ok(ClipmapFrame { settings, levels, first_level: 0, origins, cells })
}

/// A frame whose coarsest block holds the whole field from anywhere: the camera's cell is clamped to the field.
///
/// # Errors
/// As [`clipmap_frame`].
pub fn clipmap_frame_covering(
    settings: ClipmapSettings,
    camera_cell: [i32; 2],
    cells: [i32; 2],
) -> Result<ClipmapFrame> {
    settings.check()?;
    let clamped = std::array::from_fn(|axis| camera_cell[axis].clamp(0, (cells[axis] - 1).max(0)));
    clipmap_frame(settings, levels_covering(settings, cells), clamped, cells)
}

/// The least number of levels L with patch_cells·2^(L−1)·across/2 ≥ the field's longer side in cells.
pub fn levels_covering(settings: ClipmapSettings, cells: [i32; 2]) -> u32 {
    let side = i64::from(cells[0].max(cells[1]));
    let half_block = i64::from(settings.patch_cells) * i64::from(settings.patches_across / 2);
    (0..MAX_LEVELS).find(|level| half_block << level >= side).unwrap_or(MAX_LEVELS - 1) + 1
}

/// First cell of a level's block along one axis: the camera's patch index lowered to an even number, minus half a block.
fn block_start(settings: ClipmapSettings, level: u32, camera_cell: i32) -> i32 {
    let span = settings.patch_cells << level;
    let even = camera_cell.div_euclid(span) & !1;
    (even - settings.patches_across / 2) * span
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_refused_in_one_line() {
        let refuse = |cells, across| {
            ClipmapSettings { patch_cells: cells, patches_across: across }
                .check()
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(refuse(8, 6), "6 patches across; a multiple of four from 4 to 64; choose another size");
        assert_eq!(refuse(7, 8), "7 cells along a patch; an even number from 2 to 64; choose another size");
        assert!(ClipmapSettings { patch_cells: 8, patches_across: 4 }.check_drawn().is_err());
        assert!(ClipmapSettings::DRAWN.check_drawn().is_ok());
    }

    #[test]
    fn sizes_follow_the_picture() {
        let sizes = |rows: f64, triangle_pixels| {
            let pixel_angle = 2.0 * (0.5f64 * 0.785).tan() / rows;
            let ClipmapSettings { patch_cells, patches_across } =
                ClipmapSettings::for_picture(pixel_angle, triangle_pixels);
            assert!(ClipmapSettings { patch_cells, patches_across }.check_drawn().is_ok());
            [patch_cells, patches_across]
        };
        assert_eq!(sizes(90.0, 10.0), [16, 8]);
        assert_eq!(sizes(720.0, 10.0), [16, 24]);
        assert_eq!(sizes(1080.0, 10.0), [16, 32]);
        assert_eq!(sizes(1080.0, 5.0), [16, 64]);
        assert_eq!(sizes(2160.0, 5.0), [16, 64]);
        assert_eq!(sizes(1e6, 1.0), [16, 64]);
    }

    #[test]
    fn the_least_number_of_levels_covers() {
        let settings = ClipmapSettings { patch_cells: 16, patches_across: 16 };
        assert_eq!(levels_covering(settings, [128, 1]), 1);
        assert_eq!(levels_covering(settings, [129, 1]), 2);
        assert_eq!(levels_covering(settings, [2048, 2048]), 5);
    }
}
