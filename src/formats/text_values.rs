//! Grids whose samples are written as words: numbers between white space, in any arrangement of lines.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::heights_for;
use super::layout::{Order, place_lines};
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, Sample};
use crate::error::{Error, Result};

/// Words between white space.
pub(super) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    /// The words of a text.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The text that is not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Where the next word is looked for, in bytes.
    pub fn place(&self) -> usize {
        self.at
    }

    /// Reads from an earlier place again.
    pub fn go_back_to(&mut self, place: usize) {
        self.at = place;
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let start = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let length = rest[start..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - start);
        self.at += start + length;
        Some(&rest[start..start + length])
    }
}

/// A number; commas stand for points in files of some countries.
pub(super) fn number(word: &str) -> Option<f64> {
    word.parse().ok().or_else(|| {
        let once = word.matches(',').count() == 1 && !word.contains('.');
        once.then(|| word.replace(',', ".").parse().ok()).flatten()
    })
}

/// As [`number`], of bytes.
pub(super) fn number_of(word: &[u8]) -> Option<f64> {
    std::str::from_utf8(word).ok().and_then(number)
}

/// Whether every number of a text is written without a fraction or an exponent.
pub(super) fn is_whole(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+') || byte.is_ascii_whitespace())
}

/// A word for messages.
pub(super) fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).chars().take(20).collect()
}

/// Samples as words.
#[derive(Debug, Clone, Copy)]
pub(super) struct TextBlock {
    /// Columns and rows.
    pub size: [u32; 2],
    /// What the words stand for; wider integers than 24 bits are rounded as heights are.
    pub sample: Sample,
    pub order: Order,
    /// A word that stands for an empty sample.
    pub blank: Option<&'static str>,
}

impl TextBlock {
    /// Reads the heights, north row first, up to the end of the text.
    ///
    /// # Errors
    /// A text too short for its size, which is seen before anything is allocated; too few or too many words;
    /// a word that is no number.
    pub fn read(
        &self,
        words: &mut Words,
        declared: Option<EmptyValue>,
        options: &ReadOptions,
        decoded: &mut Decoded,
    ) -> Result<()> {
        self.check_room(words.rest())?;
        let empty = decoded.take_empty(declared, self.sample, options);
        // Whole numbers go through floats, so that an empty value is compared as the sample is.
        let sample = if self.sample == Sample::F64 { Sample::F64 } else { Sample::F32 };
        let decoder = Decoder { sample, endian: NATIVE, empty, scale: decoded.scale, offset: decoded.offset };
        decoded.heights = heights_for(self.size)?;
        decoded.raw = place_lines(self.size, self.order, &decoder, &mut decoded.heights, |line, stored| {
            self.read_line(words, line, sample, stored)
        })?;
        let more = words.count();
        if more > 0 { Err(self.wrong_count(decoded.heights.len() + more)) } else { Ok(()) }
    }

    /// Each sample takes a digit and a blank, so a header cannot ask for more memory than its file is long.
    fn check_room(&self, rest: &[u8]) -> Result<()> {
        let [columns, rows] = self.size;
        let samples = u64::from(columns) * u64::from(rows);
        let most = (rest.len() as u64).div_ceil(2);
        if samples > most {
            return Err(Error::input(
                format!("{columns}×{rows} samples declared, room for {most} at most"),
                format!("{samples} samples"),
                "get the file again",
            ));
        }
        Ok(())
    }

    fn read_line(&self, words: &mut Words, line: usize, sample: Sample, stored: &mut [u8]) -> Result<()> {
        let length = stored.len() / sample.bytes();
        for (index, bytes) in stored.chunks_exact_mut(sample.bytes()).enumerate() {
            let word = words.next().ok_or_else(|| self.wrong_count(line * length + index))?;
            let is_blank = self.blank.is_some_and(|blank| word == blank.as_bytes());
            let value = if is_blank { Some(f64::NAN) } else { number_of(word) };
            let value = value.ok_or_else(|| self.not_a_number(word, line, index))?;
            match sample {
                Sample::F64 => bytes.copy_from_slice(&value.to_ne_bytes()),
                _ => bytes.copy_from_slice(&(value as f32).to_ne_bytes()),
            }
        }
        Ok(())
    }

    fn wrong_count(&self, found: usize) -> Error {
        let [columns, rows] = self.size;
        let expected = u64::from(columns) * u64::from(rows);
        Error::input(
            format!("{found} samples"),
            format!("{expected} for {columns}×{rows}"),
            "get the file again, or correct its header",
        )
    }

    fn not_a_number(&self, word: &[u8], line: usize, index: usize) -> Error {
        let [column, row] = match self.order {
            Order::Rows(_) => [index, line],
            Order::Columns(_) => [line, index],
        };
        let place = format!("\"{}\" at column {column}, row {row} of the text", shown(word));
        Error::input(place, "a number", "correct the file")
    }
}
