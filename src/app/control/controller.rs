//! The camera's state between inputs.

mod commands;

use super::fly::{self, Held};
use super::glide::Glide;
use super::input::{Drag, Input};
use super::sight::{Sight, slope};
use super::{Drawn, Exaggeration, Ground, motion};
use crate::camera::{Camera, PixelRect, View};
use glam::{DVec2, DVec3};

/// Radians of an orbit or a look for a drag over the picture's height.
const TURN: DVec2 = DVec2::new(3.2, 2.2);
/// Radians a second of a turn by keys.
const KEY_TURN: f64 = 1.0;
/// What is left of the depth after one notch of the wheel, and after a fine one.
const NOTCH: [f64; 2] = [0.8, 0.96];
/// Seconds in which a zoom comes nearer to its end by a factor of e.
const ZOOM_SECONDS: f64 = 0.055;
/// The longest step of time that is taken at once, seconds.
const LONGEST_STEP: f64 = 0.1;

/// A drag under way.
#[derive(Debug, Clone, Copy)]
struct Grip {
    drag: Drag,
    sight: Sight,
    last: DVec2,
}

/// A zoom that has not yet come to its end.
#[derive(Debug, Clone, Copy)]
struct Zoom {
    sight: Sight,
    pixel: DVec2,
    /// The natural logarithm of the factor that the depth has yet to change by.
    left: f64,
}

/// The camera, and what the hands are doing to it.
#[derive(Debug, Clone)]
pub struct Controller {
    camera: Camera,
    first: View,
    exaggeration: Exaggeration,
    size: [u32; 2],
    inside: PixelRect,
    grip: Option<Grip>,
    zoom: Option<Zoom>,
    glide: Option<Glide>,
    held: Held,
    /// Flying speed chosen with the wheel.
    pace: f64,
    /// Whether the first view still stands, so that it follows the window's size.
    untouched: bool,
}

impl Controller {
    /// The first view of a ground, from a named side, in a picture of `size` pixels with a field of view in radians.
    pub fn new(
        ground: &dyn Ground,
        size: [u32; 2],
        exaggeration: Exaggeration,
        first: View,
        fov_y: f64,
    ) -> Self {
        let (low, high) = Drawn::new(ground, exaggeration.factor()).bounds();
        Self {
            camera: Camera::framing(first, low, high, size, fov_y),
            first,
            exaggeration,
            size: size.map(|pixels| pixels.max(1)),
            inside: PixelRect::whole(size),
            grip: None,
            zoom: None,
            glide: None,
            held: Held::default(),
            pace: 1.0,
            untouched: true,
        }
    }

    /// The camera now.
    pub fn camera(&self) -> Camera {
        self.camera
    }

    /// Whether the camera still stands where it was put at first.
    pub fn is_untouched(&self) -> bool {
        self.untouched
    }

    /// Takes a camera over, for example one from the command line.
    pub fn set_camera(&mut self, camera: Camera, ground: &dyn Ground) {
        self.rest();
        self.untouched = false;
        self.camera = motion::settled(&camera, self.drawn(ground));
    }

    /// The factor on drawn heights.
    pub fn exaggeration(&self) -> Exaggeration {
        self.exaggeration
    }

    /// Sets the factor on drawn heights, the ground in the middle of the picture staying where it is.
    pub fn set_exaggeration(&mut self, exaggeration: Exaggeration, ground: &dyn Ground) {
        let sight = self.middle(self.drawn(ground));
        let factor = exaggeration.factor() / self.exaggeration.factor();
        self.rest();
        self.exaggeration = exaggeration;
        if self.untouched {
            self.camera = self.framed(self.first, self.drawn(ground));
        } else {
            self.camera = motion::stretched(&self.camera, &sight, factor, self.drawn(ground));
        }
    }

    /// The drag under way.
    pub fn drag(&self) -> Option<Drag> {
        self.grip.map(|grip| grip.drag)
    }

    /// The ground under a pixel in its own heights, metres.
    pub fn pick(&self, pixel: DVec2, ground: &dyn Ground) -> Option<DVec3> {
        let drawn = self.drawn(ground);
        let hit = drawn.pick(self.camera.eye, self.camera.direction_through(pixel, self.size))?;
        Some(hit * DVec3::new(1.0, self.exaggeration.factor().recip(), 1.0))
    }

    /// Where the ray of a pixel meets the level of the field's middle, metres along x and z; `None` beside the field.
    pub fn level_place(&self, pixel: DVec2, ground: &dyn Ground) -> Option<DVec2> {
        let drawn = self.drawn(ground);
        let ray = self.camera.direction_through(pixel, self.size);
        let place = self.camera.eye + ray * ((drawn.centre().y - self.camera.eye.y) / ray.y);
        let ahead = (place - self.camera.eye).dot(ray) > 0.0;
        (ahead && drawn.is_over(place)).then(|| DVec2::new(place.x, place.z))
    }

    /// Takes one input in. The camera may change at once, or as time passes in [`Controller::update`].
    pub fn apply(&mut self, input: Input, ground: &dyn Ground) {
        let drawn = self.drawn(ground);
        match input {
            Input::Press { drag, pixel } => self.press(drag, pixel, drawn),
            Input::Move { pixel } => self.drag_to(pixel, drawn),
            Input::Release => self.grip = None,
            Input::DoubleClick { pixel } => self.fly_to(pixel, drawn),
            Input::Wheel { pixel, notches, fine } => self.wheel(pixel, notches, fine, drawn),
            Input::Key { key, down } => self.held.set(key, down),
            Input::Modifiers { shift, ctrl } => (self.held.shift, self.held.ctrl) = (shift, ctrl),
            Input::FocusLost => {
                self.held.release();
                self.grip = None;
            }
            Input::Resize { size, inside } => self.resize(size, inside, drawn),
            Input::Command(command) => self.command(command, ground),
        }
    }

    /// Lets time pass, in seconds, and tells whether the camera is still on the move.
    pub fn update(&mut self, dt: f64, ground: &dyn Ground) -> bool {
        let dt = if dt.is_finite() { dt.clamp(0.0, LONGEST_STEP) } else { 0.0 };
        let drawn = self.drawn(ground);
        let gliding = self.glide_on(dt);
        let zooming = self.zoom_on(dt, drawn);
        let moving = self.move_by_keys(dt, drawn);
        if gliding || zooming || moving {
            self.camera = motion::settled(&self.camera, drawn);
        }
        self.glide.is_some() || self.zoom.is_some() || moving
    }

    fn drawn<'a>(&self, ground: &'a dyn Ground) -> Drawn<'a> {
        Drawn::new(ground, self.exaggeration.factor())
    }

    /// Ends every motion that runs by itself.
    fn rest(&mut self) {
        self.glide = None;
        self.zoom = None;
    }

    /// What is seen in the middle of the picture's free part.
    fn middle(&self, ground: Drawn) -> Sight {
        Sight::ground_or_sky(&self.camera, self.inside.centre(), self.size, ground)
    }

    fn press(&mut self, drag: Drag, pixel: DVec2, ground: Drawn) {
        self.rest();
        let sight = match (Sight::ground(&self.camera, pixel, self.size, ground), drag) {
            (Some(sight), _) => sight,
            (None, Drag::Orbit) => self.middle(ground),
            (None, _) => Sight::ground_or_sky(&self.camera, pixel, self.size, ground),
        };
        self.grip = Some(Grip { drag, sight, last: pixel });
    }

    fn drag_to(&mut self, pixel: DVec2, ground: Drawn) {
        let Some(grip) = &mut self.grip else { return };
        let moved = pixel - grip.last;
        if !moved.is_finite() || moved == DVec2::ZERO {
            return;
        }
        grip.last = pixel;
        self.untouched = false;
        let turn = moved / f64::from(self.size[1]) * TURN * DVec2::new(1.0, -1.0);
        let camera = match grip.drag {
            Drag::Orbit => motion::orbited(&self.camera, &grip.sight, turn, ground),
            Drag::Look => motion::looked(&self.camera, turn),
            Drag::Pan => {
                let to = slope(&self.camera, pixel, self.size);
                let (camera, sight) = motion::panned(&self.camera, &grip.sight, to, ground);
                grip.sight = sight;
                camera
            }
        };
        self.camera = motion::settled(&camera, ground);
    }

    fn wheel(&mut self, pixel: DVec2, notches: f64, fine: bool, ground: Drawn) {
        if !notches.is_finite() || !pixel.is_finite() {
            return;
        }
        if self.drag() == Some(Drag::Look) {
            self.pace = (self.pace * 1.25f64.powf(notches)).clamp(1.0 / 64.0, 64.0);
            return;
        }
        self.untouched = false;
        self.glide = None;
        let left = notches.clamp(-50.0, 50.0) * NOTCH[usize::from(fine)].ln();
        let going = self.zoom.take().filter(|zoom| zoom.pixel.distance(pixel) < 2.0);
        self.zoom = Some(match going {
            Some(zoom) => Zoom { left: zoom.left + left, ..zoom },
            None => {
                let sight = Sight::ground_or_sky(&self.camera, pixel, self.size, ground);
                Zoom { sight, pixel, left }
            }
        });
    }

    fn zoom_on(&mut self, dt: f64, ground: Drawn) -> bool {
        let Some(zoom) = &mut self.zoom else { return false };
        let share = -(-dt / ZOOM_SECONDS).exp_m1();
        let step = if zoom.left.abs() < 1e-3 { zoom.left } else { zoom.left * share };
        zoom.left -= step;
        let (camera, sight) = motion::zoomed(&self.camera, &zoom.sight, step.exp(), ground);
        zoom.sight = sight;
        let ended = zoom.left == 0.0 || (dt > 0.0 && camera == self.camera);
        self.camera = camera;
        self.zoom = self.zoom.filter(|_| !ended);
        true
    }

    fn glide_on(&mut self, dt: f64) -> bool {
        let Some(glide) = &mut self.glide else { return false };
        let (camera, ended) = glide.step(dt);
        self.camera = camera;
        self.glide = self.glide.filter(|_| !ended);
        true
    }

    fn move_by_keys(&mut self, dt: f64, ground: Drawn) -> bool {
        let flying = self.drag() == Some(Drag::Look);
        let (step, pace) = if flying {
            (fly::nose_first(&self.camera, self.held.flight()), self.pace * self.held.pace())
        } else {
            (fly::level(&self.camera, self.held.walk()), 1.0)
        };
        let turn = if flying { DVec2::ZERO } else { self.held.turn() };
        if step == DVec3::ZERO && turn == DVec2::ZERO {
            return false;
        }
        self.rest();
        self.untouched = false;
        if turn != DVec2::ZERO {
            let sight = self.middle(ground);
            self.camera = motion::orbited(&self.camera, &sight, turn * KEY_TURN * dt, ground);
        }
        self.camera.eye += step * (self.speed(ground) * pace * dt);
        true
    }

    /// Metres a second: the height above the ground, and never so slow that nothing seems to happen.
    fn speed(&self, ground: Drawn) -> f64 {
        let least = 3.0 * ground.clearance();
        ground.height_above(self.camera.eye).clamp(least, 2.0 * ground.diagonal().max(least))
    }

    fn resize(&mut self, size: [u32; 2], inside: PixelRect, ground: Drawn) {
        if size.contains(&0) {
            return;
        }
        (self.size, self.inside) = (size, inside);
        (self.grip, self.zoom) = (None, None);
        if self.untouched {
            self.camera = self.framed(self.first, ground);
        }
    }
}
