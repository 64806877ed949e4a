//! What the CPU takes to decide a picture and to answer about the ground.

use crate::fields;
use crate::markdown::table;
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Planner, Viewpoint, clipmap_patches};
use orograph::error::Result;
use orograph::mirror;
use orograph::source::Source;
use orograph::terrain::Terrain;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Batches of calls, of which the median counts.
const BATCHES: usize = 31;
/// The shortest that a batch may take: the clock's own time is then nothing.
const BATCH: Duration = Duration::from_millis(2);

/// The medians as a table.
///
/// # Errors
/// A field that cannot be planned.
pub fn figures(demo: &Terrain) -> Result<String> {
    let source = fields::field(fields::SIDES[3])?;
    let view = fields::view([1920, 1080]);
    let mut planner = Planner::new(ClipmapSettings::DRAWN, &source, DVec3::ZERO)?;
    let plan = planner.plan(&source, &view)?;
    let mut step = 0;
    let (origin, direction) = (DVec3::new(-5000.0, 2600.0, -4000.0), DVec3::new(1.0, -0.15, 0.9));
    let medians = [
        ("plan a picture, the camera still", median(|| planner.plan(&source, &view).is_ok())),
        (
            "plan a picture, the camera moving",
            median(|| {
                step += 1;
                planner.plan(&source, &moved(&view, step)).is_ok()
            }),
        ),
        ("list the patches of a picture", median(|| clipmap_patches(black_box(&plan.frame)))),
        ("select them as the GPU does", median(|| mirror::select(black_box(&plan), &source))),
        ("height at a point", median(|| demo.height_at(black_box(123.4), black_box(-987.6)))),
        ("where a ray meets the ground", median(|| demo.raycast(black_box(origin), black_box(direction)))),
    ];
    let side = source.size()[0];
    let heading = [format!("on the CPU, field of {side}² samples, demo terrain"), "µs".to_owned()];
    let row = |(what, time): (&str, f64)| vec![what.to_owned(), format!("{time:.3}")];
    Ok(table(&heading, &medians.map(row)))
}

/// The view some steps of a cell further to the east.
fn moved(view: &Viewpoint, steps: u32) -> Viewpoint {
    let eye = view.camera.eye + DVec3::X * f64::from(steps % 1000) * 10.0;
    Viewpoint { camera: Camera { eye, ..view.camera }, ..*view }
}

/// The median time of a call, microseconds.
fn median<T>(mut call: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..BATCHES).map(|_| batch(&mut call)).collect();
    times.sort_by(f64::total_cmp);
    times[BATCHES / 2]
}

/// The mean time of a call over one batch, microseconds.
fn batch<T>(call: &mut impl FnMut() -> T) -> f64 {
    let (begin, mut calls) = (Instant::now(), 0);
    while begin.elapsed() < BATCH {
        for _ in 0..8 {
            black_box(call());
        }
        calls += 8;
    }
    begin.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
}
