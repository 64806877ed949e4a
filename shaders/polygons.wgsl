// The outlines of triangles that have to be clipped, written out for checks: the same functions as the compute path's, from the same files.

struct PolygonProbe {
    count: u32,
    // x and y in 1/256 pixel and the bits of the depth, a corner after the other.
    corners: array<i32, 27>,
}

@group(1) @binding(2) var<storage, read> ids: array<u32>;
@group(1) @binding(3) var<storage, read_write> polygons: array<PolygonProbe>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
    for (var index = thread.x; index < arrayLength(&ids); index += groups.x * 64u) {
        let polygon = polygon_of_id(ids[index]);
        polygons[index].count = polygon.count;
        for (var k = 0u; k < polygon.count; k++) {
            let corner = snap_vertex(polygon.corners[k]);
            polygons[index].corners[3u * k] = corner.x;
            polygons[index].corners[3u * k + 1u] = corner.y;
            polygons[index].corners[3u * k + 2u] = bitcast<i32>(corner.z);
        }
    }
}
