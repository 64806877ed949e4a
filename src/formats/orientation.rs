//! From a raster as it is stored to a terrain that stands the right way up, and back.

use super::checksum::Checksum;
use super::raster::Raster;
use crate::error::{Error, Result};
use crate::geo::Georeference;
use crate::terrain::Terrain;
use glam::DVec3;

/// Which way a raster's columns and rows run, against the terrain's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orientation {
    /// Samples along columns and rows.
    pub size: [u32; 2],
    /// Whether columns and rows run the other way in the terrain.
    pub flipped: [bool; 2],
}

impl Orientation {
    /// Terrain grid column and row of a raster column and row. The same map leads back.
    pub fn terrain_from_raster(&self, sample: [f64; 2]) -> [f64; 2] {
        std::array::from_fn(|axis| {
            let last = f64::from(self.size[axis]) - 1.0;
            if self.flipped[axis] { last - sample[axis] } else { sample[axis] }
        })
    }

    /// Raster column and row of a terrain grid column and row.
    pub fn raster_from_terrain(&self, sample: [f64; 2]) -> [f64; 2] {
        self.terrain_from_raster(sample)
    }
}

impl Raster {
    /// The map between columns and rows as stored and map coordinates; column and row themselves without a
    /// geotransform.
    pub fn georeference(&self) -> Georeference {
        self.facts.geotransform.as_ref().and_then(Georeference::from_geotransform).unwrap_or_default()
    }

    /// Which way columns and rows run, against the terrain's.
    pub fn orientation(&self) -> Orientation {
        let found = self.facts.geotransform.as_ref().and_then(Georeference::from_geotransform);
        let [mirrored, along_y] = found.map_or([false; 2], |found| found.flips());
        let south_up = found.is_some() && along_y != self.facts.y_points_south;
        Orientation { size: self.size, flipped: [mirrored, south_up] }
    }

    /// The terrain in metres, north row first, centred on the world's origin.
    ///
    /// # Errors
    /// A raster of fewer than 2×2 samples, or without a valid one.
    pub fn to_terrain(&self) -> Result<Terrain> {
        let [width, depth] = self.size;
        if width < 2 || depth < 2 {
            let error =
                Error::input(format!("{width}×{depth} samples"), "at least 2×2", "choose a larger raster");
            return Err(error.in_file(&self.facts.file));
        }
        let Orientation { flipped, .. } = self.orientation();
        let mut heights = Vec::with_capacity(self.heights.len());
        for row in 0..depth as usize {
            let stored = if flipped[1] { depth as usize - 1 - row } else { row } * width as usize;
            let samples = self.heights[stored..stored + width as usize].iter();
            if flipped[0] {
                heights.extend(samples.rev().map(|height| self.metres(*height)));
            } else {
                heights.extend(samples.map(|height| self.metres(*height)));
            }
        }
        let half = |samples: u32, spacing: f64| -0.5 * f64::from(samples.saturating_sub(1)) * spacing;
        let origin = DVec3::new(half(width, self.spacing_m[0]), 0.0, half(depth, self.spacing_m[1]));
        Terrain::from_vec(width, depth, self.spacing_m, origin, heights)
            .map_err(|e| e.in_file(&self.facts.file))
    }

    /// SHA-256 of the heights as little-endian float32, row after row as given, every empty as 0x7fc00000; in
    /// lower case hexadecimal.
    pub fn checksum(&self) -> String {
        let mut checksum = Checksum::default();
        checksum.add(&self.heights);
        checksum.text()
    }

    /// In metres, rounded once; empties stay the one bit pattern.
    fn metres(&self, height: f32) -> f32 {
        if self.unit_m == 1.0 || !height.is_finite() {
            height
        } else {
            (f64::from(height) * self.unit_m) as f32
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::TestFolder;

    #[test]
    fn a_single_row_or_column_is_no_terrain_and_the_file_is_named() {
        let folder = TestFolder::new();
        for (size, text) in [("1×3", "ncols 1\nnrows 3"), ("3×1", "ncols 3\nnrows 1")] {
            let content = format!("{text}\ncellsize 1\n1 2 3");
            let raster = folder.read("thin.asc", content.as_bytes()).expect("read");
            let error = raster.to_terrain().expect_err("refused");
            assert_eq!(error.exit_code(), 3);
            let told = format!("thin.asc: {size} samples; at least 2×2; choose a larger raster");
            assert!(error.to_string().ends_with(&told), "{error}");
        }
    }
}
