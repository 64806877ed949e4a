//! The same picture with patches left out and with all of them: a patch that is rightly left out changes no pixel.

use crate::clipmap::Culling;
use crate::error::Result;
use crate::frame::{FrameInput, Renderer};
use crate::gpu::Gpu;

/// What a pixel shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Shown {
    /// The index of the patch in its frame; none where background is seen.
    pub patch: Option<u32>,
    /// The triangle of the patch.
    pub triangle: u32,
    /// The float bits of the depth.
    pub depth_bits: u32,
}

/// What every pixel of the last picture shows, row by row. Places in the list depend on what is culled, indices of patches do not.
///
/// # Errors
/// The device was lost.
pub fn shown_pixels(gpu: &Gpu, renderer: &Renderer) -> Result<Vec<Shown>> {
    let Some(targets) = renderer.targets() else { return Ok(Vec::new()) };
    let instances = renderer.select().read_instances(gpu)?;
    let layout = renderer.id_layout();
    let pixels = targets.read_visibility(gpu)?;
    let shown = |[id, depth_bits]: [u32; 2]| {
        let place = id >> layout.triangle_bits & ((1 << layout.instance_bits) - 1);
        let instance = instances.get(place as usize).filter(|_| id != 0);
        Shown {
            patch: instance.map(|instance| instance.index),
            triangle: id & ((1 << layout.triangle_bits) - 1),
            depth_bits,
        }
    };
    Ok(pixels.into_iter().map(shown).collect())
}

/// Pixels that show something else with patches left out than with all of them.
pub fn culled_pixels(all: &[Shown], culled: &[Shown]) -> u64 {
    let differing = all.iter().zip(culled).filter(|(all, culled)| all != culled);
    (differing.count() + all.len().abs_diff(culled.len())) as u64
}

/// How often a picture is drawn: by what the one before has shown, whatever that was, then twice by what it has itself. Without a picture
/// before, the first draws everything, and the second finds what is hidden.
const TURNS: u32 = 3;

/// Pixels that change where what nearer ground hides is left out. `all`: drawn with every patch.
pub(super) fn compare_culling(
    gpu: &Gpu,
    renderer: &mut Renderer,
    input: &FrameInput,
    all: &[Shown],
) -> Result<u64> {
    let mut input = *input;
    input.view.culling = Culling::Occlusion;
    let mut changed = 0;
    for _ in 0..TURNS {
        renderer.draw_visibility(gpu, &input)?;
        changed += culled_pixels(all, &shown_pixels(gpu, renderer)?);
    }
    Ok(changed)
}
