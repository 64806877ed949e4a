// Where a vertex of a patch stands. The twin is `patch_vertex` in src/terrain/patch.rs.

struct PatchVertex {
    // The field's sample.
    sample: vec2i,
    // The level whose lattice gives the height.
    level: u32,
}

fn patch_vertex(instance: Instance, i: i32, j: i32) -> PatchVertex {
    let own = instance_level(instance);
    var level = own;
    var at = vec2i(instance.x, instance.z) + (vec2i(i, j) << vec2u(own));
    let last = frame.patch_cells;
    let beside_x = select(select(0u, instance_neighbour(instance, 1u), i == last), instance_neighbour(instance, 0u), i == 0);
    let beside_z = select(select(0u, instance_neighbour(instance, 3u), j == last), instance_neighbour(instance, 2u), j == 0);
    // On a matched side the vertex falls back to the coarser lattice; the field's last line stays.
    if (beside_x != 0u) {
        if (at.y < frame.cells.y) { at.y = (at.y >> beside_x) << beside_x; }
        level = max(level, beside_x);
    }
    if (beside_z != 0u) {
        if (at.x < frame.cells.x) { at.x = (at.x >> beside_z) << beside_z; }
        level = max(level, beside_z);
    }
    return PatchVertex(min(at, frame.cells), level);
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
