//! `orograph [FILE…]`: the viewer.

use super::options::{CameraOptions, Conduct, FieldReading, Gpu, Inputs, Look};
use super::report::Report;
use crate::error::{Error, Result};

/// The viewer's arguments.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What to open; the demo terrain where nothing is named.
    #[command(flatten)]
    pub inputs: Inputs,
    /// Draw N frames in the window and quit
    #[arg(long, value_name = "N")]
    pub selftest_frames: Option<u32>,
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

/// Opens the window.
///
/// # Errors
/// Always: there is no window in this build.
pub fn run(_arguments: &Arguments, _report: &mut Report) -> Result<()> {
    Err(Error::adapter("a build without a window", "a command", "see orograph --help"))
}
