// Finished colours into a picture.

@group(1) @binding(1) var picture_out: texture_storage_2d<rgba8unorm, write>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let pixel = tile_pixel(group, thread);
    textureStore(picture_out, pixel, vec4f(smooth_edges(vec2i(pixel)), 1.0));
}
