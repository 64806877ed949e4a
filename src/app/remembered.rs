//! The answers that were given for headerless files, kept in the user's configuration folder for the next time.
//!
//! Only the window remembers: a command reads a file as its options say and nothing else, so that the same line gives the
//! same result everywhere.

use crate::formats::Answers;
use directories::ProjectDirs;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Files of which answers are kept; the longest unused go first.
const MOST_FILES: usize = 256;
/// Bytes that are read of the book; a whole one is far shorter.
const MOST_BYTES: u64 = 1 << 20;
/// What the book's form is called.
const VERSION: u32 = 1;

/// The book of answers.
#[derive(Debug, Clone)]
pub struct Remembered {
    /// `None` where the system names no folder for it.
    file: Option<PathBuf>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Book {
    version: u32,
    /// The newest first.
    files: Vec<Entry>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    path: String,
    bytes: u64,
    answers: Answers,
}

impl Remembered {
    /// The user's own.
    pub fn of_user() -> Self {
        let folders = ProjectDirs::from("", "", "orograph");
        Self { file: folders.map(|folders| folders.config_dir().join("answers.json")) }
    }

    /// One that lies elsewhere.
    pub fn at(file: PathBuf) -> Self {
        Self { file: Some(file) }
    }

    /// What was answered for a file of this path and length.
    pub fn answers(&self, path: &Path, bytes: u64) -> Option<Answers> {
        let key = key(path)?;
        let found = self.book().files.into_iter().find(|entry| (&entry.path, entry.bytes) == (&key, bytes));
        found.map(|entry| entry.answers)
    }

    /// Keeps answers for a file of this path and length. What cannot be kept is told in the log; reading goes on.
    pub fn remember(&self, path: &Path, bytes: u64, answers: Answers) {
        let (Some(file), Some(path)) = (&self.file, key(path)) else { return };
        let mut book = self.book();
        book.files.retain(|entry| entry.path != path);
        book.files.insert(0, Entry { path, bytes, answers });
        book.files.truncate(MOST_FILES);
        if let Err(error) = write(file, &book) {
            log::warn!("{}: answers are not remembered: {error}", file.display());
        }
    }

    /// The book as it lies there; an empty one where there is none or it cannot be read.
    fn book(&self) -> Book {
        let none = Book { version: VERSION, files: Vec::new() };
        let Some(file) = &self.file else { return none };
        match read(file) {
            Ok(book) if book.version == VERSION => book,
            Err(error) if error.kind() == ErrorKind::NotFound => none,
            Ok(book) => {
                log::warn!("{}: ignored: version {} of remembered answers", file.display(), book.version);
                none
            }
            Err(error) => {
                log::warn!("{}: remembered answers are ignored: {error}", file.display());
                none
            }
        }
    }
}

/// A file's name in the book; `None` where the path is not Unicode, as JSON is.
fn key(path: &Path) -> Option<String> {
    std::path::absolute(path).ok()?.into_os_string().into_string().ok()
}

fn read(file: &Path) -> io::Result<Book> {
    let mut text = String::new();
    File::open(file)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

/// Writes the book beside its place and renames it, so that no half one is ever read.
fn write(file: &Path, book: &Book) -> io::Result<()> {
    let folder = file.parent().ok_or(ErrorKind::NotFound)?;
    std::fs::create_dir_all(folder)?;
    let new = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer_pretty(&new, book)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{ByteOrder, RowOrder, SampleType};

    fn answers(width: u32) -> Answers {
        Answers {
            size: [width, 4],
            sample_type: SampleType::I16,
            byte_order: ByteOrder::Big,
            row_order: RowOrder::Bottom,
            header_bytes: 2,
            z_range: Some([-0.1, 1000.0]),
            spacing: None,
        }
    }

    #[test]
    fn answers_come_back_for_the_same_path_and_length_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = Remembered::at(folder.path().join("deep/er/answers.json"));
        let path = Path::new("/terrain/a.raw");
        assert_eq!(book.answers(path, 48), None);
        book.remember(path, 48, answers(6));
        book.remember(path, 48, answers(3));
        assert_eq!(book.answers(path, 48), Some(answers(3)));
        assert_eq!((book.answers(path, 50), book.answers(Path::new("/terrain/b.raw"), 48)), (None, None));
        let entries = folder.path().join("deep/er").read_dir().expect("listed").count();
        assert_eq!((entries, book.book().files.len()), (1, 1));
    }

    #[test]
    fn the_book_has_bounds_and_forgets_the_oldest() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = Remembered::at(folder.path().join("answers.json"));
        for number in 0..=MOST_FILES {
            book.remember(Path::new(&format!("/{number}.raw")), 48, answers(6));
        }
        assert_eq!(book.book().files.len(), MOST_FILES);
        assert_eq!(book.answers(Path::new("/0.raw"), 48), None);
        assert!(book.answers(Path::new("/1.raw"), 48).is_some());
    }

    #[test]
    fn a_broken_book_is_ignored_and_written_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answers.json");
        let book = Remembered::at(file.clone());
        for broken in ["", "{\"version\":1,\"files\":[{]}", "{\"version\":2,\"files\":[]}", "\u{0}"] {
            std::fs::write(&file, broken).expect("written");
            assert_eq!(book.answers(Path::new("/a.raw"), 48), None);
            book.remember(Path::new("/a.raw"), 48, answers(6));
            assert_eq!(book.answers(Path::new("/a.raw"), 48), Some(answers(6)));
        }
    }
}
