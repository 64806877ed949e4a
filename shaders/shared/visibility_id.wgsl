// The bits of a visibility id: surface, place in the instance list, triangle of the patch. 0 is background.

const VISIBILITY_TERRAIN: u32 = 1u;

struct Visible {
    surface: u32,
    instance: u32,
    triangle: u32,
}

fn visibility_pack(instance: u32, triangle: u32) -> u32 {
    return (VISIBILITY_TERRAIN << 30u) | (instance << frame.triangle_bits) | triangle;
}

fn visibility_unpack(id: u32) -> Visible {
    let instance = (id & 0x3fffffffu) >> frame.triangle_bits;
    return Visible(id >> 30u, instance, id & ((1u << frame.triangle_bits) - 1u));
}
