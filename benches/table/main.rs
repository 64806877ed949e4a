//! The figures of the README: what the CPU takes to decide, frames by pass along the scripted flights, and growth with the field.
//!
//! `cargo bench --bench table` prints them as Markdown; `cargo bench --bench table -- --write README.md` also puts them there, in
//! place of what the adapter had before. The built program also runs by itself, on a machine without this repository.

mod block;
mod date;
mod decisions;
mod fields;
mod flights;
mod growth;
mod markdown;

use clap::Parser;
use orograph::cli::output::write_atomically;
use orograph::error::{Error, Result};
use orograph::gpu::{AdapterChoice, Gpu};
use orograph::terrain::synth;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// Takes the figures of the README and prints them as Markdown
#[derive(Debug, Parser)]
struct Arguments {
    /// Also put them into this file, in place of those that the adapter had there before
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// Draw with the adapter whose name holds this text
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Take no figures: what cargo asks of every bench where it only tests them
    #[arg(long, hide = true)]
    test: bool,
    /// What cargo tells every bench
    #[arg(long, hide = true)]
    bench: bool,
    /// Names of other benches, where only those are asked for
    #[arg(hide = true)]
    others: Vec<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.test || !arguments.others.is_empty() {
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(error.exit_code())
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let choice = arguments.adapter.clone().map_or(AdapterChoice::Best, AdapterChoice::Named);
    let gpu = Gpu::headless(&choice)?;
    let figures = figures(&gpu)?;
    println!("{figures}");
    let Some(path) = &arguments.write else { return Ok(()) };
    let adapter = format!("{}, {}", gpu.facts.name, gpu.facts.kind);
    put(path, &adapter, &figures)
}

fn figures(gpu: &Gpu) -> Result<String> {
    let facts = &gpu.facts;
    let demo = Arc::new(synth::demo()?);
    let title = format!("### {}\n\n{}, {}; {}.", facts.name, facts.backend, facts.driver, date::today());
    let parts = [title, decisions::figures(&demo)?, flights::figures(gpu, &demo)?, growth::figures(gpu)?];
    Ok(parts.map(|part| part.trim_end().to_owned()).join("\n\n"))
}

/// Puts an adapter's figures into a file.
fn put(path: &Path, adapter: &str, figures: &str) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        Error::output(format!("cannot be read: {error}"), "a Markdown file", "name another").in_file(path)
    })?;
    let text = block::with_block(&text, adapter, figures).ok_or_else(|| {
        Error::output("no section \"Figures\"", "a place for the figures", "add the heading").in_file(path)
    })?;
    write_atomically(path, |out| out.write_all(text.as_bytes()))
}
