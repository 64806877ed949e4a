//! What a command reads: a file, several as one terrain, or the demo terrain in a file's place.

use super::demo;
use super::options::{Inputs, OneInput};
use super::report::Report;
use crate::error::{Error, Result};
use crate::formats::{self, Facts, Raster, ReadOptions, Survey, Warning};
use std::path::{Path, PathBuf};

/// One input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A file, or a folder of tiles.
    File(PathBuf),
    /// Several files as one terrain.
    Mosaic(Mosaic),
    /// The demo terrain.
    Demo,
}

/// Several files as one terrain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mosaic {
    /// The files, at least two; of those that overlap the first counts.
    files: Vec<PathBuf>,
    /// How messages name all of them.
    name: PathBuf,
    /// Whether one terrain was asked for, and not only proposed.
    asked: bool,
}

impl Mosaic {
    /// `asked`: whether one terrain was asked for.
    fn new(files: Vec<PathBuf>, asked: bool) -> Self {
        let first = files.first().map(|file| file.display().to_string()).unwrap_or_default();
        let name = format!("{first} and {} more", files.len().saturating_sub(1)).into();
        Self { files, name, asked }
    }

    /// Reads it. One that is only proposed gives way to its first file where the files do not go together.
    fn raster(&self, options: &ReadOptions) -> Result<Raster> {
        let mut raster = match (formats::read_mosaic(&self.files, options), self.files.first()) {
            (Err(error), Some(first)) if !self.asked => {
                let mut raster = formats::read(first, options)?;
                let text = format!("the first of {} files is shown alone: {error}", self.files.len());
                raster.facts.warnings.push(Warning { code: "files-left-out".into(), text });
                return Ok(raster);
            }
            (outcome, _) => outcome?,
        };
        if !self.asked {
            let text = "Several files are shown as one terrain; name one alone to see it by itself.";
            raster.facts.assumptions.insert(0, text.into());
        }
        Ok(raster)
    }
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
            Self::Mosaic(_) | Self::Demo => self.raster(options).map(|raster| raster.into_survey(checksum)),
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
            Self::File(file) => formats::read(file, options),
            Self::Mosaic(mosaic) => mosaic.raster(options).map_err(|error| error.in_file(&mosaic.name)),
            Self::Demo => demo::raster(),
        }
    }

    /// A coarse field of about so many samples, where reading the whole takes long and a preview can be had. What is wrong
    /// with the file is told by reading the whole.
    pub fn preview(&self, options: &ReadOptions, most_samples: usize) -> Option<Raster> {
        match self {
            Self::File(file) => formats::preview(file, options, most_samples).ok().flatten(),
            Self::Mosaic(_) | Self::Demo => None,
        }
    }

    /// How messages name it.
    pub fn name(&self) -> &Path {
        match self {
            Self::File(file) => file,
            Self::Mosaic(mosaic) => &mosaic.name,
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

    /// As [`Inputs::list`], with several files as one input.
    ///
    /// # Errors
    /// The demo terrain beside files.
    pub fn as_one(&self) -> Result<Vec<Input>> {
        self.joined(true)
    }

    /// The one input of a command that shows a single terrain; the demo terrain where none is named. Several files are proposed as
    /// one, or are one where `asked`.
    ///
    /// # Errors
    /// The demo terrain beside files.
    pub fn only(&self, asked: bool) -> Result<Input> {
        Ok(self.joined(asked)?.pop().unwrap_or(Input::Demo))
    }

    /// At most one input.
    fn joined(&self, asked: bool) -> Result<Vec<Input>> {
        match (self.files.len(), self.demo) {
            (0 | 1, false) | (0, true) => Ok(self.list()),
            (_, false) => Ok(vec![Input::Mosaic(Mosaic::new(self.files.clone(), asked))]),
            (_, true) => {
                Err(Error::usage("the demo terrain beside files", "one terrain", "leave --demo out"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mosaic_that_is_only_proposed_gives_way_to_its_first_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, left: u32, size: u32| {
            let path = folder.path().join(name);
            let text = format!("ncols {size}\nnrows 1\nxllcorner {left}\nyllcorner 0\ncellsize 1\n1 2");
            std::fs::write(&path, text).expect("written");
            path
        };
        let (west, east, broken) =
            (write("west.asc", 0, 2), write("east.asc", 2, 2), write("broken.asc", 4, 3));
        let read = |files: [&PathBuf; 2], asked: bool| {
            let inputs = Inputs { files: files.map(PathBuf::clone).to_vec(), demo: false };
            inputs.only(asked).expect("one").raster(&ReadOptions::default())
        };
        let proposed = read([&west, &east], false).expect("read");
        assert_eq!(proposed.size, [4, 1]);
        assert!(proposed.facts.assumptions[0].starts_with("Several files are shown as one terrain"));
        assert!(!read([&west, &east], true).expect("read").facts.assumptions[0].starts_with("Several files"));
        let alone = read([&west, &broken], false).expect("read");
        assert_eq!((alone.size, alone.facts.warnings[0].code.as_str()), ([2, 1], "files-left-out"));
        assert_eq!(read([&west, &broken], true).expect_err("refused").exit_code(), 3);
    }
}
