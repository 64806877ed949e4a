//! The drawn triangles as one sheet, whatever strides and fades lie side by side: no T-junction, no gap, no fold, no step.
//!
//! In plan, with samples as integers, each edge between two triangles is used once in each direction, so that no vertex of one stands
//! on an edge of the other. All triangles on a sample stand at the same height there, so that the sheet does not tear vertically.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::sheet::{Corner, Faults, Sheet, Triangle, area, bare, examine, triangles};
use common::{field, gpu};
use glam::DVec3;
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Culling, Detail, FramePlan, Viewpoint};
use orograph::frame::{FrameInput, Renderer};
use orograph::gpu::Gpu;
use orograph::mirror::patch_vertices;
use orograph::passes::{DrawnPatch, Instance, Look};
use orograph::terrain::Terrain;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Few pixels: the triangles are looked at, not the picture.
const SIZE: [u32; 2] = [16, 16];
/// A pixel is as wide as one of 540 rows over 45°, so that levels and errors are those of a larger picture.
const FOV_Y: f64 = 0.024;
const SETTINGS: [ClipmapSettings; 6] =
    [sized(4, 8), sized(6, 12), sized(8, 8), sized(16, 16), sized(32, 8), sized(64, 8)];
const THINNED: Detail = Detail { error_pixels: 1.0, continuous: false, ..Detail::ON_CPU };
const COARSE: Detail = Detail { error_pixels: 8.0, continuous: false, ..Detail::ON_CPU };
const DETAILS: [Detail; 5] = [Detail::DRAWN, THINNED, Detail::UNIFORM, Detail::DRAWN, COARSE];

const fn sized(patch_cells: i32, patches_across: i32) -> ClipmapSettings {
    ClipmapSettings { patch_cells, patches_across }
}

/// The view of an eye with nothing culled.
fn whole(eye: DVec3, detail: Detail) -> Viewpoint {
    let camera = Camera { fov_y: FOV_Y, ..Camera::looking_at(eye, DVec3::ZERO) };
    Viewpoint { culling: Culling::None, detail, ..Viewpoint::new(camera, SIZE) }
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, view: Viewpoint) -> (FramePlan, Vec<DrawnPatch>) {
    let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
    let plan = renderer.draw_visibility(gpu, &input).expect("a picture");
    let patches = renderer.read_patches(gpu).expect("patches");
    (plan, patches)
}

/// A plane beside hills and noise of any size: what is planar is drawn by few triangles and what is rough by many.
fn mixed(width: u32, depth: u32) -> Arc<Terrain> {
    field::field(width, depth, 4.0, mixed_height)
}

fn mixed_height(x: f64, z: f64) -> f64 {
    let planar = x > 120.0 && z > 80.0 && x < 250.0;
    // Metres, from a hundredth to tens.
    let relief = 10f64.powf(1.7 * (x * 0.017 + 2.0).sin() * (z * 0.023 - 1.0).cos() - 0.3);
    let rough = relief * ((x * 0.11).sin() * (z * 0.13).cos() + 0.01 * noise(x, z));
    0.25 * x - 0.125 * z + if planar { 0.0 } else { rough }
}

/// Evenly from −1 to 1 without any order.
fn noise(x: f64, z: f64) -> f64 {
    let hash = (x as u64 * 4001 + z as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) as f64 / 2f64.powi(63) - 1.0
}

/// A mix with holes: one larger than patches, one that is round, and many of a sample.
fn holed(width: u32, depth: u32) -> Arc<Terrain> {
    field::field(width, depth, 4.0, |x, z| {
        let large = x > 260.0 && x < 340.0 && z < 90.0;
        let speck = x > 200.0 && noise(z, x) > 0.97;
        let hole = large || speck || (x - 90.0).hypot(z - 70.0) < 25.0;
        if hole { f64::NAN } else { mixed_height(x, z) }
    })
}

/// Eyes inside, close to the ground and over it; outside; far above; below.
fn eyes(terrain: &Terrain) -> [DVec3; 5] {
    let (top, side) = (f64::from(*terrain.range().end()), terrain.extent_x().max(terrain.extent_z()));
    let at = |x: f64, y: f64, z: f64| {
        terrain.origin() + DVec3::new(x * terrain.extent_x(), top + y, z * terrain.extent_z())
    };
    let low = at(0.31, 0.0, 0.77);
    let ground = terrain.height_at(low.x, low.z).expect("ground");
    [
        DVec3 { y: ground + 2.0, ..low },
        at(0.62, 60.0, 0.28),
        at(1.4, 30.0, -0.3),
        at(0.5, side * 2.0, 0.5),
        at(0.15, -300.0, 0.4),
    ]
}

/// What occurred in some pictures.
#[derive(Debug, Default)]
struct Variety {
    thinnings: BTreeSet<u32>,
    /// How many times coarser than a patch half of one of its sides is.
    coarser: BTreeSet<u32>,
    fades: BTreeSet<u32>,
    levels: BTreeSet<u32>,
    outline: u64,
}

impl Variety {
    fn add(&mut self, patches: &[DrawnPatch], sheet: &Sheet) {
        for DrawnPatch { instance, .. } in patches {
            let own = instance.level() + instance.thinning();
            self.thinnings.insert(instance.thinning());
            self.levels.insert(instance.level());
            for (side, half) in (0..4).flat_map(|side| [(side, 0), (side, 1)]) {
                self.coarser.insert(instance.side_lattice(side, half) - own);
                self.fades.insert(instance.side_fade(side, half));
            }
        }
        self.outline += sheet.outline;
    }
}

/// Draws a field from every eye and holds each picture to be one sheet.
fn hold(gpu: &Gpu, terrain: &Arc<Terrain>, settings: ClipmapSettings, variety: &mut Variety) {
    let mut renderer = gpu::renderer(gpu, terrain, settings);
    for (number, eye) in eyes(terrain).into_iter().enumerate() {
        let detail = DETAILS[(number + settings.patch_cells as usize / 2) % DETAILS.len()];
        let (plan, patches) = draw(gpu, &mut renderer, whole(eye, detail));
        let sheet = examine(plan.frame.cells, &triangles(&plan, &patches), &bare(&plan, terrain, &patches));
        assert_eq!(sheet.faults, Faults::default(), "{:?}, {settings:?}, {eye}, {detail:?}", terrain.size());
        variety.add(&patches, &sheet);
    }
}

#[test]
fn fields_of_any_size_are_one_sheet_whatever_strides_meet() {
    let gpu = gpu::gpu();
    for settings in SETTINGS {
        let mut variety = Variety::default();
        for (width, depth) in [(2, 2), (3, 200), (65, 65), (257, 257), (300, 277)] {
            hold(&gpu, &mixed(width, depth), settings, &mut variety);
        }
        println!("{settings:?} {variety:?}");
        let every = BTreeSet::from_iter(0..=settings.patch_cells.trailing_zeros());
        assert_eq!(variety.thinnings, every, "from a stride of 1 to the whole patch");
        assert_eq!(variety.coarser, every, "side by side");
        assert!(variety.fades.len() > 5 && variety.levels.len() > 1, "{settings:?} {variety:?}");
    }
}

#[test]
fn a_field_with_holes_is_one_sheet_around_them() {
    let gpu = gpu::gpu();
    let terrain = holed(401, 150);
    for settings in SETTINGS {
        let mut variety = Variety::default();
        hold(&gpu, &terrain, settings, &mut variety);
        println!("{settings:?} {variety:?}");
        assert!(variety.thinnings.len() > 1 && variety.outline > 100, "{settings:?} {variety:?}");
    }
}

/// One picture of a mix, for sheets that are wrong in one place.
struct Drawn {
    renderer: Renderer,
    plan: FramePlan,
    patches: Vec<DrawnPatch>,
}

impl Drawn {
    fn new() -> Self {
        let gpu = gpu::gpu();
        let terrain = mixed(257, 257);
        let mut renderer = gpu::renderer(&gpu, &terrain, sized(8, 8));
        let (plan, patches) = draw(&gpu, &mut renderer, whole(eyes(&terrain)[0], Detail::DRAWN));
        Self { renderer, plan, patches }
    }

    /// The faults after a change to the patches.
    fn faults(&self, change: impl FnOnce(&mut [DrawnPatch])) -> Faults {
        let mut patches = self.patches.clone();
        change(&mut patches);
        examine(self.plan.frame.cells, &triangles(&self.plan, &patches), &[]).faults
    }

    /// The place in the list of a patch whose side at −x stands on its own lattice of stride 1, fading or not, away from the rim.
    fn plain_side(&self, is_fading: bool) -> usize {
        let is_plain = |DrawnPatch { instance, .. }: &DrawnPatch| {
            let halves = [0, 1].map(|half| (instance.side_lattice(0, half), instance.side_fade(0, half) > 0));
            instance.x > 0 && instance.thinning() == 0 && halves == [(instance.level(), is_fading); 2]
        };
        self.patches.iter().position(is_plain).expect("such a patch")
    }
}

#[test]
fn a_moved_vertex_is_noticed() {
    let drawn = Drawn::new();
    assert_eq!(drawn.faults(|_| ()), Faults::default());
    let patch = drawn.plain_side(false);
    // The second vertex of the side at −x.
    let along = drawn.faults(|patches| patches[patch].vertices[9].z += 1);
    assert!(along.open > 0 && along.lacking == 0 && along.torn > 0, "{along:?}");
    let across = drawn.faults(|patches| patches[patch].vertices[9].x += 1);
    assert!(across.open > 0 && across.lacking == 2, "{across:?}");
    let over = drawn.faults(|patches| patches[patch].vertices[10].x -= 2);
    assert!(over.folded > 0, "{over:?}");
}

#[test]
fn a_triangle_left_out_or_doubled_is_noticed() {
    let drawn = Drawn::new();
    let all = triangles(&drawn.plan, &drawn.patches);
    let inside = |corner: &Corner| corner.sample.iter().all(|at| (1..256).contains(at));
    let one = all
        .iter()
        .position(|triangle| area(*triangle) == 1 && triangle.iter().all(inside))
        .expect("a triangle");
    let faults = |triangles: &[Triangle]| examine(drawn.plan.frame.cells, triangles, &[]).faults;
    let without = faults(&[&all[..one], &all[one + 1..]].concat());
    assert_eq!(without, Faults { open: 3, lacking: 1, ..Default::default() });
    let twice = faults(&[&all[..], &[all[one]]].concat());
    assert_eq!(twice, Faults { doubled: 3, lacking: 1, ..Default::default() });
}

#[test]
fn a_height_one_bit_off_is_noticed() {
    let drawn = Drawn::new();
    let patch = drawn.plain_side(false);
    let torn = drawn.faults(|patches| patches[patch].vertices[9].height_bits ^= 1);
    assert_eq!(torn, Faults { torn: 1, ..Default::default() });
}

#[test]
fn a_side_matched_to_a_wrong_lattice_or_fade_is_noticed() {
    let drawn = Drawn::new();
    let rematched = |place: usize, change: &dyn Fn(&mut Instance)| {
        drawn.faults(|patches| {
            let patch = &mut patches[place];
            change(&mut patch.instance);
            let mirror = patch_vertices(&drawn.plan, &**drawn.renderer.source(), &patch.instance);
            for (vertex, mirror) in patch.vertices.iter_mut().zip(mirror) {
                ([vertex.x, vertex.z], vertex.height_bits) = (mirror.sample, mirror.height.to_bits());
            }
        })
    };
    let (steady, fading) = (drawn.plain_side(false), drawn.plain_side(true));
    assert_eq!(rematched(steady, &|_| ()), Faults::default(), "the mirror has the same vertices");
    // The first half of the side at −x.
    let lattice = rematched(steady, &|instance| instance.density += 1 << 3);
    assert!(lattice.open > 0 && lattice.doubled + lattice.folded + lattice.lacking == 0, "{lattice:?}");
    let fade = rematched(fading, &|instance| instance.fades[0] += 1);
    assert!(fade.torn > 0 && fade == Faults { torn: fade.torn, ..Default::default() }, "{fade:?}");
}
