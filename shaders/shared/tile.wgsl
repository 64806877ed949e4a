// Which pixel a thread of a pass over the picture works on. A workgroup covers 64 by 4 pixels, so that a core of a CPU writes
// whole cache lines alone: with 8 by 8 pixels these passes take 1.25 times as long there. Each 32 threads cover 8 by 4 pixels, so
// that what a GPU reads at once lies together. Threads beyond the picture's edge store nothing: WGSL drops what falls outside.

fn tile_pixel(group: vec3u, thread: u32) -> vec2u {
    return vec2u(group.x * 64u + (thread >> 5u) * 8u + (thread & 7u), group.y * 4u + ((thread >> 3u) & 3u));
}
