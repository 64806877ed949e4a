//! The demo terrain as a raster, so that it can stand wherever a file can.

use crate::error::Result;
use crate::formats::{Facts, PixelIs, Raster, Statistics};
use crate::terrain::{Terrain, is_empty, synth};

/// What the demo terrain is called where a file has its path.
pub const NAME: &str = "demo";

/// The demo terrain.
///
/// # Errors
/// As [`synth::demo`].
pub fn raster() -> Result<Raster> {
    Ok(raster_of(&synth::demo()?))
}

/// A terrain as a raster in metres without a coordinate reference system, x and y in metres east and north of its centre.
pub fn raster_of(terrain: &Terrain) -> Raster {
    let (size, spacing_m) = (terrain.size(), terrain.spacing().to_array());
    Raster {
        size,
        heights: terrain.heights().to_vec(),
        spacing_m,
        unit_m: 1.0,
        facts: facts(terrain, size, spacing_m),
    }
}

fn facts(terrain: &Terrain, size: [u32; 2], spacing_m: [f64; 2]) -> Facts {
    let half = |axis: usize| 0.5 * f64::from(size[axis]) * spacing_m[axis];
    Facts {
        file: NAME.into(),
        format: NAME.into(),
        files: Vec::new(),
        size,
        sample_type: "f32".into(),
        compression: "none".into(),
        predictor: 1,
        band: 1,
        crs: None,
        plan_unit: None,
        geotransform: Some([-half(0), spacing_m[0], 0.0, half(1), 0.0, -spacing_m[1]]),
        y_points_south: false,
        pixel_is: PixelIs::Point,
        spacing_m,
        nodata: None,
        nodata_rule: "nothing is empty".into(),
        scale: 1.0,
        offset: 0.0,
        unit: "metre".into(),
        unit_m: 1.0,
        unit_source: "made in metres".into(),
        statistics: statistics(terrain),
        assumptions: Vec::new(),
        warnings: Vec::new(),
    }
}

fn statistics(terrain: &Terrain) -> Statistics {
    let valid = terrain.valid();
    let heights =
        || terrain.heights().iter().filter(|height| !is_empty(**height)).map(|height| f64::from(*height));
    let mean = heights().sum::<f64>() / valid as f64;
    let variance = heights().map(|height| (height - mean).powi(2)).sum::<f64>() / valid as f64;
    let (min, max) = (f64::from(*terrain.range().start()), f64::from(*terrain.range().end()));
    Statistics {
        valid,
        empty: terrain.heights().len() as u64 - valid,
        raw_min: Some(min),
        raw_max: Some(max),
        min: Some(min),
        max: Some(max),
        mean: Some(mean),
        stddev: Some(variance.sqrt()),
    }
}
