//! `profile`: heights along a straight line, as a table or as a picture.

mod plot;
mod table;

use super::ground::{Found, Ground, Place, snapped};
use super::options::{Conduct, FieldReading, OneInput};
use super::output::write_atomically;
use super::render::write_png;
use super::report::Report;
use super::{interrupt, values};
use crate::error::{Error, Result};
use std::path::{Path, PathBuf};

/// Samples between two looks for an interruption.
const CHUNK: u32 = 4096;

/// The arguments of `profile`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to cut through.
    #[command(flatten)]
    pub input: OneInput,
    /// Where the line starts, in the file's coordinate reference system; column and row where it has no coordinates
    #[arg(long, value_name = "X,Y", value_parser = values::pair, allow_hyphen_values = true)]
    pub from: [f64; 2],
    /// Where it ends
    #[arg(long, value_name = "X,Y", value_parser = values::pair, allow_hyphen_values = true)]
    pub to: [f64; 2],
    /// Evenly spaced samples, both ends included; one a cell unless said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1_000_000), allow_negative_numbers = true)]
    pub samples: Option<u32>,
    /// A .csv table (distance in metres, x, y, height in the file's unit, slope in degrees) or a .png picture
    #[arg(long, short, value_name = "OUT")]
    pub output: PathBuf,
    /// How the file is read.
    #[command(flatten)]
    pub reading: FieldReading,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// One sample of a profile.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Sample {
    /// Metres from the start.
    distance: f64,
    /// Map coordinates.
    map: [f64; 2],
    /// In the file's own unit; `None` in a hole and outside.
    height: Option<f64>,
    /// Degrees; `None` in a hole and outside.
    slope: Option<f64>,
}

/// A profile and what its picture says of it.
#[derive(Debug)]
struct Profile {
    samples: Vec<Sample>,
    /// The input's name.
    name: String,
    /// Name of the height unit.
    unit: String,
}

/// The formats a profile is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Csv,
    Png,
}

/// Writes the profile.
///
/// # Errors
/// The file cannot be read, the line meets no ground, or the output cannot be written.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let format = format_of(&arguments.output)?;
    let input = arguments.input.input();
    let raster = input.read(&arguments.reading.options(), report)?;
    let ground = Ground::new(raster).map_err(|error| error.in_file(input.name()))?;
    let samples = cut(&ground, arguments).map_err(|error| error.in_file(input.name()))?;
    let profile = Profile { samples, name: file_name(input.name()), unit: ground.unit().to_owned() };
    match format {
        Format::Csv => write_atomically(&arguments.output, |out| table::write(&profile, out))?,
        Format::Png => {
            let picture = plot::draw(&profile)?;
            write_atomically(&arguments.output, |out| write_png(out, picture.size(), picture.pixels()))?;
        }
    }
    report.note(format_args!("{}: {} samples", arguments.output.display(), profile.samples.len()));
    Ok(())
}

fn format_of(output: &Path) -> Result<Format> {
    let extension = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "csv" => Ok(Format::Csv),
        "png" => Ok(Format::Png),
        _ => Err(Error::usage(format!("the extension “{extension}”"), ".csv or .png", "rename the output")
            .in_file(output)),
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Samples the line.
fn cut(ground: &Ground, arguments: &Arguments) -> Result<Vec<Sample>> {
    let [from, to] = [arguments.from, arguments.to].map(|map| ground.at_map(map));
    let length = ground.distance(&from, &to);
    if length == 0.0 {
        return Err(Error::usage("a line of no length", "two points", "move --from or --to"));
    }
    let count = arguments.samples.unwrap_or_else(|| one_a_cell(&from, &to));
    let mut samples = Vec::with_capacity(count as usize);
    for index in 0..count {
        if index % CHUNK == 0 {
            interrupt::check()?;
        }
        let part = f64::from(index) / f64::from(count - 1);
        samples.push(Sample::new(ground, &between(&from, &to, part), part * length));
    }
    if samples.iter().all(|sample| sample.height.is_none()) {
        return Err(Error::usage(
            "no ground on the whole line",
            "a line that meets the raster",
            "see its place with info, and choose other ends",
        ));
    }
    Ok(samples)
}

/// As many samples as put one into each cell along the longer axis.
fn one_a_cell(from: &Place, to: &Place) -> u32 {
    let cells = (0..2).map(|axis| (to.pixel[axis] - from.pixel[axis]).abs()).fold(0.0, f64::max);
    // Far outside a raster the cast saturates.
    (cells.ceil() as u32).clamp(1, 999_999) + 1
}

/// A point of the line; both ends are exact.
fn between(from: &Place, to: &Place, part: f64) -> Place {
    let mix = |a: [f64; 2], b: [f64; 2]| -> [f64; 2] {
        std::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * part)
    };
    if part == 1.0 {
        *to
    } else {
        Place { map: mix(from.map, to.map), pixel: mix(from.pixel, to.pixel).map(snapped) }
    }
}

impl Sample {
    fn new(ground: &Ground, place: &Place, distance: f64) -> Self {
        let surface = match ground.look(place) {
            Found::Ground(surface) => Some(surface),
            Found::Outside | Found::NoData => None,
        };
        Self {
            distance,
            map: place.map,
            height: surface.map(|surface| surface.height),
            slope: surface.map(|surface| surface.slope_deg()),
        }
    }
}
