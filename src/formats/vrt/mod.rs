//! GDAL virtual rasters, `.vrt`: parts of other files, laid side by side.
//!
//! After GDAL's "VRT – GDAL Virtual Format": later sources lie over earlier ones, and what is empty in one lets the earlier show
//! through. Parts that stand on the raster's own samples keep their values. Others are read off their triangles, whichever way of
//! resampling the document asks for, so that the ground between coarse samples is one surface and has no steps.

mod document;
mod rect;
mod sources;
#[cfg(test)]
mod tests;

use super::decoded::{Decoded, Notes, PlaneCrs};
use super::empties::{self, EmptyValue};
use super::input::Input;
use super::mosaic::compose::{Outcome, Tile, compose};
use super::mosaic::extent::MOST_SAMPLES;
use super::mosaic::grid::Grid;
use super::mosaic::{Gathered, names};
use super::raster::{PixelIs, ReadOptions};
use super::samples::{Decoder, NATIVE, RawRange, Sample};
use crate::error::{Error, Result};
use crate::geo::{LengthUnit, read_projection_text};
use document::{Band, Virtual};
use sources::{Nested, Part, Reader};
use std::path::Path;

/// Longest document, in bytes; one of ten thousand sources has some 6 MiB.
const LONGEST: u64 = 1 << 24;

/// Samples that a byte of a file can stand for in the densest of compressions.
const SAMPLES_PER_BYTE: u64 = 1 << 10;

/// Whether the file's first element is that of a virtual raster.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let text = String::from_utf8_lossy(&input.head);
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while let Some((_, after)) = skip(rest, "<?", "?>").or_else(|| skip(rest, "<!--", "-->")) {
        rest = after.trim_start();
    }
    rest.starts_with("<VRTDataset")
}

/// What follows a passage between two marks, where the text starts with it.
fn skip<'a>(text: &'a str, from: &str, to: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(from)?.split_once(to)
}

/// Reads a virtual raster.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let budget = Nested::budget();
    read_within(input, options, &Nested::outermost(&input.path, &budget))
}

/// Reads a virtual raster that others may have named.
fn read_within(input: &Input, options: &ReadOptions, document: &Nested) -> Result<Decoded> {
    let whole = parse(input, options)?;
    let band = &whole.band;
    let mut decoded = Decoded::new("GDAL virtual raster", input.path.clone(), whole.size, band.sample.name());
    decoded.band = band.number;
    place(&whole, &mut decoded);
    let scales = band.scale.is_some() || band.offset.is_some();
    let mut reader = Reader::new(document, scales || options.no_scale);
    let (stored, outcome) = put_together(&whole, &mut reader)?;
    tell(&whole, &reader, &outcome, &mut decoded.notes);
    decoded.files.append(&mut reader.files);
    decoded.unit = unit(band, &reader.units);
    take_scale(band, options, &mut decoded)?;
    take_heights(band, stored, options, &mut decoded);
    Ok(decoded)
}

fn parse(input: &Input, options: &ReadOptions) -> Result<Virtual> {
    if input.length > LONGEST {
        return Err(Error::input(
            format!("a .vrt of {} bytes", input.length),
            format!("at most {LONGEST}"),
            "make several of it",
        ));
    }
    let bytes = input.bytes()?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| Error::input("a .vrt that is not UTF-8", "UTF-8", "save it as UTF-8"))?;
    let folder = input.path.parent().unwrap_or(Path::new(""));
    let whole = document::parse(text.trim_start_matches('\u{feff}'), folder, options.band)?;
    let [width, depth] = whole.size;
    if u64::from(width) * u64::from(depth) > MOST_SAMPLES {
        return Err(Error::input(
            format!("{width}×{depth} samples"),
            format!("at most {} GiB of heights", MOST_SAMPLES >> 28),
            "make a smaller or a coarser .vrt",
        ));
    }
    Ok(whole)
}

/// The stored values of the raster from its sources.
fn put_together(whole: &Virtual, reader: &mut Reader) -> Result<(Vec<f32>, Outcome)> {
    if whole.band.sources.is_empty() {
        return Err(Error::input("a band without sources", "at least one", "make the .vrt again"));
    }
    let mut parts = Vec::with_capacity(whole.band.sources.len());
    let mut tiles = Vec::with_capacity(parts.capacity());
    // The last one lies on top.
    for source in whole.band.sources.iter().rev() {
        let length = Input::open(&source.path).map_err(|error| error.in_file(&source.path))?.length;
        let part: Part = reader.part(source, whole)?;
        tiles.push(Tile {
            grid: part.grid,
            covers_rim: true,
            worth: length.saturating_mul(SAMPLES_PER_BYTE),
        });
        parts.push(part);
    }
    let own = Grid::new([0.0, 1.0, 0.0, 0.0, 0.0, 1.0], whole.size);
    let lattice =
        own.ok_or_else(|| Error::failed("no grid of pixels", "no internal failure", "report this line"))?;
    compose(&lattice, &tiles, |number| reader.samples(&parts[number]))
}

fn place(whole: &Virtual, decoded: &mut Decoded) {
    decoded.geotransform = whole.geotransform;
    decoded.pixel_is = if whole.is_point { PixelIs::Point } else { PixelIs::Area };
    let Some(text) = &whole.system else { return };
    match read_projection_text(text) {
        Some(found) => decoded.crs = Some(PlaneCrs::of_text(found, "the .vrt", &mut decoded.notes)),
        None => decoded.notes.warn("unknown-system", "the coordinate system of the .vrt is not understood"),
    }
}

/// The band's unit, or else the one that all sources name.
fn unit(band: &Band, sources: &[Option<LengthUnit>]) -> Option<(LengthUnit, String)> {
    let own =
        band.unit.as_deref().and_then(LengthUnit::from_name).map(|unit| (unit, "the band's unit".into()));
    own.or_else(|| {
        let first = sources.first()?.clone()?;
        let all = sources.iter().all(|unit| unit.as_ref() == Some(&first));
        all.then(|| (first, "the sources".into()))
    })
}

fn take_scale(band: &Band, options: &ReadOptions, decoded: &mut Decoded) -> Result<()> {
    if options.no_scale {
        decoded.notes.assume("Stored values are taken as heights, as asked.");
    } else if options.z_range.is_some() {
        decoded.take_z_range(band.sample, options)?;
    } else {
        decoded.scale = band.scale.unwrap_or(1.0);
        decoded.offset = band.offset.unwrap_or(0.0);
    }
    Ok(())
}

/// Heights of stored values, empties by the band's own empty value.
fn take_heights(band: &Band, stored: Vec<f32>, options: &ReadOptions, decoded: &mut Decoded) {
    let empty = match options.nodata {
        Some(value) => Some(EmptyValue::from_number(value)),
        None => band.nodata.as_deref().and_then(EmptyValue::parse),
    };
    decoded.nodata_rule = empties::rule(empty.as_ref(), band.sample);
    decoded.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
    let (scale, offset) = (decoded.scale, decoded.offset);
    let decoder = Decoder { sample: Sample::F32, endian: NATIVE, empty, scale, offset };
    decoded.heights = stored;
    let mut row = Vec::new();
    let mut raw = RawRange::default();
    for heights in decoded.heights.chunks_mut(decoded.size[0] as usize) {
        row.clear();
        row.extend_from_slice(bytemuck::cast_slice(heights));
        raw = raw.merge(decoder.decode(&row, heights));
    }
    // NaN stands for what is empty already; no source leaves another magnitude that counts.
    decoded.raw = raw;
}

/// Tells what the raster is made of.
fn tell(whole: &Virtual, reader: &Reader, outcome: &Outcome, notes: &mut Notes) {
    let band = &whole.band;
    if outcome.resampled > 0 {
        let asked = band.sources.iter().find_map(|source| source.resampling.as_deref()).unwrap_or("nearest");
        notes.assume(format!(
            "{} sources stand off the raster's samples and are read off their own triangles, not by {asked}.",
            outcome.resampled
        ));
    }
    if reader.scaled {
        notes.assume("The .vrt gives no scale; sources are scaled by their own files.");
    }
    if band.has_mask {
        notes.assume("The mask of the .vrt is left out; each source's own is heeded.");
    }
    if whole.bands > 1 {
        notes.assume(format!("Band {} of {} is read.", band.number, whole.bands));
    }
    let overlaid = outcome.disagreeing;
    if overlaid > 0 {
        notes.assume(format!(
            "{overlaid} samples differ between sources that overlap; the later source is kept."
        ));
    }
    let mut gathered = Gathered::default();
    reader.told.iter().for_each(|(path, told)| gathered.add(path, told));
    gathered.tell(notes);
    notes.assume(format!("Put together of {}.", names(reader.told.iter().map(|(path, _)| path.as_path()))));
}
