// Visibility as the vertex path writes it: ids and depth in textures.

@group(2) @binding(0) var visibility_ids: texture_2d<u32>;
@group(2) @binding(1) var visibility_depth: texture_depth_2d;

fn visibility_at(pixel: vec2u) -> Seen {
    let id = textureLoad(visibility_ids, pixel, 0).r;
    return Seen(visibility_unpack(id), frame.eye.w / visibility_depth_at(pixel));
}

// Reversed; 0 where nothing is seen.
fn visibility_depth_at(pixel: vec2u) -> f32 {
    return textureLoad(visibility_depth, pixel, 0);
}
