// The depth pyramid: for every square of the picture the depth of the farthest that it shows, level after level, each with half as many
// squares along a side, the last with one.

// Pixels along a square of level 0, as a power of two.
const PYRAMID_BITS: u32 = 4u;

struct PyramidLevel {
    // Its place in the buffer.
    first: u32,
    // Squares along x and y; the last ones may reach beyond the picture.
    size: vec2u,
}

fn pyramid_size(level: u32) -> vec2u {
    let bits = PYRAMID_BITS + level;
    return (frame.size + (1u << bits) - 1u) >> vec2u(bits);
}

fn pyramid_after(level: PyramidLevel, number: u32) -> PyramidLevel {
    return PyramidLevel(level.first + level.size.x * level.size.y, pyramid_size(number));
}
