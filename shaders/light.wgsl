// Sun, sky and haze over the G-buffer, and the sky where nothing is seen; then the tone of a screen.

@group(1) @binding(0) var albedo_in: texture_2d<f32>;
@group(1) @binding(1) var normal_in: texture_2d<f32>;
@group(1) @binding(2) var colour_out: texture_storage_2d<rgba8unorm, write>;

fn lit(pixel: vec2u) -> vec3f {
    let stored = textureLoad(albedo_in, pixel, 0);
    let surface = textureLoad(normal_in, pixel, 0);
    let albedo = stored.rgb * stored.rgb;
    let normal = surface.xyz;
    let relief = (stored.a * 2.0 - 1.0) * look.air.w;
    let open = clamp(1.0 + relief, 0.45, 1.25);
    let sun = max(dot(normal, look.sun.xyz), 0.0) * look.sun.w;
    let sky = mix(look.sky_horizon.rgb, look.sky_zenith.rgb, 0.5) * (0.5 + 0.5 * normal.y) * look.air.x * open;
    let bounce = look.sun_colour.rgb * (0.5 - 0.5 * normal.y + 0.15) * look.air.y;
    return albedo * (look.sun_colour.rgb * sun * mix(1.0, open, 0.4) + sky + bounce);
}

fn through_air(light: vec3f, view: vec3f, metres: f32) -> vec3f {
    let air = look_sky(normalize(vec3f(view.x, max(view.y, 0.02), view.z)));
    return mix(air, light, exp(-metres * look.air.z));
}

fn tone(light: vec3f, pixel: vec2u) -> vec3f {
    return tone_encode(tone_map(light)) + tone_dither(vec2f(pixel));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let pixel = id.xy;
    if (any(pixel >= frame.size)) { return; }
    let seen = visibility_at(pixel);
    let ray = visibility_ray(pixel);
    let slant = length(ray);
    let view = ray / slant;
    var shown: vec3f;
    if (seen.what.surface == VISIBILITY_TERRAIN) {
        shown = tone(through_air(lit(pixel), view, seen.distance * slant), pixel);
    } else if (look.background.w == 1.0) {
        shown = look.background.rgb;
    } else {
        shown = tone(look_sky(view), pixel);
    }
    textureStore(colour_out, pixel, vec4f(shown, dot(shown, vec3f(0.299, 0.587, 0.114))));
}
