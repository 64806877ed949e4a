// Visibility as the compute path writes it: one 64-bit word a pixel, the id below the float bits of the depth.

@group(2) @binding(0) var<storage, read> visibility_words: array<vec2u>;

fn visibility_at(pixel: vec2u) -> Seen {
    let word = visibility_words[pixel.y * frame.size.x + pixel.x];
    return Seen(visibility_unpack(word.x), frame.eye.w / bitcast<f32>(word.y));
}

// Reversed; 0 where nothing is seen.
fn visibility_depth_at(pixel: vec2u) -> f32 {
    return bitcast<f32>(visibility_words[pixel.y * frame.size.x + pixel.x].y);
}
