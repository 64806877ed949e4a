//! Crack pixels: background whose ray meets a triangle of the mirror's list.
//!
//! The mirror rasterises in homogeneous coordinates (Olano and Greer, "Triangle scan conversion using 2D homogeneous
//! coordinates", 1997) in double precision, so that triangles through the eye's plane need no clipping. It asks five rays
//! a pixel, its sample and four beside it: at the ground's outline the GPU's subpixels may round either way, and there at
//! least one ray misses; at a crack all five meet one connected sheet of triangles. Where the outlines of two sheets meet in a pixel, each
//! may miss some rays, and that is no crack either.

use super::vertices::place_in_picture;
use super::{MirrorVertex, triangle_corners};
use crate::clipmap::FramePlan;
use crate::terrain::is_empty;
use glam::{DVec3, DVec4};
use rayon::prelude::*;
use std::collections::HashMap;

/// Distance of the four outer rays from a pixel's sample, pixels: sixteen of the GPU's subpixels, so that no corner of the outline that the
/// GPU rounds away still holds all rays.
const APART: f64 = 1.0 / 16.0;
const RAYS: [[f64; 2]; 5] = [[0.0, 0.0], [APART, APART], [-APART, APART], [APART, -APART], [-APART, -APART]];
const ALL_RAYS: u8 = (1 << RAYS.len()) - 1;
/// Triangles this much beyond the near plane count as visible.
const NEAR_MARGIN: f64 = 1.001;
/// Hits nearer than this share of their triangle's greatest distance do not count: there single precision no longer places the
/// triangle within a pixel.
const NEAREST_SHARE: f64 = 1.0 / 4096.0;

/// A triangle that some rays of a background pixel meet.
struct Meeting {
    pixel: u32,
    rays: u8,
    samples: [[i32; 2]; 3],
}

/// Counts crack pixels. `ids`: the GPU's visibility, row by row, 0 for background; `patches`: the vertices of each of
/// the mirror's patches.
pub fn crack_pixels(plan: &FramePlan, ids: &[u32], patches: &[Vec<MirrorVertex>]) -> u64 {
    if !ids.contains(&0) {
        return 0;
    }
    let meetings: Vec<Meeting> =
        patches.par_iter().flat_map_iter(|patch| meet_patch(plan, patch, ids)).collect();
    let mut by_pixel: HashMap<u32, Vec<Meeting>> = HashMap::new();
    for meeting in meetings {
        by_pixel.entry(meeting.pixel).or_default().push(meeting);
    }
    by_pixel.into_values().filter(|meetings| one_sheet_meets_all(meetings)).count() as u64
}

/// Whether triangles that hang together by common samples meet all rays.
fn one_sheet_meets_all(meetings: &[Meeting]) -> bool {
    let mut left: Vec<&Meeting> = meetings.iter().collect();
    while let Some(first) = left.pop() {
        let mut rays = first.rays;
        let mut samples = first.samples.to_vec();
        // Each round takes in what touches the sheet so far.
        loop {
            let (touching, apart): (Vec<_>, Vec<_>) = left
                .into_iter()
                .partition(|other| other.samples.iter().any(|sample| samples.contains(sample)));
            left = apart;
            if touching.is_empty() {
                break;
            }
            for meeting in touching {
                rays |= meeting.rays;
                samples.extend(meeting.samples);
            }
        }
        if rays == ALL_RAYS {
            return true;
        }
    }
    false
}

fn meet_patch(plan: &FramePlan, vertices: &[MirrorVertex], ids: &[u32]) -> Vec<Meeting> {
    let matrix = plan.view.camera.clip_from_offset(plan.anchor, plan.view.size).as_dmat4();
    let places: Vec<DVec3> = vertices
        .iter()
        .map(|vertex| {
            let [x, y, z] = vertex.offset.map(f64::from);
            place_in_picture(&plan.view, matrix * DVec4::new(x, y, z, 1.0))
        })
        .collect();
    let cells = vertices.len().isqrt() as i32 - 1;
    let mut meetings = Vec::new();
    for triangle in 0..2 * (cells * cells) as u32 {
        let corners = triangle_corners(triangle, cells);
        if corners.iter().all(|&corner| !is_empty(vertices[corner].height)) {
            let samples = corners.map(|corner| vertices[corner].sample);
            meet_triangle(plan, corners.map(|corner| places[corner]), ids, |pixel, rays| {
                meetings.push(Meeting { pixel, rays, samples });
            });
        }
    }
    meetings
}

/// Calls `met(pixel, rays)` for every background pixel of which rays meet a triangle.
fn meet_triangle(plan: &FramePlan, corners: [DVec3; 3], ids: &[u32], mut met: impl FnMut(u32, u8)) {
    let near = plan.view.camera.near;
    let Some([x0, x1, y0, y1]) = pixel_bounds(corners, near, plan.view.size) else { return };
    let [a, b, c] = corners;
    let determinant = a.dot(b.cross(c));
    if determinant == 0.0 {
        return;
    }
    let edges = [b.cross(c), c.cross(a), a.cross(b)].map(|edge| edge / determinant);
    let sum = edges[0] + edges[1] + edges[2];
    let furthest = a.z.abs().max(b.z.abs()).max(c.z.abs());
    let nearest = (near * NEAR_MARGIN).max(furthest * NEAREST_SHARE);
    for y in y0..=y1 {
        for x in x0..=x1 {
            let pixel = y * plan.view.size[0] + x;
            if ids[pixel as usize] != 0 {
                continue;
            }
            let mut rays = 0;
            for (bit, ray) in RAYS.iter().enumerate() {
                let at = DVec3::new(f64::from(x) + 0.5 + ray[0], f64::from(y) + 0.5 + ray[1], 1.0);
                let inverse_w = sum.dot(at);
                let inside = edges.iter().all(|edge| edge.dot(at) >= 0.0);
                if inside && inverse_w > 0.0 && inverse_w * nearest < 1.0 {
                    rays |= 1 << bit;
                }
            }
            if rays != 0 {
                met(pixel, rays);
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(rays: u8, samples: [[i32; 2]; 3]) -> Meeting {
        Meeting { pixel: 0, rays, samples }
    }

    #[test]
    fn two_sheets_that_each_miss_a_ray_are_no_crack_and_one_sheet_is() {
        let (near, far) = ([[0, 0], [1, 1], [1, 0]], [[9, 9], [10, 10], [10, 9]]);
        assert!(!one_sheet_meets_all(&[meeting(0b00111, near), meeting(0b11100, far)]));
        let beside = [[0, 0], [0, 1], [1, 1]];
        assert!(one_sheet_meets_all(&[
            meeting(0b00111, near),
            meeting(0b00001, far),
            meeting(0b11100, beside)
        ]));
    }
}
