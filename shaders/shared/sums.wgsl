// Ordered compaction by workgroups: sums over the threads before, and counts whose order does not matter.

const SUMS_GROUP: u32 = 256u;

// Of the threads of one workgroup.
struct SumsOfGroup {
    // Patches that go into a list, and tiles.
    patches: u32,
    tiles: u32,
    counts: DrawCounts,
}

// Threads of a chunk, whose sum one thread takes.
const SUMS_CHUNK: u32 = 16u;

var<workgroup> sums: array<vec2u, SUMS_GROUP>;
var<workgroup> sums_of_chunks: array<vec2u, SUMS_CHUNK>;
var<workgroup> sums_first: array<atomic<u32>, 2>;
var<workgroup> sums_counts: array<atomic<u32>, 4>;

// The sum of the values of all threads up to and with this one. Chunk by chunk, since on llvmpipe a barrier costs more than the turns of a loop.
fn sums_upto(lane: u32, value: vec2u) -> vec2u {
    sums[lane] = value;
    workgroupBarrier();
    if (lane < SUMS_CHUNK) {
        var sum = vec2u(0u);
        for (var k = lane * SUMS_CHUNK; k < (lane + 1u) * SUMS_CHUNK; k++) {
            sum += sums[k];
            sums[k] = sum;
        }
        sums_of_chunks[lane] = sum;
    }
    workgroupBarrier();
    var upto = sums[lane];
    for (var k = 0u; k < lane / SUMS_CHUNK; k++) {
        upto += sums_of_chunks[k];
    }
    return upto;
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
    for (var other = lane; other <= group; other += SUMS_GROUP) {
        let sum = groups[other];
        sums_count(sum.counts);
        if (other < group) {
            atomicAdd(&sums_first[0], sum.patches);
            atomicAdd(&sums_first[1], sum.tiles);
        }
    }
    workgroupBarrier();
    return vec2u(atomicLoad(&sums_first[0]), atomicLoad(&sums_first[1]));
}
