// What the blocks leave to later dispatches: triangles that would hold up a thread, and their cutting into shares of about equal work.

struct LargeList {
    // May exceed the room.
    count: atomic<u32>,
    // As in the visibility buffer.
    ids: array<u32>,
}

@group(1) @binding(3) var<storage, read_write> large: LargeList;

// Workgroups along x, y, z of an indirect dispatch.
struct Dispatch {
    x: atomic<u32>,
    y: u32,
    z: u32,
}

// What a dimension of a dispatch may hold; what is beyond is taken by further turns of the same threads.
const DISPATCH_MOST: u32 = 65535u;
