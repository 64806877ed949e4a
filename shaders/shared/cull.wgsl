// Frustum culling in integers, as in src/clipmap/cull.rs.

// A box counted from the eye's cell, in cull units, inclusive.
struct CullBox {
    low: vec3i,
    high: vec3i,
}

// The box of a patch with heights from x to y.
fn cull_box(at: ClipmapPatch, heights: vec2f) -> CullBox {
    let low = vec2i(at.x, at.z) - frame.eye_cell;
    let high = low + at.cells;
    let shift = vec2u(frame.cull_shift);
    let min_xz = (low >> shift) - 1;
    let max_xz = -(-high >> shift) + 1;
    let scaled = (heights - frame.base_height) * frame.cull_per_metre;
    return CullBox(
        vec3i(min_xz.x, i32(floor(scaled.x)) - 1, min_xz.y),
        vec3i(max_xz.x, i32(ceil(scaled.y)) + 1, max_xz.y),
    );
}

fn cull_in_frustum(bounds: CullBox) -> bool {
    for (var p = 0u; p < 5u; p++) {
        let plane = frame.planes[p].xyz;
        let corner = select(bounds.low, bounds.high, plane >= vec3i(0));
        let products = plane * corner;
        let sizes = max(abs(bounds.low), abs(bounds.high));
        if (products.x + products.y + products.z + sizes.x + sizes.y + sizes.z < 0) {
            return false;
        }
    }
    return true;
}
