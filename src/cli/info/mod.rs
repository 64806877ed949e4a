//! `info`: what a file is, and everything that was assumed.

mod text;

use super::input::Input;
use super::options::{Conduct, FieldReading, Inputs};
use super::report::Report;
use super::{estimate, results};
use crate::error::{Error, Result};
use crate::formats::{Facts, Survey};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The arguments of `info`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to read.
    #[command(flatten)]
    pub inputs: Inputs,
    /// Write JSON: one object, or an array for several inputs
    #[arg(long)]
    pub json: bool,
    /// Add the checksum of the heights
    #[arg(long)]
    pub checksum: bool,
    /// How the files are read.
    #[command(flatten)]
    pub reading: FieldReading,
    /// How the program behaves.
    #[command(flatten)]
    pub conduct: Conduct,
}

/// What is told of one input; the field names are the keys of `info --json`.
#[derive(Debug, Serialize)]
struct Info {
    #[serde(flatten)]
    facts: Facts,
    /// SHA-256 of the heights, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    /// Clipmap levels that it is drawn with.
    levels: u32,
    /// Bytes of main memory.
    memory_estimate: u64,
    /// Bytes of GPU memory.
    gpu_memory_estimate: u64,
}

/// Tells of every input, and goes on after a bad one; of all as one terrain where that is asked for.
///
/// # Errors
/// No input is named, or standard output fails.
pub fn run(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let inputs =
        if arguments.reading.mosaic() { arguments.inputs.as_one()? } else { arguments.inputs.list() };
    if inputs.is_empty() {
        return Err(Error::usage("no file", "one or more", "name a file, or --demo"));
    }
    let found: Vec<Info> = inputs.iter().filter_map(|input| look_at(input, arguments, report)).collect();
    if !arguments.json {
        let texts: Vec<String> = found.iter().map(text::describe).collect();
        results::print(&texts.join("\n"))?;
    } else if inputs.len() > 1 {
        results::print_json(&found)?;
    } else if let Some(only) = found.first() {
        results::print_json(only)?;
    }
    Ok(())
}

/// A raster's facts as `info` prints them.
pub fn text_of(facts: Facts) -> String {
    text::describe(&Info::of(facts, None))
}

/// What there is to tell; problems go to the report, a raster without a valid sample both ways.
fn look_at(input: &Input, arguments: &Arguments, report: &mut Report) -> Option<Info> {
    match input.survey(&arguments.reading.options(), arguments.checksum, report) {
        Ok(Survey { facts, sha256 }) => {
            if facts.statistics.valid == 0 {
                report.fail(&without_samples(facts.size).in_file(input.name()));
            }
            Some(Info::of(facts, sha256))
        }
        Err(error) => {
            report.fail(&error);
            None
        }
    }
}

fn without_samples([width, depth]: [u32; 2]) -> Error {
    Error::input(
        format!("none of {width}×{depth} samples is valid"),
        "at least one height",
        "check the empty value with --nodata",
    )
}

impl Info {
    fn of(facts: Facts, sha256: Option<String>) -> Self {
        Self {
            sha256,
            levels: estimate::levels(facts.size),
            memory_estimate: estimate::memory(facts.size),
            gpu_memory_estimate: estimate::gpu_memory(facts.size),
            facts: with_plain_paths(facts),
        }
    }
}

/// JSON holds Unicode alone, and paths need not be.
fn with_plain_paths(facts: Facts) -> Facts {
    let plain = |path: &Path| PathBuf::from(path.to_string_lossy().into_owned());
    Facts { file: plain(&facts.file), files: facts.files.iter().map(|file| plain(file)).collect(), ..facts }
}
