// The visibility buffer with 32-bit atomics, the same words: a first run over the triangles finds the depths, a second the ids.

@group(1) @binding(3) var<storage, read_write> visibility: array<atomic<u32>>;

// Whether this run over the triangles is the first.
override RASTER_FIRST: bool = true;

fn raster_write(pixel: vec2i, depth: u32, id: u32) {
    let index = (u32(pixel.y * raster_size.x + pixel.x)) * 2u;
    if (RASTER_FIRST) {
        atomicMax(&visibility[index + 1u], depth);
    } else if (atomicLoad(&visibility[index + 1u]) == depth) {
        atomicMax(&visibility[index], id);
    }
}
