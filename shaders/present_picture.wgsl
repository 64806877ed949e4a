// Finished colours into a picture.

@group(1) @binding(1) var picture_out: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(16, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    textureStore(picture_out, id.xy, vec4f(smooth_edges(vec2i(id.xy)), 1.0));
}
