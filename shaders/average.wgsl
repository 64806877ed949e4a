// The mean of several pictures of a view, each at another sample of its pixels, in linear light: what an eye makes of them.

@group(1) @binding(0) var colour_in: texture_2d<f32>;
// Sums of red, green and blue, and how many there are.
@group(1) @binding(1) var sums: texture_storage_2d_array<r32float, read_write>;
@group(1) @binding(2) var picture_out: texture_storage_2d<rgba8unorm, write>;

// Adds one picture, and shows the mean so far.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
    let pixel = tile_pixel(group, thread);
    var sum = vec4f(tone_decode(textureLoad(colour_in, pixel, 0).rgb), 1.0);
    for (var layer = 0u; layer < 4u; layer++) {
        sum[layer] += textureLoad(sums, pixel, layer).r;
        textureStore(sums, pixel, layer, vec4f(sum[layer]));
    }
    textureStore(picture_out, pixel, vec4f(tone_encode_exactly(sum.rgb / sum.a), 1.0));
}
