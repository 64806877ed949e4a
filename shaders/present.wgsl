// Tone map, edge smoothing and dither, into the window or the picture.

// Whether the target encodes linear values itself.
override TARGET_ENCODES: bool = false;

@group(1) @binding(0) var colour_in: texture_2d<f32>;

@vertex
fn corner(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    return vec4f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn encode(linear: vec3f) -> vec3f {
    return select(1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055, linear * 12.92, linear <= vec3f(0.0031308));
}

// A film-like curve: straight in the dark, a soft shoulder. After Hejl and Burgess-Dawson's shape, by luminance and channel.
fn tone_map(colour: vec3f) -> vec3f {
    let x = colour * 0.92;
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
}

fn shown(pixel: vec2i) -> vec3f {
    let at = clamp(pixel, vec2i(0), vec2i(frame.size) - 1);
    return encode(tone_map(textureLoad(colour_in, at, 0).rgb));
}

fn luma(colour: vec3f) -> f32 {
    return dot(colour, vec3f(0.299, 0.587, 0.114));
}

// Smooths along edges of strong contrast; after Lottes, "FXAA" (2009), in its short form.
fn smoothed(pixel: vec2i) -> vec3f {
    let middle = shown(pixel);
    let nw = shown(pixel + vec2i(-1, -1));
    let ne = shown(pixel + vec2i(1, -1));
    let sw = shown(pixel + vec2i(-1, 1));
    let se = shown(pixel + vec2i(1, 1));
    let l = vec4f(luma(nw), luma(ne), luma(sw), luma(se));
    let lm = luma(middle);
    let low = min(lm, min(min(l.x, l.y), min(l.z, l.w)));
    let high = max(lm, max(max(l.x, l.y), max(l.z, l.w)));
    if (high - low < max(0.06, high * 0.15)) {
        return middle;
    }
    var along = vec2f(-(l.x + l.y) + (l.z + l.w), (l.x + l.z) - (l.y + l.w));
    along /= max(abs(along.x), abs(along.y)) + 1e-4;
    let ahead = vec2i(round(along));
    let along_edge = (shown(pixel + ahead) + shown(pixel - ahead)) * 0.25 + middle * 0.5;
    let la = luma(along_edge);
    return select(along_edge, middle, la < low || la > high);
}

// Noise below one step of 8 bits, so that a smooth sky shows no bands. After Jimenez, "interleaved gradient noise" (2014).
fn dither(pixel: vec2f) -> f32 {
    return (fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

@fragment
fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let colour = smoothed(vec2i(at.xy)) + dither(at.xy);
    if (TARGET_ENCODES) {
        return vec4f(select(pow((colour + 0.055) / 1.055, vec3f(2.4)), colour / 12.92, colour <= vec3f(0.04045)), 1.0);
    }
    return vec4f(colour, 1.0);
}
