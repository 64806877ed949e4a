//! Nothing pops: on a slow flight across level borders no ridge top moves in the picture by more than half a pixel between two
//! frames but for the camera's own motion. Held on the mirror, which the GPU equals bit for bit.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::field;
use glam::{DVec2, DVec3};
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Detail, FramePlan, Planner, Viewpoint};
use orograph::mirror::{MirrorVertex, patch_vertices, select, triangle_corners};
use orograph::passes::Instance;
use orograph::source::MemorySource;
use orograph::terrain::Terrain;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

const SIDE: u32 = 1025;
const SPACING: f64 = 10.0;
const SIZE: [u32; 2] = [1280, 720];
const FRAMES: u32 = 360;

/// A long ridge with spurs, rough down to single cells.
fn ridge() -> Arc<Terrain> {
    field::field(SIDE, SIDE, SPACING, |x, z| {
        let (x, z) = (x * SPACING, z * SPACING);
        let across = (z - 5120.0 + 400.0 * (x * 0.0011).sin()) / 1400.0;
        let crest = 900.0 * (-across * across).exp();
        let rough: f64 = (0..7)
            .map(|octave| {
                let wave = 0.004 * 2f64.powi(octave);
                let turn = f64::from(octave) * 1.3;
                (x * wave + turn).sin() * (z * wave * 1.1 - turn).cos() * 90.0 * 0.5f64.powi(octave)
            })
            .sum();
        crest + rough * (0.3 + crest / 900.0)
    })
}

/// Along the ridge and slowly down, so that blocks move at every level and the first level changes.
fn flight(number: u32) -> Camera {
    let along = f64::from(number) / f64::from(FRAMES);
    let eye = DVec3::new(-4000.0 + 3500.0 * along, 9000.0 * 0.08f64.powf(along), 1800.0 - 500.0 * along);
    Camera::looking_at(eye, eye + DVec3::new(0.75, -0.45, -0.6))
}

/// Samples higher than their eight neighbours.
fn tops(terrain: &Terrain) -> Vec<[i32; 2]> {
    let height = |x: i32, z: i32| terrain.stored(i64::from(x), i64::from(z));
    let is_top = |x: i32, z: i32| {
        let around = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| [dx, dz])).filter(|at| *at != [0, 0]);
        around.into_iter().all(|[dx, dz]| height(x + dx, z + dz) < height(x, z))
    };
    let inner = 1..SIDE as i32 - 1;
    inner.clone().flat_map(|z| inner.clone().map(move |x| [x, z])).filter(|[x, z]| is_top(*x, *z)).collect()
}

/// The drawn ground of one picture.
struct Drawn<'a> {
    plan: FramePlan,
    list: Vec<Instance>,
    source: &'a MemorySource,
}

impl Drawn<'_> {
    /// Metres that the drawn ground stands above height 0 at samples, where it is drawn, in the order of the samples.
    fn heights(&self, samples: &[[i32; 2]]) -> Vec<Option<f64>> {
        let mut heights = vec![None; samples.len()];
        let of_patch = |instance: &Instance| {
            let cells = self.plan.frame.span(instance.level());
            let inside = |sample: &[i32; 2]| {
                (0..cells).contains(&(sample[0] - instance.x))
                    && (0..cells).contains(&(sample[1] - instance.z))
            };
            let within: Vec<usize> = (0..samples.len()).filter(|&k| inside(&samples[k])).collect();
            if within.is_empty() {
                return Vec::new();
            }
            let vertices = patch_vertices(&self.plan, self.source, instance);
            within.into_iter().map(|k| (k, drawn_height(&vertices, samples[k]))).collect::<Vec<_>>()
        };
        let found: Vec<_> = self.list.par_iter().flat_map_iter(of_patch).collect();
        for (k, height) in found {
            heights[k] = Some(height);
        }
        heights
    }
}

/// The height of a patch's triangles over a sample within it.
fn drawn_height(vertices: &[MirrorVertex], sample: [i32; 2]) -> f64 {
    let cells = vertices.len().isqrt() as u32 - 1;
    let place = |at: [i32; 2]| DVec2::new(f64::from(at[0]), f64::from(at[1]));
    let at = place(sample);
    for triangle in 0..2 * cells * cells {
        let corners = triangle_corners(triangle, cells as i32).map(|k| &vertices[k]);
        let [a, b, c] = corners.map(|corner| place(corner.sample));
        let area = (b - a).perp_dot(c - a);
        let weights = [(b - at).perp_dot(c - at), (c - at).perp_dot(a - at), (a - at).perp_dot(b - at)];
        if area != 0.0 && weights.iter().all(|weight| weight * area.signum() >= 0.0) {
            return corners
                .iter()
                .zip(weights)
                .map(|(corner, weight)| f64::from(corner.height) * weight / area)
                .sum();
        }
    }
    panic!("{sample:?} lies in its patch");
}

/// What a flight shows.
#[derive(Debug, Default)]
struct Flown {
    /// The furthest that a top moves between two frames, pixels.
    furthest: f64,
    tops_seen: usize,
    first_levels: BTreeSet<u32>,
    origins: BTreeSet<Vec<[i32; 2]>>,
}

fn fly(terrain: &Arc<Terrain>, detail: Detail) -> Flown {
    let source = MemorySource::new(terrain.clone());
    let settings = ClipmapSettings::for_picture(flight(0).pixel_angle(SIZE), detail.triangle_pixels);
    let mut planner = Planner::new(settings, &source, terrain.origin()).expect("a planner");
    let tops = tops(terrain);
    let mut flown = Flown::default();
    let mut before: Vec<Option<f64>> = vec![None; tops.len()];
    for number in 0..FRAMES {
        let camera = flight(number);
        let view = Viewpoint { detail, ..Viewpoint::new(camera, SIZE) };
        let plan = planner.plan(&source, &view).expect("a plan");
        flown.first_levels.insert(plan.frame.first_level);
        flown.origins.insert(plan.frame.origins.clone());
        let list = select(&plan, &source);
        let heights = Drawn { plan, list, source: &source }.heights(&tops);
        for ((top, was), is) in tops.iter().zip(&before).zip(&heights) {
            let (Some(was), Some(is)) = (was, is) else { continue };
            let plan = terrain.world_from_grid(DVec2::new(f64::from(top[0]), f64::from(top[1])));
            let seen = |height: &f64| camera.project(DVec3::new(plan.x, *height, plan.y), SIZE);
            let (Some((was, _)), Some((is, _))) = (seen(was), seen(is)) else { continue };
            let inside =
                is.cmpge(DVec2::ZERO).all() && is.x < f64::from(SIZE[0]) && is.y < f64::from(SIZE[1]);
            if inside {
                flown.tops_seen += 1;
                flown.furthest = flown.furthest.max(was.distance(is));
            }
        }
        before = heights;
    }
    flown
}

#[test]
fn no_ridge_top_pops_on_a_slow_flight() {
    let terrain = ridge();
    let flown = fly(&terrain, Detail::DRAWN);
    println!(
        "{} tops seen, first levels {:?}, {} block origins, furthest {:.3} pixels",
        flown.tops_seen,
        flown.first_levels,
        flown.origins.len(),
        flown.furthest
    );
    assert!(flown.tops_seen > 10_000 && flown.first_levels.len() > 1 && flown.origins.len() > 5);
    assert!(flown.furthest <= 0.5, "{} pixels", flown.furthest);
    let popping = fly(&terrain, Detail { continuous: false, ..Detail::DRAWN });
    println!("without sliding {:.3} pixels", popping.furthest);
    assert!(popping.furthest > 0.5, "a flight without sliding is noticed");
}
