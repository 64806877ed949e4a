//! Crack pixels: background whose ray meets a triangle of the mirror's list.
//!
//! The mirror rasterises in homogeneous coordinates (Olano and Greer, "Triangle scan conversion using 2D homogeneous
//! coordinates", 1997) in double precision, so that triangles through the eye's plane need no clipping. It asks five rays
//! a pixel, the middle and four beside it: at the terrain's outline the GPU's subpixels may round either way, and there at least one ray
//! misses; at a crack within the terrain all five meet a triangle.

use super::{MirrorVertex, triangle_corners};
use crate::clipmap::FramePlan;
use crate::terrain::is_empty;
use glam::{DVec3, DVec4};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering};

/// Distance of the four outer rays from a pixel's middle, pixels: four of the GPU's subpixels.
const APART: f64 = 1.0 / 64.0;
const RAYS: [[f64; 2]; 5] = [[0.0, 0.0], [APART, APART], [-APART, APART], [APART, -APART], [-APART, -APART]];
const ALL_RAYS: u8 = (1 << RAYS.len()) - 1;
/// Triangles this much beyond the near plane count as visible.
const NEAR_MARGIN: f64 = 1.001;

/// Counts crack pixels. `ids`: the GPU's visibility, row by row, 0 for background; `patches`: the vertices of each of
/// the mirror's patches.
pub fn crack_pixels(plan: &FramePlan, ids: &[u32], patches: &[Vec<MirrorVertex>]) -> u64 {
    let met: Vec<AtomicU8> = ids.iter().map(|id| AtomicU8::new(if *id == 0 { 0 } else { u8::MAX })).collect();
    patches.par_iter().for_each(|vertices| meet_patch(plan, vertices, &met));
    met.iter().filter(|rays| rays.load(Ordering::Relaxed) == ALL_RAYS).count() as u64
}

fn meet_patch(plan: &FramePlan, vertices: &[MirrorVertex], met: &[AtomicU8]) {
    let matrix = plan.view.camera.clip_from_offset(plan.anchor, plan.view.size).as_dmat4();
    let size = plan.view.size.map(f64::from);
    let places: Vec<DVec3> = vertices
        .iter()
        .map(|vertex| {
            let [x, y, z] = vertex.offset.map(f64::from);
            let clip = matrix * DVec4::new(x, y, z, 1.0);
            // Pixels times w, and w.
            DVec3::new((clip.w + clip.x) * 0.5 * size[0], (clip.w - clip.y) * 0.5 * size[1], clip.w)
        })
        .collect();
    let cells = plan.frame.settings.patch_cells;
    for triangle in 0..2 * (cells * cells) as u32 {
        let corners = triangle_corners(triangle, cells);
        if corners.iter().all(|&corner| !is_empty(vertices[corner].height)) {
            meet_triangle(plan, corners.map(|corner| places[corner]), met);
        }
    }
}

fn meet_triangle(plan: &FramePlan, corners: [DVec3; 3], met: &[AtomicU8]) {
    let near = plan.view.camera.near;
    let Some([x0, x1, y0, y1]) = pixel_bounds(corners, near, plan.view.size) else { return };
    let [a, b, c] = corners;
    let determinant = a.dot(b.cross(c));
    if determinant == 0.0 {
        return;
    }
    let edges = [b.cross(c), c.cross(a), a.cross(b)].map(|edge| edge / determinant);
    let sum = edges[0] + edges[1] + edges[2];
    for y in y0..=y1 {
        for x in x0..=x1 {
            let slot = &met[(y * plan.view.size[0] + x) as usize];
            if slot.load(Ordering::Relaxed) & ALL_RAYS == ALL_RAYS {
                continue;
            }
            let mut rays = 0;
            for (bit, ray) in RAYS.iter().enumerate() {
                let at = DVec3::new(f64::from(x) + 0.5 + ray[0], f64::from(y) + 0.5 + ray[1], 1.0);
                let inverse_w = sum.dot(at);
                let inside = edges.iter().all(|edge| edge.dot(at) >= 0.0);
                if inside && inverse_w > 0.0 && inverse_w * near * NEAR_MARGIN < 1.0 {
                    rays |= 1 << bit;
                }
            }
            slot.fetch_or(rays, Ordering::Relaxed);
        }
    }
}

/// First and last pixel that a triangle may meet along x and y; the whole picture where it passes the eye's plane.
fn pixel_bounds(corners: [DVec3; 3], near: f64, size: [u32; 2]) -> Option<[u32; 4]> {
    if corners.iter().all(|corner| corner.z < near) {
        return None;
    }
    let whole = [0, size[0] - 1, 0, size[1] - 1];
    if corners.iter().any(|corner| corner.z < near) {
        return Some(whole);
    }
    let places = corners.map(|corner| corner.truncate() / corner.z);
    let low = places[0].min(places[1]).min(places[2]) - 1.0;
    let high = places[0].max(places[1]).max(places[2]) + 1.0;
    let outside = high.x < 0.0 || high.y < 0.0 || low.x > f64::from(size[0]) || low.y > f64::from(size[1]);
    let clamp = |at: f64, limit: u32| at.clamp(0.0, f64::from(limit - 1)) as u32;
    (!outside).then(|| {
        [clamp(low.x, size[0]), clamp(high.x, size[0]), clamp(low.y, size[1]), clamp(high.y, size[1])]
    })
}
