// From a vertex of a drawn patch to the picture: the one projection of every path.

struct Projected {
    clip: vec4f,
    sample: vec2i,
    level: u32,
    // The bits of the height, perhaps empty.
    bits: u32,
}

fn project_vertex(instance: Instance, corner: vec2i) -> Projected {
    let vertex = patch_vertex(instance, corner.x, corner.y);
    let bits = patch_height_bits(vertex);
    let offset = patch_offset(vertex.sample, levels_height(bits));
    return Projected(frame.clip_from_offset * vec4f(offset, 1.0), vertex.sample, vertex.level, bits);
}
