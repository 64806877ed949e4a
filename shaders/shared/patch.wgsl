// Where the vertices of a patch stand: as in src/terrain/patch.rs and src/mirror/vertices.rs, with levels for steps.

struct PatchVertex {
    // The field's sample.
    sample: vec2i,
    // The level that the height is read from: the neighbour's where that is coarser.
    level: u32,
    // The level whose lattice the vertex stands on: coarser where the patch or the neighbour is thinned.
    lattice: u32,
    // How far the vertex has slid toward the next coarser lattice, of INSTANCE_FADED.
    fade: u32,
}

// What holds at a place of a patch, as far as the sides across one axis decide it.
struct PatchSide {
    // The level of the lattice there.
    lattice: u32,
    // The level of the neighbour where it is coarser, else the patch's own.
    level: u32,
    fade: u32,
}

// `axis`: 0 for the sides across x, which carry their vertices along z. `along`: cells from the patch's first line on that axis,
// and on the other.
fn patch_side(instance: Instance, axis: u32, along: i32, other: i32, cells: i32) -> PatchSide {
    let level = instance_level(instance);
    let own = PatchSide(level + instance_thinning(instance), level, instance.fade);
    let side = axis * 2u + select(0u, 1u, along == cells);
    let half = side * 2u + select(0u, 1u, 2 * other >= cells);
    let on_side = along == 0 || along == cells;
    return PatchSide(
        select(own.lattice, instance_side_lattice(instance, half), on_side),
        select(own.level, max(level, instance_neighbour(instance, side)), on_side),
        select(own.fade, instance_side_fade(instance, half), on_side),
    );
}

fn patch_vertex(instance: Instance, i: i32, j: i32) -> PatchVertex {
    let own = instance_level(instance) + instance_thinning(instance);
    let cells = frame.patch_cells << instance_level(instance);
    let along = vec2i(i, j) << vec2u(own);
    let lattice_z = patch_side(instance, 0u, along.x, along.y, cells).lattice;
    let lattice_x = patch_side(instance, 1u, along.y, along.x, cells).lattice;
    let x = patch_lattice_line(instance.x, along.x, lattice_x, frame.cells.x);
    let z = patch_lattice_line(instance.z, along.y, lattice_z, frame.cells.y);
    // Judged where the vertex came to stand: it may have fallen back into a corner.
    let stands = vec2i(x - instance.x, z - instance.z);
    let across_x = patch_side(instance, 0u, stands.x, stands.y, cells);
    let across_z = patch_side(instance, 1u, stands.y, stands.x, cells);
    // The coarser lattice, and of equal ones what has faded further.
    let by_z = across_z.lattice > across_x.lattice
        || (across_z.lattice == across_x.lattice && across_z.fade > across_x.fade);
    return PatchVertex(
        vec2i(x, z),
        max(across_x.level, across_z.level),
        select(across_x.lattice, across_z.lattice, by_z),
        select(across_x.fade, across_z.fade, by_z),
    );
}

fn patch_lattice_line(first: i32, along: i32, level: u32, last: i32) -> i32 {
    return select(first + (along & -(1 << level)), last, first + along >= last);
}

// How many cells a sample of a lattice lies beside the next coarser lattice's line along x and z: midway between the samples
// that far to both sides. None for one on that lattice, and where the field's last line cuts the coarser cell short.
fn patch_between(sample: vec2i, lattice: u32) -> vec2i {
    let step = 1 << lattice;
    let between = (sample < frame.cells) & ((sample & vec2i(step)) != vec2i(0));
    let cut = any(between & (sample + step > frame.cells));
    return select(vec2i(0), vec2i(step), between & vec2<bool>(!cut));
}

// The bits of a vertex's height: of the level's sample, slid toward where the next coarser lattice has the ground. Every product is
// exact, so that nothing can be fused. A loop, since llvmpipe leaves one early and skips no branch.
fn patch_height_bits(vertex: PatchVertex) -> u32 {
    let between = patch_between(vertex.sample, vertex.lattice);
    let slides = vertex.fade > 0u && any(between != vec2i(0));
    let own = levels_bits(vertex.level, vertex.sample);
    var sum = 0.0;
    var is_empty = own == LEVELS_EMPTY;
    var offset = -between;
    for (var turn = 0u; turn < select(0u, 2u, slides); turn++) {
        let read = levels_bits(vertex.level, vertex.sample + offset);
        is_empty = is_empty || read == LEVELS_EMPTY;
        sum += bitcast<f32>(read);
        offset = between;
    }
    return select(own, patch_blend(own, sum * 0.5, vertex.fade), slides && !is_empty);
}

fn patch_blend(own: u32, there: f32, fade: u32) -> u32 {
    let here = bitcast<f32>(own);
    let difference = bitcast<f32>(bitcast<u32>(there - here) & 0xffffff00u);
    let slid = here + difference * (f32(fade) * (1.0 / f32(INSTANCE_FADED)));
    return bitcast<u32>(select(slid, there, fade == INSTANCE_FADED));
}

// The corner k of a triangle, as lattice steps within a patch of so many drawn cells. Both triangles of a cell run along the
// diagonal from its least corner.
fn patch_corner(triangle: u32, k: u32, cells: i32) -> vec2i {
    let cell = i32(triangle >> 1u);
    return vec2i(cell % cells, cell / cells) + patch_corner_of_cell(triangle & 1u, k);
}

fn patch_corner_of_cell(second: u32, k: u32) -> vec2i {
    // Bits: x of corners 0 to 2, then z. First triangle (0,0) (1,1) (1,0), second (0,0) (0,1) (1,1).
    let shape = select(22u, 52u, second == 1u);
    return vec2i(i32((shape >> k) & 1u), i32((shape >> (k + 3u)) & 1u));
}
