//! Meshes against the query and against each other.

use super::super::fixtures::distance_to_triangle;
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

/// Height where a ray straight down meets the mesh, as a collider finds it.
fn drop_on(mesh: &PatchMesh, at: DVec2) -> Option<f64> {
    let origin = DVec3::new(at.x, 1000.0, at.y);
    let hits = corners(mesh).filter_map(|triangle| {
        distance_to_triangle(origin, DVec3::NEG_Y, triangle.map(|corner| corner.as_dvec3()), 1e-9)
    });
    hits.min_by(f64::total_cmp).map(|distance| origin.y - distance)
}

/// Points of a part of the field, in grid coordinates, off the lattice.
fn points(cells: f64) -> impl Iterator<Item = DVec2> {
    (1..=60).map(move |i| DVec2::new(f64::from(i) * 0.618_034 % 1.0, f64::from(i) * 0.414_214 % 1.0) * cells)
}

/// At how many points the mesh lies more than a hundred-thousandth of the relief off the ground.
fn misses(terrain: &Terrain, mesh: &PatchMesh, cells: f64) -> usize {
    let relief = f64::from(*terrain.range().end()) - f64::from(*terrain.range().start());
    let off = |at: &DVec2| {
        let world = terrain.world_from_grid(*at);
        let height = terrain.height_at(world.x, world.y).map(|height| height - terrain.origin().y);
        match (drop_on(mesh, *at * terrain.spacing()), height) {
            (Some(drawn), Some(height)) => (drawn - height).abs() > 1e-5 * relief,
            (drawn, height) => drawn.is_some() || height.is_some(),
        }
    };
    points(cells).filter(off).count()
}

#[test]
fn a_mesh_of_the_other_diagonal_is_noticed() {
    let terrain = field(17, 17, 5, 0);
    let mut mesh = heightfield_patch(&terrain, &PatchOptions::new(0, 0, 16)).expect("a mesh");
    assert_eq!(misses(&terrain, &mesh, 16.0), 0);
    for cell in mesh.indices.chunks_mut(6) {
        let [a, d, b, c] = [cell[0], cell[1], cell[2], cell[4]];
        cell.copy_from_slice(&[a, c, b, b, c, d]);
    }
    assert!(misses(&terrain, &mesh, 16.0) > 40);
}

#[test]
fn a_coarse_mesh_is_the_ground_of_every_fourth_sample() {
    let terrain = field(33, 33, 11, 0);
    let coarse: Vec<f32> = (0..81).map(|i| terrain.stored(i % 9 * 4, i / 9 * 4)).collect();
    let coarse = Terrain::new(9, 9, [8.0, 14.0], terrain.origin(), &coarse).expect("built");
    let options = PatchOptions { step: 4, ..PatchOptions::new(0, 0, 32) };
    let mesh = heightfield_patch(&terrain, &options).expect("a mesh");
    assert_eq!(misses(&coarse, &mesh, 8.0), 0);
    assert!(misses(&terrain, &mesh, 32.0) > 40);
}

proptest! {
    #[test]
    fn what_is_drawn_is_what_collides(seed: u32, holes in prop_oneof![Just(0u32), 3u32..30]) {
        let terrain = field(17, 17, seed, holes);
        let mesh = heightfield_patch(&terrain, &PatchOptions::new(0, 0, 16)).expect("a mesh");
        prop_assert_eq!(misses(&terrain, &mesh, 16.0), 0);
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
    assert!(message(PatchOptions { cells: 0, ..patch }).starts_with("a step of 1 for a patch of 0 cells"));
    assert!(message(PatchOptions { x: 19, ..patch }).starts_with("a patch at cell 19, 4"));
    let beside = |plus_x, step| {
        let neighbours = PatchNeighbours { plus_x, ..PatchNeighbours::default() };
        heightfield_patch(&terrain, &PatchOptions { neighbours, step, ..patch })
    };
    assert!(beside(3, 1).is_err() && beside(16, 1).is_err() && beside(6, 4).is_err());
    assert!(beside(8, 1).is_ok() && beside(1, 4).is_ok() && beside(3, 4).is_ok());
}
