// The depth pyramid of what has been drawn so far. Background is infinitely far, and hides nothing.

@group(1) @binding(0) var<storage, read_write> pyramid: array<f32>;

var<workgroup> farthest: array<f32, 64>;
var<workgroup> farthest_of_eight: array<f32, 8>;

// A workgroup a square of 16×16 pixels. Beyond the picture's edge its last pixels are taken again.
@compute @workgroup_size(64)
fn squares(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    let first = (group.xy << vec2u(PYRAMID_BITS)) + vec2u(lane & 15u, lane >> 4u);
    var depth = 1.0;
    for (var row = 0u; row < 16u; row += 4u) {
        depth = min(depth, visibility_depth_at(min(first + vec2u(0u, row), frame.size - 1u)));
    }
    farthest[lane] = depth;
    workgroupBarrier();
    if (lane < 8u) {
        for (var k = 0u; k < 64u; k += 8u) {
            depth = min(depth, farthest[lane + k]);
        }
        farthest_of_eight[lane] = depth;
    }
    workgroupBarrier();
    if (lane == 0u) {
        for (var k = 0u; k < 8u; k++) {
            depth = min(depth, farthest_of_eight[k]);
        }
        pyramid[group.y * pyramid_size(0u).x + group.x] = depth;
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
