// The second phase's patches: one thread a patch of the instance list, then an ordered compaction of the tiles of those that the pyramid
// does not hide and that are not drawn yet.

@group(1) @binding(0) var<storage, read> facts: array<StoredFacts>;
@group(1) @binding(1) var<storage, read> instances: array<Instance>;
@group(1) @binding(2) var<storage, read> pyramid: array<f32>;
@group(1) @binding(3) var<storage, read_write> history: array<u32>;
@group(1) @binding(4) var<storage, read_write> groups: array<SumsOfGroup>;
// The first phase's draw, which counts for both.
@group(1) @binding(5) var<storage, read_write> draw: Draw;
@group(1) @binding(6) var<storage, read_write> tiles: array<u32>;
@group(1) @binding(7) var<storage, read_write> second_draw: Draw;

@compute @workgroup_size(256)
fn recheck(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
    let listed = id.x < draw.counts.patches;
    let instance = instances[id.x];
    let index = instance.index;
    let seen = listed && !occlusion_hides(instance, vec2f(facts[index].low, facts[index].high));
    let left = seen && (history[index] & HISTORY_SEEN) == 0u;
    if (listed) {
        history[index] = select(0u, HISTORY_SEEN, seen) | select(0u, HISTORY_LEFT, left);
    }
    var count = vec2u(0u);
    if (left) {
        count = vec2u(1u, instance_tile_count(instance));
        sums_count(DrawCounts(0u, 0u, 1u, draw_triangles(instance)));
    }
    let upto = sums_upto(lane, count);
    if (lane == SUMS_GROUP - 1u) {
        groups[group.x] = SumsOfGroup(upto.x, upto.y, sums_counted());
    }
}

@compute @workgroup_size(256)
fn compact_left(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) all: vec3u,
) {
    let first = sums_before(lane, group.x).y;
    let instance = instances[id.x];
    let left = id.x < draw.counts.patches && (history[instance.index] & HISTORY_LEFT) != 0u;
    let own = select(0u, instance_tile_count(instance), left);
    let upto = first + sums_upto(lane, vec2u(0u, own)).y;
    for (var number = 0u; number < own; number++) {
        tiles[upto - own + number] = tiles_pack(id.x, number);
    }
    if (lane == SUMS_GROUP - 1u && group.x == all.x - 1u) {
        let counts = sums_counted();
        second_draw = draw_of(upto, counts);
        draw.counts.drawn_patches += counts.drawn_patches;
        draw.counts.drawn_triangles += counts.drawn_triangles;
    }
}
