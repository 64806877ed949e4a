//! What the window makes of a headerless file: as it is told, else as remembered, else by the best guess.

use super::loading::Wish;
use super::remembered::Remembered;
use crate::error::Result;
use crate::formats::{self, Answers, ReadOptions, Reading};
use std::path::Path;

/// How a headerless file is read, and how else it could be.
#[derive(Debug, Clone, PartialEq)]
pub struct Headerless {
    /// What was answered.
    pub answers: Answers,
    /// By whom.
    pub source: Source,
    /// Plausible readings, the best first.
    pub readings: Vec<Reading>,
    /// Length of the file.
    pub bytes: u64,
}

/// Where answers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Given in the window or by options.
    Told,
    /// Given before.
    Remembered,
    /// Nobody's.
    Guessed,
}

impl Headerless {
    /// Looks at a file; `None` where it says itself what it is, or where what is told does not fit it, as reading will say.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn look(
        path: &Path,
        options: &ReadOptions,
        wish: Wish,
        remembered: &Remembered,
    ) -> Result<Option<Self>> {
        let Some(guess) = formats::guess(path, options)? else { return Ok(None) };
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        let found = |answers, source| Some(Self { answers, source, readings: guess.readings.clone(), bytes });
        if let Wish::Answers(answers) = wish {
            return Ok(found(answers, Source::Told));
        }
        if let Some(before) = remembered.answers(path, bytes)
            && let Some(fitting) = formats::guess(path, &before.complete(options))?
        {
            return Ok(found(
                fitting.answers,
                if is_told(options) { Source::Told } else { Source::Remembered },
            ));
        }
        Ok(found(guess.answers, if is_told(options) { Source::Told } else { Source::Guessed }))
    }

    /// What is told of it beside the file's facts.
    pub fn assumption(&self) -> Option<String> {
        match self.source {
            Source::Told => None,
            Source::Remembered => {
                Some("The file says nothing of itself; it is read as it was answered before.".into())
            }
            Source::Guessed => Some(
                "The file says nothing of itself; size, type, byte order, heights and spacing are guessed."
                    .into(),
            ),
        }
    }
}

/// Whether the options answer anything that a headerless file leaves open.
fn is_told(options: &ReadOptions) -> bool {
    let open = ReadOptions {
        raster_size: None,
        sample_type: None,
        byte_order: None,
        row_order: None,
        header_bytes: None,
        z_range: None,
        spacing: None,
        ..options.clone()
    };
    // NaN stands for no empty value, and does not equal itself.
    ReadOptions { nodata: None, ..open } != ReadOptions { nodata: None, ..options.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{ByteOrder, SampleType};
    use std::path::PathBuf;

    /// A slope of 8 × 8 whole codes, and an empty book beside it.
    fn slope() -> (tempfile::TempDir, PathBuf, Remembered) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.raw");
        let bytes: Vec<u8> = (0..64_u16).flat_map(|at| (300 + 3 * at).to_be_bytes()).collect();
        std::fs::write(&path, bytes).expect("written");
        let book = Remembered::at(folder.path().join("answers.json"));
        (folder, path, book)
    }

    #[test]
    fn what_is_told_wins_over_what_is_remembered_and_that_over_a_guess() {
        let (_folder, path, book) = slope();
        let plain = ReadOptions::default();
        let look = |options: &ReadOptions, wish| {
            Headerless::look(&path, options, wish, &book).expect("looked at").expect("headerless")
        };
        let guessed = look(&plain, Wish::Plain);
        assert_eq!((guessed.source, guessed.answers.size, guessed.bytes), (Source::Guessed, [8, 8], 128));
        assert_eq!(guessed.answers.byte_order, ByteOrder::Big);
        let answers = Answers { size: [16, 4], ..guessed.answers };
        assert_eq!(look(&plain, Wish::Answers(answers)).answers, answers);
        book.remember(&path, 128, answers);
        let before = look(&plain, Wish::Plain);
        assert_eq!((before.source, before.answers), (Source::Remembered, answers));
        let asked = ReadOptions { raster_size: Some([32, 2]), ..ReadOptions::default() };
        let told = look(&asked, Wish::Plain);
        assert_eq!((told.source, told.answers.size), (Source::Told, [32, 2]));
        let asked = ReadOptions { sample_type: Some(SampleType::U8), ..ReadOptions::default() };
        let told = look(&asked, Wish::Plain);
        assert_eq!((told.answers.sample_type, told.answers.file_bytes()), (SampleType::U8, Some(128)));
    }

    #[test]
    fn a_file_that_speaks_for_itself_is_let_alone() {
        let (folder, _, book) = slope();
        let path = folder.path().join("a.asc");
        std::fs::write(&path, "ncols 2\nnrows 2\ncellsize 1\n1 2 3 4").expect("written");
        let found = Headerless::look(&path, &ReadOptions::default(), Wish::Plain, &book);
        assert_eq!(found.expect("looked at"), None);
    }
}
