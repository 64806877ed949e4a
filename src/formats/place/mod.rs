//! Where a raster stands, by what its file says and by the files beside it, in one order for every format:
//!
//! 1. `FILE.aux.xml`, which GDAL and ArcGIS write to overrule a file they may not change;
//! 2. the file itself, with the header that its format has in a file of its own;
//! 3. the `.prj` file, for the coordinate system;
//! 4. the MapInfo `.tab` file;
//! 5. the world file (`.tfw`, `.tifw`, `.wld` and their like), for the place of the samples.
//!
//! Of each fact the first that gives it wins. Where others say otherwise a warning names the winner. Height units follow in
//! the same order, the vertical system after the unit that is given by itself.

mod auxiliary;
mod map_info;
mod world_file;

use super::decoded::{Decoded, Notes, PlaneCrs};
use super::input::Input;
use super::raster::ReadOptions;
use super::sidecar;
use crate::error::Result;
use crate::geo::{Georeference, read_projection_text};
use auxiliary::Auxiliary;
use std::path::{Path, PathBuf};

/// Places agree where no corner of the raster lies farther apart, in pixels: world files are rounded.
const SAME_PLACE: f64 = 0.1;

/// What one source says of the place.
struct Claim {
    /// The source in words.
    source: &'static str,
    /// The sidecar that was read; none for the raster's own file.
    file: Option<PathBuf>,
    geotransform: Option<[f64; 6]>,
    crs: Option<PlaneCrs>,
}

/// Reads a file and places it by what stands beside it.
pub(super) fn read(
    reader: impl FnOnce(&Input, &ReadOptions) -> Result<Decoded>,
    input: &Input,
    options: &ReadOptions,
) -> Result<Decoded> {
    let mut notes = Notes::default();
    let auxiliary = Auxiliary::beside(&input.path, options, &mut notes);
    let mut decoded = reader(input, &auxiliary.over(options))?;
    decoded.notes.append(notes);
    auxiliary.apply(&mut decoded, options);
    place(&input.path, auxiliary.into_claim(), &mut decoded);
    Ok(decoded)
}

fn place(path: &Path, auxiliary: Option<Claim>, decoded: &mut Decoded) {
    let own = Claim {
        source: "the file itself",
        file: None,
        geotransform: decoded.geotransform.take(),
        crs: decoded.crs.take(),
    };
    let notes = &mut decoded.notes;
    let beside =
        [projection_file(path, notes), map_info::beside(path, notes), world_file::beside(path, notes)];
    let mut claims: Vec<Claim> =
        auxiliary.into_iter().chain([own]).chain(beside.into_iter().flatten()).collect();
    for claim in &mut claims {
        leave_out_what_cannot_be_undone(claim, notes);
        decoded.files.extend(claim.file.clone().filter(|file| !decoded.files.contains(file)));
    }
    let size = decoded.size;
    let same = |a: &[f64; 6], b: &[f64; 6]| same_place(size, a, b);
    decoded.geotransform = winner(&claims, "place", |claim| claim.geotransform.as_ref(), same, notes);
    decoded.crs = winner(&claims, "coordinate system", |claim| claim.crs.as_ref(), same_system, notes);
    take_vertical_system(&claims, decoded);
}

/// The first claim of a fact; a warning names it where later ones say otherwise.
fn winner<T: Clone>(
    claims: &[Claim],
    fact: &str,
    of: impl Fn(&Claim) -> Option<&T>,
    same: impl Fn(&T, &T) -> bool,
    notes: &mut Notes,
) -> Option<T> {
    let mut claimed = claims.iter().filter_map(|claim| Some((claim.source, of(claim)?)));
    let (source, taken) = claimed.next()?;
    let others: Vec<&str> =
        claimed.filter(|(_, other)| !same(taken, other)).map(|(source, _)| source).collect();
    if !others.is_empty() {
        let others = others.join(" and ");
        notes.warn(
            "place-conflict",
            format!("the {fact} is taken from {source}; {others} would have another"),
        );
    }
    Some(taken.clone())
}

/// Whether two geotransforms put the raster's corners at one place.
fn same_place(size: [u32; 2], one: &[f64; 6], other: &[f64; 6]) -> bool {
    let (Some(one), Some(other)) =
        (Georeference::from_geotransform(one), Georeference::from_geotransform(other))
    else {
        return false;
    };
    let [width, depth] = size.map(f64::from);
    [[0.0, 0.0], [width, 0.0], [0.0, depth], [width, depth]].iter().all(|[column, row]| {
        let [x, y] = other.position(*column, *row);
        let [found_column, found_row] = one.sample(x, y);
        (found_column - column).abs() < SAME_PLACE && (found_row - row).abs() < SAME_PLACE
    })
}

/// Whether two systems may be one: the same code where both have one, the same unit in any case.
fn same_system(one: &PlaneCrs, other: &PlaneCrs) -> bool {
    let same_code = one.crs.epsg.zip(other.crs.epsg).is_none_or(|(one, other)| one == other);
    same_code
        && one.geographic == other.geographic
        && one.unit.is_as_long_as(&other.unit)
        && (one.degrees / other.degrees - 1.0).abs() < 1e-9
}

/// A system of the plan alone takes the heights of the next source that has them.
fn take_vertical_system(claims: &[Claim], decoded: &mut Decoded) {
    let Some(plane) = decoded.crs.as_mut().filter(|plane| plane.crs.vertical.is_none()) else { return };
    let source =
        claims.iter().filter_map(|claim| claim.crs.as_ref()).find(|other| other.crs.vertical.is_some());
    if let Some(other) = source {
        plane.crs.vertical = other.crs.vertical.clone();
        plane.vertical_unit = plane.vertical_unit.take().or_else(|| other.vertical_unit.clone());
        decoded.notes.assume(format!("The vertical system is taken from {}.", other.crs.source));
    }
}

fn leave_out_what_cannot_be_undone(claim: &mut Claim, notes: &mut Notes) {
    if claim.geotransform.take_if(|found| Georeference::from_geotransform(found).is_none()).is_some() {
        notes.warn("bad-geotransform", format!("the place that {} gives cannot be used", claim.source));
    }
}

/// The system of a `.prj` file.
fn projection_file(path: &Path, notes: &mut Notes) -> Option<Claim> {
    let (file, text) = text_beside(path, "prj", notes)?;
    let crs = read_projection_text(&text).map(|found| PlaneCrs::of_text(found, ".prj", notes));
    if crs.is_none() {
        leave_out(&file, "is no projection that is understood", notes);
    }
    Some(Claim { source: "the .prj file", file: Some(file), geotransform: None, crs })
}

/// A sidecar and its text; what cannot be read is told.
fn text_beside(path: &Path, extension: &str, notes: &mut Notes) -> Option<(PathBuf, String)> {
    text_in(sidecar::find(path, extension)?, notes)
}

fn text_in(file: PathBuf, notes: &mut Notes) -> Option<(PathBuf, String)> {
    match sidecar::text_of(&file) {
        Ok(text) => Some((file, text)),
        Err(what) => {
            leave_out(&file, &what, notes);
            None
        }
    }
}

/// Tells of a sidecar that is left out.
fn leave_out(file: &Path, what: &str, notes: &mut Notes) {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    notes.warn("sidecar", format!("{name} {what} and is left out"));
}

#[cfg(test)]
mod tests;
