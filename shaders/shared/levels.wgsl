// The heights on the GPU: one toroidal layer a level. Texel i mod side of level l holds the bits of sample min(i·2^l, last).

@group(1) @binding(0) var levels_texture: texture_2d_array<u32>;

// The bits of an empty sample: tested as an integer, since a float NaN may be assumed away.
const LEVELS_EMPTY: u32 = 0x7fc00000u;

fn levels_bits(level: u32, sample: vec2i) -> u32 {
    let lattice = (sample + ((1 << level) - 1)) >> vec2u(level);
    return textureLoad(levels_texture, levels_texel(lattice), level, 0).r;
}

// `lattice` modulo the side, by single precision and a correction: an integer division takes several times as long.
fn levels_texel(lattice: vec2i) -> vec2i {
    let side = frame.lattice_side;
    let rest = lattice - vec2i(vec2f(lattice) / f32(side)) * side;
    return rest + select(vec2i(0), vec2i(side), rest < vec2i(0)) - select(vec2i(0), vec2i(side), rest >= vec2i(side));
}

// The height of a vertex; the field's least height where it is empty, whose triangles are not drawn.
fn levels_height(bits: u32) -> f32 {
    return select(bitcast<f32>(bits), frame.height_range.x, bits == LEVELS_EMPTY);
}
