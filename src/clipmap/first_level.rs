//! The finest level worth drawing, by height over ground.

use super::Density;

/// Chooses the first drawn level so that triangles are at most as wide as wanted where the ground is nearest, and more than half that.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FirstLevel {
    level: u32,
}

impl FirstLevel {
    /// A level changes only when the ideal one is past its border by this factor in triangle width.
    const HYSTERESIS: f64 = 1.1;

    /// The level for triangles `cells_wide` cells wide, with hysteresis.
    pub fn update(&mut self, cells_wide: f64, levels: u32) -> u32 {
        let ideal = ideal(cells_wide);
        let margin = Self::HYSTERESIS.log2();
        let current = f64::from(self.level);
        if ideal > current + 1.0 + margin || ideal < current - margin {
            self.level = ideal.floor().max(0.0) as u32;
        }
        self.level = self.level.min(levels - 1);
        self.level
    }

    /// As [`FirstLevel::update`] without hysteresis, with how far that level has faded into the next, 0 … [`Density::FADED`]: all of it
    /// just before the next takes over, and none until half an octave before.
    pub fn update_continuously(&mut self, cells_wide: f64, levels: u32) -> (u32, u32) {
        let ideal = ideal(cells_wide).max(0.0);
        self.level = (ideal.floor() as u32).min(levels - 1);
        let over = ideal - f64::from(self.level);
        let fade = if self.level + 1 == levels { 0.0 } else { (over * 2.0 - 1.0).clamp(0.0, 1.0) };
        (self.level, (fade * f64::from(Density::FADED)).round() as u32)
    }
}

fn ideal(cells_wide: f64) -> f64 {
    cells_wide.max(f64::MIN_POSITIVE).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_holds_within_ten_percent_of_its_border() {
        let mut first = FirstLevel::default();
        let mut at = |distance: f64| first.update(distance * 0.004, 8);
        assert_eq!(at(499.0), 0);
        assert_eq!(at(549.0), 0, "0.1 % short of ten percent past the border");
        assert_eq!(at(551.0), 1);
        assert_eq!(at(460.0), 1);
        assert_eq!(at(450.0), 0);
        assert_eq!(at(1e9), 7);
        assert_eq!(at(0.0), 0);
        assert_eq!(at(f64::NAN), 0);
    }

    #[test]
    fn a_level_has_faded_when_the_next_takes_over() {
        let mut first = FirstLevel::default();
        let mut at = |distance: f64| first.update_continuously(distance * 0.004, 3);
        assert_eq!(at(353.0), (0, 0), "just short of half an octave over the level");
        assert_eq!(at(499.99), (0, 128));
        assert_eq!(at(500.0), (1, 0));
        assert_eq!(at(1e9), (2, 0), "the coarsest level has nothing to fade into");
        assert_eq!(at(0.0), (0, 0));
        assert_eq!(at(f64::NAN), (0, 0));
    }
}
