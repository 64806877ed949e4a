// The heights on the GPU: one toroidal layer a level. Texel i mod side of level l holds the bits of sample min(i·2^l, last).

@group(1) @binding(0) var levels_texture: texture_2d_array<u32>;

// The bits of an empty sample: tested as an integer, since a float NaN may be assumed away.
const LEVELS_EMPTY: u32 = 0x7fc00000u;

fn levels_bits(level: u32, sample: vec2i) -> u32 {
    let lattice = (sample + ((1 << level) - 1)) >> vec2u(level);
    return textureLoad(levels_texture, lattice % frame.lattice_side, level, 0).r;
}

// The height of a vertex; the field's least height where it is empty, whose triangles are not drawn.
fn levels_height(bits: u32) -> f32 {
    if (bits == LEVELS_EMPTY) {
        return frame.height_range.x;
    }
    return bitcast<f32>(bits);
}
