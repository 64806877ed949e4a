// The outline of a drawn triangle of any kind, as the compute path draws it.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;

// The corners of a triangle, clipped where it has to be; none where it lies outside the picture or touches an empty sample.
fn polygon_of_id(id: u32) -> Polygon {
    let seen = visibility_unpack(id);
    let instance = instances[seen.instance];
    let cells = instance_cells(instance);
    let first = project_vertex(instance, patch_corner(seen.triangle, 0u, cells));
    let second = project_vertex(instance, patch_corner(seen.triangle, 1u, cells));
    let third = project_vertex(instance, patch_corner(seen.triangle, 2u, cells));
    let touches_empty = any(vec3u(first.bits, second.bits, third.bits) == vec3u(LEVELS_EMPTY));
    let a = first.clip;
    let b = second.clip;
    let c = third.clip;
    var polygon = polygon_of(a, b, c);
    if (touches_empty || clip_outside(a, b, c)) {
        polygon.count = 0u;
    } else if (!(snap_vertex(a).sound && snap_vertex(b).sound && snap_vertex(c).sound)) {
        polygon = clip_polygon(polygon);
    }
    return polygon;
}
