//! netCDF, classic and HDF5-based: one plane of one variable as heights. Formats and conventions are those of
//! Unidata's "NetCDF File Format Specifications" and of the Climate and Forecast conventions.

mod layers;
mod old_gmt;
mod place;
mod values;

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::{Input, heights_for};
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, RawRange, Sample};
use crate::error::{Error, Result};
use crate::geo::LengthUnit;
use crate::terrain::EMPTY;
use layers::Layer;
use netcdf_reader::{FileStorage, NcFile, NcFormat, NcMetadataMode, NcOpenOptions, NcType, NcVariable};
use std::sync::Arc;

const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
/// Where an HDF5 file may begin behind a block of its user's, within the bytes that are looked at.
const STARTS_OF_HDF5: [usize; 4] = [0, 512, 1024, 2048];
/// The most bytes that one stored byte can stand for: Deflate's longest match of 258 bytes in two bits.
const DEFLATE_RATIO: u64 = 1032;
/// Chunks that are decoded once and kept until the rows beside them are read.
const CACHE_BYTES: usize = 64 << 20;
/// The largest chunk that is decoded, where the file is long enough for it.
const LARGEST_CHUNK: u64 = 256 << 20;

/// Whether the file begins as netCDF or HDF5 does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let classic = [b"CDF\x01", b"CDF\x02", b"CDF\x05"].iter().any(|magic| input.head.starts_with(*magic));
    let hdf5 = |start: &usize| input.head.get(*start..).is_some_and(|head| head.starts_with(HDF5));
    classic || STARTS_OF_HDF5.iter().any(hdf5)
}

/// Reads the plane that most surely holds heights, or the one that is asked for.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let file = open(input)?;
    let root = file.root_group().map_err(|error| broken(&error))?;
    let variables = layers::variables(root);
    if let Some(grid) = old_gmt::find(&file, &variables) {
        return old_gmt::read(input, &file, &grid, options);
    }
    let layer = layers::choose(&variables, options)?;
    let size = size_of(&file, &layer, input.length)?;
    let sample = values::sample_of(layer.variable).ok_or_else(|| no_grid("no numbers"))?;
    let mut decoded = describe(input, &file, layer.variable, sample, size);
    decoded.band = layer.band;
    decoded.notes.assume(layer.choice.clone());
    let decoder = decoder_of(layer.variable, sample, options, &mut decoded)?;
    decoded.heights = heights_for(size)?;
    decoded.raw = values::read_plane(&file, &layer, &decoder, &mut decoded.heights)?;
    empty_outside_valid_range(layer.variable, &mut decoded);
    place::place(&file, &variables, &layer, &mut decoded)?;
    Ok(decoded)
}

/// Opens with limits that follow from the file's length.
fn open(input: &Input) -> Result<NcFile> {
    let opened = |metadata_mode| {
        let storage = FileStorage::open(&input.path)?;
        let longest = LARGEST_CHUNK.min(input.length.saturating_mul(DEFLATE_RATIO)) as usize;
        let options = NcOpenOptions {
            chunk_cache_bytes: CACHE_BYTES,
            max_chunk_bytes: longest,
            metadata_mode,
            ..NcOpenOptions::default()
        };
        let file = NcFile::from_storage_with_options(Arc::new(storage), options)?;
        // Metadata is read on demand; a fault in it is to be met here.
        file.root_group()?;
        Ok(file)
    };
    opened(NcMetadataMode::Strict)
        // HDF5 written by other libraries lacks what netCDF adds; its grids are read all the same.
        .or_else(|error: netcdf_reader::Error| opened(NcMetadataMode::Lossy).map_err(|_| error))
        .map_err(|error| broken(&error))
}

fn is_classic(file: &NcFile) -> bool {
    matches!(file.format(), NcFormat::Classic | NcFormat::Offset64 | NcFormat::Cdf5)
}

/// Columns and rows, held against the file's length before memory is asked for.
fn size_of(file: &NcFile, layer: &Layer, length: u64) -> Result<[u32; 2]> {
    let [rows, columns] = layer.shape();
    check_worth(file, layer.variable, rows.saturating_mul(columns), length)?;
    match (u32::try_from(columns), u32::try_from(rows)) {
        (Ok(columns), Ok(rows)) => Ok([columns, rows]),
        _ => Err(no_grid("more samples along one side than can be counted")),
    }
}

/// Whether a file of this length can hold so many samples.
fn check_worth(file: &NcFile, variable: &NcVariable, samples: u64, length: u64) -> Result<()> {
    let bytes = samples.saturating_mul(variable.dtype.size().unwrap_or(1) as u64);
    let most = if is_classic(file) { length } else { length.saturating_mul(DEFLATE_RATIO) };
    if bytes <= most {
        return Ok(());
    }
    Err(Error::input(
        format!("{samples} samples of {} in {length} bytes", variable.name),
        "a file long enough to hold its samples",
        "get the file again",
    ))
}

fn describe(input: &Input, file: &NcFile, variable: &NcVariable, sample: Sample, size: [u32; 2]) -> Decoded {
    let format = if is_classic(file) { "netCDF" } else { "netCDF-4/HDF5" };
    let mut decoded = Decoded::new(format, input.path.clone(), size, sample.name());
    let Some(unit) = text(variable, "units").filter(|unit| !unit.trim().is_empty()) else { return decoded };
    match LengthUnit::from_name(&unit) {
        Some(known) => decoded.unit = Some((known, format!("the units of {}", variable.name))),
        None => decoded.notes.warn(
            "unknown-unit",
            format!("{} is in {unit}, no unit of length; it is taken as metres", variable.name),
        ),
    }
    decoded
}

/// Scale, offset and empty value as the variable's attributes give them, and the caller's word over them.
fn decoder_of(
    variable: &NcVariable,
    sample: Sample,
    options: &ReadOptions,
    decoded: &mut Decoded,
) -> Result<Decoder> {
    let declared = ["_FillValue", "missing_value"].iter().find_map(|name| number(variable, name));
    let own = declared.or_else(|| default_fill(&variable.dtype));
    let empty = options.nodata.or(own).map(EmptyValue::from_number);
    decoded.nodata_rule = empties::rule(empty.as_ref(), sample);
    if options.nodata.or(declared).is_none() && empty.is_some() {
        decoded.nodata_rule.push_str("; it is the format's own fill value, as the file declares none");
    }
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    if !options.no_scale {
        decoded.scale = number(variable, "scale_factor").filter(|scale| *scale != 0.0).unwrap_or(1.0);
        decoded.offset = number(variable, "add_offset").unwrap_or(0.0);
    }
    decoded.take_z_range(sample, options)?;
    Ok(Decoder { sample, endian: NATIVE, empty, scale: decoded.scale, offset: decoded.offset })
}

/// What netCDF fills unwritten samples with. Bytes have no such value by convention, since all are in use.
fn default_fill(stored: &NcType) -> Option<f64> {
    match stored {
        NcType::Short => Some(-32_767.0),
        NcType::UShort => Some(65_535.0),
        NcType::Int => Some(-2_147_483_647.0),
        NcType::UInt => Some(4_294_967_295.0),
        NcType::Float | NcType::Double => Some(9.969_209_968_386_869e36),
        _ => None,
    }
}

/// Values that a variable declares to be out of its range are missing by the conventions.
fn empty_outside_valid_range(variable: &NcVariable, decoded: &mut Decoded) {
    let [least, greatest] = values::valid_range(variable);
    if decoded.raw.min >= least && decoded.raw.max <= greatest {
        return;
    }
    let (scale, offset) = (decoded.scale, decoded.offset);
    let ends = [least, greatest].map(|stored| (stored * scale + offset) as f32);
    let range = ends[0].min(ends[1])..=ends[0].max(ends[1]);
    let mut raw = RawRange { declared: decoded.raw.declared, ..RawRange::default() };
    let mut emptied = 0_u64;
    for height in decoded.heights.iter_mut().filter(|height| !height.is_nan()) {
        if range.contains(height) {
            raw.add((f64::from(*height) - offset) / scale);
        } else {
            *height = EMPTY;
            emptied += 1;
        }
    }
    decoded.raw = RawRange { infinite: decoded.raw.infinite, huge: decoded.raw.huge, ..raw };
    decoded.nodata_rule.push_str(&format!(
        "; {emptied} stored values outside the declared range of {least} to {greatest} are empty"
    ));
}

/// A text attribute.
fn text(variable: &NcVariable, name: &str) -> Option<String> {
    let text = variable.attribute(name)?.value.as_string()?;
    Some(text.trim_matches('\0').trim().to_owned())
}

/// A number attribute, or a text that is a number.
fn number(variable: &NcVariable, name: &str) -> Option<f64> {
    let value = &variable.attribute(name)?.value;
    value.as_f64().or_else(|| value.as_string()?.trim().parse().ok())
}

fn no_grid(found: &str) -> Error {
    Error::input(
        format!("a netCDF or HDF5 file of {found}"),
        "a variable of numbers with two dimensions",
        "write its heights into a grid, for example with gdal_translate",
    )
}

fn broken(error: &netcdf_reader::Error) -> Error {
    let told = error.to_string().replace('\n', " ");
    Error::input(format!("a broken netCDF or HDF5 file: {told}"), "a whole file", "get the file again")
}

#[cfg(test)]
mod tests;
