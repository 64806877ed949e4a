//! The open window: events to actions, a picture for each redraw, and a new device when the old one is lost.

mod draw;

use super::action::Action;
use super::input::Hands;
use super::loading::Opening;
use super::opened::Opened;
use super::panel::Memory;
use super::scene::Scene;
use super::surface::Screen;
use super::ui::Ui;
use super::viewer::Viewer;
use super::window::{Settings, Wake, no_window};
use crate::error::{Error, Result};
use crate::gpu::{AdapterChoice, RasterPath};
use std::sync::Arc;
use std::time::{Duration, Instant};
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::raw_window_handle::{HasWindowHandle, RawWindowHandle};
use winit::window::{Fullscreen, Window};

/// How often in a row a device may be lost.
const LOSSES: u32 = 3;
/// After so many pictures a new device counts as sound.
const SOUND: u32 = 10;

/// Everything that lives as long as the window.
///
/// Fields go in this order: what was made with a device before the device, the device before the window.
pub(super) struct Live {
    scene: Option<Scene>,
    ui: Ui,
    screen: Screen,
    window: Arc<Window>,
    proxy: EventLoopProxy<Wake>,
    viewer: Viewer,
    hands: Hands,
    memory: Memory,
    adapter: AdapterChoice,
    path: Option<RasterPath>,
    selftest: Selftest,
    /// A picture that is asked for, with the panels or without.
    picture: Option<bool>,
    last_draw: Option<Instant>,
    again_at: Option<Instant>,
    losses: u32,
    since_loss: u32,
    done: bool,
}

/// What a run without hands is to do.
struct Selftest {
    frames: Option<u32>,
    losses: Vec<u32>,
    drawn: u32,
}

impl Live {
    pub fn open(
        event_loop: &ActiveEventLoop,
        proxy: EventLoopProxy<Wake>,
        settings: Settings,
    ) -> Result<Self> {
        let window = window(event_loop)?;
        let screen = Screen::open(window.clone(), event_loop.owned_display_handle(), &settings.adapter)?;
        let ui = Ui::new(&window, &screen.gpu, screen.format());
        let news = proxy.clone();
        // The loop is gone only when nothing is left to wake.
        let wake = Arc::new(move || drop(news.send_event(Wake::Loading)));
        let mut live = Self {
            scene: None,
            ui,
            screen,
            window,
            proxy,
            viewer: Viewer::new(settings.opener, wake, settings.start),
            hands: Hands::default(),
            memory: Memory::default(),
            adapter: settings.adapter,
            path: settings.path,
            selftest: Selftest {
                frames: settings.selftest_frames,
                losses: settings.selftest_losses,
                drawn: 0,
            },
            picture: None,
            last_draw: None,
            again_at: None,
            losses: 0,
            since_loss: 0,
            done: false,
        };
        live.begin(settings.first);
        Ok(live)
    }

    fn begin(&mut self, first: Option<Opening>) {
        if let Some(first) = first {
            self.viewer.open(first);
        }
        self.redraw();
    }

    /// Whether the program is to end.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// When the next picture is due, if nothing happens before.
    pub fn again_at(&self) -> Option<Instant> {
        self.again_at
    }

    /// Asks for a picture.
    pub fn redraw(&self) {
        self.window.request_redraw();
    }

    /// Takes in an event of the window.
    pub fn take(&mut self, event: &WindowEvent) {
        let taken = self.ui.takes(&self.window, event);
        match event {
            WindowEvent::Resized(_) => self.screen.resize(),
            WindowEvent::HoveredFile(_) => self.memory.dropping = true,
            WindowEvent::HoveredFileCancelled | WindowEvent::DroppedFile(_) => self.memory.dropping = false,
            _ => {}
        }
        let typing = self.ui.wants_keys();
        for action in self.hands.actions(event, taken, typing, self.window.scale_factor()) {
            self.perform(action);
        }
        self.redraw();
    }

    /// Takes in news from another thread.
    pub fn wake(&mut self, wake: Wake) -> Result<()> {
        match wake {
            Wake::Loading => self.poll()?,
            Wake::Picture(Ok(path)) => self.viewer.tell(format!("Saved {}", path.display())),
            Wake::Picture(Err(error)) => self.viewer.fail(&error),
        }
        self.redraw();
        Ok(())
    }

    /// Does what is asked for.
    pub fn perform(&mut self, action: Action) {
        match action {
            Action::Quit => self.done = true,
            Action::Picture { panels } => self.picture = Some(panels),
            Action::Preset(preset) => self.hands.preset = preset,
            Action::EnterPath => {
                self.viewer.panels = true;
                self.memory.enter_path = true;
            }
            Action::ToggleFullScreen => {
                let full = self.window.fullscreen().is_none().then_some(Fullscreen::Borderless(None));
                self.window.set_fullscreen(full);
            }
            Action::Escape if self.ui.wants_keys() => self.ui.drop_focus(),
            action => self.viewer.perform(action),
        }
    }

    /// Looks whether reading has ended, and puts a new field in view.
    fn poll(&mut self) -> Result<()> {
        match self.viewer.poll() {
            None => Ok(()),
            Some(outcome) => match outcome.and_then(|opened| self.show(opened)) {
                Err(error) if self.selftest.frames.is_some() => Err(error),
                Err(error) => {
                    self.viewer.fail(&error);
                    Ok(())
                }
                Ok(()) => Ok(()),
            },
        }
    }

    /// Puts a field in view, once its scene could be made.
    fn show(&mut self, opened: Opened) -> Result<()> {
        let scene =
            Scene::new(&self.screen.gpu, self.screen.format(), self.path, self.screen.size(), &opened)?;
        let name = opened.facts.file.file_name().unwrap_or(opened.facts.file.as_os_str());
        self.window.set_title(&format!("{} – orograph", name.to_string_lossy()));
        self.scene = Some(scene);
        self.viewer.adopt(opened);
        Ok(())
    }

    /// Opens a new device and makes everything on it anew. Field and camera stay.
    fn recover(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        self.losses = if self.since_loss >= SOUND { 1 } else { self.losses + 1 };
        self.since_loss = 0;
        if self.losses > LOSSES {
            return Err(Error::adapter(
                format!("{} was lost {LOSSES} times in a row", self.screen.gpu.facts.name),
                "a device that lasts",
                "update its driver or choose another with --adapter",
            ));
        }
        log::warn!("the device was lost and is opened anew");
        self.scene = None;
        self.screen = Screen::open(self.window.clone(), event_loop.owned_display_handle(), &self.adapter)?;
        self.ui = Ui::new(&self.window, &self.screen.gpu, self.screen.format());
        if let Some(field) = &self.viewer.field {
            self.scene = Some(Scene::new(
                &self.screen.gpu,
                self.screen.format(),
                self.path,
                self.screen.size(),
                &field.opened,
            )?);
        }
        self.redraw();
        Ok(())
    }

    /// Whether a file can be dropped on the window: the window library hears of none under Wayland.
    fn can_drop(&self) -> bool {
        let handle = self.window.window_handle().map(|handle| handle.as_raw());
        !matches!(handle, Ok(RawWindowHandle::Wayland(_)))
    }

    /// Sets when the next picture is due.
    fn again_in(&mut self, delay: Duration) {
        self.again_at = Instant::now().checked_add(delay);
    }
}

fn window(event_loop: &ActiveEventLoop) -> Result<Arc<Window>> {
    let attributes = Window::default_attributes()
        .with_title("orograph")
        .with_inner_size(LogicalSize::new(1280.0, 800.0))
        .with_min_inner_size(LogicalSize::new(480.0, 320.0));
    event_loop.create_window(attributes).map(Arc::new).map_err(|error| no_window(&error))
}
