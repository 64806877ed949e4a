// Light, air and ground colours. Colours are linear.

struct Look {
    // Toward the sun; w: its strength.
    sun: vec4f,
    sun_colour: vec4f,
    sky_zenith: vec4f,
    sky_horizon: vec4f,
    // What lies under the horizon beyond the field.
    sky_nadir: vec4f,
    // Screen colour behind the ground instead of the sky, where w is 1.
    background: vec4f,
    // Strength of skylight, light from the ground, haze a metre, strength of relief shading.
    air: vec4f,
    rock: vec4f,
    // w: height in metres under which no snow lies.
    scree: vec4f,
    // w: fraction of the height range where snow begins.
    snow: vec4f,
    // Colours by height; w: fraction of the height range.
    ground: array<vec4f, 5>,
    // One over the height from each of these colours to the next.
    per_ground_step: vec4f,
    // Colours of the levels in the level view.
    levels: array<vec4f, 8>,
}

@group(0) @binding(1) var<uniform> look: Look;

// As `smoothstep`, but of the part of the way between its edges: nothing is divided.
fn look_smooth(part: f32) -> f32 {
    let t = clamp(part, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// The sky seen along a unit direction.
fn look_sky(direction: vec3f) -> vec3f {
    let up = max(direction.y, 0.0);
    let low = 1.0 - up;
    var sky = mix(look.sky_zenith.rgb, look.sky_horizon.rgb, low * low * low);
    // A wide and a narrow glow about the sun: its 12th and 192nd power.
    let toward_sun = max(dot(direction, look.sun.xyz), 0.0);
    let fourth = toward_sun * toward_sun * toward_sun * toward_sun;
    let wide = fourth * fourth * fourth;
    let narrower = wide * wide * wide * wide;
    sky += look.sun_colour.rgb * (0.10 * wide + 0.25 * narrower * narrower * narrower * narrower);
    return mix(sky, look.sky_nadir.rgb, look_smooth(-direction.y * (1.0 / 0.6)));
}
