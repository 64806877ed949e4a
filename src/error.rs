//! One error type, sorted by what the caller can do about it.
//!
//! Every message is one line of three parts: what was found, what was expected, what to do.

use std::path::{Path, PathBuf};

/// The three parts of a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found}; {expected}; {remedy}")]
pub struct Problem {
    /// What was found.
    pub found: String,
    /// What was expected instead.
    pub expected: String,
    /// What the reader can do about it.
    pub remedy: String,
}

impl Problem {
    /// Builds the message from its three parts.
    pub fn new(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { found: found.into(), expected: expected.into(), remedy: remedy.into() }
    }
}

/// What went wrong, one variant for each exit code of the command line.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A check found mismatches, or something failed that never should.
    #[error("{0}")]
    Failed(Problem),
    /// Wrong usage, or facts missing for a headerless file.
    #[error("{0}")]
    Usage(Problem),
    /// The input is missing, unreadable, unsupported, or holds no valid sample.
    #[error("{0}")]
    Input(Problem),
    /// No usable adapter, or a device that was lost and did not come back.
    #[error("{0}")]
    Adapter(Problem),
    /// The output could not be written.
    #[error("{0}")]
    Output(Problem),
    /// Warnings were given and the caller asked for none.
    #[error("{0}")]
    Strict(Problem),
    /// The user interrupted the work.
    #[error("interrupted")]
    Interrupted,
    /// Any of the above, about one file.
    #[error("{}: {source}", file.display())]
    InFile {
        /// The file that the problem is about.
        file: PathBuf,
        /// The problem.
        source: Box<Error>,
    },
}

/// The result of everything in this crate that can fail.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// A wrong value for a `Terrain`, a frame or a setting, given by the calling code.
    pub fn usage(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Usage(Problem::new(found, expected, remedy))
    }

    /// A file that cannot be read as terrain.
    pub fn input(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Input(Problem::new(found, expected, remedy))
    }

    /// An adapter that cannot do what is needed.
    pub fn adapter(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Adapter(Problem::new(found, expected, remedy))
    }

    /// An output that could not be written.
    pub fn output(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Output(Problem::new(found, expected, remedy))
    }

    /// A failed check, or an internal failure.
    pub fn failed(found: impl Into<String>, expected: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Failed(Problem::new(found, expected, remedy))
    }

    /// Names the file that the error is about. The first name given stays.
    #[must_use]
    pub fn in_file(self, file: &Path) -> Self {
        match self {
            named @ (Self::InFile { .. } | Self::Interrupted) => named,
            other => Self::InFile { file: file.to_owned(), source: Box::new(other) },
        }
    }

    /// The exit code of the command line for this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Input(_) => 3,
            Self::Adapter(_) => 4,
            Self::Output(_) => 5,
            Self::Strict(_) => 6,
            Self::Interrupted => 130,
            Self::InFile { source, .. } => source.exit_code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_named_error_is_one_line_with_the_file_first() {
        let error = Error::input("starts with text", "elevation data", "check the download")
            .in_file(Path::new("a.hgt"))
            .in_file(Path::new("folder"));
        assert_eq!(error.to_string(), "a.hgt: starts with text; elevation data; check the download");
        assert_eq!(error.exit_code(), 3);
    }
}
