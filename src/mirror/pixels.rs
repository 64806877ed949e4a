//! The whole visibility buffer by the CPU, from the GPU's snapped vertices.

use super::raster::{OwnsEdge, RasterVertex, rasterise};
use super::triangle_corners;
use crate::clipmap::FramePlan;
use crate::gpu::IdLayout;
use crate::passes::VertexProbe;
use crate::terrain::EMPTY;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the CPU rasteriser says of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MirrorPixels {
    /// A word a pixel as the compute path writes it: the id below the float bits of the depth; 0 for background.
    pub words: Vec<u64>,
    /// Ids of triangles that have to be clipped, which the mirror does not draw, sorted.
    pub clipped: Vec<u32>,
}

/// Rasterises the patches of a picture by a fill rule. `vertices`: the GPU's, row by row of each patch in the order of the list.
pub fn mirror_pixels(
    plan: &FramePlan,
    ids: IdLayout,
    owns_edge: OwnsEdge,
    vertices: &[VertexProbe],
) -> MirrorPixels {
    let cells = plan.frame.settings.patch_cells;
    let each = (cells as usize + 1).pow(2);
    let size = plan.view.size;
    let words: Vec<AtomicU64> = (0..size[0] * size[1]).map(|_| AtomicU64::new(0)).collect();
    let mut clipped: Vec<u32> = vertices
        .par_chunks(each)
        .enumerate()
        .flat_map_iter(|(instance, patch)| {
            let words = &words;
            (0..2 * (cells * cells) as u32).filter_map(move |triangle| {
                let id = IdLayout::TERRAIN << 30 | (instance as u32) << ids.triangle_bits | triangle;
                let corners = triangle_corners(triangle, cells).map(|corner| &patch[corner]);
                (!draw(corners, id, size, owns_edge, words)).then_some(id)
            })
        })
        .collect();
    clipped.sort_unstable();
    MirrorPixels { words: words.into_iter().map(AtomicU64::into_inner).collect(), clipped }
}

/// Draws a triangle unless it touches an empty sample; false where it has to be clipped.
fn draw(
    corners: [&VertexProbe; 3],
    id: u32,
    size: [u32; 2],
    owns_edge: OwnsEdge,
    words: &[AtomicU64],
) -> bool {
    if corners.iter().any(|corner| corner.height_bits == EMPTY.to_bits()) {
        return true;
    }
    if corners.iter().any(|corner| corner.sound == 0) {
        return false;
    }
    let corners = corners.map(|corner| RasterVertex {
        x: corner.snapped[0],
        y: corner.snapped[1],
        z: f32::from_bits(corner.depth_bits),
    });
    rasterise(corners, size, owns_edge, |x, y, depth| {
        let word = u64::from(depth) << 32 | u64::from(id);
        words[(y * size[0] + x) as usize].fetch_max(word, Ordering::Relaxed);
    });
    true
}

/// Differences between the GPU's picture and the mirror's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PixelComparison {
    /// Pixels with another word, those of clipped triangles left out.
    pub mismatches: u64,
    /// Pixels that show a clipped triangle, which are not compared.
    pub clipped: u64,
}

/// Compares the GPU's pixels, id and depth bits, with the mirror's.
pub fn compare_pixels(gpu: &[[u32; 2]], mirror: &MirrorPixels) -> PixelComparison {
    let mut found = PixelComparison { mismatches: gpu.len().abs_diff(mirror.words.len()) as u64, clipped: 0 };
    for ([id, depth], word) in gpu.iter().zip(&mirror.words) {
        if mirror.clipped.binary_search(id).is_ok() {
            found.clipped += 1;
        } else if u64::from(*depth) << 32 | u64::from(*id) != *word {
            found.mismatches += 1;
        }
    }
    found
}
