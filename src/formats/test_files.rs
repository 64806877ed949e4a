//! Files for tests, each test in a folder of its own.

use super::{Raster, ReadOptions, read};
use crate::error::Result;
use std::path::PathBuf;

/// A folder that goes with the value.
pub(super) struct TestFolder(tempfile::TempDir);

impl TestFolder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for temporary files"))
    }

    /// Writes a file.
    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).expect("written");
        path
    }

    /// Writes a file and reads it as terrain.
    pub fn read(&self, name: &str, content: &[u8]) -> Result<Raster> {
        self.read_with(name, content, &ReadOptions::default())
    }

    /// Writes a file and reads it as terrain, with options.
    pub fn read_with(&self, name: &str, content: &[u8], options: &ReadOptions) -> Result<Raster> {
        read(&self.write(name, content), options)
    }
}

/// The message of an error that concerns the input.
pub(super) fn message(result: Result<Raster>) -> String {
    let error = result.map(|raster| raster.size).expect_err("refused");
    assert_eq!(error.exit_code(), 3, "{error}");
    error.to_string()
}
