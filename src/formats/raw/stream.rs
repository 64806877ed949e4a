//! The samples of a headerless file, a piece at a time, so that no second copy of them is held.

use crate::error::Result;
use crate::formats::input::{Input, unreadable};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Bytes of a piece, whole samples of every type.
const PIECE: usize = 1 << 20;

/// Where the samples lie in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream<'a> {
    input: &'a Input,
    header: u64,
}

impl<'a> Stream<'a> {
    /// The samples after so many bytes of header.
    pub fn new(input: &'a Input, header: u64) -> Self {
        Self { input, header }
    }

    /// Hands every whole sample on, in order.
    pub fn each(&self, sample_bytes: usize, mut take: impl FnMut(&[u8])) -> Result<()> {
        let mut rest =
            self.input.length.saturating_sub(self.header) / sample_bytes as u64 * sample_bytes as u64;
        let mut file = self.open()?;
        let mut piece = vec![0; PIECE.min(usize::try_from(rest).unwrap_or(PIECE))];
        file.seek(SeekFrom::Start(self.header)).map_err(|error| unreadable(&error))?;
        while rest > 0 {
            let length = PIECE.min(usize::try_from(rest).unwrap_or(PIECE));
            file.read_exact(&mut piece[..length]).map_err(|error| unreadable(&error))?;
            take(&piece[..length]);
            rest -= length as u64;
        }
        Ok(())
    }

    /// The file, to look at places of one's own choice.
    pub fn open(&self) -> Result<File> {
        File::open(&self.input.path).map_err(|error| unreadable(&error))
    }
}
