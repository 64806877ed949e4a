//! What a command reads: a file, or the demo terrain in a file's place.

use super::demo;
use super::options::{Inputs, OneInput};
use super::report::Report;
use crate::error::Result;
use crate::formats::{self, Raster, ReadOptions};
use std::path::{Path, PathBuf};

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// The demo terrain.
    Demo,
}

impl Input {
    /// Reads it and tells of its warnings; not of those of a raster without a valid sample, which its refusal covers.
    ///
    /// # Errors
    /// It cannot be read; the error names it.
    pub fn read(&self, options: &ReadOptions, report: &mut Report) -> Result<Raster> {
        let spinner = report.spinner(format!("reading {}", self.name().display()));
        let raster = self.raster(options);
        drop(spinner);
        let raster = raster?;
        if raster.facts.statistics.valid > 0 {
            raster.facts.warnings.iter().for_each(|warning| report.warn(self.name(), warning));
        }
        Ok(raster)
    }

    /// Reads it and tells nothing.
    ///
    /// # Errors
    /// It cannot be read; the error names it.
    pub fn raster(&self, options: &ReadOptions) -> Result<Raster> {
        match self {
            Self::File(file) => formats::read(file, options).map_err(|error| error.in_file(file)),
            Self::Demo => demo::raster(),
        }
    }

    /// How messages name it.
    pub fn name(&self) -> &Path {
        match self {
            Self::File(file) => file,
            Self::Demo => Path::new(demo::NAME),
        }
    }
}

impl OneInput {
    /// The input that was named.
    pub fn input(&self) -> Input {
        self.file.clone().map_or(Input::Demo, Input::File)
    }
}

impl Inputs {
    /// The inputs that were named, in order, the demo terrain last.
    pub fn list(&self) -> Vec<Input> {
        let files = self.files.iter().cloned().map(Input::File);
        files.chain(self.demo.then_some(Input::Demo)).collect()
    }
}
