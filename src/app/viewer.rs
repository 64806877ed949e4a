//! What the viewer knows and does, without a window: the field, the camera over it, what is being read, what to tell.

use super::action::Action;
use super::control::{Controller, Exaggeration, Ground, Input};
use super::loading::{Loading, Opening, Wish};
use super::opened::Opened;
use super::readout::Readout;
use super::scene::{SceneView, Stats};
use super::window::Start;
use crate::camera::{Camera, PixelRect};
use crate::error::{Error, Result};
use glam::DVec2;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::path::PathBuf;
use std::sync::Arc;

/// Makes the work that reads a file.
pub type Opener = Arc<dyn Fn(PathBuf, Wish) -> Opening>;

/// A field that is read anew keeps its camera while its relief stays within this factor.
const SAME_RELIEF: f64 = 2.0;

/// The share of a new time in the times shown, so that they can be read while they change.
const FRESH: f64 = 0.15;

/// A field in view.
pub struct Field {
    /// What was read.
    pub opened: Opened,
    /// The camera over it.
    pub control: Controller,
}

/// Something to tell, until it is put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Something was done.
    Done(String),
    /// Something could not be done.
    Failed(String),
}

/// The viewer's state.
pub struct Viewer {
    opener: Opener,
    wake: Arc<dyn Fn() + Send + Sync>,
    exaggeration: Exaggeration,
    start: Start,
    size: [u32; 2],
    inside: PixelRect,
    /// The field in view.
    pub field: Option<Field>,
    /// What is being read.
    pub loading: Option<Loading>,
    /// What to tell.
    pub notice: Option<Notice>,
    /// What the newest picture took, its times smoothed.
    pub stats: Stats,
    /// What is under the pointer.
    pub readout: Option<Readout>,
    /// Compass direction and altitude of the sun, radians.
    pub sun: [f64; 2],
    /// Whether the levels are shown.
    pub levels: bool,
    /// Whether the panels are shown.
    pub panels: bool,
    /// Whether the key sheet is shown.
    pub help: bool,
}

impl Viewer {
    /// A viewer without a field. `wake` is called from other threads when there is news.
    pub fn new(opener: Opener, wake: Arc<dyn Fn() + Send + Sync>, start: Start) -> Self {
        Self {
            opener,
            wake,
            exaggeration: Exaggeration::new(start.exaggeration),
            sun: start.sun,
            start,
            size: [1, 1],
            inside: PixelRect::whole([1, 1]),
            field: None,
            loading: None,
            notice: None,
            stats: Stats::default(),
            readout: None,
            levels: false,
            panels: true,
            help: false,
        }
    }

    /// Does what is asked for and needs no window.
    pub fn perform(&mut self, action: Action) {
        match action {
            Action::Control(input) => self.control(input),
            Action::Exaggerate(factor) => self.exaggerate(factor),
            Action::Sun(turn) => self.turn_sun(turn),
            Action::Open(path) => self.read(path, Wish::Plain),
            Action::Reload => self.reload(),
            Action::Reread(wish) => self.reread(wish),
            Action::CancelLoading => self.loading = None,
            Action::ToggleHelp => self.help = !self.help,
            Action::TogglePanels => self.panels = !self.panels,
            Action::ToggleLevels => self.levels = !self.levels,
            Action::Dismiss => self.notice = None,
            Action::Escape if self.help => self.help = false,
            Action::Escape => self.notice = None,
            Action::Preset(_)
            | Action::EnterPath
            | Action::ToggleFullScreen
            | Action::Picture { .. }
            | Action::Quit => {}
        }
    }

    /// Starts to read a field; what is being read is let go of.
    pub fn open(&mut self, opening: Opening) {
        self.notice = None;
        let wake = self.wake.clone();
        match Loading::start(opening, move || wake()) {
            Ok(loading) => self.loading = Some(loading),
            Err(error) => self.fail(&error),
        }
    }

    /// The field, its preview, or the error that has come of reading.
    pub fn poll(&mut self) -> Option<Result<Opened>> {
        let loading = self.loading.as_ref()?;
        let seconds = loading.since.elapsed().as_secs_f64();
        let Some(outcome) = loading.poll() else {
            let preview = loading.preview()?;
            log::info!("a preview of {} after {seconds:.2} s", loading.label);
            return Some(Ok(preview));
        };
        log::info!("{} after {seconds:.2} s", loading.label);
        self.loading = None;
        Some(outcome)
    }

    /// Puts a field in view: seen as its preview is, as before where it is the same ground read in another way, else as at
    /// first.
    pub fn adopt(&mut self, opened: Opened) {
        self.stats = Stats::default();
        match &mut self.field {
            Some(field) if field.is_preview_of(&opened) => field.opened = opened,
            _ => self.adopt_first(opened),
        }
    }

    fn adopt_first(&mut self, opened: Opened) {
        let (ground, start) = (&*opened.terrain, &self.start);
        let mut control = Controller::new(ground, self.size, self.exaggeration, start.view, start.fov_y);
        control.apply(Input::Resize { size: self.size, inside: self.inside }, ground);
        let kept = || self.field.as_ref().and_then(|field| field.camera_over(&opened));
        if let Some(camera) = opened.camera.or_else(kept) {
            control.set_camera(camera, ground);
        }
        self.field = Some(Field { opened, control });
    }

    /// Tells an error.
    pub fn fail(&mut self, error: &Error) {
        if !matches!(error, Error::Interrupted) {
            self.notice = Some(Notice::Failed(error.to_string()));
        }
    }

    /// Tells of something done.
    pub fn tell(&mut self, text: impl Into<String>) {
        self.notice = Some(Notice::Done(text.into()));
    }

    /// Notes the picture's size and the part of it that no panel covers.
    pub fn resize(&mut self, size: [u32; 2], inside: PixelRect) {
        if (self.size, self.inside) == (size, inside) {
            return;
        }
        (self.size, self.inside) = (size, inside);
        self.control(Input::Resize { size, inside });
    }

    /// Lets time pass, in seconds, and tells whether the picture goes on changing.
    pub fn update(&mut self, dt: f64, pointer: Option<DVec2>) -> bool {
        let Some(field) = &mut self.field else { return false };
        let moving = field.control.update(dt, &*field.opened.terrain);
        self.readout = pointer.and_then(|pixel| field.readout(pixel));
        moving
    }

    /// The picture to draw now.
    pub fn scene_view(&self) -> Option<SceneView> {
        let control = &self.field.as_ref()?.control;
        Some(SceneView {
            camera: control.camera(),
            size: self.size,
            exaggeration: control.exaggeration().factor(),
            sun: self.sun,
            background: self.start.background,
            levels: self.levels,
        })
    }

    /// Takes in what a picture took.
    pub fn note(&mut self, mut stats: Stats) {
        let shown = &self.stats.passes;
        let same = shown.len() == stats.passes.len()
            && shown.iter().zip(&stats.passes).all(|(old, new)| old.name == new.name);
        if stats.passes.is_empty() {
            stats.passes.clone_from(shown);
        } else if same {
            for (new, old) in stats.passes.iter_mut().zip(shown) {
                new.milliseconds = old.milliseconds + FRESH * (new.milliseconds - old.milliseconds);
            }
        }
        self.stats = stats;
    }

    fn control(&mut self, input: Input) {
        if let Some(field) = &mut self.field {
            field.control.apply(input, &*field.opened.terrain);
            self.exaggeration = field.control.exaggeration();
        }
    }

    fn exaggerate(&mut self, factor: f64) {
        if let Some(field) = &mut self.field {
            field.control.set_exaggeration(Exaggeration::new(factor), &*field.opened.terrain);
            self.exaggeration = field.control.exaggeration();
        }
    }

    fn turn_sun(&mut self, [azimuth, altitude]: [f64; 2]) {
        self.sun[0] = (self.sun[0] + azimuth).rem_euclid(TAU);
        self.sun[1] = (self.sun[1] + altitude).clamp(0.0, FRAC_PI_2);
    }

    fn read(&mut self, path: PathBuf, wish: Wish) {
        let opening = (self.opener)(path, wish);
        self.open(opening);
    }

    fn reload(&mut self) {
        if let Some(wish) = self.field.as_ref().map(|field| field.opened.wish) {
            self.reread(wish);
        }
    }

    fn reread(&mut self, wish: Wish) {
        if let Some(path) = self.field.as_ref().and_then(|field| field.opened.path.clone()) {
            self.read(path, wish);
        }
    }
}

impl Field {
    /// Whether the field in view stands in for another that has now been read.
    fn is_preview_of(&self, opened: &Opened) -> bool {
        self.opened.is_preview && !opened.is_preview && self.opened.path == opened.path
    }

    /// The camera for another reading of the same file, if it was moved and would still see the ground.
    fn camera_over(&self, other: &Opened) -> Option<Camera> {
        let (now, then) = (&self.opened, other);
        let [(low, high), (other_low, other_high)] =
            [&now.terrain, &then.terrain].map(|t| Ground::bounds(&**t));
        let (before, after) = (high - low, other_high - other_low);
        let is_same = now.path.is_some()
            && now.path == then.path
            && (before.x, before.z) == (after.x, after.z)
            && (after.y / before.y).max(before.y / after.y) < SAME_RELIEF;
        (is_same && !self.control.is_untouched()).then(|| self.control.camera())
    }

    /// What is under a pixel: the ground, or an empty place of the field; `None` beside the field.
    fn readout(&self, pixel: DVec2) -> Option<Readout> {
        let (ground, opened) = (&*self.opened.terrain, &self.opened);
        if let Some(point) = self.control.pick(pixel, ground) {
            let place = DVec2::new(point.x, point.z);
            return Some(Readout::new(opened, place, Some(point.y)));
        }
        let place = self.control.level_place(pixel, ground)?;
        Some(Readout::new(opened, place, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::loading::Progress;
    use crate::camera::View;
    use crate::formats::{self, ReadOptions};
    use std::time::Duration;

    /// A square field 80 m wide, of so many samples a side.
    fn opened(name: &str, side: usize) -> Opened {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.asc");
        let step = 80.0 / (side - 1) as f64;
        let heights = "1 2 3 4 5 6 7 8 9 ".repeat(side);
        let heights: Vec<&str> = heights.split_whitespace().take(side * side).collect();
        let text = format!("ncols {side}\nnrows {side}\ncellsize {step}\n{}", heights.join(" "));
        std::fs::write(&path, text).expect("written");
        let raster = formats::read(&path, &ReadOptions::default()).expect("read");
        Opened::new(raster, String::new(), Some(name.into()), &Progress::new(|| ())).expect("opened")
    }

    fn preview(name: &str, side: usize) -> Opened {
        Opened { is_preview: true, ..opened(name, side) }
    }

    fn viewer() -> Viewer {
        let start =
            Start { view: View::South, fov_y: 0.8, exaggeration: 1.0, sun: [0.0; 2], background: None };
        let opener: Opener =
            Arc::new(|_, _| Opening { label: String::new(), work: Box::new(|_| Err(Error::Interrupted)) });
        Viewer::new(opener, Arc::new(|| ()), start)
    }

    #[test]
    fn the_whole_takes_the_place_of_its_preview_under_the_same_camera() {
        let mut viewer = viewer();
        viewer.adopt(preview("a.tif", 3));
        let field = viewer.field.as_mut().expect("a field");
        let mut camera = field.control.camera();
        camera.eye.y += 100.0;
        field.control.set_camera(camera, &*field.opened.terrain);
        let camera = field.control.camera();
        viewer.adopt(opened("a.tif", 9));
        let field = viewer.field.as_ref().expect("a field");
        assert_eq!((field.control.camera(), field.opened.terrain.cells()), (camera, [8, 8]));
        assert!(!field.opened.is_preview);
        viewer.adopt(opened("b.tif", 9));
        assert_ne!(viewer.field.as_ref().expect("a field").control.camera(), camera);
    }

    #[test]
    fn a_preview_is_taken_out_once_while_the_work_goes_on() {
        let mut viewer = viewer();
        let (go_on, waits) = std::sync::mpsc::channel::<()>();
        let work = move |progress: &Progress| {
            progress.show(preview("a.tif", 3));
            waits.recv().expect("told");
            Ok(opened("a.tif", 9))
        };
        viewer.open(Opening { label: "a.tif".into(), work: Box::new(work) });
        let wait = |viewer: &mut Viewer| {
            let mut polls = std::iter::repeat_with(|| {
                std::thread::sleep(Duration::from_millis(5));
                viewer.poll()
            });
            polls.by_ref().take(1000).flatten().next().expect("news").expect("opened")
        };
        assert!(wait(&mut viewer).is_preview);
        assert!(viewer.loading.is_some() && viewer.poll().is_none());
        go_on.send(()).expect("heard");
        assert!(!wait(&mut viewer).is_preview);
        assert!(viewer.loading.is_none());
    }
}
