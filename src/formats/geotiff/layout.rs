//! How a picture's samples lie in its blocks, checked against the bytes that the file has.

use super::codec;
use super::refused;
use crate::error::{Error, Result};
use crate::formats::samples::Sample;
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
    /// Offset and stored bytes of every block; no bytes for one that is missing.
    stored: Vec<Stored>,
}

/// Where a block lies in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stored {
    pub offset: u64,
    pub bytes: u64,
}

impl Layout {
    /// Reads the layout of a directory and holds it against the file's length. Half floats come as 16-bit
    /// integers.
    pub fn of(ifd: &Ifd, halves: bool, file_length: u64) -> Result<Self> {
        let stretch = codec::stretch(ifd.compression())?;
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
        let type_name = match raster.bits_per_sample {
            8 | 16 | 32 | 64 => sample.name().to_owned(),
            odd => format!("u{odd}"),
        };
        let layout = Self {
            size,
            block,
            across: size[0].div_ceil(block[0]),
            down: size[1].div_ceil(block[1]),
            bands: raster.samples_per_pixel,
            planar: raster.planar_configuration == 2,
            sample,
            type_name,
            bit_packed: !matches!(raster.bits_per_sample, 8 | 16 | 32 | 64),
            stored: stored_blocks(ifd)?,
        };
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

    /// Refuses sizes that the stored bytes cannot fill, before anything is reserved for them.
    fn check_blocks(&self, stretch: u64, file_length: u64) -> Result<()> {
        let planes = if self.planar { self.bands } else { 1 };
        let expected = self.across as u128 * self.down as u128 * planes as u128;
        if self.stored.len() as u128 != expected {
            return Err(Error::input(
                format!("{} blocks of samples", self.stored.len()),
                format!("{expected} for {}×{} samples", self.size[0], self.size[1]),
                "get the file again",
            ));
        }
        let block = [self.block[0], self.block[1], self.interleaved(), self.sample.bytes()]
            .iter()
            .fold(1_u64, |product, factor| product.saturating_mul(*factor as u64));
        let mut total = 0_u64;
        for stored in self.stored.iter().filter(|stored| stored.bytes > 0) {
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

/// Where every block lies; one without an offset has no bytes.
fn stored_blocks(ifd: &Ifd) -> Result<Vec<Stored>> {
    let (offsets, lengths) = if ifd.is_tiled() {
        (ifd.tile_offsets(), ifd.tile_byte_counts())
    } else {
        (ifd.strip_offsets(), ifd.strip_byte_counts())
    };
    let stored = |(offset, bytes)| Stored { offset, bytes: if offset == 0 { 0 } else { bytes } };
    match (offsets, lengths) {
        (Some(offsets), Some(lengths)) if offsets.len() == lengths.len() => {
            Ok(offsets.into_iter().zip(lengths).map(stored).collect())
        }
        _ => Err(Error::input(
            "no full table of where samples are stored",
            "an offset and a length for every strip or tile",
            "get the file again",
        )),
    }
}
