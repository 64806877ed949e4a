//! `orograph [FILE…]`: the viewer.

use super::info;
use super::input::Input;
use super::options::{CameraOptions, Conduct, FieldReading, Gpu, Inputs, Look};
use super::report::Report;
use super::site::Site;
use crate::app::{self, Headerless, Opened, Opening, Progress, Remembered, Settings, Source, Start, Wish};
use crate::camera::{Camera, View};
use crate::error::Result;
use crate::formats::{Raster, ReadOptions};
use std::sync::Arc;

/// The viewer's arguments.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to open; the demo terrain where nothing is named.
    #[command(flatten)]
    pub inputs: Inputs,
    /// Draw N frames in the window and quit
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub selftest_frames: Option<u32>,
    /// Throw the device away after these frames
    #[arg(long, value_name = "N,N", value_delimiter = ',', hide = true)]
    pub selftest_losses: Vec<u32>,
    /// How the files are read.
    #[command(flatten)]
    pub reading: FieldReading,
    /// How the ground looks at first.
    #[command(flatten)]
    pub look: Look,
    /// Where the first picture is taken from.
    #[command(flatten)]
    pub camera: CameraOptions,
    /// What is drawn with.
    #[command(flatten)]
    pub gpu: Gpu,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// The picture's size that a first camera is made for; only what it shows beside its target depends on it.
const FIRST_SIZE: [u32; 2] = [1280, 800];

/// Samples of a preview: as many as a window has pixels.
const PREVIEW_SAMPLES: usize = 1 << 20;

/// Opens the window.
///
/// # Errors
/// The demo terrain beside files, no window system, or nothing to draw with. With `--selftest-frames` also an input that cannot be read.
pub fn run(arguments: &Arguments, _report: &mut Report) -> Result<()> {
    let first = arguments.inputs.only(arguments.reading.mosaic())?;
    let reader = Reader { options: arguments.reading.options(), remembered: Remembered::of_user() };
    let first = opening(first, Wish::Plain, reader.clone(), Some(FirstCamera::new(arguments)));
    app::run(Settings {
        opener: Arc::new(move |path, wish| opening(Input::File(path), wish, reader.clone(), None)),
        first: Some(first),
        adapter: arguments.gpu.choice(),
        path: arguments.gpu.path(),
        start: start(arguments),
        selftest_frames: arguments.selftest_frames,
        selftest_losses: arguments.selftest_losses.clone(),
    })
}

fn start(arguments: &Arguments) -> Start {
    let look = &arguments.look;
    Start {
        view: arguments.camera.view.unwrap_or(View::South),
        fov_y: arguments.camera.fov.to_radians(),
        exaggeration: look.exaggeration,
        sun: [look.azimuth.to_radians(), look.altitude.to_radians()],
        background: look.background,
    }
}

/// The camera that the options ask for, if they name a place.
struct FirstCamera {
    options: CameraOptions,
    exaggeration: f64,
}

impl FirstCamera {
    fn new(arguments: &Arguments) -> Self {
        Self { options: arguments.camera.clone(), exaggeration: arguments.look.exaggeration }
    }

    fn of(&self, opened: &Opened) -> Option<Camera> {
        if self.options.eye.is_none() && self.options.target.is_none() {
            return None;
        }
        let site = Site {
            terrain: &opened.terrain,
            georeference: opened.georeference,
            orientation: opened.orientation,
            unit_m: opened.facts.unit_m,
        };
        Some(site.camera(&self.options, self.exaggeration, FIRST_SIZE))
    }
}

/// What is known about reading before a file is named.
#[derive(Clone)]
struct Reader {
    options: ReadOptions,
    remembered: Remembered,
}

impl Reader {
    /// Reads an input: as it is wished, else as the options say, else as remembered, else as guessed. Answers that were
    /// told are remembered once the file could be read by them.
    fn read(&self, input: &Input, wish: Wish) -> Result<(Raster, Option<Headerless>)> {
        let found = match input {
            Input::File(path) if !path.is_dir() => {
                Headerless::look(path, &self.options, wish, &self.remembered)?
            }
            Input::File(_) | Input::Mosaic(_) | Input::Demo => None,
        };
        let options = match (&found, wish) {
            (Some(found), _) => found.answers.replace(&self.options),
            (None, Wish::Spread(range)) => ReadOptions { z_range: Some(range), ..self.options.clone() },
            (None, _) => self.options.clone(),
        };
        let mut raster = input.raster(&options)?;
        if let Some(found) = &found {
            raster.facts.assumptions.extend(found.assumption());
            if found.source == Source::Told {
                self.remembered.remember(input.name(), found.bytes, found.answers);
            }
        }
        Ok((raster, found))
    }
}

/// The work that reads an input for the window.
fn opening(input: Input, wish: Wish, reader: Reader, first: Option<FirstCamera>) -> Opening {
    let label = input.name().file_name().unwrap_or(input.name().as_os_str()).to_string_lossy().into_owned();
    let work = move |progress: &Progress| {
        let open = |(raster, headerless): (Raster, Option<Headerless>)| {
            let text = info::text_of(raster.facts.clone());
            let path = match &input {
                Input::File(path) => Some(path.clone()),
                Input::Mosaic(_) | Input::Demo => None,
            };
            let opened =
                Opened::new(raster, text, path, progress).map_err(|error| error.in_file(input.name()))?;
            let camera = first.as_ref().and_then(|first| first.of(&opened));
            Ok(Opened { camera, wish, headerless, ..opened })
        };
        progress.stage("reading a preview")?;
        let preview = input.preview(&reader.options, PREVIEW_SAMPLES).map(|preview| open((preview, None)));
        if let Some(Ok(preview)) = preview {
            progress.show(Opened { is_preview: true, ..preview });
        }
        progress.stage("reading the file")?;
        open(reader.read(&input, wish)?)
    };
    Opening { label, work: Box::new(work) }
}
