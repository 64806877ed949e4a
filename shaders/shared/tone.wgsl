// From light to what a screen shows.

// The sRGB curve by square roots, within half a step of 8 bits and several times faster on a CPU than its power. The three
// factors are Chilliant's, "sRGB approximations for HLSL" (2012).
fn tone_encode(linear: vec3f) -> vec3f {
    let half = sqrt(linear);
    let fourth = sqrt(half);
    let eighth = sqrt(fourth);
    let curve = 0.662002687 * half + 0.684122060 * fourth - 0.323583601 * eighth - 0.0225411470 * linear;
    return select(curve, linear * 12.92, linear <= vec3f(0.0031308));
}

fn tone_decode(encoded: vec3f) -> vec3f {
    return select(pow((encoded + 0.055) / 1.055, vec3f(2.4)), encoded / 12.92, encoded <= vec3f(0.04045));
}

// The sRGB curve itself, which undoes `tone_decode` to far below a step of 8 bits.
fn tone_encode_exactly(linear: vec3f) -> vec3f {
    return select(1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055, linear * 12.92, linear <= vec3f(0.0031308));
}

// A film-like curve: straight in the dark, a soft shoulder. After Narkowicz, "ACES filmic tone mapping curve" (2015).
fn tone_map(light: vec3f) -> vec3f {
    let x = light * 0.72;
    return clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), vec3f(0.0), vec3f(1.0));
}

// Noise below one step of 8 bits, so that a smooth sky shows no bands. After Jimenez, "interleaved gradient noise" (2014).
fn tone_dither(pixel: vec2f) -> f32 {
    return (fract(52.9829189 * fract(dot(pixel, vec2f(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}
