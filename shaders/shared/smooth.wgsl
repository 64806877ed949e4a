// Edge smoothing of finished colours.

// Screen colours with their brightness in alpha.
@group(1) @binding(0) var colour_in: texture_2d<f32>;

fn smooth_shown(pixel: vec2i) -> vec4f {
    return textureLoad(colour_in, clamp(pixel, vec2i(0), vec2i(frame.size) - 1), 0);
}

// Smooths along edges of strong contrast; after Lottes, "FXAA" (2009), in its short form.
fn smooth_edges(pixel: vec2i) -> vec3f {
    let middle = smooth_shown(pixel);
    let nw = smooth_shown(pixel + vec2i(-1, -1)).a;
    let ne = smooth_shown(pixel + vec2i(1, -1)).a;
    let sw = smooth_shown(pixel + vec2i(-1, 1)).a;
    let se = smooth_shown(pixel + vec2i(1, 1)).a;
    let low = min(middle.a, min(min(nw, ne), min(sw, se)));
    let high = max(middle.a, max(max(nw, ne), max(sw, se)));
    if (high - low < max(0.06, high * 0.15)) {
        return middle.rgb;
    }
    var along = vec2f((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    along /= max(abs(along.x), abs(along.y)) + 1e-4;
    let ahead = vec2i(round(along));
    let mixed = (smooth_shown(pixel + ahead) + smooth_shown(pixel - ahead)) * 0.25 + middle * 0.5;
    return select(mixed.rgb, middle.rgb, mixed.a < low || mixed.a > high);
}
