//! What a command reads: a file, or the demo terrain in a file's place.

use super::demo;
use super::options::{Inputs, OneInput};
use super::report::Report;
use crate::error::Result;
use crate::formats::{self, Facts, Raster, ReadOptions, Survey};
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
        self.tell(&raster.facts, report);
        Ok(raster)
    }

    /// Gathers its facts, and its checksum where it is asked for, and tells of its warnings as [`Input::read`] does.
    ///
    /// # Errors
    /// It cannot be read; the error names it.
    pub fn survey(&self, options: &ReadOptions, checksum: bool, report: &mut Report) -> Result<Survey> {
        let spinner = report.spinner(format!("reading {}", self.name().display()));
        let survey = match self {
            Self::File(file) => formats::survey(file, options, checksum),
            Self::Demo => demo::raster().map(|raster| raster.into_survey(checksum)),
        };
        drop(spinner);
        let survey = survey.map_err(|error| error.in_file(self.name()))?;
        self.tell(&survey.facts, report);
        Ok(survey)
    }

    fn tell(&self, facts: &Facts, report: &mut Report) {
        if facts.statistics.valid > 0 {
            facts.warnings.iter().for_each(|warning| report.warn(self.name(), warning));
        }
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

    /// A coarse field of about so many samples, where reading the whole takes long and a preview can be had. What is wrong
    /// with the file is told by reading the whole.
    pub fn preview(&self, options: &ReadOptions, most_samples: usize) -> Option<Raster> {
        match self {
            Self::File(file) => formats::preview(file, options, most_samples).ok().flatten(),
            Self::Demo => None,
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
