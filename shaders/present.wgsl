// Finished colours into a window.

// Whether the target encodes linear values itself.
override TARGET_ENCODES: bool = false;

@vertex
fn corner(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
    return vec4f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn pixel(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let colour = smooth_edges(vec2i(at.xy));
    if (TARGET_ENCODES) {
        return vec4f(tone_decode(colour), 1.0);
    }
    return vec4f(colour, 1.0);
}
