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
mod predictor;
mod preview;
mod stored_blocks;
mod survey;
#[cfg(test)]
mod test_tiff;
#[cfg(test)]
mod tests;
mod unpack;

use super::Survey;
use super::checksum::Checksum;
use super::decoded::Decoded;
use super::empties::{self, EmptyValue};
use super::input::Input;
use super::raster::ReadOptions;
use super::samples::{Decoder, NATIVE, Sample};
use super::sidecar;
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

/// The facts of one band, and its checksum where it is asked for, without holding its heights.
///
/// # Errors
/// As [`read`], and facts that do not go together.
pub(super) fn survey(input: &Input, options: &ReadOptions, checksum: bool) -> Result<Survey> {
    let (picture, mut decoded) = describe(input, options)?;
    let walk = |fill| Walk::over(&picture, fill, checksum, input.length);
    let mut walked = walk(None)?;
    survey::take_outcome(std::mem::take(&mut walked.outcome), &mut decoded)?;
    if let Some(fill) = decoded.undeclared() {
        walked = walk(Some(fill))?;
        decoded.take_undeclared(fill, walked.emptied);
    }
    let facts = decoded.into_facts(&walked.moments, options)?;
    Ok(Survey { facts, sha256: walked.checksum.map(Checksum::text) })
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
    place(input, &ifd, &mut decoded);
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
    decoded.tell_of_eight_bits(sample);
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

/// Place by the file's own tags; by a world file where they give none.
fn place(input: &Input, ifd: &Ifd, decoded: &mut Decoded) {
    let keys = geo_keys::GeoKeys::of(ifd);
    decoded.pixel_is = keys.pixel_is();
    decoded.geotransform = placement::geotransform(ifd, decoded.pixel_is);
    if decoded.geotransform.is_none()
        && let Some((file, found)) = sidecar::world_file(&input.path, &["tfw", "tifw", "wld"])
    {
        decoded.geotransform = Some(found);
        decoded.files.push(file);
    }
    decoded.crs = keys.crs(&mut decoded.notes);
    let vertical = keys.vertical_unit();
    match (&decoded.unit, vertical) {
        (None, found) => decoded.unit = found,
        (Some((band, _)), Some((system, _))) if band.metres != system.metres => {
            let text = format!("the band's unit is {}, the vertical system's {}", band.name, system.name);
            decoded.notes.warn("unit-conflict", text);
        }
        _ => {}
    }
}

/// An input error for what the TIFF decoder refuses.
fn refused(error: &tiff_reader::TiffError) -> Error {
    Error::input(format!("a broken TIFF: {error}"), "a whole TIFF file", "get the file again")
}
