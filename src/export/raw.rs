//! Samples without a header, little-endian, north row first.

use super::codes::Codes;
use super::plan::Target;
use crate::formats::Raster;
use std::io;

/// Samples between two calls of the target.
const CHUNK: usize = 1 << 16;

/// Unsigned 16-bit codes.
pub(super) fn write_codes(raster: &Raster, codes: &Codes, out: &mut dyn Target) -> io::Result<()> {
    // A code of this width fits by its construction.
    write_chunks(raster, out, |height| (codes.code(height) as u16).to_le_bytes())
}

/// Float32 heights; empties are NaN.
pub(super) fn write_floats(raster: &Raster, out: &mut dyn Target) -> io::Result<()> {
    write_chunks(raster, out, f32::to_le_bytes)
}

fn write_chunks<const N: usize>(
    raster: &Raster,
    out: &mut dyn Target,
    bytes: impl Fn(f32) -> [u8; N],
) -> io::Result<()> {
    raster.heights.chunks(CHUNK).try_for_each(|heights| {
        let stored: Vec<u8> = heights.iter().flat_map(|height| bytes(*height)).collect();
        out.write_all(&stored)
    })
}

/// The options that read the codes back.
pub(super) fn reading_of_codes(raster: &Raster, codes: &Codes) -> String {
    let [low, high] = codes.z_range();
    let empty = codes.empty.map_or_else(String::new, |code| format!(" --nodata {code}"));
    format!("{} --type u16 --z-range {low},{high}{empty}{}", reading(raster), unit(raster))
}

/// The options that read the floats back.
pub(super) fn reading_of_floats(raster: &Raster) -> String {
    format!("{} --type f32{}", reading(raster), unit(raster))
}

fn reading(raster: &Raster) -> String {
    let [width, depth] = raster.size;
    let [x, z] = raster.spacing_m;
    let spacing = if x == z { format!(" --spacing {x}") } else { String::new() };
    format!("no header: read it with --raster-size {width}x{depth}{spacing}")
}

fn unit(raster: &Raster) -> &'static str {
    match raster.facts.unit.as_str() {
        "foot" => " --z-unit ft",
        "US survey foot" => " --z-unit us-ft",
        _ => "",
    }
}
