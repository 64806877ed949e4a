//! The checksum of heights: SHA-256 of little-endian float32, row after row as given.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Heights that are turned into bytes at once.
const PORTION: usize = 1 << 14;

/// A checksum under way.
#[derive(Default)]
pub(super) struct Checksum {
    hash: Sha256,
    bytes: Vec<u8>,
}

impl Checksum {
    /// Takes in the next heights; every empty must be [`crate::terrain::EMPTY`].
    pub fn add(&mut self, heights: &[f32]) {
        for portion in heights.chunks(PORTION) {
            self.bytes.clear();
            self.bytes.extend(portion.iter().flat_map(|height| height.to_le_bytes()));
            self.hash.update(&self.bytes);
        }
    }

    /// In lower case hexadecimal.
    pub fn text(self) -> String {
        self.hash.finalize().iter().fold(String::new(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}
