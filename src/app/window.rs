//! The event loop: one window, drawn when something asks for it.

use super::action::Action;
use super::live::Live;
use super::loading::Opening;
use super::viewer::Opener;
use crate::camera::View;
use crate::error::{Error, Result};
use crate::gpu::{AdapterChoice, RasterPath};
use std::path::PathBuf;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

/// How the viewer starts.
pub struct Settings {
    /// Makes the work that reads a file.
    pub opener: Opener,
    /// What is read first.
    pub first: Option<Opening>,
    /// What is drawn with.
    pub adapter: AdapterChoice,
    /// How triangles become pixels; the device's default where none is given.
    pub path: Option<RasterPath>,
    /// How a field is seen at first.
    pub start: Start,
    /// Draw so many frames of the first field, then quit.
    pub selftest_frames: Option<u32>,
    /// Frames after which the device is thrown away, to see it come back.
    pub selftest_losses: Vec<u32>,
}

/// How a field is seen at first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Start {
    /// The side that it is seen from.
    pub view: View,
    /// Vertical field of view, radians.
    pub fov_y: f64,
    /// The factor on drawn heights.
    pub exaggeration: f64,
    /// Compass direction and altitude of the sun, radians.
    pub sun: [f64; 2],
    /// One colour behind the ground instead of the sky, 0xrrggbb.
    pub background: Option<[u8; 3]>,
}

/// News from another thread.
#[derive(Debug)]
pub(super) enum Wake {
    /// Reading has come further, or has ended.
    Loading,
    /// A picture was written, or could not be.
    Picture(Result<PathBuf>),
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// No window system, no adapter that can draw to the window, or a device that is lost again and again.
pub fn run(settings: Settings) -> Result<()> {
    let event_loop = EventLoop::with_user_event().build().map_err(|error| no_window(&error))?;
    let mut shell =
        Shell { proxy: event_loop.create_proxy(), settings: Some(settings), live: None, outcome: Ok(()) };
    event_loop.run_app(&mut shell).map_err(|error| {
        Error::failed(format!("the event loop stopped: {error}"), "a running window", "start again")
    })?;
    shell.outcome
}

/// The error of a system without windows. Of a message with its place in a source file, the last part is what helps.
pub(super) fn no_window(error: &dyn std::fmt::Display) -> Error {
    let told = error.to_string();
    let reason = told.rsplit(": ").next().unwrap_or(&told).trim_end_matches('.');
    let found = format!("no window can be opened: {reason}");
    Error::adapter(found, "a graphical session", "use orograph render, which needs none")
}

struct Shell {
    proxy: EventLoopProxy<Wake>,
    settings: Option<Settings>,
    live: Option<Live>,
    outcome: Result<()>,
}

impl Shell {
    /// Goes on with what came of something, or ends the program.
    fn conclude(&mut self, event_loop: &ActiveEventLoop, outcome: Result<()>) {
        if outcome.is_err() {
            self.outcome = outcome;
            event_loop.exit();
        } else if self.live.as_ref().is_some_and(Live::is_done) {
            event_loop.exit();
        }
    }
}

impl ApplicationHandler<Wake> for Shell {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(settings) = self.settings.take() else { return };
        let outcome = Live::open(event_loop, self.proxy.clone(), settings).map(|live| self.live = Some(live));
        self.conclude(event_loop, outcome);
    }

    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(live)) = (cause, &self.live) {
            live.redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, wake: Wake) {
        let Some(live) = &mut self.live else { return };
        let outcome = live.wake(wake);
        self.conclude(event_loop, outcome);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        let Some(live) = &mut self.live else { return };
        let outcome = match event {
            WindowEvent::RedrawRequested => live.draw(event_loop),
            WindowEvent::CloseRequested => {
                live.perform(Action::Quit);
                Ok(())
            }
            event => {
                live.take(&event);
                Ok(())
            }
        };
        self.conclude(event_loop, outcome);
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let again = self.live.as_ref().and_then(Live::again_at);
        // A moment that has passed is asked for at once; the loop would spin on it.
        let flow = match again {
            Some(at) if at > Instant::now() => ControlFlow::WaitUntil(at),
            Some(_) => {
                if let Some(live) = &self.live {
                    live.redraw();
                }
                ControlFlow::Wait
            }
            None => ControlFlow::Wait,
        };
        event_loop.set_control_flow(flow);
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        // What draws has to go before the window system's connection does.
        self.live = None;
    }
}
