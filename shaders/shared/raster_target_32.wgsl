// The visibility buffer with 32-bit atomics, the same words: a first run over the triangles finds the depths, a second the ids.

@group(1) @binding(2) var<storage, read_write> visibility: array<atomic<u32>>;

// Whether this run over the triangles is the first.
override RASTER_FIRST: bool = true;
// Whether an earlier phase has left its ids.
override RASTER_OVER: bool = false;

fn raster_write(pixel: vec2i, depth: u32, id: u32) {
    let index = (u32(pixel.y * raster_size.x + pixel.x)) * 2u;
    if (RASTER_FIRST) {
        let before = atomicMax(&visibility[index + 1u], depth);
        // An id of something farther must not stand beside those of the second run. This one writes no other, so the order is the same.
        if (RASTER_OVER && before < depth) { atomicStore(&visibility[index], 0u); }
    } else if (atomicLoad(&visibility[index + 1u]) == depth) {
        atomicMax(&visibility[index], id);
    }
}
