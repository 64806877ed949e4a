//! The command line: one file a command, and what all of them share.
//!
//! Standard output carries results alone, by [`results`]; everything else goes to standard error, by [`report`].

pub mod info;
pub mod interrupt;
pub mod options;
pub mod output;
pub mod report;
pub mod results;
mod values;
pub mod viewer;

use crate::error::{Error, Result};
use clap::{Parser, Subcommand};
use options::Conduct;
use report::Report;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Opens any terrain file and draws it; without a command, in a window.
#[derive(Debug, Parser)]
#[command(name = "orograph", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The viewer's arguments, where no command is given.
    #[command(flatten)]
    pub viewer: viewer::Arguments,
}

/// Every command but the viewer.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// What a file is, and everything that was assumed; needs no GPU
    Info(info::Arguments),
}

impl Cli {
    fn conduct(&self) -> &Conduct {
        match &self.command {
            None => &self.viewer.conduct,
            Some(Command::Info(arguments)) => &arguments.conduct,
        }
    }

    fn dispatch(&self, report: &mut Report) -> Result<()> {
        match &self.command {
            None => viewer::run(&self.viewer, report),
            Some(Command::Info(arguments)) => info::run(arguments, report),
        }
    }
}

/// Runs the program for its arguments, the first of which is its name, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match Cli::try_parse_from(values::attach_points(arguments)) {
        Ok(cli) => ExitCode::from(run_parsed(&cli)),
        Err(error) => {
            // A closed pipe is no news to whoever closed it.
            let _ = error.print();
            ExitCode::from(if error.use_stderr() { 2 } else { 0 })
        }
    }
}

fn run_parsed(cli: &Cli) -> u8 {
    let mut report = Report::new(cli.conduct());
    report.start_log();
    let outcome = interrupt::listen().and_then(|()| cli.conduct().limit_threads()).and_then(|()| {
        // The hook has already told of the panic.
        catch_unwind(AssertUnwindSafe(|| cli.dispatch(&mut report))).unwrap_or_else(|_| {
            Err(Error::failed("the work stopped half-way", "no internal failure", "report the lines above"))
        })
    });
    if let Err(error) = outcome {
        report.fail(&error);
    }
    report.close()
}
