// Ordered compaction by workgroups: sums over the threads before, and counts whose order does not matter.

const SUMS_GROUP: u32 = 256u;

// Of the threads of one workgroup.
struct SumsOfGroup {
    // Patches that go into a list, and tiles.
    patches: u32,
    tiles: u32,
    counts: DrawCounts,
}

var<workgroup> sums: array<vec2u, SUMS_GROUP>;
var<workgroup> sums_counts: array<atomic<u32>, 4>;

// The sum of the values of all threads up to and with this one.
fn sums_upto(lane: u32, value: vec2u) -> vec2u {
    sums[lane] = value;
    workgroupBarrier();
    for (var reach = 1u; reach < SUMS_GROUP; reach <<= 1u) {
        var sum = sums[lane];
        if (lane >= reach) { sum += sums[lane - reach]; }
        workgroupBarrier();
        sums[lane] = sum;
        workgroupBarrier();
    }
    return sums[lane];
}

fn sums_count(counts: DrawCounts) {
    atomicAdd(&sums_counts[0], counts.patches);
    atomicAdd(&sums_counts[1], counts.triangles);
    atomicAdd(&sums_counts[2], counts.drawn_patches);
    atomicAdd(&sums_counts[3], counts.drawn_triangles);
}

// What all threads have counted, after a barrier.
fn sums_counted() -> DrawCounts {
    return DrawCounts(
        atomicLoad(&sums_counts[0]), atomicLoad(&sums_counts[1]),
        atomicLoad(&sums_counts[2]), atomicLoad(&sums_counts[3]),
    );
}

// Patches and tiles of all workgroups before this one; what these and this one have counted is counted.
fn sums_before(lane: u32, group: u32) -> vec2u {
    var before = vec2u(0u);
    for (var other = lane; other <= group; other += SUMS_GROUP) {
        let sum = groups[other];
        before += select(vec2u(0u), vec2u(sum.patches, sum.tiles), other < group);
        sums_count(sum.counts);
    }
    sums_upto(lane, before);
    let first = sums[SUMS_GROUP - 1u];
    workgroupBarrier();
    return first;
}
