// Edge smoothing into the window or the picture.

// Whether the target encodes linear values itself.
override TARGET_ENCODES: bool = false;

// Screen colours with their brightness in alpha.
@group(1) @binding(0) var colour_in: texture_2d<f32>;

@vertex
fn corner(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    return vec4f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn shown(pixel: vec2i) -> vec4f {
    return textureLoad(colour_in, clamp(pixel, vec2i(0), vec2i(frame.size) - 1), 0);
}

// Smooths along edges of strong contrast; after Lottes, "FXAA" (2009), in its short form.
fn smoothed(pixel: vec2i) -> vec3f {
    let middle = shown(pixel);
    let nw = shown(pixel + vec2i(-1, -1)).a;
    let ne = shown(pixel + vec2i(1, -1)).a;
    let sw = shown(pixel + vec2i(-1, 1)).a;
    let se = shown(pixel + vec2i(1, 1)).a;
    let low = min(middle.a, min(min(nw, ne), min(sw, se)));
    let high = max(middle.a, max(max(nw, ne), max(sw, se)));
    if (high - low < max(0.06, high * 0.15)) {
        return middle.rgb;
    }
    var along = vec2f((sw + se) - (nw + ne), (nw + sw) - (ne + se));
    along /= max(abs(along.x), abs(along.y)) + 1e-4;
    let ahead = vec2i(round(along));
    let mixed = (shown(pixel + ahead) + shown(pixel - ahead)) * 0.25 + middle * 0.5;
    return select(mixed.rgb, middle.rgb, mixed.a < low || mixed.a > high);
}

@fragment
fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let colour = smoothed(vec2i(at.xy));
    if (TARGET_ENCODES) {
        return vec4f(tone_decode(colour), 1.0);
    }
    return vec4f(colour, 1.0);
}
