//! How much heights are drawn over their true measure.

/// The steps of the exaggeration.
const STEPS: [f64; 6] = [1.0, 1.5, 2.0, 3.0, 5.0, 10.0];

/// A factor on drawn heights: one of the steps, or what the command line asked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exaggeration(f64);

impl Default for Exaggeration {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Exaggeration {
    /// A factor; what is not positive and finite becomes 1.
    pub fn new(factor: f64) -> Self {
        if factor.is_finite() && factor > 0.0 { Self(factor) } else { Self::default() }
    }

    /// The factor.
    pub fn factor(self) -> f64 {
        self.0
    }

    /// The next greater step.
    #[must_use]
    pub fn up(self) -> Self {
        Self(STEPS.into_iter().find(|step| *step > self.0).unwrap_or(self.0))
    }

    /// The next smaller step.
    #[must_use]
    pub fn down(self) -> Self {
        Self(STEPS.into_iter().rev().find(|step| *step < self.0).unwrap_or(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_up_and_down_and_stop_at_the_ends() {
        let mut up = vec![Exaggeration::default()];
        while up.last().is_some_and(|last| last.up() != *last) {
            up.push(up[up.len() - 1].up());
        }
        assert_eq!(up.iter().map(|step| step.factor()).collect::<Vec<_>>(), STEPS);
        assert_eq!(Exaggeration::new(10.0).down().factor(), 5.0);
        assert_eq!(Exaggeration::default().down().factor(), 1.0);
        assert_eq!(
            (Exaggeration::new(2.5).up().factor(), Exaggeration::new(2.5).down().factor()),
            (3.0, 2.0)
        );
        assert_eq!(Exaggeration::new(f64::NAN), Exaggeration::default());
    }
}
