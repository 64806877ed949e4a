//! Results on standard output.

use crate::error::{Error, Result};
use serde::Serialize;
use std::io::{ErrorKind, Write, stdout};

/// Whether somebody still reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// The text was taken.
    Listens,
    /// The pipe is closed, as by `head`: no problem, but further results are in vain.
    Left,
}

/// Writes text and hands it on at once.
///
/// # Errors
/// Standard output cannot take it, for example on a full disk.
pub fn print(text: &str) -> Result<Reader> {
    let mut out = stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(Reader::Listens),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Reader::Left),
        Err(error) => Err(Error::output(
            format!("standard output failed: {error}"),
            "a place that takes the results",
            "free space or choose another place",
        )),
    }
}

/// Writes a value as indented JSON and a line break. Numbers are unrounded; what is not finite is null.
///
/// # Errors
/// As [`print()`].
pub fn print_json(value: &impl Serialize) -> Result<Reader> {
    let text = serde_json::to_string_pretty(value).map_err(|error| {
        Error::failed(format!("results that JSON cannot hold: {error}"), "plain values", "report it")
    })?;
    print(&(text + "\n"))
}
