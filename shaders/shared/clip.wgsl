// Triangles that the picture's projection cannot take whole: cut at the near plane and at the guard band.

struct Polygon {
    count: u32,
    corners: array<vec4f, 9>,
}

// The plane that a polygon is cut at: the near plane, then the guard band's four sides.
fn clip_distance(plane: u32, at: vec4f) -> f32 {
    let guard = SNAP_GUARD / SNAP_SUBPIXELS * 0.5;
    // Pixels from the picture's middle, times w.
    let x = at.x * f32(frame.size.x) * 0.5;
    let y = at.y * f32(frame.size.y) * 0.5;
    switch (plane) {
        case 0u: { return at.w - frame.eye.w; }
        case 1u: { return guard * at.w - x; }
        case 2u: { return guard * at.w + x; }
        case 3u: { return guard * at.w - y; }
        default: { return guard * at.w + y; }
    }
}

fn polygon_of(a: vec4f, b: vec4f, c: vec4f) -> Polygon {
    var polygon: Polygon;
    polygon.count = 3u;
    polygon.corners[0] = a;
    polygon.corners[1] = b;
    polygon.corners[2] = c;
    return polygon;
}

fn clip_cuts(plane: u32, triangle: Polygon) -> bool {
    let inside = vec3f(
        clip_distance(plane, triangle.corners[0]),
        clip_distance(plane, triangle.corners[1]),
        clip_distance(plane, triangle.corners[2]),
    ) >= vec3f(0.0);
    return !all(inside);
}

// After Sutherland and Hodgman, "Reentrant polygon clipping" (1974).
fn clip_polygon(whole: Polygon) -> Polygon {
    var polygon = whole;
    for (var plane = 0u; plane < 5u; plane++) {
        // What three corners leave whole, what was cut of them does too.
        if (!clip_cuts(plane, whole)) { continue; }
        var cut: Polygon;
        for (var k = 0u; k < polygon.count; k++) {
            let here = polygon.corners[k];
            let next = polygon.corners[select(k + 1u, 0u, k + 1u == polygon.count)];
            let from_here = clip_distance(plane, here);
            let from_next = clip_distance(plane, next);
            if (from_here >= 0.0) {
                cut.corners[cut.count] = here;
                cut.count++;
            }
            if ((from_here >= 0.0) != (from_next >= 0.0)) {
                // From the inside outward, so that both triangles of an edge cut it at the same place.
                var at = select(
                    mix(next, here, from_next / (from_next - from_here)),
                    mix(here, next, from_here / (from_here - from_next)),
                    from_here >= 0.0,
                );
                // Rounding must not put a new corner before the near plane.
                at.w = select(max(at.w, frame.eye.w), frame.eye.w, plane == 0u);
                cut.corners[cut.count] = at;
                cut.count++;
            }
        }
        polygon = cut;
        if (polygon.count < 3u) { break; }
    }
    return polygon;
}

// Whether all corners lie beyond one side of the picture, whatever their w.
fn clip_outside(a: vec4f, b: vec4f, c: vec4f) -> bool {
    let w = vec3f(a.w, b.w, c.w);
    let x = vec3f(a.x, b.x, c.x);
    let y = vec3f(a.y, b.y, c.y);
    return all(x > w) || all(x < -w) || all(y > w) || all(y < -w) || all(w < vec3f(frame.eye.w));
}
