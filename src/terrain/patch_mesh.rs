//! A patch as a mesh of triangles, for a picture or a collider.

use super::{PatchGrid, PatchVertex, Terrain, lattice_source, patch_vertex};
use crate::error::{Error, Result};
use glam::{DVec2, DVec3, Vec2, Vec3, Vec4};
use std::collections::HashMap;

/// Steps of the neighbours that are coarser, in field cells along a drawn cell. 0, and any step that is not coarser than
/// the patch's own, changes nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PatchNeighbours {
    /// West.
    pub minus_x: u32,
    /// East.
    pub plus_x: u32,
    /// North.
    pub minus_z: u32,
    /// South.
    pub plus_z: u32,
}

/// Which part of a field a patch draws, and how.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatchOptions {
    /// First cell along x.
    pub x: u32,
    /// First cell along z.
    pub z: u32,
    /// Field cells along a side.
    pub cells: u32,
    /// Field cells along a drawn cell; divides `cells`.
    pub step: u32,
    /// The sides to match. A side at the field's edge has no neighbour; what is named there is ignored.
    pub neighbours: PatchNeighbours,
    /// Colour of every vertex, linear.
    pub colour: Vec3,
    /// Share of the colour that shines by itself; 0 is lit only.
    pub emissive: f32,
}

impl PatchOptions {
    /// A white patch at full detail whose neighbours are no coarser.
    pub fn new(x: u32, z: u32, cells: u32) -> Self {
        let neighbours = PatchNeighbours::default();
        Self { x, z, cells, step: 1, neighbours, colour: Vec3::ONE, emissive: 0.0 }
    }
}

/// Triangles that face up, counter-clockwise seen from above. Every vertex is used.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PatchMesh {
    /// Metres from the field's origin; y is the stored height to the bit.
    pub positions: Vec<Vec3>,
    /// Unit normals of the samples that give the heights.
    pub normals: Vec<Vec3>,
    /// Linear colour, and in w the emissive share.
    pub colours: Vec<Vec4>,
    /// 0 to 1 over the field along x and z.
    pub uvs: Vec<Vec2>,
    /// Three a triangle.
    pub indices: Vec<u32>,
}

/// Builds the mesh of a patch, clipped at the field's far edges.
///
/// Triangles that matching or clipping empties, and those that touch a hole, are left out.
///
/// # Errors
/// A step that does not divide the cells, a coarser neighbour's step that is not a multiple of the patch's or does not
/// divide its cells, a patch that holds no cell of the field, or more vertices than an index can name.
pub fn heightfield_patch(terrain: &Terrain, options: &PatchOptions) -> Result<PatchMesh> {
    let last = terrain.cells();
    let grid = checked_grid(options, last)?;
    let last = last.map(|cells| i32::try_from(cells).unwrap_or(i32::MAX));
    let mut builder = Builder { terrain, options, known: HashMap::new(), mesh: PatchMesh::default() };
    let [columns, rows] = drawn_cells(&grid, last);
    for j in 0..rows {
        for i in 0..columns {
            let [a, b, c, d] = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)]
                .map(|(i, j)| patch_vertex(&grid, last, i, j));
            builder.triangle([a, d, b]);
            builder.triangle([a, c, d]);
        }
    }
    Ok(builder.mesh)
}

struct Builder<'a> {
    terrain: &'a Terrain,
    options: &'a PatchOptions,
    /// The vertex that stands on a sample.
    known: HashMap<[i32; 2], u32>,
    mesh: PatchMesh,
}

impl Builder<'_> {
    fn triangle(&mut self, corners: [PatchVertex; 3]) {
        if is_flat(corners.map(|corner| corner.sample)) {
            return;
        }
        let source = |corner: PatchVertex| {
            lattice_source(self.terrain, corner.sample.map(i64::from), i64::from(corner.step))
        };
        if let [Some(a), Some(b), Some(c)] = corners.map(source) {
            let vertices = [(corners[0], a), (corners[1], b), (corners[2], c)];
            let indices = vertices.map(|(corner, source)| self.vertex(corner.sample, source));
            self.mesh.indices.extend(indices);
        }
    }

    /// The vertex on `sample` with the height of `source`.
    fn vertex(&mut self, sample: [i32; 2], source: [i64; 2]) -> u32 {
        let next = self.mesh.positions.len() as u32;
        let index = *self.known.entry(sample).or_insert(next);
        if index == next {
            let grid = DVec2::new(f64::from(sample[0]), f64::from(sample[1]));
            let plan = (grid * self.terrain.spacing()).as_vec2();
            let height = self.terrain.stored(source[0], source[1]);
            let [columns, rows] = self.terrain.cells().map(f64::from);
            let normal = self.terrain.sample_normal(source[0], source[1]).unwrap_or(DVec3::Y);
            self.mesh.positions.push(Vec3::new(plan.x, height, plan.y));
            self.mesh.normals.push(normal.as_vec3());
            self.mesh.colours.push(self.options.colour.extend(self.options.emissive));
            self.mesh.uvs.push((grid / DVec2::new(columns, rows)).as_vec2());
        }
        index
    }
}

/// Drawn cells along x and z that hold field cells.
fn drawn_cells(grid: &PatchGrid, last: [i32; 2]) -> [i32; 2] {
    let along = |first: i32, last: i32| (grid.cells.min(last - first) + grid.step - 1) / grid.step;
    [along(grid.x, last[0]), along(grid.z, last[1])]
}

fn checked_grid(options: &PatchOptions, cells: [u32; 2]) -> Result<PatchGrid> {
    let PatchOptions { x, z, cells: side, step, .. } = *options;
    if step == 0 || side == 0 || !side.is_multiple_of(step) {
        return Err(Error::usage(
            format!("a step of {step} for a patch of {side} cells"),
            "a step that divides the cells",
            "choose another step",
        ));
    }
    if x >= cells[0] || z >= cells[1] {
        return Err(Error::usage(
            format!("a patch at cell {x}, {z}"),
            format!("a cell of the field's {}×{}", cells[0], cells[1]),
            "begin it within the field",
        ));
    }
    let small = |value: u32| i32::try_from(value).ok().filter(|value| *value <= 1 << 30);
    let (Some(x), Some(z), Some(side), Some(own)) = (small(x), small(z), small(side), small(step)) else {
        return Err(too_large(options));
    };
    let neighbours = coarser_steps(options, cells)?.map(|step| [step; 2]);
    let grid = PatchGrid { x, z, cells: side, step: own, neighbours };
    let drawn = drawn_cells(&grid, cells.map(|cells| i32::try_from(cells).unwrap_or(i32::MAX)));
    let vertices = drawn.map(|cells| i64::from(cells) + 1);
    if vertices[0] * vertices[1] > i64::from(u32::MAX) {
        return Err(too_large(options));
    }
    Ok(grid)
}

fn too_large(options: &PatchOptions) -> Error {
    let PatchOptions { x, z, cells, step, .. } = options;
    Error::usage(
        format!("a patch of {cells} cells at {x}, {z} with step {step}"),
        "at most 2³² vertices and 2³⁰ cells",
        "draw several smaller patches",
    )
}

/// The steps to match on −x, +x, −z, +z; 0 where the side stays as it is.
fn coarser_steps(options: &PatchOptions, cells: [u32; 2]) -> Result<[i32; 4]> {
    let PatchNeighbours { minus_x, plus_x, minus_z, plus_z } = options.neighbours;
    let rims = [
        options.x == 0,
        options.x.saturating_add(options.cells) >= cells[0],
        options.z == 0,
        options.z.saturating_add(options.cells) >= cells[1],
    ];
    let mut steps = [0; 4];
    for (side, step) in [minus_x, plus_x, minus_z, plus_z].into_iter().enumerate() {
        if step <= options.step || rims[side] {
            continue;
        }
        if !step.is_multiple_of(options.step) || !options.cells.is_multiple_of(step) {
            return Err(Error::usage(
                format!(
                    "a neighbour of step {step} beside a patch of {} cells, step {}",
                    options.cells, options.step
                ),
                "a multiple of the patch's step that divides its cells",
                "choose another step",
            ));
        }
        steps[side] = i32::try_from(step).map_err(|_| too_large(options))?;
    }
    Ok(steps)
}

/// Whether three samples lie on one line in plan.
fn is_flat(corners: [[i32; 2]; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| corner.map(i64::from));
    (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])
}

#[cfg(test)]
mod tests;
