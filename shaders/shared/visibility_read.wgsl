// What a pixel sees, whoever wrote it.

@group(1) @binding(1) var visibility_ids: texture_2d<u32>;
@group(1) @binding(2) var visibility_depth: texture_depth_2d;

struct Seen {
    what: Visible,
    // Distance along the view, metres; meaningless where nothing is seen.
    distance: f32,
}

fn visibility_at(pixel: vec2u) -> Seen {
    let id = textureLoad(visibility_ids, pixel, 0).r;
    let depth = textureLoad(visibility_depth, pixel, 0);
    return Seen(visibility_unpack(id), frame.eye.w / depth);
}

// Direction through the middle of a pixel, one metre long along the view.
fn visibility_ray(pixel: vec2u) -> vec3f {
    let at = vec2f(pixel) + 0.5;
    return frame.ray_corner.xyz + at.x * frame.ray_x.xyz + at.y * frame.ray_y.xyz;
}
