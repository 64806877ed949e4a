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
    if step == 0 || side == 0 || side % step != 0 {
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
    let neighbours = coarser_steps(options, cells)?;
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
        if step % options.step != 0 || options.cells % step != 0 {
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A bumpy field; one sample in `holes` is empty, or none for 0.
    fn field(width: u32, depth: u32, seed: u32, holes: u32) -> Terrain {
        let noise = |i: u32| (i ^ seed).wrapping_mul(2_654_435_761) >> 8;
        let height = |i| if holes > 0 && noise(i) % holes == 0 { f32::NAN } else { noise(i) as f32 * 1e-5 };
        let mut heights: Vec<f32> = (0..width * depth).map(height).collect();
        heights[0] = 1.0;
        Terrain::new(width, depth, [2.0, 3.5], DVec3::new(-7e4, 100.0, 5e5), &heights).expect("built")
    }

    fn mesh(terrain: &Terrain, x: u32, z: u32, step: u32, neighbours: PatchNeighbours) -> PatchMesh {
        let options = PatchOptions { step, neighbours, ..PatchOptions::new(x, z, 8 * step) };
        heightfield_patch(terrain, &options).expect("a mesh")
    }

    fn corners(mesh: &PatchMesh) -> impl Iterator<Item = [Vec3; 3]> {
        mesh.indices.chunks(3).map(|t| [t[0], t[1], t[2]].map(|i| mesh.positions[i as usize]))
    }

    /// How many triangles hold each edge, by the bits of its ends, over several meshes.
    fn edges(meshes: &[&PatchMesh]) -> HashMap<[[u32; 3]; 2], u32> {
        let bits = |at: Vec3| at.to_array().map(f32::to_bits);
        let mut edges = HashMap::new();
        for [a, b, c] in meshes.iter().flat_map(|mesh| corners(mesh)) {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (from, to) = (bits(from), bits(to));
                *edges.entry([from.min(to), from.max(to)]).or_default() += 1;
            }
        }
        edges
    }

    /// The vertices on the line of samples at x, in bits, from north to south.
    fn side(mesh: &PatchMesh, x: f32, z: std::ops::RangeInclusive<f32>) -> Vec<[u32; 3]> {
        let on = |at: &&Vec3| at.x == x && z.contains(&at.z);
        let mut line: Vec<Vec3> = mesh.positions.iter().filter(on).copied().collect();
        line.sort_by(|a, b| a.z.total_cmp(&b.z));
        line.iter().map(|at| at.to_array().map(f32::to_bits)).collect()
    }

    /// Height of the mesh below a point in plan, by weights of the triangle that holds it.
    fn drop_on(mesh: &PatchMesh, at: DVec2) -> Option<f64> {
        corners(mesh).find_map(|triangle| {
            let [a, b, c] = triangle.map(|corner| corner.as_dvec3());
            let plan = |p: DVec3| DVec2::new(p.x, p.z);
            let (ab, ac, ap) = (plan(b) - plan(a), plan(c) - plan(a), at - plan(a));
            let whole = ab.perp_dot(ac);
            let (u, v) = (ap.perp_dot(ac) / whole, ab.perp_dot(ap) / whole);
            (u >= -1e-9 && v >= -1e-9 && u + v <= 1.0 + 1e-9)
                .then_some(a.y + u * (b.y - a.y) + v * (c.y - a.y))
        })
    }

    proptest! {
        #[test]
        fn what_is_drawn_is_what_collides(seed: u32, points in prop::collection::vec((0.0f64..16.0, 0.0f64..16.0), 60)) {
            let terrain = field(14, 15, seed, 9);
            let mesh = heightfield_patch(&terrain, &PatchOptions::new(0, 0, 16)).expect("a mesh");
            let mut compared = 0;
            for (u, v) in points {
                let local = DVec2::new(u, v) * terrain.spacing();
                let world = terrain.world_from_grid(DVec2::new(u, v));
                let height = terrain.height_at(world.x, world.y).filter(|_| terrain.covers(world.x, world.y));
                let drawn = drop_on(&mesh, local).map(|height| height + terrain.origin().y);
                prop_assert_eq!(drawn.is_some(), height.is_some());
                if let (Some(drawn), Some(height)) = (drawn, height) {
                    prop_assert!((drawn - height).abs() < 1e-5 * 168.0);
                    compared += 1;
                }
            }
            prop_assert!(compared > 0);
        }

        #[test]
        fn a_matched_side_is_the_coarser_patchs_own_line(
            seed: u32, holes in 0u32..6, ratio in 1u32..4, width in 60u32..100, depth in 60u32..140,
        ) {
            let terrain = field(width, depth, seed, holes);
            let coarse_step = 1 << ratio;
            // The coarse patch lies west, from x 0 to 8·step; the fine one begins there, within its side.
            let x = 8 * coarse_step;
            prop_assume!(x < width - 1);
            let coarse = mesh(&terrain, 0, 0, coarse_step, PatchNeighbours::default());
            let matched = PatchNeighbours { minus_x: coarse_step, ..PatchNeighbours::default() };
            let fine: Vec<PatchMesh> =
                (0..coarse_step).filter(|k| k * 8 < depth - 1).map(|k| mesh(&terrain, x, 8 * k, 1, matched)).collect();
            let line = (f64::from(x) * 2.0) as f32;
            let mut ours: Vec<[u32; 3]> = fine.iter().flat_map(|mesh| side(mesh, line, 0.0..=1e9)).collect();
            ours.dedup();
            if holes == 0 {
                prop_assert_eq!(&ours, &side(&coarse, line, 0.0..=1e9));
            }
            // A hole may leave a side without a triangle on the one or the other patch, but what both hold is equal.
            let (ours, theirs) = (places(&ours), places(&side(&coarse, line, 0.0..=1e9)));
            for (z, height) in &ours {
                prop_assert!(theirs.get(z).is_none_or(|other| other == height));
            }
            let mut all: Vec<&PatchMesh> = fine.iter().collect();
            all.push(&coarse);
            for ([from, to], count) in edges(&all) {
                prop_assert!(count <= 2);
                let on_seam = [from, to].iter().all(|end| end[0] == line.to_bits());
                if holes == 0 && on_seam {
                    prop_assert_eq!(count, 2);
                }
            }
        }
    }

    fn places(line: &[[u32; 3]]) -> HashMap<u32, u32> {
        line.iter().map(|[_, height, z]| (*z, *height)).collect()
    }

    #[test]
    fn inner_edges_have_two_triangles_and_an_unmatched_seam_is_noticed() {
        let terrain = field(60, 60, 7, 0);
        let open = |neighbours| {
            let (coarse, fine) =
                (mesh(&terrain, 0, 0, 2, PatchNeighbours::default()), mesh(&terrain, 16, 0, 1, neighbours));
            let rim = |end: &[u32; 3], x: f32| end[0] == x.to_bits();
            let lone = edges(&[&coarse, &fine]).into_iter().filter(|(_, count)| *count == 1);
            let north = 0.0f32.to_bits();
            // The fine patch covers the northern half of the seam.
            lone.filter(|([a, b], _)| rim(a, 32.0) && rim(b, 32.0))
                .filter(|([a, b], _)| a[2].min(b[2]) >= north && f32::from_bits(a[2].max(b[2])) <= 28.0)
                .count()
        };
        assert_eq!(open(PatchNeighbours { minus_x: 2, ..PatchNeighbours::default() }), 0);
        assert_eq!(open(PatchNeighbours::default()), 4 + 8);
        assert_eq!(
            mesh(&terrain, 16, 0, 2, PatchNeighbours { minus_x: 1, plus_z: 2, ..PatchNeighbours::default() }),
            mesh(&terrain, 16, 0, 2, PatchNeighbours::default()),
        );
    }

    #[test]
    fn vertices_carry_stored_heights_normals_colours_and_field_coordinates() {
        let terrain = field(9, 7, 3, 0);
        let options =
            PatchOptions { colour: Vec3::new(0.1, 0.2, 0.3), emissive: 0.5, ..PatchOptions::new(0, 0, 8) };
        let mesh = heightfield_patch(&terrain, &options).expect("a mesh");
        assert_eq!((mesh.positions.len(), mesh.indices.len()), (63, 8 * 6 * 6));
        assert_eq!(mesh.colours[62], Vec4::new(0.1, 0.2, 0.3, 0.5));
        let corner = mesh.uvs.iter().position(|uv| *uv == Vec2::ONE).expect("the far corner");
        assert_eq!(mesh.positions[corner], Vec3::new(16.0, terrain.stored(8, 6), 21.0));
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            let world = terrain.origin() + position.as_dvec3();
            assert_eq!(terrain.height_at(world.x, world.z), Some(f64::from(position.y) + 100.0));
            let shading = terrain.shading_normal_at(world.x, world.z).expect("ground").as_vec3();
            assert!((shading - *normal).length() < 1e-6);
        }
        assert!(corners(&mesh).all(|[a, b, c]| (b - a).cross(c - a).y > 0.0));
    }

    #[test]
    fn above_step_one_scattered_holes_close_and_wide_ones_stay() {
        let mut heights = vec![5.0f32; 17 * 17];
        for (i, height) in heights.iter_mut().enumerate() {
            let (x, z) = (i % 17, i / 17);
            if (x, z) == (4, 4) || (x >= 9 && z >= 9) {
                *height = f32::NAN;
            }
        }
        let terrain = Terrain::new(17, 17, 1.0, DVec3::ZERO, &heights).expect("built");
        let count = |step| {
            let options = PatchOptions { step, ..PatchOptions::new(0, 0, 16) };
            heightfield_patch(&terrain, &options).expect("a mesh").indices.len() / 3
        };
        // All triangles of 8×8 cells touch the wide hole, and six the single one.
        assert_eq!(count(1), 512 - 128 - 6);
        assert_eq!(count(4), 32 - 8);
    }

    #[test]
    fn steps_that_do_not_fit_and_places_off_the_field_are_errors() {
        let terrain = field(20, 20, 1, 0);
        let message =
            |options: PatchOptions| heightfield_patch(&terrain, &options).expect_err("refused").to_string();
        let patch = PatchOptions::new(4, 4, 8);
        assert!(message(PatchOptions { step: 0, ..patch }).starts_with("a step of 0 for a patch of 8 cells"));
        assert!(message(PatchOptions { step: 3, ..patch }).starts_with("a step of 3 for"));
        assert!(
            message(PatchOptions { cells: 0, ..patch }).starts_with("a step of 1 for a patch of 0 cells")
        );
        assert!(message(PatchOptions { x: 19, ..patch }).starts_with("a patch at cell 19, 4"));
        let beside = |plus_x, step| {
            let neighbours = PatchNeighbours { plus_x, ..PatchNeighbours::default() };
            heightfield_patch(&terrain, &PatchOptions { neighbours, step, ..patch })
        };
        assert!(beside(3, 1).is_err() && beside(16, 1).is_err() && beside(6, 4).is_err());
        assert!(beside(8, 1).is_ok() && beside(1, 4).is_ok() && beside(3, 4).is_ok());
    }
}
