// The depth pyramid of what has been drawn so far. Background is infinitely far, and hides nothing.

@group(1) @binding(0) var<storage, read_write> pyramid: array<f32>;

var<workgroup> farthest: array<f32, 64>;

// A workgroup two by two squares, a thread a row of one. Beyond the picture's edge its last pixels are taken again.
@compute @workgroup_size(64)
fn squares(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let last = frame.size - 1u;
    let square = group.xy * 2u + vec2u((lane >> 4u) & 1u, lane >> 5u);
    let first = square << vec2u(PYRAMID_BITS);
    let row = min(first.y + (lane & 15u), last.y);
    var depth = 1.0;
    for (var k = 0u; k < 16u; k++) {
        depth = min(depth, visibility_depth_at(vec2u(min(first.x + k, last.x), row)));
    }
    farthest[lane] = depth;
    workgroupBarrier();
    let size = pyramid_size(0u);
    if ((lane & 15u) == 0u && all(square < size)) {
        for (var k = 1u; k < 16u; k++) {
            depth = min(depth, farthest[lane + k]);
        }
        pyramid[square.y * size.x + square.x] = depth;
    }
}

// Every further level, by one workgroup.
@compute @workgroup_size(256)
fn levels(@builtin(local_invocation_index) lane: u32) {
    var finer = PyramidLevel(0u, pyramid_size(0u));
    for (var number = 1u; any(finer.size > vec2u(1u)); number++) {
        let coarser = pyramid_after(finer, number);
        for (var square = lane; square < coarser.size.x * coarser.size.y; square += 256u) {
            let low = vec2u(square % coarser.size.x, square / coarser.size.x) * 2u;
            let high = min(low + 1u, finer.size - 1u);
            let rows = finer.first + vec2u(low.y, high.y) * finer.size.x;
            let upper = min(pyramid[rows.x + low.x], pyramid[rows.x + high.x]);
            let lower = min(pyramid[rows.y + low.x], pyramid[rows.y + high.x]);
            pyramid[coarser.first + square] = min(upper, lower);
        }
        storageBarrier();
        finer = coarser;
    }
}
