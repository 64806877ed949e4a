//! Single commands: framing, turning, and flights to a place.

use super::{Controller, Drawn, Exaggeration, Ground, motion};
use crate::app::control::glide::Glide;
use crate::app::control::input::Command;
use crate::app::control::sight::{PITCH_LIMIT, Sight, slope};
use crate::camera::{Camera, View};
use glam::DVec2;

/// The flattest pitch from which a whole field is framed, radians.
const FLATTEST_FRAME: f64 = -0.26;

impl Controller {
    pub(super) fn command(&mut self, command: Command, ground: &dyn Ground) {
        let drawn = self.drawn(ground);
        match command {
            Command::FrameAll => {
                let pitch = self.camera.pitch.min(FLATTEST_FRAME);
                self.glide_to_box(self.camera.yaw, pitch, drawn);
            }
            Command::Home => self.glide_to_view(self.first, drawn),
            Command::View(view) => self.glide_to_view(view, drawn),
            Command::NorthUp => self.glide_about_middle(0.0, self.camera.pitch, drawn),
            Command::StraightDown => self.glide_about_middle(self.camera.yaw, -PITCH_LIMIT, drawn),
            Command::ExaggerateMore => self.set_exaggeration(self.exaggeration.up(), ground),
            Command::ExaggerateLess => self.set_exaggeration(self.exaggeration.down(), ground),
            Command::ExaggerateNot => self.set_exaggeration(Exaggeration::default(), ground),
        }
    }

    /// The camera that shows all of the field from a named side in the picture's free part.
    pub(super) fn framed(&self, view: View, ground: Drawn) -> Camera {
        let (yaw, pitch) = view.angles();
        self.framed_at(yaw, pitch, ground)
    }

    fn framed_at(&self, yaw: f64, pitch: f64, ground: Drawn) -> Camera {
        let (low, high) = ground.bounds();
        let turned = Camera { yaw, pitch, ..self.camera };
        motion::settled(&turned.framed(low, high, self.size, self.inside), ground)
    }

    fn glide_to_view(&mut self, view: View, ground: Drawn) {
        let (yaw, pitch) = view.angles();
        self.glide_to_box(yaw, pitch, ground);
    }

    fn glide_to_box(&mut self, yaw: f64, pitch: f64, ground: Drawn) {
        let end = self.framed_at(yaw, pitch, ground);
        let centre = ground.centre();
        let start = Sight::of(&self.camera, centre).unwrap_or_else(|| self.middle(ground));
        let aim = Sight::of(&end, centre).unwrap_or(start);
        self.glide_to(start, end, aim);
    }

    /// Turns the view about what is seen in the middle of the picture.
    fn glide_about_middle(&mut self, yaw: f64, pitch: f64, ground: Drawn) {
        let sight = self.middle(ground);
        let turn = DVec2::new(yaw, pitch) - DVec2::new(self.camera.yaw, self.camera.pitch);
        let end = motion::orbited(&self.camera, &sight, turn, ground);
        self.glide_to(sight, end, sight);
    }

    /// Flies toward the ground under a pixel until it is in the middle, at two fifths of its distance.
    pub(super) fn fly_to(&mut self, pixel: DVec2, ground: Drawn) {
        let Some(start) = Sight::ground(&self.camera, pixel, self.size, ground) else { return };
        let depth = (start.depth * 0.4).max(8.0 * ground.clearance()).min(start.depth);
        let middle = slope(&self.camera, self.inside.centre(), self.size);
        let aim = Sight { slope: middle, depth, ..start };
        let near = aim.camera(&self.camera, self.camera.yaw, self.camera.pitch);
        let end = motion::orbited(&near, &aim, DVec2::ZERO, ground);
        self.grip = None;
        self.glide_to(start, end, aim);
    }

    fn glide_to(&mut self, start: Sight, end: Camera, aim: Sight) {
        self.rest();
        self.untouched = false;
        self.glide = Some(Glide::new((self.camera, start), (end, aim)));
    }
}
