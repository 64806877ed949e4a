//! The same view over fields of more and more samples: what a frame costs, and what grows.

use crate::fields;
use crate::flights::{options, scale};
use crate::markdown::{megabytes, milliseconds, table};
use glam::DVec3;
use orograph::clipmap::Viewpoint;
use orograph::error::Result;
use orograph::frame::{Counts, FrameInput, FrameTimes, Offscreen, Renderer, detail_on};
use orograph::gpu::Gpu;
use orograph::passes::Look;
use std::sync::Arc;

/// One field and what its pictures cost.
struct Grown {
    side: u32,
    renderer: Renderer,
    times: FrameTimes,
    counts: Counts,
}

/// The costs as a table, and the largest field's against the smallest's.
///
/// # Errors
/// A picture that cannot be drawn.
pub fn figures(gpu: &Gpu) -> Result<String> {
    let (sizes, frames) = scale(gpu);
    let size = sizes[0];
    let mut fields =
        fields::SIDES.iter().map(|side| prepared(gpu, *side, size)).collect::<Result<Vec<_>>>()?;
    let picture = Offscreen::new(gpu, size);
    let look = Look::natural(315_f64.to_radians(), 45_f64.to_radians(), 1e4);
    let view = Viewpoint { detail: detail_on(gpu), ..fields::view(size) };
    let input = FrameInput { view, look, wireframe: false };
    for field in &mut fields {
        eprintln!("looking down on {}² samples", field.side);
        field.renderer.draw(gpu, &input, picture.view())?;
        gpu.wait()?;
        field.renderer.finished_times();
    }
    // In turn, so that whatever else the machine does falls on all of them.
    for _ in 0..frames {
        for field in &mut fields {
            field.counts = field.times.draw(gpu, &mut field.renderer, &input, picture.view())?;
        }
    }
    told(gpu, &fields, size)
}

fn prepared(gpu: &Gpu, side: u32, size: [u32; 2]) -> Result<Grown> {
    let renderer = Renderer::new(gpu, Arc::new(fields::field(side)?), DVec3::ZERO, options(gpu, size))?;
    Ok(Grown { side, renderer, times: FrameTimes::default(), counts: Counts::default() })
}

fn told(gpu: &Gpu, fields: &[Grown], size: [u32; 2]) -> Result<String> {
    let [first, .., last] = fields else { return Ok(String::new()) };
    let passes: Vec<String> = first.times.passes().map(|(name, _)| name.to_owned()).collect();
    let title = format!("{}×{} {}, p50 ms", size[0], size[1], first.renderer.path().name());
    let counted = ["tested", "patches", "triangles", "GPU MB"].map(str::to_owned);
    let heading = [&[title, "frame".to_owned()], &passes[..], &counted].concat();
    let rows = fields.iter().map(|field| row(gpu, field)).collect::<Result<Vec<_>>>()?;
    let frame = last.times.frame().p50_ms / first.times.frame().p50_ms;
    let triangles =
        f64::from(last.renderer.drawn(gpu)?.triangles) / f64::from(first.renderer.drawn(gpu)?.triangles);
    let doublings = u64::from((last.side / first.side).ilog2());
    let grown = (last.renderer.gpu_bytes() - first.renderer.gpu_bytes()) / doublings;
    Ok(format!(
        "{}\n{}² against {}² samples: frame {frame:.2}×, triangles {triangles:.2}×; {} MB on the GPU a doubling.\n",
        table(&heading, &rows),
        last.side,
        first.side,
        megabytes(grown)
    ))
}

fn row(gpu: &Gpu, field: &Grown) -> Result<Vec<String>> {
    let times = [field.times.frame()].into_iter().chain(field.times.passes().map(|(_, times)| times));
    let drawn = field.renderer.drawn(gpu)?;
    let counted = [
        field.counts.patches_tested.to_string(),
        drawn.patches.to_string(),
        drawn.triangles.to_string(),
        megabytes(field.renderer.gpu_bytes()),
    ];
    let name = format!("{}² samples", field.side);
    Ok([name].into_iter().chain(times.map(|times| milliseconds(times.p50_ms))).chain(counted).collect())
}
