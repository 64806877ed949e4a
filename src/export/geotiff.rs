//! GeoTIFF: Deflate with the predictor of its sample type, in tiles that are compressed on all threads.
//!
//! The source's integers are kept where they hold every height; else heights are float32. Past 4 GiB the file is a
//! BigTIFF.

use super::codes::{Codes, Width};
use super::plan::Target;
use super::{geo_keys, sidecar};
use crate::formats::Raster;
use crate::terrain::is_empty;
use rayon::prelude::*;
use std::io;
use tiff_core::{ByteOrder, Compression, Predictor, Tag, TagValue};
use tiff_writer::compress::{BlockEncodingOptions, compress_block};
use tiff_writer::{ImageBuilder, TiffWriteSample, TiffWriter, WriteOptions};

const TAG_GDAL_METADATA: u16 = 42112;
const TAG_GDAL_NODATA: u16 = 42113;

/// Samples along a tile of a field that is larger; a small field has one tile that just holds it.
const TILE: u32 = 256;
/// A tile's sides are multiples of this, by the format.
const TILE_STEP: u32 = 16;

/// How samples are stored.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Storage {
    Codes(Codes),
    /// Float32, with the declared empty value.
    Floats {
        empty: Option<String>,
    },
}

impl Storage {
    /// The source's integers, or float32.
    pub fn of(raster: &Raster) -> Self {
        Codes::of_source(raster).map_or_else(|| Self::Floats { empty: float_empty(raster) }, Self::Codes)
    }

    fn nodata(&self) -> Option<String> {
        match self {
            Self::Codes(codes) => codes.empty.map(|code| code.to_string()),
            Self::Floats { empty } => empty.clone(),
        }
    }

    /// The factor and what is added to it, from stored values to heights.
    fn scaling(&self) -> [f64; 2] {
        match self {
            Self::Codes(codes) => [codes.scale, codes.offset],
            Self::Floats { .. } => [1.0, 0.0],
        }
    }
}

/// The declared value, unless a height has it too; NaN where there are empties without one.
fn float_empty(raster: &Raster) -> Option<String> {
    let facts = &raster.facts;
    let free = |text: &String| text.parse::<f32>().is_ok_and(|value| !raster.heights.contains(&value));
    facts.nodata.clone().filter(free).or_else(|| (facts.statistics.empty > 0).then(|| "nan".into()))
}

/// Writes the file.
pub(super) fn write(raster: &Raster, storage: &Storage, out: &mut dyn Target) -> io::Result<()> {
    match storage {
        Storage::Floats { empty } => {
            let empty = empty.as_ref().and_then(|text| text.parse().ok()).unwrap_or(f32::NAN);
            let stored = |height: f32| if is_empty(height) { empty } else { height };
            write_tiles(raster, storage, Predictor::FloatingPoint, &stored, out)
        }
        Storage::Codes(codes) => write_codes(raster, storage, codes, out),
    }
}

/// A code fits its width by the way it was made.
fn write_codes(raster: &Raster, storage: &Storage, codes: &Codes, out: &mut dyn Target) -> io::Result<()> {
    let by = Predictor::Horizontal;
    match codes.width {
        Width::U8 => write_tiles(raster, storage, by, &|height| codes.code(height) as u8, out),
        Width::I8 => write_tiles(raster, storage, by, &|height| codes.code(height) as i8, out),
        Width::U16 => write_tiles(raster, storage, by, &|height| codes.code(height) as u16, out),
        Width::I16 => write_tiles(raster, storage, by, &|height| codes.code(height) as i16, out),
        Width::U32 => write_tiles(raster, storage, by, &|height| codes.code(height) as u32, out),
        Width::I32 => write_tiles(raster, storage, by, &|height| codes.code(height) as i32, out),
    }
}

fn write_tiles<T: TiffWriteSample>(
    raster: &Raster,
    storage: &Storage,
    predictor: Predictor,
    stored: &(impl Fn(f32) -> T + Sync),
    out: &mut dyn Target,
) -> io::Result<()> {
    let size = raster.size.map(|samples| samples as usize);
    let tile = raster.size.map(|samples| samples.next_multiple_of(TILE_STEP).min(TILE));
    let image = tags(raster, storage).into_iter().fold(
        ImageBuilder::new(raster.size[0], raster.size[1])
            .sample_type::<T>()
            .compression(Compression::Deflate)
            .predictor(predictor)
            .tiles(tile[0], tile[1]),
        ImageBuilder::tag,
    );
    let tile = tile.map(|samples| samples as usize);
    let mut writer = TiffWriter::new(out, WriteOptions::auto()).map_err(io_error)?;
    let handle = writer.add_image(image).map_err(io_error)?;
    let across = size[0].div_ceil(tile[0]);
    for down in 0..size[1].div_ceil(tile[1]) {
        let row: Result<Vec<Vec<u8>>, _> = (0..across)
            .into_par_iter()
            .map(|along| {
                let samples = tile_of(raster, [along, down], tile, stored);
                compress_block(&samples, encoding(predictor, tile[0]), down * across + along)
            })
            .collect();
        for (along, bytes) in row.map_err(io_error)?.iter().enumerate() {
            writer.write_block_raw(&handle, down * across + along, bytes).map_err(io_error)?;
        }
    }
    writer.finish().map_err(io_error)?;
    Ok(())
}

fn encoding(predictor: Predictor, row_width_pixels: usize) -> BlockEncodingOptions<'static> {
    BlockEncodingOptions {
        byte_order: ByteOrder::LittleEndian,
        compression: Compression::Deflate,
        predictor,
        samples_per_pixel: 1,
        row_width_pixels,
        jpeg_options: None,
        jpeg_sampling: None,
        deflate_level: None,
    }
}

/// The samples of a tile. Beyond the field the last column and row go on, which costs the fewest bytes.
fn tile_of<T>(raster: &Raster, at: [usize; 2], tile: [usize; 2], stored: &impl Fn(f32) -> T) -> Vec<T> {
    let size = raster.size.map(|samples| samples as usize);
    let sample = |axis: usize, offset: usize| (at[axis] * tile[axis] + offset).min(size[axis] - 1);
    (0..tile[1])
        .flat_map(|z| {
            let row = sample(1, z) * size[0];
            (0..tile[0]).map(move |x| row + sample(0, x))
        })
        .map(|index| stored(raster.heights[index]))
        .collect()
}

fn tags(raster: &Raster, storage: &Storage) -> Vec<Tag> {
    let mut tags = geo_keys::tags(raster);
    tags.extend(storage.nodata().map(|text| Tag::new(TAG_GDAL_NODATA, TagValue::Ascii(text))));
    tags.extend(metadata(raster, storage).map(|text| Tag::new(TAG_GDAL_METADATA, TagValue::Ascii(text))));
    tags
}

/// Scale, offset and unit, as GDAL writes them.
fn metadata(raster: &Raster, storage: &Storage) -> Option<String> {
    let item = |name: &str, role: &str, value: &str| {
        format!("  <Item name=\"{name}\" sample=\"0\" role=\"{role}\">{}</Item>\n", sidecar::escaped(value))
    };
    let [scale, offset] = storage.scaling();
    let mut text = String::new();
    if [scale, offset] != [1.0, 0.0] {
        text += &item("SCALE", "scale", &scale.to_string());
        text += &item("OFFSET", "offset", &offset.to_string());
    }
    if raster.facts.names_unit() {
        text += &item("UNITTYPE", "unittype", &raster.facts.unit);
    }
    (!text.is_empty()).then(|| format!("<GDALMetadata>\n{text}</GDALMetadata>\n"))
}

/// What is told of the file.
pub(super) fn notes(raster: &Raster, storage: &Storage) -> Vec<String> {
    let own = &raster.facts.sample_type;
    let stored = match storage {
        Storage::Codes(codes) => codes.width.name(),
        Storage::Floats { .. } => "f32",
    };
    let changed =
        (own != stored).then(|| format!("heights are stored as {stored}, the source's samples are {own}"));
    changed.into_iter().chain(geo_keys::loss(raster)).collect()
}

fn io_error(error: tiff_writer::Error) -> io::Error {
    match error {
        tiff_writer::Error::Io(error) => error,
        other => io::Error::other(other),
    }
}
