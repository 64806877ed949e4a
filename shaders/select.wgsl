// Which patches are drawn: one thread a patch index, then an ordered compaction into the instance list and one draw.

const GROUP: u32 = 256u;

@group(1) @binding(0) var<storage, read> bounds: array<vec2f>;
@group(1) @binding(1) var<storage, read_write> candidates: array<Instance>;
@group(1) @binding(2) var<storage, read_write> counts: array<u32>;
@group(1) @binding(3) var<storage, read_write> instances: array<Instance>;
@group(1) @binding(4) var<storage, read_write> draw: array<u32, 12>;

var<workgroup> sums: array<u32, GROUP>;

// The sum of the values of all threads up to and with this one.
fn inclusive_sum(lane: u32, value: u32) -> u32 {
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

// As `in_frustum` and `CullFrustum::box_of` in src/clipmap/cull.rs.
fn in_frustum(candidate: ClipmapPatch, heights: vec2f) -> bool {
    let low = vec2i(candidate.x, candidate.z) - frame.eye_cell;
    let high = low + candidate.cells;
    let shift = vec2u(frame.cull_shift);
    let min_xz = (low >> shift) - 1;
    let max_xz = -(-high >> shift) + 1;
    let scaled = (heights - frame.base_height) * frame.cull_per_metre;
    let box_min = vec3i(min_xz.x, i32(floor(scaled.x)) - 1, min_xz.y);
    let box_max = vec3i(max_xz.x, i32(ceil(scaled.y)) + 1, max_xz.y);
    for (var p = 0u; p < 5u; p++) {
        let plane = frame.planes[p].xyz;
        let corner = select(box_min, box_max, plane >= vec3i(0));
        let products = plane * corner;
        let sizes = max(abs(box_min), abs(box_max));
        if (products.x + products.y + products.z + sizes.x + sizes.y + sizes.z < 0) {
            return false;
        }
    }
    return true;
}

fn is_drawn(index: u32, candidate: ClipmapPatch) -> bool {
    if (!candidate.drawn) {
        return false;
    }
    let heights = bounds[index];
    // A patch without a valid sample has its bounds the wrong way round.
    if (heights.x > heights.y) {
        return false;
    }
    return frame.cull_enabled == 0u || in_frustum(candidate, heights);
}

@compute @workgroup_size(256)
fn decide(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let candidate = clipmap_patch_at(id.x);
    let drawn = is_drawn(id.x, candidate);
    let rank = inclusive_sum(lane, u32(drawn));
    if (drawn) {
        candidates[group.x * GROUP + rank - 1u] = instance_pack(id.x, candidate);
    }
    if (lane == GROUP - 1u) {
        counts[group.x] = rank;
    }
}

@compute @workgroup_size(256)
fn compact(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u) {
    var before = 0u;
    for (var other = lane; other < group.x; other += GROUP) {
        before += counts[other];
    }
    inclusive_sum(lane, before);
    let first = sums[GROUP - 1u];
    let count = counts[group.x];
    if (lane < count) {
        instances[first + lane] = candidates[group.x * GROUP + lane];
    }
    if (lane == 0u && group.x == groups.x - 1u) {
        let vertices = u32(frame.patch_cells * frame.patch_cells) * 6u;
        draw[0] = vertices;
        draw[1] = first + count;
        // The dispatch of the compute path: a workgroup a block of 8×8 cells.
        let side = u32(frame.patch_cells + 7) / 8u;
        let blocks = (first + count) * side * side;
        draw[8] = min(blocks, 32768u);
        draw[9] = (blocks + 32767u) / 32768u;
        draw[10] = 1u;
    }
}
