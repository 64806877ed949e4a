// The decision for one patch, line by line as in src/clipmap/decide.rs.

struct ClipmapPatch {
    drawn: bool,
    level: u32,
    x: i32,
    z: i32,
    cells: i32,
    step: i32,
    // Step of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
    neighbours: vec4i,
}

fn clipmap_span(level: u32) -> i32 {
    return frame.patch_cells << level;
}

fn clipmap_block_holds(level: u32, cell: vec2i) -> bool {
    let extent = clipmap_span(level) * frame.patches_across;
    let at = cell - frame.origins[level].xy;
    return at.x >= 0 && at.y >= 0 && at.x < extent && at.y < extent;
}

// The finest drawn level whose block holds a field cell; −1 off the field and beyond the coarsest block.
fn clipmap_level_at(cell: vec2i) -> i32 {
    if (cell.x < 0 || cell.y < 0 || cell.x >= frame.cells.x || cell.y >= frame.cells.y) {
        return -1;
    }
    for (var level = frame.first_level; level < frame.levels; level++) {
        if (clipmap_block_holds(level, cell)) {
            return i32(level);
        }
    }
    return -1;
}

fn clipmap_coarser_step(level: u32, cell: vec2i) -> i32 {
    let other = clipmap_level_at(cell);
    if (other > i32(level)) {
        return 1 << u32(other);
    }
    return 0;
}

fn clipmap_patch_at(index: u32) -> ClipmapPatch {
    var result: ClipmapPatch;
    let across = frame.patches_across;
    let per_level = u32(across * across);
    let level = index / per_level;
    if (level >= frame.levels || level < frame.first_level) {
        return result;
    }
    let in_block = i32(index % per_level);
    let span = clipmap_span(level);
    let x = frame.origins[level].x + (in_block % across) * span;
    let z = frame.origins[level].y + (in_block / across) * span;
    if (x + span <= 0 || z + span <= 0 || x >= frame.cells.x || z >= frame.cells.y) {
        return result;
    }
    if (level > frame.first_level && clipmap_block_holds(level - 1u, vec2i(x, z))) {
        return result;
    }
    result.drawn = true;
    result.level = level;
    result.x = x;
    result.z = z;
    result.cells = span;
    result.step = 1 << level;
    result.neighbours = vec4i(
        clipmap_coarser_step(level, vec2i(x - 1, z)),
        clipmap_coarser_step(level, vec2i(x + span, z)),
        clipmap_coarser_step(level, vec2i(x, z - 1)),
        clipmap_coarser_step(level, vec2i(x, z + span)),
    );
    return result;
}
