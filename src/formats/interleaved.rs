//! Samples in rows and bands whose layout a header of its own describes: what EHdr, ENVI and ROI_PAC files are.

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::{Input, heights_for, unreadable};
use super::layout::{Order, place_lines};
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Decoder, Endian, Sample};
use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, Read};

/// The most bytes that one byte of a gzip file can stand for.
const GZIP_RATIO: u64 = 1032;

/// How bands lie beside one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interleave {
    /// Band after band.
    Bands,
    /// In each row, band after band.
    Rows,
    /// In each pixel, band after band.
    Pixels,
}

impl Interleave {
    /// The layout of a name: `bsq`, `bil` or `bip`.
    pub fn from_name(name: &str) -> Result<Self> {
        match name.to_ascii_lowercase().as_str() {
            "bsq" => Ok(Self::Bands),
            "bil" => Ok(Self::Rows),
            "bip" => Ok(Self::Pixels),
            _ => Err(Error::input(
                format!("the layout {}", name.chars().take(20).collect::<String>()),
                "BIL, BIP or BSQ",
                "correct the header",
            )),
        }
    }
}

/// The layout of a file of samples. All lengths are in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interleaved {
    /// Columns and rows.
    pub size: [u32; 2],
    pub bands: u32,
    pub sample: Sample,
    pub endian: Endian,
    /// Before the first sample.
    pub start: u64,
    pub interleave: Interleave,
    /// One row of one band.
    pub band_row: u64,
    /// One row of all bands; not for bands that follow one another.
    pub row: u64,
    /// Between bands that follow one another.
    pub gap: u64,
    /// Whether the whole file is packed by gzip; the lengths above are those of what it holds.
    pub gzip: bool,
}

impl Interleaved {
    /// Samples without any gaps.
    pub fn packed(size: [u32; 2], bands: u32, sample: Sample, interleave: Interleave) -> Self {
        let band_row = u64::from(size[0]) * sample.bytes() as u64;
        let row = band_row.saturating_mul(bands.into());
        let endian = Endian::Little;
        Self { size, bands, sample, endian, start: 0, interleave, band_row, row, gap: 0, gzip: false }
    }

    /// Reads the heights of the band that is asked for, with the scale and offset that `decoded` has.
    ///
    /// # Errors
    /// A band that is not there, or a file that is too short for the size.
    pub fn read(
        &self,
        input: &Input,
        declared: Option<EmptyValue>,
        options: &ReadOptions,
        decoded: &mut Decoded,
    ) -> Result<()> {
        decoded.band = self.chosen_band(options)?;
        let band = decoded.band - 1;
        self.check_length(band, self.length_of(input, band)?)?;
        let empty = decoded.take_empty(declared, self.sample, options);
        decoded.take_z_range(self.sample, options)?;
        let [scale, offset] = [decoded.scale, decoded.offset];
        let decoder = Decoder { sample: self.sample, endian: self.endian, empty, scale, offset };
        decoded.heights = heights_for(self.size)?;
        let mut source = self.source(input)?;
        let (mut at, mut pixels) = (0, vec![0; self.span() as usize]);
        let order = Order::Rows(RowOrder::Top);
        decoded.raw = place_lines(self.size, order, &decoder, &mut decoded.heights, |row, line| {
            // Both fit: the end of the last row was held against the file's length.
            let from = self.row_start(band, row as u64).unwrap_or(u64::MAX);
            skip(&mut source, from.saturating_sub(at))?;
            source.read_exact(&mut pixels).map_err(|error| unreadable(&error))?;
            at = from + pixels.len() as u64;
            self.gather(&pixels, line);
            Ok(())
        })?;
        Ok(())
    }

    fn chosen_band(&self, options: &ReadOptions) -> Result<u32> {
        let band = options.band.unwrap_or(1);
        if (1..=self.bands).contains(&band) {
            return Ok(band);
        }
        let expected = format!("1 to {}, the bands of the file", self.bands);
        Err(Error::usage(format!("band {band} is asked for"), expected, "correct --band"))
    }

    /// Bytes from one pixel to the next.
    fn step(&self) -> u64 {
        let bands = if self.interleave == Interleave::Pixels { self.bands } else { 1 };
        self.sample.bytes() as u64 * u64::from(bands)
    }

    /// Bytes from the first to the end of the last sample of a band in a row.
    fn span(&self) -> u64 {
        (u64::from(self.size[0]) - 1).saturating_mul(self.step()) + self.sample.bytes() as u64
    }

    /// Where the first sample of a row of a band lies; `None` beyond every file.
    fn row_start(&self, band: u32, row: u64) -> Option<u64> {
        let band = u64::from(band);
        let offset = match self.interleave {
            Interleave::Bands => {
                let whole = self.band_row.checked_mul(self.size[1].into())?.checked_add(self.gap)?;
                band.checked_mul(whole)?.checked_add(row.checked_mul(self.band_row)?)
            }
            Interleave::Rows => row.checked_mul(self.row)?.checked_add(band.checked_mul(self.band_row)?),
            Interleave::Pixels => row.checked_mul(self.row)?.checked_add(band * self.sample.bytes() as u64),
        }?;
        self.start.checked_add(offset)
    }

    /// Where the last sample of a band ends; `None` beyond every file.
    fn end(&self, band: u32) -> Option<u64> {
        self.row_start(band, u64::from(self.size[1]) - 1)?.checked_add(self.span())
    }

    fn source(&self, input: &Input) -> Result<Box<dyn Read>> {
        let stored = input.read_from(0)?;
        Ok(if self.gzip { Box::new(MultiGzDecoder::new(stored)) } else { Box::new(stored) })
    }

    /// The bytes that a file holds. A packed one is unpacked for it, up to the end of a band and no farther, so that
    /// nothing is allocated for what is not there.
    fn length_of(&self, input: &Input, band: u32) -> Result<u64> {
        if !self.gzip {
            return Ok(input.length);
        }
        let most = input.length.saturating_mul(GZIP_RATIO);
        match self.end(band).filter(|end| *end <= most) {
            Some(end) => skip(&mut self.source(input)?, end),
            None => Ok(most),
        }
    }

    /// Before anything is allocated, so that no header asks for more than its file is worth.
    fn check_length(&self, band: u32, length: u64) -> Result<()> {
        let [width, depth] = self.size;
        let rows_lie_apart = match self.interleave {
            Interleave::Bands => self.band_row >= self.span(),
            Interleave::Rows | Interleave::Pixels => self.row >= self.span(),
        };
        if rows_lie_apart && self.end(band).is_some_and(|end| end <= length) {
            return Ok(());
        }
        Err(Error::input(
            format!("{length} bytes"),
            format!(
                "band {} of {width}×{depth} samples of {}, as the header says",
                band + 1,
                self.sample.name()
            ),
            "get both files again",
        ))
    }

    /// The samples of one band out of a row of pixels.
    fn gather(&self, pixels: &[u8], line: &mut [u8]) {
        let bytes = self.sample.bytes();
        let stored = pixels.chunks(self.step() as usize);
        for (sample, pixel) in line.chunks_exact_mut(bytes).zip(stored) {
            sample.copy_from_slice(&pixel[..bytes]);
        }
    }
}

/// Reads over bytes; gives how many there were.
fn skip(source: &mut impl Read, bytes: u64) -> Result<u64> {
    io::copy(&mut source.take(bytes), &mut io::sink()).map_err(|error| unreadable(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::test_files::TestFolder;

    /// The heights of band 2 of 3 columns, 2 rows and 2 bands of single bytes.
    fn second_band(
        bytes: &[u8],
        change: impl Fn(&mut Interleaved),
        interleave: Interleave,
    ) -> Result<Vec<f32>> {
        let folder = TestFolder::new();
        let path = folder.write("a.bin", bytes);
        let input = Input::open(&path)?;
        let mut layout = Interleaved::packed([3, 2], 2, Sample::U8, interleave);
        change(&mut layout);
        let mut decoded = Decoded::new("test", path, layout.size, "u8");
        let options = ReadOptions { band: Some(2), ..ReadOptions::default() };
        layout.read(&input, None, &options, &mut decoded)?;
        Ok(decoded.heights)
    }

    #[test]
    fn bands_lie_in_three_ways() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
        let read = |interleave| second_band(&bytes, |_| (), interleave).expect("read");
        assert_eq!(read(Interleave::Bands), [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
        assert_eq!(read(Interleave::Rows), [4.0, 5.0, 6.0, 10.0, 11.0, 12.0]);
        assert_eq!(read(Interleave::Pixels), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
    }

    #[test]
    fn gaps_before_between_and_after_are_left_out() {
        let bytes = [99, 1, 2, 3, 98, 4, 5, 6, 97, 97, 7, 8, 9, 98, 10, 11, 12];
        let padded = |layout: &mut Interleaved| (layout.start, layout.band_row, layout.row) = (1, 4, 9);
        assert_eq!(
            second_band(&bytes, padded, Interleave::Rows).expect("read"),
            [4.0, 5.0, 6.0, 10.0, 11.0, 12.0]
        );
        let apart = |layout: &mut Interleaved| layout.gap = 4;
        assert_eq!(second_band(&bytes, apart, Interleave::Bands).expect("read")[..2], [7.0, 8.0]);
    }

    #[test]
    fn files_too_short_and_rows_that_overlap_are_refused() {
        let refused = |change: fn(&mut Interleaved)| {
            second_band(&[0; 12], change, Interleave::Rows).expect_err("refused").to_string()
        };
        assert!(refused(|layout| layout.start = 1).contains("12 bytes; band 2 of 3×2 samples of u8"));
        assert!(refused(|layout| layout.row = 2).contains("as the header says"));
        assert!(refused(|layout| layout.row = u64::MAX).contains("as the header says"));
        assert!(refused(|layout| layout.size = [u32::MAX; 2]).contains("4294967295×4294967295"));
        assert!(refused(|layout| layout.bands = 1).contains("band 2 is asked for"));
    }
}
