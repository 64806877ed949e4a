//! 16-bit floats through a decoder that knows only 16-bit integers: the bits are the same, so only the tag
//! that names the sample format is told otherwise.

use tiff_reader::source::{SharedSource, TiffSource};
use tiff_reader::{ByteOrder, Ifd, TiffError, TiffFile};

const TAG_BITS_PER_SAMPLE: u16 = 258;
const TAG_SAMPLE_FORMAT: u16 = 339;
const UNSIGNED: u16 = 1;
const FLOAT: u16 = 3;

/// A file whose main picture's sample formats read as unsigned.
pub(super) struct HalfFloats {
    file: SharedSource,
    /// Where the values of the sample format tag lie.
    at: u64,
    values: Vec<u8>,
}

/// How the numbers of a file's directories are stored.
struct Numbers<'a> {
    file: &'a dyn TiffSource,
    order: ByteOrder,
}

impl HalfFloats {
    /// Wraps the file where its main picture holds 16-bit floats.
    pub fn find(tiff: &TiffFile, file: &SharedSource) -> Option<Self> {
        let ifd = tiff.ifds().first()?;
        let formats = shorts(ifd, TAG_SAMPLE_FORMAT)?;
        let bits = shorts(ifd, TAG_BITS_PER_SAMPLE)?;
        if !(formats.iter().all(|format| *format == FLOAT) && bits.iter().all(|bits| *bits == 16)) {
            return None;
        }
        let numbers = Numbers { file: file.as_ref(), order: tiff.byte_order() };
        let length = 2 * formats.len() as u64;
        let at = if tiff.is_bigtiff() {
            numbers.position_in_bigtiff(ifd.offset(), length)?
        } else {
            numbers.position(ifd.offset(), length)?
        };
        let unsigned = match tiff.byte_order() {
            ByteOrder::LittleEndian => UNSIGNED.to_le_bytes(),
            ByteOrder::BigEndian => UNSIGNED.to_be_bytes(),
        };
        Some(Self { file: file.clone(), at, values: unsigned.repeat(formats.len()) })
    }
}

fn shorts(ifd: &Ifd, tag: u16) -> Option<&[u16]> {
    ifd.tag(tag)?.value.as_u16_slice().filter(|values| !values.is_empty())
}

impl Numbers<'_> {
    fn number(&self, at: u64, bytes: usize) -> Option<u64> {
        let stored = self.file.read_exact_at(at, bytes).ok()?;
        let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        Some(match self.order {
            ByteOrder::BigEndian => stored.iter().fold(0, add),
            ByteOrder::LittleEndian => stored.iter().rev().fold(0, add),
        })
    }

    /// Where the values of the sample format tag lie: in the entry itself where they have room.
    fn position(&self, directory: u64, length: u64) -> Option<u64> {
        let entries = self.number(directory, 2)?;
        let entry = self.entry(directory + 2, entries, 12)?;
        if length <= 4 { Some(entry + 8) } else { self.number(entry + 8, 4) }
    }

    fn position_in_bigtiff(&self, directory: u64, length: u64) -> Option<u64> {
        let entries = self.number(directory, 8)?;
        let entry = self.entry(directory + 8, entries, 20)?;
        if length <= 8 { Some(entry + 12) } else { self.number(entry + 12, 8) }
    }

    fn entry(&self, first: u64, entries: u64, bytes: u64) -> Option<u64> {
        (0..entries)
            .map(|index| first + index * bytes)
            .map_while(|entry| Some((entry, self.number(entry, 2)?)))
            .find(|(_, tag)| *tag == u64::from(TAG_SAMPLE_FORMAT))
            .map(|(entry, _)| entry)
    }
}

impl TiffSource for HalfFloats {
    fn len(&self) -> u64 {
        self.file.len()
    }

    fn read_exact_at(&self, offset: u64, len: usize) -> Result<Vec<u8>, TiffError> {
        let mut bytes = self.file.read_exact_at(offset, len)?;
        for (at, value) in (self.at..).zip(&self.values) {
            let within =
                at.checked_sub(offset).and_then(|within| bytes.get_mut(usize::try_from(within).ok()?));
            if let Some(byte) = within {
                *byte = *value;
            }
        }
        Ok(bytes)
    }
}
