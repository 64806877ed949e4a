//! The command line: one file a command, and what all of them share.
//!
//! Standard output carries results alone, by [`results`]; everything else goes to standard error, by [`report`].

pub mod adapters;
pub mod bench;
mod chart;
mod demo;
mod estimate;
pub mod export;
mod ground;
pub mod info;
pub mod input;
pub mod interrupt;
mod numbers;
pub mod options;
pub mod output;
pub mod profile;
pub mod query;
pub mod render;
pub mod report;
pub mod results;
mod site;
mod stage;
mod usage;
mod values;
pub mod verify;
pub mod viewer;

use crate::error::{Error, Result};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Id, Parser, Subcommand};
use options::Conduct;
use report::Report;
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Opens any terrain file and draws it; without a command, in a window.
#[derive(Debug, Parser)]
#[command(name = "orograph", version, subcommand_precedence_over_arg = true)]
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
    /// Height, normal, slope and aspect at points; needs no GPU
    Query(query::Arguments),
    /// Heights along a line, as a .csv table or a .png picture; needs no GPU
    Profile(profile::Arguments),
    /// The samples in another format: .tif .asc .png .r16 .r32; needs no GPU
    Export(export::Arguments),
    /// A picture without a window, equal to the viewer's
    Render(render::Arguments),
    /// The CPU mirror checks what the GPU decides and draws
    Verify(verify::Arguments),
    /// Frame times by pass, and sizes
    Bench(bench::Arguments),
    /// What can be drawn with
    Adapters(adapters::Arguments),
}

impl Cli {
    fn conduct(&self) -> &Conduct {
        match &self.command {
            None => &self.viewer.conduct,
            Some(Command::Info(arguments)) => &arguments.conduct,
            Some(Command::Query(arguments)) => &arguments.conduct,
            Some(Command::Profile(arguments)) => &arguments.conduct,
            Some(Command::Export(arguments)) => &arguments.conduct,
            Some(Command::Adapters(arguments)) => &arguments.conduct,
            Some(Command::Bench(arguments)) => &arguments.conduct,
            Some(Command::Verify(arguments)) => &arguments.conduct,
            Some(Command::Render(arguments)) => &arguments.conduct,
        }
    }

    fn dispatch(&self, report: &mut Report) -> Result<()> {
        match &self.command {
            None => viewer::run(&self.viewer, report),
            Some(Command::Info(arguments)) => info::run(arguments, report),
            Some(Command::Query(arguments)) => query::run(arguments, report),
            Some(Command::Profile(arguments)) => profile::run(arguments, report),
            Some(Command::Export(arguments)) => export::run(arguments, report),
            Some(Command::Adapters(arguments)) => adapters::run(arguments, report),
            Some(Command::Bench(arguments)) => bench::run(arguments, report),
            Some(Command::Verify(arguments)) => verify::run(arguments, report),
            Some(Command::Render(arguments)) => render::run(arguments, report),
        }
    }
}

/// Runs the program for its arguments, the first of which is its name, and gives its exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = values::attach_points(arguments);
    match parse(&arguments) {
        Ok(cli) => ExitCode::from(run_parsed(&cli)),
        Err(error) if error.use_stderr() => {
            report::say(usage::line(&error, &arguments));
            ExitCode::from(2)
        }
        Err(help) => {
            // A closed pipe is no news to whoever closed it.
            let _ = help.print();
            ExitCode::SUCCESS
        }
    }
}

/// Parses, and refuses the viewer's arguments before a command, which would be lost.
fn parse(arguments: &[OsString]) -> std::result::Result<Cli, clap::Error> {
    let matches = Cli::command().try_get_matches_from(arguments)?;
    let is_given = |id: &Id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    if let (Some(command), true) = (matches.subcommand_name(), matches.ids().any(is_given)) {
        let message = format!("files and options belong after the command: orograph {command} …");
        return Err(Cli::command().error(ErrorKind::ArgumentConflict, message));
    }
    Cli::from_arg_matches(&matches)
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
