// What the G-buffer says of a pixel.

// Square roots of the albedo, so that dark colours keep enough steps, and the height over the surroundings, −1 to 1.
fn surface_store_albedo(albedo: vec3f, relief: f32) -> vec4f {
    return vec4f(sqrt(albedo), relief * 0.5 + 0.5);
}

// Albedo, and in w the relief.
fn surface_albedo(stored: vec4f) -> vec4f {
    return vec4f(stored.rgb * stored.rgb, stored.a * 2.0 - 1.0);
}

// A normal points up, so that its x and z tell it: 12 bits each, then 8 of roughness.
fn surface_pack_normal(normal: vec2f, roughness: f32) -> u32 {
    let steps = vec3u(vec3i(vec3f(normal * 2047.0 + 2047.5, roughness * 255.0 + 0.5)));
    return steps.x | (steps.y << 12u) | (steps.z << 24u);
}

fn surface_normal(word: u32) -> vec3f {
    let xz = vec2f(vec2u(word, word >> 12u) & vec2u(0xfffu)) * (1.0 / 2047.0) - 1.0;
    return vec3f(xz.x, sqrt(max(1.0 - dot(xz, xz), 0.0)), xz.y);
}
