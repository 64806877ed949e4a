//! `query`: height, normal, slope and aspect at points.

use super::ground::{Found, Ground, Place};
use super::numbers::{compass_point, degrees, short};
use super::options::{Conduct, FieldReading, OneInput};
use super::report::Report;
use super::results::{self, Reader};
use super::values;
use crate::error::{Error, Result};
use serde::Serialize;
use std::io::BufRead;

/// The arguments of `query`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to ask.
    #[command(flatten)]
    pub input: OneInput,
    /// Points in the file's coordinate reference system; column and row where it has no coordinates
    #[arg(long, value_name = "X,Y", value_parser = values::pair, allow_hyphen_values = true)]
    pub at: Vec<[f64; 2]>,
    /// Points are columns and rows, whole numbers at the samples
    #[arg(long)]
    pub pixel: bool,
    /// Read further points from standard input, one a line
    #[arg(long)]
    pub stdin: bool,
    /// Write a JSON array
    #[arg(long)]
    pub json: bool,
    /// How the file is read.
    #[command(flatten)]
    pub reading: FieldReading,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// The answer for one point; the field names are the keys of `query --json`.
#[derive(Debug, Serialize)]
struct Answer {
    x: f64,
    y: f64,
    column: f64,
    row: f64,
    /// In the file's own unit.
    height: Option<f64>,
    /// x east, y up, z south.
    normal: Option<[f64; 3]>,
    slope_deg: Option<f64>,
    aspect_deg: Option<f64>,
}

/// Answers every point, in order.
///
/// # Errors
/// No point is named, the file cannot be read, or standard output fails.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    if arguments.at.is_empty() && !arguments.stdin {
        return Err(Error::usage("no point", "one or more", "give --at X,Y or --stdin"));
    }
    let input = arguments.input.input();
    let raster = input.read(&arguments.reading.options(), report)?;
    let ground = Ground::new(raster).map_err(|error| error.in_file(input.name()))?;
    let place = |point: [f64; 2]| if arguments.pixel { ground.at_pixel(point) } else { ground.at_map(point) };
    if arguments.json {
        let mut answers = Vec::new();
        each_point(arguments, report, |point| {
            answers.push(Answer::new(&ground, &place(point)));
            Ok(Reader::Listens)
        })?;
        results::print_json(&answers)?;
        return Ok(());
    }
    each_point(arguments, report, |point| results::print(&describe(&ground, &place(point))))
}

/// Hands over every point until nobody reads any more; a line that is no point is told of and left out.
fn each_point(
    arguments: &Arguments,
    report: &mut Report,
    mut answer: impl FnMut([f64; 2]) -> Result<Reader>,
) -> Result<()> {
    for point in &arguments.at {
        if answer(*point)? == Reader::Left {
            return Ok(());
        }
    }
    if !arguments.stdin {
        return Ok(());
    }
    for (number, line) in (1_u64..).zip(std::io::stdin().lock().lines()) {
        let line = line.map_err(|error| {
            Error::input(format!("line {number} of standard input: {error}"), "text", "give one X,Y a line")
        })?;
        match point_of_line(&line) {
            Ok(Some(point)) if answer(point)? == Reader::Left => return Ok(()),
            Ok(_) => {}
            Err(expected) => report.fail(&Error::usage(
                format!("line {number} of standard input is “{line}”"),
                expected,
                "give one X,Y a line",
            )),
        }
    }
    Ok(())
}

/// Two numbers with a comma, a semicolon or space between them; `None` for a blank line or a remark.
fn point_of_line(line: &str) -> std::result::Result<Option<[f64; 2]>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    let words: Vec<&str> = line.split(is_gap).filter(|word| !word.is_empty()).collect();
    values::pair(&words.join(",")).map(Some)
}

impl Answer {
    fn new(ground: &Ground, place: &Place) -> Self {
        let surface = match ground.look(place) {
            Found::Ground(surface) => Some(surface),
            Found::Outside | Found::NoData => None,
        };
        Self {
            x: place.map[0],
            y: place.map[1],
            column: place.pixel[0],
            row: place.pixel[1],
            height: surface.map(|surface| surface.height),
            normal: surface.map(|surface| surface.normal.to_array()),
            slope_deg: surface.map(|surface| surface.slope_deg()),
            aspect_deg: surface.and_then(|surface| surface.aspect_deg()),
        }
    }
}

/// One line for people.
fn describe(ground: &Ground, place: &Place) -> String {
    let ([x, y], [column, row]) = (place.map, place.pixel);
    let what = match ground.look(place) {
        Found::Outside => "outside".to_owned(),
        Found::NoData => "no data".to_owned(),
        Found::Ground(surface) => {
            let facing = surface.aspect_deg().map_or_else(
                || "level".to_owned(),
                |aspect| format!("facing {} ({})", degrees(aspect), compass_point(aspect)),
            );
            let normal = surface.normal.to_array().map(short).join(", ");
            format!(
                "height {} {}, slope {} by central differences, {facing}, normal ({normal})",
                short(surface.height),
                ground.unit(),
                degrees(surface.slope_deg()),
            )
        }
    };
    format!("{x}, {y} (column {}, row {}): {what}\n", short(column), short(row))
}
