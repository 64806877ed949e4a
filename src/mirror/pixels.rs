//! The whole visibility buffer by the CPU, from what the GPU says of its triangles' corners.

use super::raster::{OwnsEdge, RasterVertex, rasterise};
use super::triangle_corners;
use crate::clipmap::FramePlan;
use crate::error::Result;
use crate::frame::Renderer;
use crate::gpu::{Gpu, IdLayout};
use crate::passes::{DrawnPatch, PolygonProbe, VertexProbe};
use crate::terrain::EMPTY;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the corners of a picture's triangles stand, by the GPU.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlines {
    /// The drawn patches in the order of the list.
    pub patches: Vec<DrawnPatch>,
    /// The triangles that have to be clipped, by id.
    pub clipped: Vec<(u32, PolygonProbe)>,
}

impl Outlines {
    /// Reads those of the last picture.
    ///
    /// # Errors
    /// The device was lost.
    pub fn read(gpu: &Gpu, renderer: &Renderer, plan: &FramePlan) -> Result<Self> {
        let patches = renderer.read_patches(gpu)?;
        let layout = renderer.id_layout();
        let ids: Vec<u32> = patches
            .par_iter()
            .enumerate()
            .flat_map_iter(|patch| triangles(plan, layout, patch))
            .filter(|(_, corners)| !is_empty(corners) && !is_sound(corners))
            .map(|(id, _)| id)
            .collect();
        let polygons = renderer.read_polygons(gpu, &ids)?;
        Ok(Self { patches, clipped: ids.into_iter().zip(polygons).collect() })
    }

    /// Calls `draw` with the id and the corners of everything that is drawn: triangles, and those that clipping cut one into.
    pub fn for_each_triangle(
        &self,
        plan: &FramePlan,
        ids: IdLayout,
        draw: impl Fn(u32, [RasterVertex; 3]) + Sync,
    ) {
        self.patches.par_iter().enumerate().for_each(|patch| {
            for (id, corners) in triangles(plan, ids, patch) {
                if !is_empty(&corners) && is_sound(&corners) {
                    draw(id, corners.map(vertex));
                }
            }
        });
        self.clipped.par_iter().for_each(|(id, polygon)| {
            for last in 2..polygon.count as usize {
                draw(*id, [0, last - 1, last].map(|k| corner(polygon, k)));
            }
        });
    }
}

/// Rasterises a picture by a fill rule: a word a pixel as the compute path writes it, the id below the float bits of the depth; 0 for
/// background.
pub fn mirror_pixels(plan: &FramePlan, ids: IdLayout, owns_edge: OwnsEdge, outlines: &Outlines) -> Vec<u64> {
    let size = plan.view.size;
    let words: Vec<AtomicU64> = (0..size[0] * size[1]).map(|_| AtomicU64::new(0)).collect();
    outlines.for_each_triangle(plan, ids, |id, corners| {
        rasterise(corners, size, owns_edge, |x, y, depth| {
            let word = u64::from(depth) << 32 | u64::from(id);
            words[(y * size[0] + x) as usize].fetch_max(word, Ordering::Relaxed);
        });
    });
    words.into_iter().map(AtomicU64::into_inner).collect()
}

/// Pixels at which the GPU's picture, ids and depth bits, has another word.
pub fn compare_pixels(gpu: &[[u32; 2]], mirror: &[u64]) -> u64 {
    let differing = gpu
        .iter()
        .zip(mirror)
        .filter(|([id, depth], word)| u64::from(*depth) << 32 | u64::from(*id) != **word);
    (differing.count() + gpu.len().abs_diff(mirror.len())) as u64
}

/// The ids and corners of the triangles of a patch with its place in the list.
fn triangles<'a>(
    plan: &FramePlan,
    ids: IdLayout,
    (number, patch): (usize, &'a DrawnPatch),
) -> impl Iterator<Item = (u32, [&'a VertexProbe; 3])> {
    let cells = patch.instance.drawn_cells(plan.frame.settings.patch_cells);
    (0..2 * (cells * cells) as u32).map(move |triangle| {
        let id = IdLayout::TERRAIN << 30 | (number as u32) << ids.triangle_bits | triangle;
        (id, triangle_corners(triangle, cells).map(|corner| &patch.vertices[corner]))
    })
}

fn is_empty(corners: &[&VertexProbe; 3]) -> bool {
    corners.iter().any(|corner| corner.height_bits == EMPTY.to_bits())
}

fn is_sound(corners: &[&VertexProbe; 3]) -> bool {
    corners.iter().all(|corner| corner.sound != 0)
}

fn vertex(probe: &VertexProbe) -> RasterVertex {
    RasterVertex { x: probe.snapped[0], y: probe.snapped[1], z: f32::from_bits(probe.depth_bits) }
}

fn corner(polygon: &PolygonProbe, k: usize) -> RasterVertex {
    let [x, y, z] = [0, 1, 2].map(|part| polygon.corners[3 * k + part]);
    RasterVertex { x, y, z: f32::from_bits(z.cast_unsigned()) }
}
