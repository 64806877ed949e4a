// Where the vertices of a patch stand: line by line as in src/terrain/patch.rs, with levels for steps.

struct PatchVertex {
    // The field's sample.
    sample: vec2i,
    // The level whose lattice gives the height: the neighbour's on a matched side.
    level: u32,
}

fn patch_vertex(instance: Instance, i: i32, j: i32) -> PatchVertex {
    let own = instance_level(instance);
    let cells = frame.patch_cells << own;
    let along = vec2i(i, j) << vec2u(own);
    // A side across x carries its vertices along z, and the other way round.
    let level_z = patch_side_level(along.x, cells, own, instance_neighbour(instance, 0u), instance_neighbour(instance, 1u));
    let level_x = patch_side_level(along.y, cells, own, instance_neighbour(instance, 2u), instance_neighbour(instance, 3u));
    let x = patch_lattice_line(instance.x, along.x, level_x, frame.cells.x);
    let z = patch_lattice_line(instance.z, along.y, level_z, frame.cells.y);
    // Judged where the vertex came to stand: it may have fallen back into a corner.
    let stands_z = patch_side_level(x - instance.x, cells, own, instance_neighbour(instance, 0u), instance_neighbour(instance, 1u));
    let stands_x = patch_side_level(z - instance.z, cells, own, instance_neighbour(instance, 2u), instance_neighbour(instance, 3u));
    return PatchVertex(vec2i(x, z), max(stands_x, stands_z));
}

// The level that holds `along` cells from a patch's first line: the neighbour's on a matched side.
fn patch_side_level(along: i32, cells: i32, own: u32, minus: u32, plus: u32) -> u32 {
    return max(own, max(select(0u, minus, along == 0), select(0u, plus, along == cells)));
}

fn patch_lattice_line(first: i32, along: i32, level: u32, last: i32) -> i32 {
    return select(first + (along & -(1 << level)), last, first + along >= last);
}

// The corner k of a triangle, as lattice steps within the patch. Both triangles of a cell run along the diagonal from its
// least corner.
fn patch_corner(triangle: u32, k: u32) -> vec2i {
    let cell = i32(triangle >> 1u);
    let base = vec2i(cell % frame.patch_cells, cell / frame.patch_cells);
    // Bits: x of corners 0 to 2, then z. First triangle (0,0) (1,1) (1,0), second (0,0) (0,1) (1,1).
    let shape = select(22u, 52u, (triangle & 1u) == 1u);
    return base + vec2i(i32((shape >> k) & 1u), i32((shape >> (k + 3u)) & 1u));
}

// Offset of a sample at a height from the anchor: one multiplication an axis, so that nothing can be fused.
fn patch_offset(sample: vec2i, height: f32) -> vec3f {
    let cells = vec2f(sample - frame.eye_cell) * frame.spacing;
    return vec3f(cells.x, (height - frame.base_height) * frame.exaggeration, cells.y);
}
