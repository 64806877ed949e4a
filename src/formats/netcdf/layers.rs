//! Which plane of which variable holds the heights.

use super::{no_grid, text, values};
use crate::error::{Error, Result};
use crate::formats::raster::ReadOptions;
use netcdf_reader::{NcGroup, NcVariable};
use std::cmp::Reverse;

/// Names that variables of heights go by, the surest first.
const HEIGHT_NAMES: [&str; 12] = [
    "elevation",
    "z",
    "band1",
    "topo",
    "height",
    "altitude",
    "bedrock",
    "dem",
    "hgt",
    "topography",
    "orog",
    "bathymetry",
];
/// What the conventions call heights of the ground.
const STANDARD_NAMES: [&str; 4] =
    ["surface_altitude", "height_above_reference_ellipsoid", "altitude", "bedrock_altitude"];
/// Attributes that name variables which only place others.
const HELPERS: [&str; 3] = ["bounds", "coordinates", "grid_mapping"];
/// The deepest that groups are looked into.
const DEEPEST: usize = 16;

/// A variable with the group that it stands in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    pub group: &'a NcGroup,
    pub variable: &'a NcVariable,
    depth: usize,
}

/// A variable with the path by which it is read.
#[derive(Debug, Clone)]
pub(super) struct Named<'a> {
    pub path: String,
    pub entry: Entry<'a>,
}

/// One plane: a variable's last two dimensions, at fixed places of those before.
#[derive(Debug, Clone)]
pub(super) struct Layer<'a> {
    pub path: String,
    pub group: &'a NcGroup,
    pub variable: &'a NcVariable,
    /// Places along the dimensions before the last two.
    pub fixed: Vec<u64>,
    /// Its number among all planes of the file, from 1.
    pub band: u32,
    /// A sentence on why it was taken.
    pub choice: String,
}

impl<'a> Layer<'a> {
    /// A variable of a single plane or a single row.
    pub fn only(named: &Named<'a>) -> Self {
        let Named { path, entry: Entry { group, variable, .. } } = named;
        Self { path: path.clone(), group, variable, fixed: Vec::new(), band: 1, choice: String::new() }
    }

    /// Rows and columns as stored. Samples of a single dimension are rows of one.
    pub fn shape(&self) -> [u64; 2] {
        match self.variable.dimensions.as_slice() {
            [samples] => [samples.size, 1],
            _ => shape(self.variable),
        }
    }
}

/// Every variable of a file, those of the outer groups first.
pub(super) fn variables(root: &NcGroup) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    gather(root, "", 0, &mut found);
    found
}

fn gather<'a>(group: &'a NcGroup, prefix: &str, depth: usize, found: &mut Vec<Named<'a>>) {
    found.extend(group.variables.iter().map(|variable| Named {
        path: format!("{prefix}{}", variable.name),
        entry: Entry { group, variable, depth },
    }));
    if depth < DEEPEST {
        for inner in &group.groups {
            gather(inner, &format!("{prefix}{}/", inner.name), depth + 1, found);
        }
    }
}

/// The plane that is asked for by number, or that most surely holds heights.
pub(super) fn choose<'a>(variables: &[Named<'a>], options: &ReadOptions) -> Result<Layer<'a>> {
    let grids: Vec<&Named> = variables.iter().filter(|named| is_grid(named, variables)).collect();
    let planes: u64 = grids.iter().fold(0, |sum: u64, grid| sum.saturating_add(count(grid.entry.variable)));
    let (grid, plane) = match options.band {
        Some(band) => asked(&grids, band, planes)?,
        None => (best(&grids).ok_or_else(|| no_grid("no grid"))?, 0),
    };
    let before = grids.iter().take_while(|other| other.path != grid.path);
    let band = before.fold(plane + 1, |sum, other| sum.saturating_add(count(other.entry.variable)));
    let names: Vec<&str> = grids.iter().take(8).map(|grid| grid.path.as_str()).collect();
    let choice = match (grids.len(), planes) {
        (1, 1) => format!("Variable {} is taken as heights.", grid.path),
        (1, planes) => format!("Plane {band} of {planes} of {} is taken; --band picks another.", grid.path),
        _ => format!(
            "Variable {} of {} is taken as heights, plane {band} of {planes}; --band picks another.",
            grid.path,
            names.join(", ")
        ),
    };
    Ok(Layer {
        path: grid.path.clone(),
        group: grid.entry.group,
        variable: grid.entry.variable,
        fixed: places(grid.entry.variable, plane),
        band: u32::try_from(band).unwrap_or(u32::MAX),
        choice,
    })
}

fn asked<'g, 'a>(grids: &[&'g Named<'a>], band: u32, planes: u64) -> Result<(&'g Named<'a>, u64)> {
    let mut left = u64::from(band).checked_sub(1);
    for grid in grids {
        let here = count(grid.entry.variable);
        match left {
            Some(plane) if plane < here => return Ok((grid, plane)),
            _ => left = left.map(|plane| plane - here),
        }
    }
    Err(Error::usage(
        format!("band {band} is asked for"),
        format!("1 to {planes}, the planes of the file's grids"),
        "correct --band",
    ))
}

/// By name first, then in an outer group, then with the most samples, then the first.
fn best<'g, 'a>(grids: &[&'g Named<'a>]) -> Option<&'g Named<'a>> {
    let order = |grid: &&&Named| {
        let [rows, columns] = shape(grid.entry.variable);
        (rank(grid.entry.variable), grid.entry.depth, Reverse(rows.saturating_mul(columns)))
    };
    grids.iter().min_by_key(order).copied()
}

fn rank(variable: &NcVariable) -> usize {
    let place = |names: &[&str], name: &str| names.iter().position(|known| *known == name);
    let name = place(&HEIGHT_NAMES, &variable.name.to_lowercase());
    let standard = text(variable, "standard_name").and_then(|name| place(&STANDARD_NAMES, &name));
    name.or(standard).unwrap_or(HEIGHT_NAMES.len())
}

/// Whether a variable is a grid of numbers and no helper of another.
fn is_grid(named: &Named, variables: &[Named]) -> bool {
    let variable = named.entry.variable;
    let [rows, columns] = shape(variable);
    let is_helper = || {
        variables.iter().any(|other| {
            HELPERS.iter().filter_map(|name| text(other.entry.variable, name)).any(|helpers| {
                helpers.split_whitespace().any(|helper| helper.trim_end_matches(':') == variable.name)
            })
        })
    };
    values::sample_of(variable).is_some() && rows > 1 && columns > 1 && !is_helper()
}

/// The last two dimensions; zeros where there are fewer.
fn shape(variable: &NcVariable) -> [u64; 2] {
    match variable.dimensions.as_slice() {
        [.., rows, columns] => [rows.size, columns.size],
        _ => [0; 2],
    }
}

fn leading(variable: &NcVariable) -> impl DoubleEndedIterator<Item = u64> {
    let count = variable.dimensions.len().saturating_sub(2);
    variable.dimensions[..count].iter().map(|dimension| dimension.size)
}

/// Planes of a variable.
fn count(variable: &NcVariable) -> u64 {
    leading(variable).fold(1, u64::saturating_mul)
}

/// Places along the dimensions before the last two of a plane's number, the last of them running fastest.
fn places(variable: &NcVariable, plane: u64) -> Vec<u64> {
    let mut left = plane;
    let mut found: Vec<u64> = leading(variable)
        .rev()
        .map(|size| {
            let place = left % size.max(1);
            left /= size.max(1);
            place
        })
        .collect();
    found.reverse();
    found
}
