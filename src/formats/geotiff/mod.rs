//! GeoTIFF and BigTIFF: samples by block, place by tags and geo keys, empties by value, mask and missing
//! block.

mod blocks;
mod codec;
mod gdal_metadata;
mod geo_keys;
mod half_floats;
mod layout;
mod mask;
mod open;
mod placement;
#[cfg(test)]
mod placement_tests;
mod stored_blocks;
#[cfg(test)]
pub(super) mod test_tiff;
#[cfg(test)]
mod tests;

use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::Input;
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, Sample};
use crate::error::{Error, Result};
use gdal_metadata::BandMetadata;
use layout::Layout;
use tiff_reader::Ifd;

/// The private tag that holds the empty value as text.
const TAG_GDAL_NODATA: u16 = 42113;
const TAG_GDAL_METADATA: u16 = 42112;

/// Whether the file begins as a TIFF or BigTIFF of either byte order does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    [b"II*\0", b"II+\0", b"MM\0*", b"MM\0+"].iter().any(|signature| input.head.starts_with(*signature))
}

/// Reads one band of the first picture.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let open::Opened { tiff, halves } = open::open(input)?;
    let ifd = open::first_directory(&tiff)?;
    let layout = Layout::of(ifd, halves, input.length)?;
    let band = chosen_band(&layout, options)?;
    let size = layout.size.map(|samples| samples as u32);
    let mut decoded = Decoded::new("GeoTIFF", input.path.clone(), size, &layout.type_name);
    decoded.band = band;
    decoded.compression = codec::name(ifd.compression());
    decoded.predictor = ifd.predictor();
    take_metadata(ifd, band, layout.sample, options, &mut decoded)?;
    tell_of_pictures(ifd, layout.sample, &mut decoded);
    let empty = empty_value(ifd, options);
    decoded.nodata_rule = empties::rule(empty.as_ref(), layout.sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    let mask = mask::find(&tiff, ifd, input, &mut decoded)?;
    let (scale, offset) = (decoded.scale, decoded.offset);
    let decoder = Decoder { sample: layout.sample, endian: NATIVE, empty, scale, offset };
    let picture = blocks::Picture { tiff: &tiff, ifd, layout: &layout, band: band as usize - 1 };
    (decoded.heights, decoded.raw) = blocks::read(&picture, &decoder, mask.as_deref())?;
    place(ifd, &mut decoded);
    Ok(decoded)
}

fn chosen_band(layout: &Layout, options: &ReadOptions) -> Result<u32> {
    let band = options.band.unwrap_or(1);
    if (1..=layout.bands as u32).contains(&band) {
        return Ok(band);
    }
    Err(Error::usage(
        format!("band {band} is asked for"),
        format!("1 to {}, the bands of the file", layout.bands),
        "correct --band",
    ))
}

fn empty_value(ifd: &Ifd, options: &ReadOptions) -> Option<EmptyValue> {
    let declared = || EmptyValue::parse(ifd.tag(TAG_GDAL_NODATA)?.value.as_str()?);
    options.nodata.map(EmptyValue::from_number).or_else(declared)
}

/// Scale, offset and unit of the band, unless the caller knows better.
fn take_metadata(
    ifd: &Ifd,
    band: u32,
    sample: Sample,
    options: &ReadOptions,
    decoded: &mut Decoded,
) -> Result<()> {
    let text = ifd.tag(TAG_GDAL_METADATA).and_then(|tag| tag.value.as_str()).unwrap_or_default();
    let metadata = BandMetadata::of(text, band, &mut decoded.notes);
    decoded.unit = metadata.unit.map(|unit| (unit, "the band's unit".into()));
    if options.no_scale {
        decoded.notes.assume("Stored values are taken as heights, as asked.");
    } else if options.z_range.is_some() {
        decoded.take_z_range(sample, options)?;
    } else {
        (decoded.scale, decoded.offset) = (metadata.scale, metadata.offset);
    }
    Ok(())
}

/// Tells where a file looks like a picture more than like heights.
fn tell_of_pictures(ifd: &Ifd, sample: Sample, decoded: &mut Decoded) {
    match ifd.photometric_interpretation() {
        Some(0) => {
            decoded.notes.warn("white-is-zero", "the file says that 0 is white; stored values are kept")
        }
        Some(2) if sample == Sample::U8 => {
            decoded.notes.warn("picture", "a colour picture; the values of one channel are taken as heights");
        }
        Some(3) => decoded.notes.warn("picture", "pixels are numbers of colours, taken as heights"),
        _ => {}
    }
}

/// Place and height unit by the file's own tags.
fn place(ifd: &Ifd, decoded: &mut Decoded) {
    let keys = geo_keys::GeoKeys::of(ifd, &mut decoded.notes);
    decoded.pixel_is = keys.pixel_is();
    decoded.geotransform = placement::geotransform(ifd, decoded.pixel_is, &mut decoded.notes);
    decoded.crs = keys.crs(&mut decoded.notes);
    if let Some(unit) = keys.vertical_unit() {
        decoded.offer_unit(unit, "the vertical unit key".into());
    }
}

/// An input error for what the TIFF decoder refuses.
fn refused(error: &tiff_reader::TiffError) -> Error {
    Error::input(format!("a broken TIFF: {error}"), "a whole TIFF file", "get the file again")
}
