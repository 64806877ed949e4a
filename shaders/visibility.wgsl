// The vertex path into the visibility buffer: a patch grid displaced from the level textures.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;

// Whether a triangle may touch an empty sample; without any, the test costs nothing.
override HAS_EMPTIES: bool = false;

struct Varying {
    @invariant @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat, either) instance: u32,
    @location(1) @interpolate(flat, either) triangle: u32,
}

fn project(instance: u32, corner: vec2i, triangle: u32) -> Varying {
    var clip = project_vertex(instances[instance], corner).clip;
    clip += vec4f(frame.sample_shift * clip.w, 0.0, 0.0);
    return Varying(clip, instance, triangle);
}

@vertex
fn grid(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Varying {
    let row = u32(frame.patch_cells) + 1u;
    return project(instance, vec2i(i32(vertex % row), i32(vertex / row)), 0u);
}

@vertex
fn unindexed(@builtin(vertex_index) vertex: u32, @builtin(instance_index) instance: u32) -> Varying {
    return project(instance, patch_corner(vertex / 3u, vertex % 3u), vertex / 3u);
}

fn touches_empty(instance: u32, triangle: u32) -> bool {
    for (var k = 0u; k < 3u; k++) {
        if (project_vertex(instances[instance], patch_corner(triangle, k)).bits == LEVELS_EMPTY) {
            return true;
        }
    }
    return false;
}

fn visible(instance: u32, triangle: u32) -> u32 {
    if (HAS_EMPTIES) {
        if (touches_empty(instance, triangle)) { discard; }
    }
    return visibility_pack(instance, triangle);
}

@fragment
fn by_vertex(in: Varying) -> @location(0) u32 {
    return visible(in.instance, in.triangle);
}
