//! `info`: what a file is, and everything that was assumed.

use super::options::{Conduct, FieldReading, Inputs};
use super::report::Report;
use crate::error::Result;

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

/// Tells of every input, and goes on after a bad one.
///
/// # Errors
/// Standard output fails.
pub fn run(_arguments: &Arguments, _report: &mut Report) -> Result<()> {
    Ok(())
}
