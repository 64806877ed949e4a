// What a pixel sees. `visibility_at` stands in visibility_textures.wgsl or visibility_words.wgsl, by who wrote it.

struct Seen {
    what: Visible,
    // Distance along the view, metres; meaningless where nothing is seen.
    distance: f32,
}

// Direction through the middle of a pixel, one metre long along the view.
fn visibility_ray(pixel: vec2u) -> vec3f {
    let at = vec2f(pixel) + 0.5;
    return frame.ray_corner.xyz + at.x * frame.ray_x.xyz + at.y * frame.ray_y.xyz;
}
