// A fixed small piece of work: the yardstick that times of different machines are divided by.

@group(0) @binding(0) var<storage, read_write> results: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var value = f32(id.x) * 1e-6;
    for (var k = 0u; k < 1024u; k++) {
        value = value * 1.000001 + 1e-7;
    }
    results[id.x] = value;
}
