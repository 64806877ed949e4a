//! How a picture's samples lie in its blocks, checked against the bytes that the file has.

use super::block_table::{self, Stored};
use super::codec;
use super::refused;
use crate::error::{Error, Result};
use crate::formats::samples::Sample;
use std::ops::Range;
use tiff_reader::Ifd;

/// Blocks up to this size are decoded whatever their stored length.
const SMALL_BLOCK: u64 = 1 << 24;
/// Pictures up to this size in all are decoded whatever the file's length.
const SMALL_PICTURE: u64 = 1 << 28;

/// One picture's layout.
#[derive(Debug)]
pub(super) struct Layout {
    /// Columns and rows.
    pub size: [usize; 2],
    /// Columns and rows of a block: a tile, or a strip of whole rows.
    pub block: [usize; 2],
    /// Blocks along a row of blocks.
    pub across: usize,
    /// Rows of blocks.
    pub down: usize,
    pub bands: usize,
    /// Whether each band has blocks of its own.
    pub planar: bool,
    pub sample: Sample,
    /// The type as it is told: bits that fill no whole type keep their number.
    pub type_name: String,
    /// Whether samples of less than whole bytes lie packed.
    pub bit_packed: bool,
    /// Whether blocks are stored without compression.
    pub is_plain: bool,
    /// Offset and stored bytes of every block; no bytes for one that is missing.
    stored: Vec<Stored>,
}

impl Layout {
    /// Reads the layout of a directory and holds it against the file's length, in bytes. `halves`:
    /// 16-bit floats are told as integers.
    ///
    /// # Errors
    /// Samples or a compression that are not read, or sizes that the stored bytes cannot fill.
    pub fn of(ifd: &Ifd, halves: bool, file_length: u64) -> Result<Self> {
        let stretch = codec::stretch(ifd.compression())?;
        check_bits(ifd)?;
        let raster = ifd.raster_layout().map_err(|error| refused(&error))?;
        let size = [raster.width, raster.height];
        let block = if ifd.is_tiled() {
            [ifd.tile_width(), ifd.tile_height()].map(|side| side.unwrap_or(0) as usize)
        } else {
            [raster.width, (ifd.rows_per_strip() as usize).min(raster.height)]
        };
        if block.contains(&0) {
            return Err(Error::input("blocks of no size", "tiles or strips", "get the file again"));
        }
        let sample = match halves {
            true => Sample::F16,
            false => sample_type(raster.sample_format, raster.bits_per_sample)?,
        };
        let is_whole = matches!(raster.bits_per_sample, 8 | 16 | 32 | 64);
        let mut layout = Self {
            size,
            block,
            across: size[0].div_ceil(block[0]),
            down: size[1].div_ceil(block[1]),
            bands: raster.samples_per_pixel,
            planar: raster.planar_configuration == 2,
            sample,
            type_name: if is_whole { sample.name().into() } else { format!("u{}", raster.bits_per_sample) },
            bit_packed: !is_whole,
            is_plain: codec::is_plain(ifd.compression()),
            stored: Vec::new(),
        };
        let planes = if layout.planar { layout.bands } else { 1 };
        let blocks = layout.across.saturating_mul(layout.down).saturating_mul(planes);
        layout.stored = block_table::read(ifd, blocks, layout.block_bytes(), file_length)?;
        layout.check_blocks(stretch, file_length)?;
        Ok(layout)
    }

    /// Where a block of a band lies; `None` for one that is missing: such a block is empty, not zero.
    pub fn stored(&self, band: usize, across: usize, down: usize) -> Option<Stored> {
        let plane = if self.planar { band * self.across * self.down } else { 0 };
        self.stored.get(plane + down * self.across + across).copied().filter(|stored| stored.bytes > 0)
    }

    /// Samples that lie side by side for one pixel of a block.
    pub fn interleaved(&self) -> usize {
        if self.planar { 1 } else { self.bands }
    }

    /// Whether a row of blocks can be decoded in parts without more memory than the parts take: plain blocks are
    /// read by rows, and where several lie side by side one of them is small.
    pub fn can_be_cut(&self) -> bool {
        self.is_plain || self.across > 1
    }

    /// Whether every block of a band that rows touch is missing.
    pub fn is_missing(&self, band: usize, rows: Range<usize>) -> bool {
        let mut down = rows.start / self.block[1]..rows.end.div_ceil(self.block[1]);
        down.all(|down| (0..self.across).all(|across| self.stored(band, across, down).is_none()))
    }

    /// Bytes of a whole decoded block.
    fn block_bytes(&self) -> u64 {
        let factors = [self.block[0], self.block[1], self.interleaved(), self.sample.bytes()];
        factors.iter().fold(1_u64, |product, factor| product.saturating_mul(*factor as u64))
    }

    /// Refuses sizes that the stored bytes cannot fill, before anything is reserved for them. Blocks that lie past
    /// the file's end are left to be found unreadable.
    fn check_blocks(&self, stretch: u64, file_length: u64) -> Result<()> {
        let block = self.block_bytes();
        let mut total = 0_u64;
        let within = |stored: &&Stored| stored.bytes > 0 && stored.offset < file_length;
        for stored in self.stored.iter().filter(within) {
            total = total.saturating_add(block);
            if block > SMALL_BLOCK.max(stored.bytes.min(file_length).saturating_mul(stretch)) {
                return Err(too_short(block, stored.bytes, "block"));
            }
        }
        if total > SMALL_PICTURE.max(file_length.saturating_mul(stretch)) {
            return Err(too_short(total, file_length, "picture"));
        }
        Ok(())
    }
}

/// Refuses by name what the library would call broken.
fn check_bits(ifd: &Ifd) -> Result<()> {
    let bits = ifd.bits_per_sample().map_err(|error| refused(&error))?;
    let bits = bits.first().copied().unwrap_or(1);
    let refuse = |found: String| {
        let expected =
            "samples of 1 to 16, 32 or 64 bits, without a predictor where they fill no whole bytes";
        Err(Error::input(found, expected, "convert it, for example with gdal_translate -ot Float32"))
    };
    match bits {
        8 | 16 | 32 | 64 => Ok(()),
        1..=15 if ifd.predictor() > 1 => {
            refuse(format!("predictor {} on {bits}-bit samples", ifd.predictor()))
        }
        1..=15 => Ok(()),
        _ => refuse(format!("samples of {bits} bits")),
    }
}

fn too_short(bytes: u64, stored: u64, what: &str) -> Error {
    Error::input(
        format!("a {what} of {bytes} bytes in {stored} stored ones"),
        "stored bytes that can hold it",
        "get the file again",
    )
}

fn sample_type(format: u16, bits: u16) -> Result<Sample> {
    match (format, bits) {
        (1, 1..=8) => Ok(Sample::U8),
        (1, 9..=16) => Ok(Sample::U16),
        (1, 32) => Ok(Sample::U32),
        (1, 64) => Ok(Sample::U64),
        (2, 8) => Ok(Sample::I8),
        (2, 16) => Ok(Sample::I16),
        (2, 32) => Ok(Sample::I32),
        (2, 64) => Ok(Sample::I64),
        (3, 32) => Ok(Sample::F32),
        (3, 64) => Ok(Sample::F64),
        _ => Err(Error::input(
            format!("samples of {bits} bits in format {format}"),
            "integers or floats of 8 to 64 bits",
            "convert the file",
        )),
    }
}
