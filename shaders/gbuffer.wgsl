// From visibility to albedo, normal, roughness and distance: one thread a pixel.

// Whether the triangles are shown in the colours of their levels.
override SHOW_LEVELS: bool = false;
// Whether a thread that sees no ground stops at once. On a CPU eight threads share each instruction, so that a branch only masks
// them, and llvmpipe reads every uniform behind a branch lane by lane: there the whole pass takes 1.4 times as long with it.
override STOPS_AT_SKY: bool = true;

@group(1) @binding(1) var<storage, read> instances: array<Instance>;
@group(1) @binding(2) var gradients: texture_2d_array<f32>;
@group(1) @binding(3) var gradients_sampler: sampler;
@group(1) @binding(4) var albedo_out: texture_storage_2d<rgba8unorm, write>;
// The normal's word, and the bits of the distance along the view in metres: 0 where no ground is seen.
@group(1) @binding(5) var surface_out: texture_storage_2d<rg32uint, write>;

// East and south rise, variance and relief at an offset from the anchor, on a level between two. A loop, since llvmpipe leaves
// one early and skips no branch: near the eye, where the finest level is enough, that is a fifth of the pass.
fn gradient_at(offset: vec2f, level: f32) -> vec4f {
    let fine = u32(level);
    let part = level - f32(fine);
    var value = vec4f(0.0);
    var weight = 1.0 - part;
    var at = fine;
    loop {
        value += weight * gradient_of_level(offset, at);
        if (part == 0.0 || at > fine) { break; }
        weight = part;
        at++;
    }
    return value;
}

fn gradient_of_level(offset: vec2f, level: u32) -> vec4f {
    let place = frame.gradients[level];
    return textureSampleLevel(gradients, gradients_sampler, place.xy + offset * place.zw, level, 0.0);
}

// The level whose texel is about a pixel wide, but never finer than what reaches this far: each level reaches twice as far as
// the one before, and fades into the next over the last quarter. `cells`: from the anchor; `footprint`: a pixel's metres on the
// ground, squared.
fn gradient_level(cells: vec2f, footprint: f32) -> f32 {
    let reach = max(max(abs(cells.x), abs(cells.y)) * frame.per_gradient_reach, 1e-6);
    let reaching = max(ceil(log2(reach)), 0.0);
    let by_reach = reaching + max(4.0 * reach * exp2(-reaching) - 3.0, 0.0);
    let per_spacing = max(frame.per_spacing.x, frame.per_spacing.y);
    let by_pixel = 0.5 * log2(footprint * per_spacing * per_spacing);
    return clamp(max(by_pixel, by_reach), 0.0, f32(frame.gradient_levels - 1u));
}

// Distance in pixels from a pixel's sample to the nearest edge of its triangle.
fn edge_distance(seen: Visible, pixel: vec2u) -> f32 {
    let instance = instances[seen.instance];
    var corners: array<vec2f, 3>;
    for (var k = 0u; k < 3u; k++) {
        let clip = project_vertex(instance, patch_corner(seen.triangle, k, instance_cells(instance))).clip;
        if (clip.w < frame.eye.w) { return 1e9; }
        corners[k] = ((clip.xy / clip.w + frame.sample_shift) * vec2f(0.5, -0.5) + 0.5) * vec2f(frame.size);
    }
    let at = vec2f(pixel) + 0.5;
    var nearest = 1e9;
    for (var k = 0u; k < 3u; k++) {
        let a = corners[k];
        let along = corners[(k + 1u) % 3u] - a;
        let across = abs(along.x * (at.y - a.y) - along.y * (at.x - a.x));
        nearest = min(nearest, across / max(length(along), 1e-6));
    }
    return nearest;
}

fn with_levels(colour: vec3f, seen: Visible, pixel: vec2u) -> vec3f {
    let level = instance_level(instances[seen.instance]);
    let line = 1.0 - smoothstep(0.3, 1.1, edge_distance(seen, pixel));
    let tinted = mix(colour, look.levels[level % 8u].rgb, 0.55);
    return mix(tinted, look.levels[level % 8u].rgb * 0.25, 0.75 * line);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let pixel = tile_pixel(group, thread);
    let seen = visibility_at(pixel);
    let is_ground = seen.what.surface == VISIBILITY_TERRAIN;
    if (STOPS_AT_SKY && !is_ground) {
        textureStore(surface_out, pixel, vec4u(0u));
        return;
    }
    let distance = select(0.0, seen.distance, is_ground);
    let ray = frame_ray(pixel);
    let offset = frame.eye.xyz + ray * distance;
    let slant_squared = dot(ray, ray);
    let facing = max(abs(ray.y) * inverseSqrt(slant_squared), 0.06);
    let width = distance * frame.pixel_angle;
    let cells = offset.xz * frame.per_spacing;
    let level = gradient_level(cells, width * width * slant_squared / facing);
    let gradient = gradient_at(offset.xz, level);
    let drawn_rise = gradient.xy * frame.exaggeration;
    let normal = -drawn_rise * inverseSqrt(1.0 + dot(drawn_rise, drawn_rise));
    // Rounding must not leave the field's range: on flat ground that is nothing but noise.
    let height = clamp(offset.y * frame.per_exaggeration + frame.base_height, frame.height_range.x, frame.height_range.y);
    let height_part = (height - frame.height_range.x) * frame.per_height_range;
    // The noise stands still in the world: it counts from the field's corner, in cells.
    let place = cells + vec2f(frame.eye_cell & vec2i(0xffff));
    let patchiness = natural_noise(place * (1.0 / 3.1)) + natural_noise(place * (1.0 / 29.0)) - 1.0;
    var albedo = natural_albedo(height, height_part, length(gradient.xy), gradient.w, patchiness);
    if (SHOW_LEVELS) {
        albedo = with_levels(albedo, seen.what, pixel);
    }
    let roughness = clamp(0.85 + gradient.z, 0.0, 1.0);
    let packed = surface_pack_normal(normal, roughness);
    textureStore(albedo_out, pixel, surface_store_albedo(albedo, gradient.w));
    textureStore(surface_out, pixel, vec4u(packed, bitcast<u32>(distance), 0u, 0u));
}
