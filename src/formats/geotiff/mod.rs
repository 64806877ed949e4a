//! GeoTIFF and BigTIFF: samples by block, place by tags and geo keys, empties by value, mask and missing
//! block.

mod block_table;
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
mod predictor;
mod preview;
mod stored_blocks;
mod survey;
#[cfg(test)]
pub(super) mod test_tiff;
#[cfg(test)]
mod tests;
mod unpack;

use super::Survey;
use super::checksum::Checksum;
use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::Input;
use super::notices::CommonFactors;
use super::place;
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, Sample};
use crate::error::{Error, Result};
pub(super) use preview::preview;

use blocks::Picture;
use gdal_metadata::BandMetadata;
use layout::Layout;
use survey::Walk;
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
    let (picture, mut decoded) = describe(input, options)?;
    survey::read_whole(&picture, &mut decoded)?;
    Ok(decoded)
}

/// The facts of one band, and its checksum where it is asked for, without holding its heights; `None` where only the
/// heights as a whole tell.
///
/// # Errors
/// As [`read`], and facts that do not go together.
pub(super) fn survey(input: &Input, options: &ReadOptions, checksum: bool) -> Result<Option<Survey>> {
    let Some((picture, mut decoded)) = placed(input, options)? else { return Ok(None) };
    let factors = CommonFactors::of(&decoded);
    let walk = |fill| Walk::over(&picture, fill, factors, checksum, input.length);
    let mut walked = walk(None)?;
    survey::take_outcome(std::mem::take(&mut walked.outcome), &mut decoded)?;
    if let Some(fill) = decoded.undeclared(options) {
        walked = walk(Some(fill))?;
        decoded.take_undeclared(fill, walked.emptied);
    }
    decoded.common_factor = walked.factors.and_then(|factors| factors.found());
    decoded.settle_facts(options)?;
    let facts = decoded.into_facts(&walked.moments, options)?;
    Ok(Some(Survey { facts, sha256: walked.checksum.map(Checksum::text) }))
}

/// A picture and its facts, placed by what stands beside the file; `None` where heights are changed once they are read.
fn placed(input: &Input, options: &ReadOptions) -> Result<Option<(Picture, Decoded)>> {
    let mut picture = None;
    let decoded = place::read(
        |input: &Input, options: &ReadOptions| {
            let (found, decoded) = describe(input, options)?;
            picture = Some(found);
            Ok(decoded)
        },
        input,
        options,
    )?;
    let scaling = [decoded.scale, decoded.offset];
    let as_stored = |picture: &Picture| [picture.decoder.scale, picture.decoder.offset] == scaling;
    Ok(picture.filter(|picture| as_stored(picture) && !options.smooth).map(|picture| (picture, decoded)))
}

/// Everything about one band of the first picture but its samples.
fn describe(input: &Input, options: &ReadOptions) -> Result<(Picture, Decoded)> {
    let open::Opened { tiff, halves } = open::open(input)?;
    let ifd = open::first_directory(&tiff)?.clone();
    let layout = Layout::of(&ifd, halves, input.length)?;
    let band = chosen_band(&layout, options)?;
    let size = layout.size.map(|samples| samples as u32);
    let mut decoded = Decoded::new("GeoTIFF", input.path.clone(), size, &layout.type_name);
    decoded.band = band;
    decoded.compression = codec::name(ifd.compression());
    decoded.predictor = ifd.predictor();
    take_metadata(&ifd, band, layout.sample, options, &mut decoded)?;
    tell_of_pictures(&ifd, layout.sample, &mut decoded);
    let empty = empty_value(&ifd, options);
    decoded.nodata_rule = empties::rule(empty.as_ref(), layout.sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    let mask = mask::find(&tiff, &ifd, input, &mut decoded)?.map(Box::new);
    take_place(&ifd, &mut decoded);
    let Decoded { scale, offset, .. } = decoded;
    let decoder = Decoder { sample: layout.sample, endian: NATIVE, empty, scale, offset };
    Ok((Picture { tiff, ifd, layout, band: band as usize - 1, decoder, mask }, decoded))
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
fn take_place(ifd: &Ifd, decoded: &mut Decoded) {
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
