//! USGS DEM: a record on the quadrangle, then profiles from south to north, all in text of fixed columns. After
//! "Standards for Digital Elevation Models", part 2 (USGS, 1998); the grid is laid as GDAL lays it.

mod columns;
mod quadrangle;

use super::decoded::Decoded;
use super::empties::EmptyValue;
use super::input::{Input, check_worth, heights_for};
use super::raster::{PixelIs, ReadOptions};
use super::samples::{RawRange, Sample};
use crate::error::{Error, Result};
use crate::terrain::EMPTY;
use columns::{integer, real};
use quadrangle::Quadrangle;

/// Bytes of a record, without the line feed that some files have after it.
const RECORD: usize = 1024;
/// Bytes before the heights of a profile.
const PROFILE_HEAD: usize = 144;
/// Places where the first profile may begin: after a record, after one and its line end, after an old short one, and after
/// a line of its own.
const STARTS: [usize; 5] = [RECORD, RECORD + 1, RECORD + 2, 864, 893];
/// The code of an empty.
const NULL: i64 = -32767;

/// Whether a first record stands here.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    const PATTERNS: [i64; 2] = [1, 4];
    const SYSTEMS: [i64; 5] = [-9999, 0, 1, 2, 3];
    integer(&input.head, 150).is_some_and(|pattern| PATTERNS.contains(&pattern))
        && integer(&input.head, 156).is_some_and(|system| SYSTEMS.contains(&system))
}

/// Reads a quadrangle.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let quadrangle = Quadrangle::of(&bytes)?;
    let start = STARTS.into_iter().find(|start| begins_profile(&bytes, *start)).ok_or_else(|| {
        Error::input("no profile after the header", "a profile of heights", "get the file again")
    })?;
    let first = Profile::at(&bytes, start).ok_or_else(|| cut(bytes.len()))?;
    let grid = quadrangle.grid(first.position)?;
    check_worth(grid.size, input.length)?;
    let sample = if quadrangle.has_fine_heights() { Sample::F32 } else { Sample::I16 };
    let mut decoded = Decoded::new("USGS DEM", input.path.clone(), grid.size, sample.name());
    decoded.pixel_is = PixelIs::Point;
    decoded.geotransform = Some(grid.geotransform);
    quadrangle.name_systems(&bytes, &mut decoded);
    let empty = decoded.take_empty(Some(EmptyValue::from_number(NULL as f64)), Sample::I16, options);
    decoded.heights = heights_for(grid.size)?;
    decoded.heights.fill(EMPTY);
    let null = empty.and_then(|empty| empty.integer()).unwrap_or(NULL.into());
    let (mut at, mut found) = (start, 0);
    while let Some(profile) = Profile::at(&bytes, at).filter(|_| found < grid.size[0]) {
        let values = profile.values(&bytes[at + PROFILE_HEAD..]);
        let row = grid.rows_above(profile.position[1]);
        let heights = values.values.iter().map(|value| {
            let height = *value as f64 * quadrangle.height_step + profile.datum;
            if i128::from(*value) == null { None } else { Some(height) }
        });
        put(&mut decoded.heights, &mut decoded.raw, grid.size, [found as i64, row], heights);
        found += 1;
        at = next_profile(&bytes, start, at + PROFILE_HEAD + values.bytes);
    }
    if found < grid.size[0] {
        let text = format!("{found} of {} profiles are in the file; the others are empty", grid.size[0]);
        decoded.notes.warn("partial", text);
    }
    Ok(decoded)
}

fn cut(bytes: usize) -> Error {
    Error::input(
        format!("a USGS DEM cut off after {bytes} bytes"),
        "its header and profiles",
        "get the file again",
    )
}

/// Whether a first profile begins here: row 1, and a column of 0 or 1.
fn begins_profile(bytes: &[u8], start: usize) -> bool {
    integer(bytes, start) == Some(1)
        && integer(bytes, start + 6).is_some_and(|column| (0..=1).contains(&column))
}

/// Where the profile after the values of the last one begins: at the next record, counted from the first profile, or
/// right behind the values where lines are cut without records. Bytes of no profile stand there after the last one.
fn next_profile(bytes: &[u8], start: usize, place: usize) -> usize {
    // A first profile one byte late shows that a line feed follows each record.
    let record = start.max(RECORD);
    let aligned = start + (place - start).div_ceil(record) * record;
    if Profile::at(bytes, aligned).is_some() {
        return aligned;
    }
    let blanks = bytes.iter().skip(place).take_while(|byte| byte.is_ascii_whitespace()).count();
    // The row, 1, stands last in six columns.
    (place + blanks).saturating_sub(5).max(place)
}

/// Puts the heights of a profile, from its row upward.
fn put(
    out: &mut [f32],
    range: &mut RawRange,
    [width, depth]: [u32; 2],
    [column, first]: [i64; 2],
    heights: impl Iterator<Item = Option<f64>>,
) {
    for (above, height) in heights.enumerate() {
        let row = i64::from(depth) - 1 - first - above as i64;
        if !(0..i64::from(depth)).contains(&row) {
            continue;
        }
        match height {
            Some(height) => {
                range.add(height);
                out[(row * i64::from(width) + column) as usize] = height as f32;
            }
            None => range.declared += 1,
        }
    }
}

/// The head of a profile.
struct Profile {
    /// Heights that follow.
    count: usize,
    /// Ground coordinates of the first one.
    position: [f64; 2],
    /// Added to every height.
    datum: f64,
}

/// Heights as they are stored, and the bytes that they take.
struct Values {
    values: Vec<i64>,
    bytes: usize,
}

impl Profile {
    fn at(bytes: &[u8], start: usize) -> Option<Self> {
        let count = integer(bytes, start + 12).and_then(|count| usize::try_from(count).ok())?;
        let position = [real(bytes, start + 24, 24)?, real(bytes, start + 48, 24)?];
        let datum = real(bytes, start + 72, 24)?;
        bytes.get(start + PROFILE_HEAD..)?;
        Some(Self { count, position, datum })
    }

    /// Numbers apart by blanks, or by the sign of the next one; fewer where the file ends.
    fn values(&self, text: &[u8]) -> Values {
        let mut values = Vec::new();
        let mut at = 0;
        while values.len() < self.count {
            at += text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let rest = &text[at..];
            let digits = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
            let word = rest.get(..=digits).and_then(|word| std::str::from_utf8(word).ok());
            let Some(value) = word.and_then(|word| word.parse().ok()) else { break };
            values.push(value);
            at += digits + 1;
        }
        Values { values, bytes: at }
    }
}

#[cfg(test)]
mod tests;
