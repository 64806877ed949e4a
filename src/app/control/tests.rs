//! Random hands on rolling ground: what must hold after every input.

use super::*;
use crate::camera::{Camera, PixelRect, View};
use glam::{DVec2, DVec3};
use proptest::prelude::*;
use std::f64::consts::TAU;

const SIZE: [u32; 2] = [1280, 800];
/// Half the side of the ground, metres.
const REACH: f64 = 2000.0;

/// Hills of 300 m with one hole.
struct Hills;

impl Ground for Hills {
    fn pick(&self, origin: DVec3, direction: DVec3) -> Option<DVec3> {
        let direction = direction.normalize();
        let at = |t: f64| origin + direction * t;
        let under = |t: f64| self.height(at(t).x, at(t).z).is_some_and(|height| at(t).y < height);
        let mut t = (1..9000).map(|step| f64::from(step) * 4.0).find(|t| under(*t))?;
        let mut before = t - 4.0;
        for _ in 0..50 {
            let middle = (before + t) * 0.5;
            if under(middle) { t = middle } else { before = middle }
        }
        Some(at(t))
    }

    fn height(&self, x: f64, z: f64) -> Option<f64> {
        let hole = DVec2::new(x - 500.0, z + 300.0).length() < 90.0;
        let inside = x.abs() <= REACH && z.abs() <= REACH;
        (inside && !hole).then(|| 700.0 + 150.0 * (x / 310.0).sin() * (z / 270.0).cos())
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (DVec3::new(-REACH, 550.0, -REACH), DVec3::new(REACH, 850.0, REACH))
    }
}

fn first() -> Controller {
    Controller::new(&Hills, SIZE, Exaggeration::default(), View::South, Camera::FOV_Y)
}

/// Lets time pass until nothing moves.
fn rest(control: &mut Controller) {
    for _ in 0..2000 {
        if !control.update(0.016, &Hills) {
            return;
        }
    }
    panic!("the camera does not come to rest");
}

/// A camera near the ground, looking around.
fn anywhere() -> impl Strategy<Value = Camera> {
    (-1800.0..1800.0, 5.0..2500.0, -1800.0..1800.0, 0.0..TAU, -1.5..-0.15).prop_map(
        |(x, over, z, yaw, pitch)| {
            let height = Hills.height(x, z).unwrap_or(850.0);
            Camera { eye: DVec3::new(x, height + over, z), yaw, pitch, fov_y: Camera::FOV_Y, near: 0.1 }
        },
    )
}

fn pixel() -> impl Strategy<Value = DVec2> {
    (20.0..1260.0, 20.0..780.0).prop_map(|(x, y)| DVec2::new(x, y))
}

/// The control at a camera, and the ground under a pixel of it, if there is any.
fn at(camera: Camera, pixel: DVec2) -> Option<(Controller, DVec3)> {
    let mut control = first();
    control.set_camera(camera, &Hills);
    let camera = control.camera();
    Hills.pick(camera.eye, camera.direction_through(pixel, SIZE)).map(|point| (control, point))
}

fn miss(control: &Controller, point: DVec3, pixel: DVec2) -> f64 {
    control.camera().project(point, SIZE).map_or(f64::INFINITY, |(seen, _)| seen.distance(pixel))
}

fn check_clear(control: &Controller) {
    let Camera { eye, yaw, pitch, .. } = control.camera();
    assert!(eye.is_finite() && yaw.is_finite() && pitch.abs() < std::f64::consts::FRAC_PI_2);
    let ground = Hills.height(eye.x, eye.z).unwrap_or(550.0) * control.exaggeration().factor();
    assert!(eye.y > ground, "the eye at {eye} is {} m under the ground", ground - eye.y);
    let camera = control.camera();
    assert!(camera.right().y == 0.0 && camera.up().y > 0.0, "the horizon tilts");
}

fn input() -> impl Strategy<Value = Input> {
    let drag = prop::sample::select(vec![Drag::Orbit, Drag::Pan, Drag::Look]);
    let key = prop::sample::select(vec![
        Key::W,
        Key::A,
        Key::S,
        Key::D,
        Key::E,
        Key::Q,
        Key::ArrowUp,
        Key::ArrowLeft,
        Key::PageDown,
        Key::PageUp,
    ]);
    let command = prop::sample::select(vec![
        Command::FrameAll,
        Command::Home,
        Command::NorthUp,
        Command::StraightDown,
        Command::View(View::Corner),
        Command::View(View::East),
        Command::ExaggerateMore,
        Command::ExaggerateLess,
        Command::ExaggerateNot,
    ]);
    let whole = PixelRect::whole(SIZE);
    prop_oneof![
        4 => (drag, pixel()).prop_map(|(drag, pixel)| Input::Press { drag, pixel }),
        8 => (-4000.0..4000.0, -4000.0..4000.0).prop_map(|(x, y)| Input::Move { pixel: DVec2::new(x, y) }),
        8 => pixel().prop_map(|pixel| Input::Move { pixel }),
        1 => Just(Input::Release),
        4 => (pixel(), -20.0..20.0, any::<bool>())
            .prop_map(|(pixel, notches, fine)| Input::Wheel { pixel, notches, fine }),
        1 => pixel().prop_map(|pixel| Input::DoubleClick { pixel }),
        4 => (key, any::<bool>()).prop_map(|(key, down)| Input::Key { key, down }),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(shift, ctrl)| Input::Modifiers { shift, ctrl }),
        1 => Just(Input::FocusLost),
        1 => Just(Input::Resize { size: SIZE, inside: whole }),
        1 => Just(Input::Resize { size: [0, 0], inside: whole }),
        2 => command.prop_map(Input::Command),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn orbit_keeps_the_pivot_in_its_place(camera in anywhere(), start in pixel(), path in prop::collection::vec(pixel(), 1..20)) {
        let Some((mut control, pivot)) = at(camera, start) else { return Ok(()) };
        control.apply(Input::Press { drag: Drag::Orbit, pixel: start }, &Hills);
        for pixel in path {
            control.apply(Input::Move { pixel }, &Hills);
            prop_assert!(miss(&control, pivot, start) <= 0.5);
            check_clear(&control);
        }
    }

    #[test]
    fn pan_keeps_the_grabbed_point_under_the_pointer(camera in anywhere(), start in pixel(), x in -9.0..9.0, y in -9.0..9.0) {
        let Some((mut control, grabbed)) = at(camera, start) else { return Ok(()) };
        control.apply(Input::Press { drag: Drag::Pan, pixel: start }, &Hills);
        for step in 1..20 {
            let before = control.camera();
            let pixel = start + DVec2::new(x, y) * f64::from(step);
            control.apply(Input::Move { pixel }, &Hills);
            let refused = before == control.camera();
            prop_assert!(refused || miss(&control, grabbed, pixel) <= 0.5, "{}", miss(&control, grabbed, pixel));
        }
    }

    #[test]
    fn zoom_keeps_the_point_under_the_pointer(camera in anywhere(), at_pixel in pixel(), notches in -9.0..9.0) {
        let Some((mut control, point)) = at(camera, at_pixel) else { return Ok(()) };
        control.apply(Input::Wheel { pixel: at_pixel, notches, fine: false }, &Hills);
        rest(&mut control);
        prop_assert!(miss(&control, point, at_pixel) <= 0.5, "{}", miss(&control, point, at_pixel));
    }

    #[test]
    fn exaggeration_keeps_the_ground_in_the_middle(camera in anywhere(), factor in 0.2..10.0) {
        let middle = PixelRect::whole(SIZE).centre();
        let Some((mut control, point)) = at(camera, middle) else { return Ok(()) };
        control.set_exaggeration(Exaggeration::new(factor), &Hills);
        check_clear(&control);
        let drawn = point * DVec3::new(1.0, control.exaggeration().factor(), 1.0);
        prop_assert!(miss(&control, drawn, middle) <= 0.5);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_thousand_random_inputs_leave_the_eye_over_the_ground(inputs in prop::collection::vec((input(), 0.0..3.0), 1000)) {
        let mut control = first();
        for (input, dt) in inputs {
            control.apply(input, &Hills);
            check_clear(&control);
            control.update(dt, &Hills);
            check_clear(&control);
        }
    }
}

#[test]
fn the_first_view_follows_the_window_until_it_is_touched() {
    let mut control = first();
    let resize = |x: u32| Input::Resize { size: [x, 800], inside: PixelRect::whole([x, 800]) };
    control.apply(resize(600), &Hills);
    let (low, high) = Hills.bounds();
    let framed = Camera::framing(View::South, low, high, [600, 800], Camera::FOV_Y);
    assert!(control.camera().eye.distance(framed.eye) < 1e-6);
    control.apply(Input::Wheel { pixel: DVec2::splat(300.0), notches: 1.0, fine: false }, &Hills);
    rest(&mut control);
    let touched = control.camera();
    control.apply(resize(1200), &Hills);
    assert_eq!(control.camera(), touched);
}

#[test]
fn a_double_click_brings_the_point_to_the_middle() {
    let (mut control, pixel) = (first(), DVec2::new(900.0, 500.0));
    let point = control.pick(pixel, &Hills).expect("on the ground");
    let far = control.camera().eye.distance(point);
    control.apply(Input::DoubleClick { pixel }, &Hills);
    rest(&mut control);
    assert!(miss(&control, point, DVec2::new(640.0, 400.0)) < 0.5);
    assert!(control.camera().eye.distance(point) < 0.5 * far);
}

#[test]
fn commands_turn_about_what_is_seen_in_the_middle() {
    let mut control = first();
    control.apply(Input::Command(Command::View(View::Corner)), &Hills);
    rest(&mut control);
    control.apply(Input::Wheel { pixel: DVec2::new(640.0, 400.0), notches: 4.0, fine: false }, &Hills);
    rest(&mut control);
    let point = control.pick(DVec2::new(640.0, 400.0), &Hills).expect("on the ground");
    for command in [Command::NorthUp, Command::StraightDown] {
        control.apply(Input::Command(command), &Hills);
        rest(&mut control);
        assert!(miss(&control, point, DVec2::new(640.0, 400.0)) < 0.5);
    }
    let camera = control.camera();
    assert!(camera.yaw.abs() < 1e-9 && camera.pitch < -1.57);
}

#[test]
fn keys_are_let_go_with_the_focus_and_letters_fly_only_while_looking() {
    let mut control = first();
    control.apply(Input::Key { key: Key::W, down: true }, &Hills);
    assert!(!control.update(0.016, &Hills));
    control.apply(Input::Press { drag: Drag::Look, pixel: DVec2::splat(300.0) }, &Hills);
    let before = control.camera().eye;
    assert!(control.update(0.016, &Hills) && control.camera().eye != before);
    control.apply(Input::FocusLost, &Hills);
    let before = control.camera();
    assert!(!control.update(0.016, &Hills) && control.camera() == before);
}

#[test]
fn shift_flies_four_times_as_fast_and_ctrl_a_quarter() {
    let travelled = |shift, ctrl| {
        let mut control = first();
        control.apply(Input::Press { drag: Drag::Look, pixel: DVec2::splat(300.0) }, &Hills);
        control.apply(Input::Key { key: Key::D, down: true }, &Hills);
        control.apply(Input::Modifiers { shift, ctrl }, &Hills);
        let before = control.camera().eye;
        control.update(0.01, &Hills);
        control.camera().eye.distance(before)
    };
    assert!((travelled(true, false) / travelled(false, false) - 4.0).abs() < 1e-6);
    assert!((travelled(false, true) / travelled(false, false) - 0.25).abs() < 1e-6);
}

#[test]
fn presets_swap_the_left_button() {
    assert_eq!(Preset::Model.drag(Button::Left, false), Drag::Orbit);
    assert_eq!(Preset::Model.drag(Button::Left, true), Drag::Pan);
    assert_eq!(Preset::Map.drag(Button::Left, false), Drag::Pan);
    assert_eq!(Preset::Map.drag(Button::Left, true), Drag::Orbit);
    assert_eq!(Preset::Map.drag(Button::Right, false), Drag::Look);
}
