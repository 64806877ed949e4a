//! What an export will write, decided before the first byte.

use super::codes::Codes;
use super::{ascii_grid, geotiff, png, raw, sidecar};
use crate::error::{Error, Result};
use crate::formats::Raster;
use std::ffi::OsString;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};

/// The formats that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// GeoTIFF: Deflate with a predictor, in tiles; the source's integers or float32.
    GeoTiff,
    /// ESRI ASCII grid.
    AsciiGrid,
    /// Grey PNG of 16 bits.
    Png,
    /// Unsigned 16-bit samples without a header, little-endian.
    R16,
    /// Float32 samples without a header, little-endian; empties are NaN.
    R32,
}

/// Extensions and their formats.
const EXTENSIONS: [(&str, Format); 7] = [
    ("tif", Format::GeoTiff),
    ("tiff", Format::GeoTiff),
    ("asc", Format::AsciiGrid),
    ("png", Format::Png),
    ("r16", Format::R16),
    ("raw", Format::R16),
    ("r32", Format::R32),
];

impl Format {
    /// The format of a file's extension.
    ///
    /// # Errors
    /// An extension of no format that is written.
    pub fn from_path(path: &Path) -> Result<Self> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        EXTENSIONS.iter().find(|known| known.0 == extension).map(|known| known.1).ok_or_else(|| {
            let found = format!("the extension “{extension}”");
            Error::usage(found, ".tif, .asc, .png, .r16 or .r32", "rename the output").in_file(path)
        })
    }
}

/// What the caller may choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Spread the heights over all codes of a 16-bit format, even where whole heights would fit as they are.
    pub full_range: bool,
}

/// What a file is written to.
pub trait Target: Write + Seek {}
impl<T: Write + Seek> Target for T {}

/// A raster and how it will be written.
#[derive(Debug)]
pub struct Plan<'a> {
    raster: &'a Raster,
    content: Content,
}

#[derive(Debug)]
enum Content {
    GeoTiff(geotiff::Storage),
    AsciiGrid(ascii_grid::Layout),
    Png(Codes),
    R16(Codes),
    R32,
}

impl<'a> Plan<'a> {
    /// Decides how a raster is written in a format.
    ///
    /// # Errors
    /// A raster that the format cannot hold.
    pub fn new(raster: &'a Raster, format: Format, options: Options) -> Result<Self> {
        let codes = || match options.full_range {
            true => Codes::spread(raster),
            false => Codes::exact(raster).unwrap_or_else(|| Codes::spread(raster)),
        };
        let content = match format {
            Format::GeoTiff => Content::GeoTiff(geotiff::Storage::of(raster)),
            Format::AsciiGrid => Content::AsciiGrid(ascii_grid::Layout::of(raster)?),
            Format::Png => Content::Png(codes()),
            Format::R16 => Content::R16(codes()),
            Format::R32 => Content::R32,
        };
        Ok(Self { raster, content })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The target refuses.
    pub fn write(&self, out: &mut dyn Target) -> io::Result<()> {
        let raster = self.raster;
        match &self.content {
            Content::GeoTiff(storage) => geotiff::write(raster, storage, out),
            Content::AsciiGrid(layout) => ascii_grid::write(raster, layout, out),
            Content::Png(codes) => png::write(raster, codes, out),
            Content::R16(codes) => raw::write_codes(raster, codes, out),
            Content::R32 => raw::write_floats(raster, out),
        }
    }

    /// What belongs beside the file `path`: the path and the text of a GDAL `.aux.xml`, for formats that cannot say
    /// where they stand and what their codes mean. `None` where there is nothing to say.
    pub fn sidecar(&self, path: &Path) -> Option<(PathBuf, String)> {
        let text = match &self.content {
            Content::AsciiGrid(_) => sidecar::of_placed(self.raster),
            Content::Png(codes) => sidecar::of_codes(self.raster, codes),
            Content::GeoTiff(_) | Content::R16(_) | Content::R32 => None,
        }?;
        let mut name = OsString::from(path);
        name.push(".aux.xml");
        Some((name.into(), text))
    }

    /// What a reader of the file should know, one sentence each.
    pub fn notes(&self) -> Vec<String> {
        match &self.content {
            Content::GeoTiff(storage) => geotiff::notes(self.raster, storage),
            Content::AsciiGrid(_) => Vec::new(),
            Content::Png(codes) => step_note(self.raster, codes).into_iter().collect(),
            Content::R16(codes) => {
                let read = raw::reading_of_codes(self.raster, codes);
                step_note(self.raster, codes).into_iter().chain([read]).collect()
            }
            Content::R32 => vec![raw::reading_of_floats(self.raster)],
        }
    }
}

/// How far codes are from the heights, where they do not hold them exactly.
fn step_note(raster: &Raster, codes: &Codes) -> Option<String> {
    let unit = &raster.facts.unit;
    (!codes.holds(raster)).then(|| {
        format!("65,536 codes in steps of {} {unit}: heights move by up to half a step", codes.scale)
    })
}
