//! Far from the world's origin pictures are those at the origin, and far from the eye depths tell apart what is close together.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod common;

use common::{field, gpu};
use glam::{DVec2, DVec3};
use orograph::camera::Camera;
use orograph::clipmap::{ClipmapSettings, Detail, Viewpoint};
use orograph::frame::{FrameInput, Offscreen, Renderer};
use orograph::gpu::{Gpu, RasterPath};
use orograph::passes::Look;
use orograph::space;
use orograph::terrain::Terrain;
use std::sync::Arc;

const SMALL: ClipmapSettings = ClipmapSettings { patch_cells: 8, patches_across: 8 };
const SIZE: [u32; 2] = [160, 90];
const PATHS: [RasterPath; 2] = [RasterPath::Vertex, RasterPath::Compute];

type Pixels = Vec<[u8; 4]>;

/// The same samples with the first at another place.
fn moved(terrain: &Terrain, origin: DVec3) -> Arc<Terrain> {
    let ([width, depth], spacing) = (terrain.size(), terrain.spacing().to_array());
    Arc::new(Terrain::new(width, depth, spacing, origin, terrain.heights()).expect("a field"))
}

/// Pictures from cameras that stand about the world's origin when the field's first sample does.
fn pictures(gpu: &Gpu, terrain: &Arc<Terrain>, path: RasterPath, cameras: &[Camera]) -> Vec<Pixels> {
    let moved = |camera: &Camera| Camera { eye: camera.eye + terrain.origin(), ..*camera };
    pictures_from(gpu, terrain, path, &cameras.iter().map(moved).collect::<Vec<_>>())
}

fn pictures_from(gpu: &Gpu, terrain: &Arc<Terrain>, path: RasterPath, cameras: &[Camera]) -> Vec<Pixels> {
    let mut renderer = gpu::renderer_by(gpu, terrain, SMALL, Some(path));
    let picture = Offscreen::new(gpu, SIZE);
    let look = Look::natural(5.0, 0.8, terrain.extent_x());
    let mut draw = |camera: &Camera| {
        let input = FrameInput { view: Viewpoint::new(*camera, SIZE), look, wireframe: false };
        renderer.draw(gpu, &input, picture.view()).expect("a picture");
        picture.pixels(gpu).expect("pixels")
    };
    cameras.iter().map(&mut draw).collect()
}

/// The greatest difference of a channel between two sequences.
fn difference(one: &[Pixels], other: &[Pixels]) -> u8 {
    assert_eq!(one.len(), other.len());
    let (one, other) = (one.concat(), other.concat());
    let channels = one.as_flattened().iter().zip(other.as_flattened());
    channels.map(|(a, b)| a.abs_diff(*b)).max().expect("a channel")
}

/// 64×64 samples at 1 m with the first at the world's origin.
fn small() -> Arc<Terrain> {
    moved(&field::hills(64, 64, 1.0), DVec3::ZERO)
}

/// East and north of a public complaint; south is positive here.
const COMPLAINT: DVec3 = DVec3::new(408_201.0, 0.0, -4_080_928.0);

/// Around a place of the ground from 3 m away, a hundredth of a degree a step.
fn orbit(terrain: &Terrain) -> Vec<Camera> {
    let (x, z) = (31.3, 30.2);
    let target = DVec3::new(x, terrain.height_at(x, z).expect("ground"), z);
    let around = |step: u32| space::direction((40.0 + 0.01 * f64::from(step)).to_radians(), 0.4) * 3.0;
    (0..20).map(|step| Camera::looking_at(target + around(step), target)).collect()
}

/// Row 23: at map coordinates of hundreds of thousands to millions, shapes wobble while the camera moves.
#[test]
fn an_orbit_at_map_coordinates_shows_what_one_at_the_origin_does() {
    let gpu = gpu::gpu();
    let near = small();
    let far = moved(&near, COMPLAINT);
    let cameras = orbit(&near);
    for path in PATHS {
        let [at_origin, at_place] = [&near, &far].map(|field| pictures(&gpu, field, path, &cameras));
        assert!(difference(&at_origin, &at_place) <= 1, "{path:?}");
        let (before, after) = (&at_origin[..19], &at_origin[1..]);
        assert!(difference(before, after) > 1, "the camera moves");
    }
}

#[test]
fn an_eye_in_single_precision_is_noticed() {
    let gpu = gpu::gpu();
    let near = small();
    let far = moved(&near, COMPLAINT);
    let cameras = orbit(&near);
    let rounded = |camera: &Camera| Camera { eye: (camera.eye + COMPLAINT).as_vec3().as_dvec3(), ..*camera };
    let rounded: Vec<Camera> = cameras.iter().map(rounded).collect();
    for path in PATHS {
        let right = pictures(&gpu, &near, path, &cameras);
        assert!(difference(&right, &pictures_from(&gpu, &far, path, &rounded)) > 50, "{path:?}");
    }
}

/// 100 km of mountains in sight, with the near plane at a tenth of a metre: from 2 m over the ground, and from on high.
#[test]
fn a_view_of_100_km_shows_the_same_millions_of_metres_from_the_origin() {
    let gpu = gpu::gpu();
    let mountains = field::field(1001, 1001, 100.0, |x, z| {
        (x * 0.07).sin() * (z * 0.05).cos() * 600.0 + (x * 0.31).sin() * (z * 0.23).sin() * 90.0
    });
    let near = moved(&mountains, DVec3::ZERO);
    let far = moved(&near, DVec3::new(3_408_201.25, 0.0, -5_080_928.5));
    let ground = near.height_at(2_000.3, 3_200.2).expect("ground");
    let camera = |above: f64, pitch: f64, step: u32| {
        let eye = DVec3::new(2_000.3 + 0.31 * f64::from(step), ground + above, 3_200.2);
        Camera { yaw: 2.3, pitch, ..Camera::looking_at(eye, DVec3::ZERO) }
    };
    let places = [(2.0, 0.05), (2.0, -0.6), (3000.0, -0.05), (20_000.0, -0.4)];
    let cameras: Vec<Camera> =
        places.iter().flat_map(|&(above, pitch)| [0, 1, 2].map(|step| camera(above, pitch, step))).collect();
    assert!(cameras.iter().all(|camera| camera.near == 0.1));
    for path in PATHS {
        let [at_origin, at_place] = [&near, &far].map(|field| pictures(&gpu, field, path, &cameras));
        assert!(difference(&at_origin, &at_place) <= 1, "{path:?}");
    }
}

/// Metres from the eye to the middle of what is seen.
const AWAY: f64 = 50_000.0;
/// Metres from a sheet to the one over it.
const APART: f64 = 2.0;
/// Fields 40 km long.
const CELLS: u32 = 400;
const SPACING: f64 = 100.0;
/// Every sample is drawn, so that the rays of the truth meet what is drawn.
const ONE_LEVEL: ClipmapSettings = ClipmapSettings { patch_cells: 32, patches_across: 32 };
/// Pixels that may change sheet when the eye moves by 1 cm: a thousandth.
const MAY_CHANGE: usize = (SIZE[0] * SIZE[1]) as usize / 1000;

/// Two sheets and what draws each.
struct Sheets {
    fields: [Arc<Terrain>; 2],
    renderers: [Renderer; 2],
}

/// Which sheet a pixel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shown {
    /// Not both have ground there.
    One,
    Lower,
    Upper,
    /// Equal depths: which is drawn later decides.
    Either,
}

impl Sheets {
    fn new(
        gpu: &Gpu,
        path: RasterPath,
        settings: ClipmapSettings,
        heights: [&dyn Fn(f64, f64) -> f64; 2],
    ) -> Self {
        let fields = heights.map(|height| field::field(CELLS + 1, CELLS + 1, SPACING, height));
        let renderers = [0, 1].map(|sheet| gpu::renderer_by(gpu, &fields[sheet], settings, Some(path)));
        Self { fields, renderers }
    }

    /// near/w of both sheets, pixel by pixel; 0 where there is no ground.
    fn depths(&mut self, gpu: &Gpu, view: Viewpoint) -> Vec<[f32; 2]> {
        let input = FrameInput { view, look: Look::natural(0.0, 1.0, 1.0), wireframe: false };
        let [lower, upper] = self.renderers.each_mut().map(|renderer| {
            renderer.draw_visibility(gpu, &input).expect("a picture");
            renderer.targets().expect("targets").read_visibility(gpu).expect("pixels")
        });
        let depth = |[_, bits]: [u32; 2]| f32::from_bits(bits);
        lower.into_iter().zip(upper).map(|(lower, upper)| [depth(lower), depth(upper)]).collect()
    }

    /// The pixels whose rays meet both sheets, with how many metres further along the view the lower one is, in double precision.
    fn truth(&self, view: &Viewpoint) -> Vec<(usize, f64)> {
        let (camera, [width, height]) = (&view.camera, view.size);
        let further = |pixel: u32| {
            let middle = DVec2::new(f64::from(pixel % width), f64::from(pixel / width)) + 0.5;
            let [lower, upper] = self.fields.each_ref().map(|field| {
                let hit = field.raycast(camera.eye, camera.direction_through(middle, view.size))?;
                Some((hit.position - camera.eye).dot(camera.forward()))
            });
            Some((pixel as usize, lower? - upper?))
        };
        (0..width * height).filter_map(further).collect()
    }
}

fn shown(depths: &[[f32; 2]]) -> Vec<Shown> {
    let nearer = |[lower, upper]: &[f32; 2]| match upper.total_cmp(lower) {
        _ if *lower == 0.0 || *upper == 0.0 => Shown::One,
        std::cmp::Ordering::Less => Shown::Lower,
        std::cmp::Ordering::Equal => Shown::Either,
        std::cmp::Ordering::Greater => Shown::Upper,
    };
    depths.iter().map(nearer).collect()
}

fn changed(before: &[Shown], after: &[Shown]) -> usize {
    before.iter().zip(after).filter(|(before, after)| before != after).count()
}

/// The view from afar, some degrees over the horizon, before and after the eye moves.
fn views(elevation: f64, fov_y: f64, detail: Detail, metres: f64) -> [Viewpoint; 2] {
    let middle = DVec3::Y * APART;
    let eye = middle + space::direction(0.7, elevation.to_radians()) * AWAY;
    let camera = Camera { fov_y: fov_y.to_radians(), ..Camera::looking_at(eye, middle) };
    let step = DVec3::new(0.6, 0.5, 0.62).normalize() * metres;
    [eye, eye + step]
        .map(|eye| Viewpoint { detail, ..Viewpoint::new(Camera { eye, near: 0.1, ..camera }, SIZE) })
}

fn tilted(x: f64, _: f64) -> f64 {
    0.25 * x
}

fn hilly(x: f64, z: f64) -> f64 {
    // Of single precision, so that both sheets have the same shape.
    f64::from((40.0 * (x * 0.11).sin() * (z * 0.13).cos()) as f32)
}

/// Row 32: far surfaces flicker through one another.
#[test]
fn of_two_sheets_2_m_apart_the_upper_is_seen_in_every_pixel_from_50_km() {
    let gpu = gpu::gpu();
    for (path, ground) in
        PATHS.into_iter().flat_map(|path| [(path, tilted as fn(f64, f64) -> f64), (path, hilly)])
    {
        let mut sheets =
            Sheets::new(&gpu, path, ClipmapSettings::DRAWN, [&ground, &|x, z| ground(x, z) + APART]);
        // The whole field, and pixels as those of 1080 rows.
        for (elevation, fov_y) in
            [89.0, 30.0, 8.0, 2.5].into_iter().flat_map(|elevation| [(elevation, 45.0), (elevation, 4.0)])
        {
            let [before, after] =
                views(elevation, fov_y, Detail::DRAWN, 0.01).map(|view| shown(&sheets.depths(&gpu, view)));
            let count = |what: Shown| before.iter().chain(&after).filter(|shown| **shown == what).count();
            let at = format!("{path:?}, {elevation}° over the horizon, {fov_y}° wide");
            assert!(count(Shown::Upper) > 800, "{at}");
            assert_eq!((count(Shown::Lower), count(Shown::Either)), (0, 0), "{at}");
            assert!(changed(&before, &after) <= MAY_CHANGE, "{at}");
        }
    }
}

/// A lake with islands: its bed lies 2 m under the water or stands out of it.
fn lake(x: f64, z: f64) -> f64 {
    hilly(x, z).max(0.0)
}

/// Row 32, where both sheets are seen.
#[test]
fn the_nearer_of_a_lakes_bed_and_water_is_seen_from_50_km() {
    // Corners are placed on 1/256 pixel, here 6 cm of the ground, which moves its depth by a few times as much.
    const SURE: f64 = 0.5;
    let gpu = gpu::gpu();
    for path in PATHS {
        let mut sheets = Sheets::new(&gpu, path, ONE_LEVEL, [&lake, &|_, _| APART]);
        for elevation in [89.0, 30.0] {
            let views = views(elevation, 1.6, Detail::UNIFORM, 0.01);
            let both = views.map(|view| shown(&sheets.depths(&gpu, view)));
            let mut sure = [0; 2];
            for (view, shown) in views.iter().zip(&both) {
                for (pixel, further) in sheets.truth(view).into_iter().filter(|(_, by)| by.abs() > SURE) {
                    sure[usize::from(further > 0.0)] += 1;
                    let right = if further > 0.0 { Shown::Upper } else { Shown::Lower };
                    assert_eq!(shown[pixel], right, "{path:?}, {elevation}°, pixel {pixel}: {further} m");
                }
            }
            assert!(sure.iter().all(|count| *count > 5000), "{sure:?}");
            assert!(changed(&both[0], &both[1]) <= MAY_CHANGE, "{path:?}, {elevation}°");
        }
    }
}

#[test]
fn depths_of_fewer_bits_and_a_longer_way_are_noticed() {
    let gpu = gpu::gpu();
    let mut sheets = Sheets::new(&gpu, RasterPath::Compute, ONE_LEVEL, [&lake, &|_, _| APART]);
    let [before, after] = views(30.0, 1.6, Detail::UNIFORM, 10.0).map(|view| sheets.depths(&gpu, view));
    assert!(changed(&shown(&before), &shown(&after)) > MAY_CHANGE, "10 m move the shore");
    let upper = |depths: &[[f32; 2]]| shown(depths).iter().filter(|shown| **shown == Shown::Upper).count();
    let with =
        |round: &dyn Fn(f32) -> f32| upper(&before.iter().map(|both| both.map(round)).collect::<Vec<_>>());
    let all = upper(&before);
    // 12 bits behind the point, and what single precision keeps of depths from 0 at the near plane to 1 at infinity.
    let (few, forward) =
        (with(&|depth| f32::from_bits(depth.to_bits() & !0x7ff)), with(&|depth| 1.0 - (1.0 - depth)));
    assert!(all > 5000 && few < all * 9 / 10 && forward < all / 10, "{all}, {few}, {forward}");
}
