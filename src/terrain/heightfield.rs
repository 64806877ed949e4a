//! Samples on a regular grid: what is stored, where it stands, what is empty.

use super::{Bounds, Errors};
use crate::error::{Error, Result};
use glam::{DVec2, DVec3};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// The one bit pattern of an empty sample, on the CPU, in files and on the GPU.
pub const EMPTY: f32 = f32::from_bits(0x7fc0_0000);

/// Whether a stored sample is empty.
pub fn is_empty(height: f32) -> bool {
    height.to_bits() == EMPTY.to_bits()
}

/// Metres between neighbouring samples along x and z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spacing(pub DVec2);

impl From<f64> for Spacing {
    fn from(both: f64) -> Self {
        Self(DVec2::splat(both))
    }
}

impl From<[f64; 2]> for Spacing {
    fn from(axes: [f64; 2]) -> Self {
        Self(axes.into())
    }
}

/// A field of `width × depth` samples, row-major, x fastest, row 0 northernmost.
///
/// Sample (ix, iz) stands at `origin + (ix·spacing.x, height, iz·spacing.z)`.
#[derive(Debug, Clone)]
pub struct Terrain {
    width: u32,
    depth: u32,
    spacing: DVec2,
    origin: DVec3,
    heights: Vec<f32>,
    range: RangeInclusive<f32>,
    valid: u64,
    /// Built when it is first asked for.
    pub(super) bounds: OnceLock<Bounds>,
    /// Built when it is first asked for.
    pub(super) errors: OnceLock<Errors>,
}

impl Terrain {
    /// Copies the samples in. A sample that is NaN or infinite is empty.
    ///
    /// # Errors
    /// A size below 2×2, a count that is not `width × depth`, a spacing that is not positive and finite, an origin that
    /// is not finite, or a field without one valid sample.
    pub fn new(
        width: u32,
        depth: u32,
        spacing: impl Into<Spacing>,
        origin: DVec3,
        heights: &[f32],
    ) -> Result<Self> {
        Self::from_vec(width, depth, spacing, origin, heights.to_vec())
    }

    /// As [`Terrain::new`], taking the samples over.
    ///
    /// # Errors
    /// As [`Terrain::new`].
    pub fn from_vec(
        width: u32,
        depth: u32,
        spacing: impl Into<Spacing>,
        origin: DVec3,
        mut heights: Vec<f32>,
    ) -> Result<Self> {
        let Spacing(spacing) = spacing.into();
        check_shape(width, depth, spacing, origin, heights.len())?;
        let (mut low, mut high, mut valid) = (f32::INFINITY, f32::NEG_INFINITY, 0);
        for height in &mut heights {
            if height.is_finite() {
                low = low.min(*height);
                high = high.max(*height);
                valid += 1;
            } else {
                *height = EMPTY;
            }
        }
        if valid == 0 {
            return Err(Error::input(
                format!("none of {width}×{depth} samples is valid"),
                "at least one height",
                "check the empty value of the data",
            ));
        }
        let range = low..=high;
        let (bounds, errors) = (OnceLock::new(), OnceLock::new());
        Ok(Self { width, depth, spacing, origin, heights, range, valid, bounds, errors })
    }

    /// Samples along x and z.
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.depth]
    }

    /// Cells along x and z: one less than the samples.
    pub fn cells(&self) -> [u32; 2] {
        [self.width - 1, self.depth - 1]
    }

    /// Metres between neighbouring samples along x and z.
    pub fn spacing(&self) -> DVec2 {
        self.spacing
    }

    /// World position of sample (0, 0) at height 0.
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Metres from the first to the last sample along x.
    pub fn extent_x(&self) -> f64 {
        f64::from(self.width - 1) * self.spacing.x
    }

    /// Metres from the first to the last sample along z.
    pub fn extent_z(&self) -> f64 {
        f64::from(self.depth - 1) * self.spacing.y
    }

    /// The stored heights, without the origin's; empties are [`EMPTY`].
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Least and greatest stored height, empties left out.
    pub fn range(&self) -> RangeInclusive<f32> {
        self.range.clone()
    }

    /// How many samples are valid.
    pub fn valid(&self) -> u64 {
        self.valid
    }

    /// Whether any sample is empty.
    pub fn has_empties(&self) -> bool {
        self.valid < self.heights.len() as u64
    }

    /// The stored height at a sample, clamped to the field; [`EMPTY`] where there is none.
    pub fn stored(&self, ix: i64, iz: i64) -> f32 {
        let x = ix.clamp(0, i64::from(self.width) - 1) as usize;
        let z = iz.clamp(0, i64::from(self.depth) - 1) as usize;
        self.heights[z * self.width as usize + x]
    }

    /// The world height at a sample, clamped to the field; `None` where it is empty.
    pub fn sample(&self, ix: i64, iz: i64) -> Option<f64> {
        let stored = self.stored(ix, iz);
        (!is_empty(stored)).then(|| f64::from(stored) + self.origin.y)
    }
}

fn check_shape(width: u32, depth: u32, spacing: DVec2, origin: DVec3, count: usize) -> Result<()> {
    let bad = |found: String, expected: &str| Err(Error::usage(found, expected, "correct the value"));
    if width < 2 || depth < 2 {
        return bad(format!("a field of {width}×{depth} samples"), "at least 2×2");
    }
    if !(spacing.is_finite() && spacing.cmpgt(DVec2::ZERO).all()) {
        return bad(format!("a spacing of {} by {} m", spacing.x, spacing.y), "positive metres");
    }
    if !origin.is_finite() {
        return bad(format!("an origin at {origin}"), "finite metres");
    }
    let expected = u64::from(width) * u64::from(depth);
    if count as u64 != expected {
        return bad(format!("{count} heights"), &format!("{expected} for {width}×{depth} samples"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_shapes_say_what_came_and_what_was_expected() {
        let message = |width, depth, spacing: f64, count| {
            Terrain::new(width, depth, spacing, DVec3::ZERO, &vec![0.0; count])
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(message(3, 2, 1.0, 5), "5 heights; 6 for 3×2 samples; correct the value");
        assert_eq!(message(1, 2, 1.0, 2), "a field of 1×2 samples; at least 2×2; correct the value");
        assert!(message(2, 2, 0.0, 4).starts_with("a spacing of 0 by 0 m"));
        assert!(message(2, 2, f64::NAN, 4).starts_with("a spacing of NaN"));
    }

    #[test]
    fn samples_clamp_add_the_origin_and_keep_empties_apart() {
        let terrain =
            Terrain::new(2, 2, 3.0, DVec3::new(1.0, 10.0, 2.0), &[1.0, 2.0, f32::NAN, f32::INFINITY])
                .expect("built");
        assert_eq!(terrain.sample(-5, -5), Some(11.0));
        assert_eq!(terrain.sample(9, -1), Some(12.0));
        assert_eq!(terrain.sample(0, 1), None);
        assert_eq!((terrain.valid(), terrain.has_empties(), terrain.range()), (2, true, 1.0..=2.0));
        assert!(terrain.heights()[2..].iter().all(|h| is_empty(*h)));
    }

    #[test]
    fn a_field_without_a_valid_sample_is_an_input_error() {
        let error = Terrain::new(2, 2, 1.0, DVec3::ZERO, &[f32::NAN; 4]).expect_err("refused");
        assert_eq!(error.exit_code(), 3);
    }
}
