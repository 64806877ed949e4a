//! One input file: its length, its first bytes, and reading it without asking for more memory than it can
//! fill.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes that recognisers may look at.
const HEAD: u64 = 4096;

/// An opened file and how it begins.
#[derive(Debug)]
pub(super) struct Input {
    pub path: PathBuf,
    pub length: u64,
    pub head: Vec<u8>,
}

impl Input {
    /// Looks at a file.
    pub fn open(path: &Path) -> Result<Self> {
        // Asked before opening: to open a pipe would wait for its writer.
        let metadata = std::fs::metadata(path).map_err(|error| unreadable(&error))?;
        if !metadata.is_file() {
            let found = if metadata.is_dir() { "a folder" } else { "a device or pipe" };
            return Err(Error::input(found, "a terrain file", "give the path of a file"));
        }
        let file = File::open(path).map_err(|error| unreadable(&error))?;
        let length = metadata.len();
        if length == 0 {
            return Err(Error::input("an empty file, 0 bytes", "elevation data", "get the file again"));
        }
        let mut head = Vec::new();
        file.take(HEAD).read_to_end(&mut head).map_err(|error| unreadable(&error))?;
        Ok(Self { path: path.to_owned(), length, head })
    }

    /// The whole file.
    pub fn bytes(&self) -> Result<Vec<u8>> {
        std::fs::read(&self.path).map_err(|error| unreadable(&error))
    }

    /// The bytes from a place on, read as they are asked for.
    pub fn read_from(&self, start: u64) -> Result<Box<dyn BufRead>> {
        let mut file = File::open(&self.path).map_err(|error| unreadable(&error))?;
        file.seek(SeekFrom::Start(start)).map_err(|error| unreadable(&error))?;
        Ok(Box::new(BufReader::with_capacity(1 << 16, file)))
    }

    /// The extension in lower case, or nothing.
    pub fn extension(&self) -> String {
        self.path.extension().map(|text| text.to_string_lossy().to_lowercase()).unwrap_or_default()
    }

    /// The file's name without its last extension.
    pub fn stem(&self) -> String {
        self.path.file_stem().map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// Whether the file begins as text does.
    pub fn is_text(&self) -> bool {
        let readable = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x20..=0x7e | 0x80..);
        let letters = self.head.iter().filter(|byte| byte.is_ascii()).count();
        self.head.iter().all(readable) && letters * 10 >= self.head.len() * 9
    }

    /// The text that the file begins with, up to the first byte that is none.
    pub fn head_text(&self) -> &str {
        let valid = std::str::from_utf8(&self.head).map_or_else(|error| error.valid_up_to(), str::len);
        std::str::from_utf8(&self.head[..valid]).unwrap_or_default()
    }

    /// The first words of a text file, for messages.
    pub fn first_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.head);
        let words: Vec<&str> = text.split_whitespace().take(6).collect();
        words.join(" ").chars().filter(|c| !c.is_control()).take(40).collect()
    }
}

/// An input error for a file that could not be read.
pub(super) fn unreadable(error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::NotFound => Error::input("no such file", "a terrain file", "check the path"),
        ErrorKind::PermissionDenied => {
            Error::input("no permission to read it", "a readable file", "change its permissions")
        }
        _ => {
            Error::input(format!("cannot be read: {error}"), "a readable file", "check the file and its disk")
        }
    }
}

/// Refuses a size whose heights would take far more memory than the file's length is worth, for formats that may leave
/// most of their samples out.
pub(super) fn check_worth(size: [u32; 2], length: u64) -> Result<()> {
    /// Bytes of heights that any file may stand for, and those that a byte of a file may stand for.
    const ALLOWANCE: u64 = 1 << 26;
    const WORTH: u64 = 64;
    let [width, depth] = size;
    let heights = u64::from(width).saturating_mul(depth.into()).saturating_mul(4);
    if heights <= length.saturating_mul(WORTH).saturating_add(ALLOWANCE) {
        return Ok(());
    }
    let expected = "a file long enough to hold a part of them";
    Err(Error::input(format!("{width}×{depth} samples in {length} bytes"), expected, "get the file again"))
}

/// Memory for heights, filled with zeros, or an error where there is none.
pub(super) fn heights_for(size: [u32; 2]) -> Result<Vec<f32>> {
    /// Samples that are read into memory at once: 4 GiB of heights.
    const MOST_SAMPLES: u64 = 1 << 30;
    let samples = u64::from(size[0]) * u64::from(size[1]);
    let [width, depth] = size;
    if samples == 0 {
        return Err(Error::input(
            format!("{width}×{depth} samples"),
            "at least one sample along each side",
            "check the file",
        ));
    }
    let mut heights = Vec::new();
    if samples > MOST_SAMPLES || heights.try_reserve_exact(samples as usize).is_err() {
        return Err(Error::input(
            format!("{width}×{depth} samples, {} GiB of heights", samples.div_ceil(1 << 28)),
            format!("at most {} GiB that memory has room for", MOST_SAMPLES >> 28),
            "cut the file into tiles or make it coarser",
        ));
    }
    heights.resize(samples as usize, 0.0);
    Ok(heights)
}
