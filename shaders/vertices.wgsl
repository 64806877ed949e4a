// The vertices of the drawn patches, written out for checks: the same functions as the vertex path's, from the same files.

struct VertexProbe {
    x: i32,
    z: i32,
    // The level that the height was read from.
    level: u32,
    height_bits: u32,
    clip: vec4f,
    // As the compute path snaps it: 1/256 pixel, depth bits, whether it needs no clipping.
    snapped: vec2i,
    depth_bits: u32,
    sound: u32,
}

@group(1) @binding(1) var<storage, read> instances: array<Instance>;
// Places in the list.
@group(1) @binding(2) var<storage, read> asked: array<u32>;
@group(1) @binding(3) var<storage, read_write> vertices: array<VertexProbe>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    let most = u32(frame.patch_cells) + 1u;
    for (var index = group.x; index < arrayLength(&asked); index += groups.x) {
        let instance = instances[asked[index]];
        let row = u32(instance_cells(instance)) + 1u;
        for (var k = lane; k < row * row; k += 64u) {
            let at = project_vertex(instance, vec2i(i32(k % row), i32(k / row)));
            let snapped = snap_vertex(at.clip);
            vertices[index * most * most + k] = VertexProbe(
                at.sample.x, at.sample.y, at.level, at.bits, at.clip,
                vec2i(snapped.x, snapped.y), bitcast<u32>(snapped.z), u32(snapped.sound),
            );
        }
    }
}
