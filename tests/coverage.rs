//! Every pixel over ground is covered by exactly one triangle: no edge between two is drawn twice or left open.
//!
//! The camera looks straight down, so that a ray meets the ground once unless the ground is steeper than the ray. Where it is, the sheet
//! folds over in the picture, and then one triangle more faces the eye than faces away.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::{DVec2, DVec3};
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Detail, FramePlan, Viewpoint};
use orograph::frame::{FrameInput, sample_in_turn};
use orograph::gpu::{Gpu, RasterPath};
use orograph::mirror::{
    Outlines, OwnsEdge, RasterVertex, compare_pixels, mirror_pixels, rasterise, top_left, triangle_corners,
};
use orograph::passes::{DrawnPatch, Look, VertexProbe};
use orograph::terrain::{Terrain, synth};
use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// The smallest blocks that can be drawn, so that borders of patches and levels cross every picture.
const SMALLEST: ClipmapSettings = ClipmapSettings { patch_cells: 4, patches_across: 8 };
const SIZE: [u32; 2] = [480, 270];
/// Rays this many cells from the field's rim are not counted.
const RIM_CELLS: f64 = 2.0;

/// A picture by the compute path, and all that it was drawn from.
struct Picture {
    plan: FramePlan,
    patches: Vec<DrawnPatch>,
    /// Pixels in which GPU and CPU rasteriser differ, or which were not compared.
    apart_from_mirror: u64,
}

fn draw(gpu: &Gpu, terrain: &Arc<Terrain>, settings: ClipmapSettings, views: &[Viewpoint]) -> Vec<Picture> {
    let mut renderer = gpu::renderer_by(gpu, terrain, settings, Some(RasterPath::Compute));
    let mut picture = |view: &Viewpoint| {
        let input = FrameInput { view: *view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
        let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
        let outlines = Outlines::read(gpu, &renderer, &plan).expect("outlines");
        let pixels = renderer.targets().expect("targets").read_visibility(gpu).expect("pixels");
        let mirror = mirror_pixels(&plan, renderer.id_layout(), top_left, &outlines);
        assert!(outlines.clipped.is_empty(), "every triangle is covered by its vertices");
        let apart_from_mirror = compare_pixels(&pixels, &mirror);
        Picture { plan, patches: outlines.patches, apart_from_mirror }
    };
    views.iter().map(&mut picture).collect()
}

/// How often a pixel is covered, and by what.
#[derive(Debug, Clone, Copy, Default)]
struct Cover {
    /// Triangles that face the eye.
    facing: i32,
    /// Triangles that face away.
    away: i32,
    /// Whether the nearest edge of a triangle that covers it lies on a patch's side, and on a side to a coarser level.
    beside_patch: bool,
    beside_level: bool,
    /// Whether its middle lies on an edge.
    on_edge: bool,
}

fn covers(picture: &Picture, owns_edge: OwnsEdge) -> Vec<Cover> {
    let (size, most) = (picture.plan.view.size, picture.plan.frame.settings.patch_cells);
    let mut covers = vec![Cover::default(); (size[0] * size[1]) as usize];
    for DrawnPatch { instance, vertices } in &picture.patches {
        let cells = instance.drawn_cells(most);
        for triangle in 0..2 * (cells * cells) as u32 {
            let indices = triangle_corners(triangle, cells);
            let corners = indices.map(|index| raster_vertex(&vertices[index]));
            let faces_eye = area(corners) < 0;
            rasterise(corners, size, owns_edge, |x, y, _| {
                let cover = &mut covers[(y * size[0] + x) as usize];
                *(if faces_eye { &mut cover.facing } else { &mut cover.away }) += 1;
                let (edge, distance) = nearest_edge(corners, x, y);
                let sides = sides_of(indices[edge], indices[(edge + 1) % 3], cells as usize);
                cover.beside_patch |= sides.contains(&true);
                cover.beside_level |=
                    (0..4).any(|side| sides[side] && instance.coarser_neighbour(side).is_some());
                cover.on_edge |= distance == 0.0;
            });
        }
    }
    covers
}

fn raster_vertex(vertex: &VertexProbe) -> RasterVertex {
    assert_eq!(vertex.sound, 1, "from above nothing is clipped");
    RasterVertex { x: vertex.snapped[0], y: vertex.snapped[1], z: f32::from_bits(vertex.depth_bits) }
}

/// Twice the area in subpixels squared; negative where the triangle's upper side is seen.
fn area([a, b, c]: [RasterVertex; 3]) -> i64 {
    let d = |to: i32, from: i32| i64::from(to) - i64::from(from);
    d(b.x, a.x) * d(c.y, a.y) - d(c.x, a.x) * d(b.y, a.y)
}

/// The edge, from corner k to the next, that a pixel's middle is nearest to, and how far that is, subpixels.
fn nearest_edge(corners: [RasterVertex; 3], x: u32, y: u32) -> (usize, f64) {
    let middle = RasterVertex { x: x as i32 * 256 + 128, y: y as i32 * 256 + 128, z: 0.0 };
    let distance = |edge: usize| {
        let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
        let length = f64::from(to.x - from.x).hypot(f64::from(to.y - from.y));
        area([from, to, middle]).abs() as f64 / length
    };
    (0..3).map(|edge| (edge, distance(edge))).min_by(|a, b| a.1.total_cmp(&b.1)).expect("three edges")
}

/// Whether an edge between two vertices of a patch lies on its side at −x, +x, −z, +z.
fn sides_of(one: usize, other: usize, cells: usize) -> [bool; 4] {
    let row = cells + 1;
    let places = [one, other].map(|vertex| [vertex % row, vertex / row]);
    let both = |axis: usize, at: usize| places.iter().all(|place| place[axis] == at);
    [both(0, 0), both(0, cells), both(1, 0), both(1, cells)]
}

/// Whether a pixel's ray meets the ground away from the field's rim, however high it stands.
fn is_inside(plan: &FramePlan, pixel: DVec2) -> bool {
    let along = plan.view.camera.direction_through(pixel, plan.view.size);
    let extent = DVec2::new(f64::from(plan.frame.cells[0]), f64::from(plan.frame.cells[1])) * plan.spacing;
    let rim = plan.spacing * RIM_CELLS;
    plan.heights.iter().all(|height| {
        let at = plan.view.camera.eye + along * ((f64::from(*height) - plan.view.camera.eye.y) / along.y);
        let at = DVec2::new(at.x, at.z);
        at.cmpge(rim).all() && at.cmple(extent - rim).all()
    })
}

/// Pixels inside the field, counted.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    inside: u32,
    open: u32,
    /// Covered more than once though no triangle there faces away.
    doubled: u32,
    /// Covered where the sheet folds over.
    folded: u32,
    /// Folded, and the triangles that face the eye are not one more than those that face away.
    folded_wrong: u32,
    beside_patch: u32,
    beside_level: u32,
    on_edge: u32,
    on_level_edge: u32,
}

impl Counts {
    fn add(&mut self, picture: &Picture, owns_edge: OwnsEdge) {
        let width = picture.plan.view.size[0];
        let sample = DVec2::splat(0.5) + picture.plan.view.sample_offset();
        for (cover, pixel) in covers(picture, owns_edge).iter().zip(0..) {
            let corner = DVec2::new(f64::from(pixel % width), f64::from(pixel / width));
            if !is_inside(&picture.plan, corner + sample) {
                continue;
            }
            let folded = cover.away > 0;
            self.inside += 1;
            self.open += u32::from(cover.facing + cover.away == 0);
            self.doubled += u32::from(!folded && cover.facing > 1);
            self.folded += u32::from(folded);
            self.folded_wrong += u32::from(folded && cover.facing - cover.away != 1);
            self.beside_patch += u32::from(cover.beside_patch);
            self.beside_level += u32::from(cover.beside_level);
            self.on_edge += u32::from(cover.on_edge);
            self.on_level_edge += u32::from(cover.on_edge && cover.beside_level);
        }
    }

    fn wrong(&self) -> [u32; 3] {
        [self.open, self.doubled, self.folded_wrong]
    }
}

/// Straight down from so many metres over the field's top, beside its middle, turned by odd angles, each at another sample of its
/// pixels.
fn views(terrain: &Terrain, heights: &[f64], fov_y: f64) -> Vec<Viewpoint> {
    let middle = terrain.origin() + DVec3::new(terrain.extent_x() * 0.47, 0.0, terrain.extent_z() * 0.54);
    let top = f64::from(*terrain.range().end());
    let turned = [0.0, 0.37, 1.93, 4.41];
    let view = |height: &f64, yaw: f64| {
        let eye = middle + DVec3::Y * (top + height);
        Viewpoint::new(Camera { eye, yaw, pitch: -FRAC_PI_2, fov_y, near: 0.1 }, SIZE)
    };
    let middles = heights.iter().flat_map(|height| turned.map(|yaw| view(height, yaw)));
    middles.enumerate().map(|(number, view)| Viewpoint { sample: sample_in_turn(number), ..view }).collect()
}

/// Draws, and holds every pixel of the inside to be covered once.
fn hold(
    name: &str,
    terrain: &Arc<Terrain>,
    settings: ClipmapSettings,
    heights: &[f64],
    fov_y: f64,
) -> Counts {
    let gpu = gpu::gpu();
    let mut sum = Counts::default();
    for picture in draw(&gpu, terrain, settings, &views(terrain, heights, fov_y)) {
        sum.add(&picture, top_left);
        assert_eq!(sum.wrong(), [0; 3], "{name}, {:?}: {sum:?}", picture.plan.view.camera);
        assert_eq!(picture.apart_from_mirror, 0, "{name}: the GPU draws what was counted");
    }
    println!("{name}: {sum:?}");
    sum
}

/// Steep ground without any order, `relief` metres high on cells of 10 m.
fn rough(relief: f64) -> Arc<Terrain> {
    field::field(301, 257, 10.0, |x, z| {
        let hash = (x as u64 * 301 + z as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        relief * hash as f64 / f64::from(1 << 24)
    })
}

/// A narrow view: all rays are steeper than the ground.
const NARROW: f64 = 0.35;
const WIDE: f64 = 1.2;

#[test]
fn demo_ground_is_covered_once() {
    let demo = Arc::new(synth::demo().expect("the demo terrain"));
    let heights = [300.0, 1700.0, 9000.0, 60_000.0];
    let small = hold("demo", &demo, SMALLEST, &heights, NARROW);
    assert!(small.beside_patch > 100_000 && small.beside_level > 10_000, "{small:?}");
    let drawn = hold("demo as drawn", &demo, ClipmapSettings::DRAWN, &heights, NARROW);
    assert!(drawn.beside_patch > 10_000, "{drawn:?}");
    assert_eq!((small.folded, drawn.folded), (0, 0), "nothing overlaps");
}

#[test]
fn rough_ground_is_covered_once_and_a_fold_once_more_from_the_front() {
    let heights = [60.0, 210.0, 900.0, 5000.0];
    let level = hold("rough", &rough(12.0), SMALLEST, &heights, NARROW);
    assert!(level.beside_patch > 100_000 && level.beside_level > 10_000, "{level:?}");
    assert_eq!(level.folded, 0, "nothing overlaps");
    let folded = hold("folded", &rough(60.0), SMALLEST, &heights[..3], WIDE);
    assert!(folded.folded > 10_000 && folded.beside_level > 10_000, "{folded:?}");
}

/// Lattice lines run through the middles of pixels: a cell of flat ground is ten pixels, of the next level twenty.
fn on_pixel_middles(gpu: &Gpu) -> Vec<Picture> {
    const ODD: [u32; 2] = [641, 361];
    let flat = field::field(257, 257, 4.0, |_, _| 0.0);
    let mut camera = Camera::looking_at(DVec3::new(0.0, 100.0, 0.0), DVec3::ZERO);
    camera.fov_y = 2.0 * (0.4 * f64::from(ODD[1]) / 200.0).atan();
    let quarters = [0.0, 1.0, 2.0, 3.0]
        .map(|quarter| Viewpoint::new(Camera { yaw: quarter * FRAC_PI_2, ..camera }, ODD))
        .map(|view| Viewpoint { detail: Detail::UNIFORM, ..view });
    draw(gpu, &flat, SMALLEST, &quarters)
}

#[test]
fn a_wrong_fill_rule_doubles_or_opens_edges_and_the_right_one_none() {
    let gpu = gpu::gpu();
    let pictures = on_pixel_middles(&gpu);
    let count = |name: &str, owns_edge: OwnsEdge| {
        let mut sum = Counts::default();
        pictures.iter().for_each(|picture| sum.add(picture, owns_edge));
        println!("{name}: {sum:?}");
        sum
    };
    assert!(pictures.iter().all(|picture| picture.apart_from_mirror == 0));
    let right = count("top and left edges", top_left);
    assert_eq!(right.wrong(), [0; 3]);
    assert!(right.on_edge > 100_000 && right.on_level_edge > 1000, "{right:?}");

    let everyone = count("every edge", |_, _| true);
    assert!(everyone.doubled == right.on_edge && everyone.open == 0, "{everyone:?}");
    let nobody = count("no edge", |_, _| false);
    assert!(nobody.open == right.on_edge && nobody.doubled == 0, "{nobody:?}");
    let left = count("left edges alone", |_, dy| dy < 0);
    assert!(left.open > 10_000 && left.doubled == 0, "{left:?}");
}

#[test]
fn a_vertex_moved_in_one_patch_alone_opens_its_side() {
    let gpu = gpu::gpu();
    let mut picture = on_pixel_middles(&gpu).remove(0);
    let middle = picture.plan.view.size.map(|pixels| pixels as i32 * 128);
    // The second vertex of a side at −x.
    let mut on_sides = picture.patches.iter_mut().filter_map(|patch| {
        let row = patch.vertices.len().isqrt();
        patch.vertices.get_mut(2 * row)
    });
    let near =
        |vertex: &&mut VertexProbe| (0..2).all(|axis| (vertex.snapped[axis] - middle[axis]).abs() < 40 * 256);
    let vertex = on_sides.find(near).expect("a side in the middle");
    vertex.snapped[0] += 256;
    let mut counts = Counts::default();
    counts.add(&picture, top_left);
    assert!(counts.open > 3, "{counts:?}");
}

/// Close above ground of large cells, where most triangles have to be clipped, and every ray ends on the ground.
#[test]
fn ground_close_by_is_covered_once_where_triangles_are_clipped() {
    let gpu = gpu::gpu();
    let gentle = field::field(65, 65, 100.0, |x, z| 40.0 * (x * 0.031).sin() * (z * 0.023).cos());
    let mut renderer = gpu::renderer_by(&gpu, &gentle, SMALLEST, Some(RasterPath::Compute));
    let mut clipped = 0;
    for (above, turn) in [0.2, 1.0, 8.0].into_iter().flat_map(|above| (0..12).map(move |turn| (above, turn)))
    {
        let eye = DVec3::new(30.0, gentle.height_at(30.0, 40.0).expect("ground") + above, 40.0);
        let yaw = f64::from(turn) * 0.53;
        let camera = Camera { pitch: -1.1, yaw, near: 0.02, ..Camera::looking_at(eye, DVec3::ZERO) };
        let input = FrameInput {
            view: Viewpoint::new(camera, [160, 90]),
            look: Look::natural(0.0, 1.0, 1.0),
            wireframe: false,
        };
        let plan = renderer.draw_visibility(&gpu, &input).expect("a picture");
        let outlines = Outlines::read(&gpu, &renderer, &plan).expect("outlines");
        let counts: Vec<AtomicI32> = (0..160 * 90).map(|_| AtomicI32::new(0)).collect();
        outlines.for_each_triangle(&plan, renderer.id_layout(), |_, corners| {
            let facing = if area(corners) < 0 { 1 } else { -1 };
            rasterise(corners, [160, 90], top_left, |x, y, _| {
                counts[(y * 160 + x) as usize].fetch_add(facing, Ordering::Relaxed);
            });
        });
        let wrong = counts.iter().filter(|count| count.load(Ordering::Relaxed) != 1).count();
        assert_eq!(wrong, 0, "{above} m above, turn {turn}");
        clipped += outlines.clipped.len();
    }
    assert!(clipped > 500, "{clipped} clipped triangles");
}
