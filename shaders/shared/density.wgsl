// How densely a patch is drawn, line by line as in src/clipmap/density.rs.

struct Density {
    // Every 2^thinning-th line of the level's lattice is drawn.
    thinning: u32,
    // How far the patch has faded toward the next coarser lattice, of INSTANCE_FADED.
    fade: u32,
}

// The most times that a stride is doubled.
const DENSITY_MOST: u32 = 6u;

// A lower bound of the hypotenuse.
fn density_hypotenuse(a: i32, b: i32) -> i32 {
    let longer = max(a, b);
    return max(max(longer, (longer * 236 + min(a, b) * 97) >> 8u), ((a + b) * 181) >> 8u);
}

// An upper bound of the hypotenuse.
fn density_reach(a: i32, b: i32) -> i32 {
    return max(a, b) + ((min(a, b) * 107) >> 8u) + 1;
}

// What a metre missed in a box counts for, and the most that may be missed, times the same factor.
fn density_weights(bounds: CullBox) -> vec2f {
    let gap = max(max(bounds.low, -bounds.high), vec3i(0));
    let scaled = (gap * frame.density_scale) >> vec3u(10u);
    let reach = ((max(bounds.high, -bounds.low) * frame.density_scale) >> vec3u(10u)) + 1;
    let nearest = density_hypotenuse(density_hypotenuse(scaled.x, scaled.z), scaled.y);
    let in_plan = density_reach(reach.x, reach.z);
    return vec2f(
        f32(max(min(in_plan, nearest), 1)),
        (f32(nearest) * f32(nearest)) * frame.error_per_unit,
    );
}

fn density_ring_fade(at: ClipmapPatch) -> u32 {
    if (at.level + 1u >= frame.levels) { return 0u; }
    let shift = vec2u(at.level);
    let cells = (frame.density_cell >> shift) - (vec2i(at.x, at.z) >> shift);
    let rest = frame.density_cell & vec2i((1 << at.level) - 1);
    let within = (rest * 16 + frame.density_sixteenths) >> shift;
    let gaps = max(-cells * 16 - within, (cells - frame.patch_cells) * 16 + within);
    let gap = max(max(gaps.x, gaps.y), 0);
    let end = (frame.patches_across / 2 - 2) * frame.patch_cells * 16;
    let width = max(frame.patches_across / 8, 1) * frame.patch_cells * 16;
    let faded = i32(INSTANCE_FADED);
    return u32(clamp((gap - end + width) * faded / width, 0, faded));
}

fn density_error_fade(missed: f32, allowed: f32) -> u32 {
    let difference = i32(bitcast<u32>(missed) >> 16u) - i32(bitcast<u32>(allowed) >> 16u);
    return u32(clamp(i32(INSTANCE_FADED) - 2 * difference, 0, i32(INSTANCE_FADED) - 1));
}

// Whether a patch lies beside the next finer level's block.
fn density_faces_finer(at: ClipmapPatch) -> bool {
    if (at.level <= frame.first_level) { return false; }
    let finer = at.level - 1u;
    let extent = clipmap_span(finer) * frame.patches_across;
    let beyond = vec2i(at.x, at.z) - frame.origins[finer].xy;
    let within = (beyond >= vec2i(0)) & (beyond < vec2i(extent));
    let near = (beyond >= vec2i(-at.cells)) & (beyond < vec2i(extent + at.cells));
    return (within.x && near.y) || (near.x && within.y);
}

fn clipmap_density_at(at: ClipmapPatch, bounds: CullBox, errors: array<f32, 6>) -> Density {
    var missed = errors;
    let weights = density_weights(bounds);
    let most = frame.most_thinning - min(u32(density_faces_finer(at)), frame.most_thinning);
    var thinning = 0u;
    while (thinning < most && missed[min(thinning, DENSITY_MOST - 1u)] * weights.x <= weights.y) {
        thinning++;
    }
    var fade = 0u;
    if (frame.continuous != 0u && thinning < most) {
        fade = density_error_fade(missed[thinning] * weights.x, weights.y);
        if (thinning == 0u) {
            fade = max(fade, density_ring_fade(at));
            if (at.level == frame.first_level) {
                fade = max(fade, frame.first_fade);
            }
        }
    }
    return Density(thinning, fade);
}

// The index of the drawn patch that holds a cell; −1 at the field's edge.
fn clipmap_index_at(cell: vec2i) -> i32 {
    let level = clipmap_level_at(cell);
    if (level < 0) { return -1; }
    let across = frame.patches_across;
    let place = (cell - frame.origins[level].xy) / clipmap_span(u32(level));
    return (level * across + place.y) * across + place.x;
}

// A cell just beyond half of a side, sides −x, +x, −z, +z.
fn clipmap_beyond(at: ClipmapPatch, side: u32, half: u32) -> vec2i {
    let across = select(-1, at.cells, (side & 1u) == 1u);
    let along = select(0, at.cells / 2, half == 1u);
    return vec2i(at.x, at.z) + select(vec2i(across, along), vec2i(along, across), side >= 2u);
}
