// Which patches are drawn, and how densely: one thread a patch index, then an ordered compaction into the instance list, the list of
// tiles, and one draw.

const GROUP: u32 = 256u;

// As in src/passes/bounds.rs: heights, low above high where there is no ground, and the metres missed with a stride of 2, 4, 8, …
struct StoredFacts {
    low: f32,
    high: f32,
    errors: array<f32, 6>,
}

@group(1) @binding(0) var<storage, read> facts: array<StoredFacts>;
@group(1) @binding(1) var<storage, read_write> densities: array<u32>;
@group(1) @binding(2) var<storage, read_write> candidates: array<Instance>;
// Instances, tiles and triangles of each workgroup.
@group(1) @binding(3) var<storage, read_write> counts: array<vec3u>;
@group(1) @binding(4) var<storage, read_write> instances: array<Instance>;
@group(1) @binding(5) var<storage, read_write> tiles: array<u32>;
@group(1) @binding(6) var<storage, read_write> draw: array<u32, 12>;

var<workgroup> sums: array<vec3u, GROUP>;

// The sum of the values of all threads up to and with this one.
fn inclusive_sum(lane: u32, value: vec3u) -> vec3u {
    sums[lane] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < GROUP; reach <<= 1u) {
        var sum = sums[lane];
        if (lane >= reach) { sum += sums[lane - reach]; }
        workgroupBarrier();
        sums[lane] = sum;
        workgroupBarrier();
    }
    return sums[lane];
}

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

fn tile_count(instance: Instance) -> u32 {
    let across = u32(instance_tiles(instance));
    return across * across;
}

@compute @workgroup_size(256)
fn decide(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let at = clipmap_patch_at(id.x);
    let drawn = is_drawn(id.x, at);
    var packed: Instance;
    var count = vec3u(0u);
    if (drawn) {
        packed = instance_pack(id.x, at);
        let cells = u32(instance_cells(packed));
        count = vec3u(1u, tile_count(packed), 2u * cells * cells);
    }
    let upto = inclusive_sum(lane, count);
    if (drawn) {
        candidates[group.x * GROUP + upto.x - 1u] = packed;
    }
    if (lane == GROUP - 1u) {
        counts[group.x] = upto;
    }
}

@compute @workgroup_size(256)
fn compact(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
    var before = vec3u(0u);
    for (var other = lane; other < group.x; other += GROUP) {
        before += counts[other];
    }
    inclusive_sum(lane, before);
    let first = sums[GROUP - 1u];
    workgroupBarrier();
    let count = counts[group.x];
    let drawn = lane < count.x;
    var instance: Instance;
    var own_tiles = 0u;
    if (drawn) {
        instance = candidates[group.x * GROUP + lane];
        own_tiles = tile_count(instance);
    }
    let tiles_upto = inclusive_sum(lane, vec3u(0u, own_tiles, 0u)).y;
    if (drawn) {
        let place = first.x + lane;
        instances[place] = instance;
        for (var number = 0u; number < own_tiles; number++) {
            tiles[first.y + tiles_upto - own_tiles + number] = tiles_pack(place, number);
        }
    }
    if (lane == 0u && group.x == groups.x - 1u) {
        write_draw(first + count);
    }
}

// The draw of the vertex path, the numbers of patches and of triangles, and the dispatch of the compute path: a workgroup a tile.
fn write_draw(count: vec3u) {
    let along = u32(min(frame.patch_cells, TILES_CELLS));
    draw[0] = along * along * 6u;
    draw[1] = count.y;
    draw[5] = count.x;
    draw[6] = count.z;
    draw[8] = min(count.y, 32768u);
    draw[9] = (count.y + 32767u) / 32768u;
    draw[10] = 1u;
}
