// Which patches are drawn, and how densely: one thread a patch index, then an ordered compaction into the instance list, the list of
// tiles, and one draw.

@group(1) @binding(0) var<storage, read> facts: array<StoredFacts>;
@group(1) @binding(1) var<storage, read_write> densities: array<u32>;
@group(1) @binding(2) var<storage, read_write> candidates: array<Instance>;
@group(1) @binding(3) var<storage, read_write> groups: array<SumsOfGroup>;
@group(1) @binding(4) var<storage, read_write> instances: array<Instance>;
@group(1) @binding(5) var<storage, read_write> tiles: array<u32>;
@group(1) @binding(6) var<storage, read_write> draw: Draw;
@group(1) @binding(7) var<storage, read> history: array<u32>;

fn has_ground(index: u32) -> bool {
    return facts[index].low <= facts[index].high;
}

fn box_of(index: u32, at: ClipmapPatch) -> CullBox {
    return cull_box(at, vec2f(facts[index].low, facts[index].high));
}

@compute @workgroup_size(256)
fn measure(@builtin(global_invocation_id) id: vec3u) {
    let at = clipmap_patch_at(id.x);
    if (at.drawn && has_ground(id.x)) {
        let density = clipmap_density_at(at, box_of(id.x, at), facts[id.x].errors);
        densities[id.x] = density.thinning | (density.fade << 8u);
    } else {
        densities[id.x] = 0u;
    }
}

// A level's lattice, and how far it has faded: the coarser of two, and of equal ones what has faded further.
struct Lattice {
    level: u32,
    fade: u32,
}

fn lattice_of(index: u32) -> Lattice {
    let level = index / u32(frame.patches_across * frame.patches_across);
    let density = densities[index];
    return Lattice(level + (density & 0xffu), density >> 8u);
}

fn instance_pack(index: u32, at: ClipmapPatch) -> Instance {
    let own = lattice_of(index);
    var packed = Instance(index, at.x, at.z, at.level, own.level - at.level, own.fade, vec2u(0u));
    for (var half = 0u; half < 8u; half++) {
        let side = half >> 1u;
        let beside = clipmap_index_at(clipmap_beyond(at, side, half & 1u));
        var lattice = own;
        if (beside >= 0) {
            let other = lattice_of(u32(beside));
            if (other.level > own.level || (other.level == own.level && other.fade > own.fade)) {
                lattice = other;
            }
        }
        packed.density |= min(lattice.level - at.level, INSTANCE_DENSITY_MASK) << (INSTANCE_DENSITY_BITS * (half + 1u));
        packed.fades[half >> 2u] |= lattice.fade << (8u * (half & 3u));
    }
    for (var side = 0u; side < 4u; side++) {
        if (at.neighbours[side] != 0) {
            packed.levels |= firstTrailingBit(u32(at.neighbours[side])) << (INSTANCE_LEVEL_BITS * (side + 1u));
        }
    }
    return packed;
}

fn is_drawn(index: u32, at: ClipmapPatch) -> bool {
    if (!at.drawn || !has_ground(index)) {
        return false;
    }
    return frame.cull_enabled == 0u || cull_in_frustum(box_of(index, at));
}

// Whether a patch in view is drawn in the first phase: of two, what was seen in the picture before.
fn is_first(index: u32) -> bool {
    return frame.occlusion == 0u || (history[index] & HISTORY_SEEN) != 0u;
}

@compute @workgroup_size(256)
fn decide(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let at = clipmap_patch_at(id.x);
    let drawn = is_drawn(id.x, at);
    var packed: Instance;
    var count = vec2u(0u);
    if (drawn) {
        packed = instance_pack(id.x, at);
        let first = select(0u, 1u, is_first(id.x));
        let triangles = draw_triangles(packed);
        count = vec2u(1u, first * instance_tile_count(packed));
        sums_count(DrawCounts(1u, triangles, first, first * triangles));
    }
    let upto = sums_upto(lane, count);
    if (drawn) {
        candidates[group.x * SUMS_GROUP + upto.x - 1u] = packed;
    }
    if (lane == SUMS_GROUP - 1u) {
        groups[group.x] = SumsOfGroup(upto.x, upto.y, sums_counted());
    }
}

@compute @workgroup_size(256)
fn compact(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) all: vec3u) {
    let first = sums_before(lane, group.x);
    let drawn = lane < groups[group.x].patches;
    let place = first.x + lane;
    var instance: Instance;
    var own = 0u;
    if (drawn) {
        instance = candidates[group.x * SUMS_GROUP + lane];
        instances[place] = instance;
        own = select(0u, instance_tile_count(instance), is_first(instance.index));
    }
    let upto = first.y + sums_upto(lane, vec2u(0u, own)).y;
    for (var number = 0u; number < own; number++) {
        tiles[upto - own + number] = tiles_pack(place, number);
    }
    if (lane == SUMS_GROUP - 1u && group.x == all.x - 1u) {
        draw = draw_of(upto, sums_counted());
    }
}
