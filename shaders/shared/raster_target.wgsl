// The visibility buffer with 64-bit atomics: a word a pixel, the id below the float bits of the depth, so that the nearest wins.

@group(1) @binding(2) var<storage, read_write> visibility: array<atomic<u64>>;

// Whether this run over the triangles is the first.
const RASTER_FIRST: bool = true;

fn raster_write(pixel: vec2i, depth: u32, id: u32) {
    let index = u32(pixel.y * raster_size.x + pixel.x);
    let word = (u64(depth) << 32u) | u64(id);
    atomicMax(&visibility[index], word);
}
