// Sun, sky and haze over the G-buffer, and the sky where nothing is seen; then the tone of a screen.

@group(1) @binding(0) var albedo_in: texture_2d<f32>;
@group(1) @binding(1) var surface_in: texture_2d<u32>;
@group(1) @binding(2) var colour_out: texture_storage_2d<rgba8unorm, write>;

fn lit(albedo: vec4f, normal: vec3f) -> vec3f {
    let open = clamp(1.0 + albedo.w * look.air.w, 0.45, 1.25);
    let sun = max(dot(normal, look.sun.xyz), 0.0) * look.sun.w;
    let sky = mix(look.sky_horizon.rgb, look.sky_zenith.rgb, 0.5) * (0.5 + 0.5 * normal.y) * look.air.x * open;
    let bounce = look.sun_colour.rgb * (0.5 - 0.5 * normal.y + 0.15) * look.air.y;
    return albedo.rgb * (look.sun_colour.rgb * sun * mix(1.0, open, 0.4) + sky + bounce);
}

// The view that the sky behind a pixel is taken from: before ground the haze has the colour of the sky over the horizon.
fn view_of_sky(view: vec3f, is_ground: bool) -> vec3f {
    let level = vec3f(view.x, max(view.y, 0.02), view.z);
    return select(view, level * inverseSqrt(dot(level, level)), is_ground);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let pixel = tile_pixel(group, thread);
    let albedo = surface_albedo(textureLoad(albedo_in, pixel, 0));
    let surface = textureLoad(surface_in, pixel, 0).xy;
    let distance = bitcast<f32>(surface.y);
    let is_ground = distance > 0.0;
    let ray = frame_ray(pixel);
    let per_slant = inverseSqrt(dot(ray, ray));
    let air = look_sky(view_of_sky(ray * per_slant, is_ground));
    let clear = select(0.0, exp(-distance * look.air.z / per_slant), is_ground);
    let light = mix(air, lit(albedo, surface_normal(surface.x)), clear);
    let toned = tone_encode(tone_map(light)) + tone_dither(vec2f(pixel));
    // No branch on a uniform: llvmpipe compiles a shader anew, every picture, for the value that a branch depends on.
    let shown = select(toned, look.background.rgb, !is_ground && look.background.w == 1.0);
    let brightness = dot(shown, vec3f(0.299, 0.587, 0.114));
    textureStore(colour_out, pixel, vec4f(shown, brightness));
}
