//! One picture of the window.

use super::Live;
use crate::app::panel::{self, Surroundings};
use crate::app::picture;
use crate::app::surface::Acquired;
use crate::app::ui::Painted;
use crate::app::window::Wake;
use crate::camera::PixelRect;
use crate::error::{Error, Result};
use glam::DVec2;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use winit::event_loop::ActiveEventLoop;

/// The ground of the window while there is no field, as stored.
const EMPTY: wgpu::Color = wgpu::Color { r: 0.20, g: 0.23, b: 0.27, a: 1.0 };
/// Time of a step after rest, seconds.
const FIRST_STEP: f64 = 1.0 / 60.0;
/// Until a surface that had nothing to give is asked again.
const SOON: Duration = Duration::from_millis(16);
/// Until a window that could not be seen is looked at again.
const SOMETIME: Duration = Duration::from_millis(250);

impl Live {
    /// Draws the window, if it can be drawn to.
    pub fn draw(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        let begun = Instant::now();
        self.again_at = None;
        self.poll()?;
        let outcome = self.try_to_draw(event_loop);
        self.hands.excuse(begun.elapsed());
        outcome
    }

    fn try_to_draw(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        match self.screen.acquire() {
            Acquired::Picture(texture) => self.draw_into(texture),
            Acquired::Later => {
                self.again_in(SOON);
                Ok(())
            }
            // A window without area tells when it gets one; one behind others may not.
            Acquired::Unseen if self.screen.is_empty() => Ok(()),
            Acquired::Unseen => {
                self.again_in(SOMETIME);
                Ok(())
            }
            Acquired::Lost => self.recover(event_loop),
        }
    }

    fn draw_into(&mut self, texture: wgpu::SurfaceTexture) -> Result<()> {
        let moving = self.advance();
        let painted = self.lay_out();
        let view = texture.texture.create_view(&Default::default());
        let unfinished = self.paint(&view, Some(&painted));
        self.window.pre_present_notify();
        self.screen.gpu.queue.present(texture);
        if let Some(panels) = self.picture.take() {
            self.save_picture(panels.then_some(&painted));
        }
        self.count();
        if moving || unfinished || self.selftest.frames.is_some() || painted.again_in.is_zero() {
            self.redraw();
        } else {
            self.again_in(painted.again_in);
        }
        Ok(())
    }

    /// Lets the time since the last picture pass, and tells whether the camera is on the move.
    fn advance(&mut self) -> bool {
        let now = Instant::now();
        let dt = self.last_draw.map_or(FIRST_STEP, |last| (now - last).as_secs_f64());
        let pointer = self.hands.pointer().filter(|_| !self.ui.is_under_pointer());
        let moving = self.viewer.update(dt, pointer);
        // Time at rest is no time of a motion.
        self.last_draw = moving.then_some(now);
        moving
    }

    fn lay_out(&mut self) -> Painted {
        let around = Surroundings {
            adapter: &self.screen.gpu.facts.name.clone(),
            can_drop: self.can_drop(),
            preset: self.hands.preset,
        };
        let (mut actions, mut free) = (Vec::new(), egui::Rect::NOTHING);
        let (viewer, memory) = (&self.viewer, &mut self.memory);
        let painted = self.ui.run(&self.window, &self.screen.gpu, |ui| {
            // The library may lay out more than once a picture; each time brings only its own clicks.
            let shown = panel::show(ui, viewer, memory, around);
            actions.extend(shown.actions);
            free = shown.free;
        });
        for action in actions {
            self.perform(action);
            self.redraw();
        }
        let corner = |point: egui::Pos2| {
            DVec2::new(f64::from(point.x), f64::from(point.y)) * f64::from(self.ui.scale())
        };
        let inside = PixelRect { min: corner(free.min), max: corner(free.max) };
        self.viewer.resize(self.screen.size(), inside);
        painted
    }

    /// Draws the field and the panels, and tells whether the field's picture is unfinished.
    fn paint(&mut self, target: &wgpu::TextureView, panels: Option<&Painted>) -> bool {
        let (gpu, size) = (&self.screen.gpu, self.screen.size());
        let drawn = match (&mut self.scene, self.viewer.scene_view()) {
            (Some(scene), Some(view)) => Some(scene.draw(gpu, &view, target)),
            _ => None,
        };
        let background = if matches!(drawn, Some(Ok(_))) { None } else { Some(EMPTY) };
        let nothing = Painted::nothing(self.ui.scale());
        self.ui.paint(gpu, panels.unwrap_or(&nothing), target, size, background);
        match drawn {
            Some(Ok(stats)) => {
                let unfinished = stats.unfinished;
                self.viewer.note(stats);
                unfinished
            }
            // A lost device shows when the next picture is asked for.
            Some(Err(_)) if self.screen.gpu.is_lost() => true,
            Some(Err(error)) => {
                self.viewer.fail(&error);
                self.scene = None;
                true
            }
            None => false,
        }
    }

    /// Draws the window once more into a texture, and has it written while the window goes on.
    fn save_picture(&mut self, panels: Option<&Painted>) {
        let size = self.screen.size();
        let texture = picture::target(&self.screen.gpu, self.screen.format(), size);
        self.paint(&texture.create_view(&Default::default()), panels);
        let pixels = match picture::pixels(&self.screen.gpu, &texture) {
            Ok(pixels) => pixels,
            Err(error) => return self.viewer.fail(&error),
        };
        let proxy = self.proxy.clone();
        let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let write = move || {
            let saved = picture::save(&folder, size, &pixels);
            // Nobody is left to tell when the window is gone.
            drop(proxy.send_event(Wake::Picture(saved)));
        };
        if let Err(error) = std::thread::Builder::new().name("orograph.picture".into()).spawn(write) {
            let found = format!("no thread to write with: {error}");
            self.viewer.fail(&Error::failed(found, "one thread more", "close other programs"));
        }
    }

    /// Counts the picture, for runs without hands and for the soundness of the device.
    fn count(&mut self) {
        self.since_loss = self.since_loss.saturating_add(1);
        if self.viewer.loading.is_some() {
            return;
        }
        self.selftest.drawn = self.selftest.drawn.saturating_add(1);
        if self.selftest.losses.contains(&self.selftest.drawn) {
            self.screen.gpu.device.destroy();
        }
        self.done |= self.selftest.frames.is_some_and(|frames| self.selftest.drawn >= frames);
    }
}
