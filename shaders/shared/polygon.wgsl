// The outline of a drawn triangle of any kind, as the compute path draws it.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;

// The corners of a large triangle, clipped where it has to be; none where it lies outside the picture.
fn polygon_of_id(id: u32) -> Polygon {
    let seen = visibility_unpack(id);
    let instance = instances[seen.instance];
    let cells = instance_cells(instance);
    let a = project_vertex(instance, patch_corner(seen.triangle, 0u, cells)).clip;
    let b = project_vertex(instance, patch_corner(seen.triangle, 1u, cells)).clip;
    let c = project_vertex(instance, patch_corner(seen.triangle, 2u, cells)).clip;
    var polygon = polygon_of(a, b, c);
    if (clip_outside(a, b, c)) {
        polygon.count = 0u;
    } else if (!(snap_vertex(a).sound && snap_vertex(b).sound && snap_vertex(c).sound)) {
        polygon = clip_polygon(polygon);
    }
    return polygon;
}
