//! What is said on standard error, and the exit code that it adds up to.

use super::options::Conduct;
use crate::error::{Error, Problem};
use crate::formats::Warning;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use log::LevelFilter;
use std::fmt::Display;
use std::io::{Write, stderr};
use std::path::Path;
use std::time::Duration;

/// Time between two pictures of the spinner.
const SPIN: Duration = Duration::from_millis(120);

/// Tells problems as they come up and remembers the worst.
#[derive(Debug)]
pub struct Report {
    quiet: bool,
    verbose: bool,
    strict: bool,
    warnings: u64,
    code: u8,
}

impl Report {
    /// A report without a problem.
    pub fn new(conduct: &Conduct) -> Self {
        Self { quiet: conduct.quiet, verbose: conduct.verbose, strict: conduct.strict, warnings: 0, code: 0 }
    }

    /// Sends the log to standard error. The GPU libraries speak only of errors unless `RUST_LOG` asks for more.
    pub fn start_log(&self) {
        let own = match (self.quiet, self.verbose) {
            (true, _) => LevelFilter::Error,
            (false, false) => LevelFilter::Warn,
            (false, true) => LevelFilter::Debug,
        };
        // A second start, as in a test, finds a logger in place and leaves it.
        let _ = env_logger::Builder::new()
            .filter_level(LevelFilter::Error)
            .filter_module("orograph", own)
            .parse_default_env()
            .try_init();
    }

    /// Whether notes and progress are unwanted.
    pub fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Tells what may be wrong with an input.
    pub fn warn(&mut self, file: &Path, warning: &Warning) {
        self.warnings += 1;
        if !self.quiet {
            say(format_args!("{}: warning: {}", file.display(), warning.text));
        }
    }

    /// Tells what went on without being wrong, such as what was written.
    pub fn note(&self, text: impl Display) {
        if !self.quiet {
            say(text);
        }
    }

    /// Shows that work goes on, until it is dropped, where standard error is a terminal.
    pub fn spinner(&self, text: impl Into<String>) -> Spinner {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target).with_message(text.into());
        bar.enable_steady_tick(SPIN);
        Spinner(bar)
    }

    /// Shows how far work of so many steps has come, where standard error is a terminal.
    pub fn progress(&self, text: impl Into<String>, steps: u64) -> Progress {
        let target = if self.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}");
        let bar = ProgressBar::with_draw_target(Some(steps), target).with_message(text.into());
        Progress(match style {
            Ok(style) => bar.with_style(style),
            Err(_) => bar,
        })
    }

    /// Tells a problem; the greatest code stays.
    pub fn fail(&mut self, error: &Error) {
        say(error);
        self.code = self.code.max(error.exit_code());
    }

    /// The exit code, after a last look at the warnings.
    pub fn close(mut self) -> u8 {
        if self.strict && self.warnings > 0 {
            let found = format!("{} warning{}", self.warnings, if self.warnings == 1 { "" } else { "s" });
            self.fail(&Error::Strict(Problem::new(
                found,
                "none with --strict",
                "mend the input or be less strict",
            )));
        }
        self.code
    }
}

/// A sign of life that goes when it is dropped.
#[derive(Debug)]
pub struct Spinner(ProgressBar);

impl Drop for Spinner {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A bar that grows step by step and goes when it is dropped.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// One step is done.
    pub fn step(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// One line on standard error. A message never spans lines, whatever a file's name holds.
pub(super) fn say(text: impl Display) {
    let line = one_line(&text.to_string());
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(stderr(), "{line}");
}

/// The text without line breaks and other control characters.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
