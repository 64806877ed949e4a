// A drawn patch as it stands in the instance list.

struct Instance {
    index: u32,
    x: i32,
    z: i32,
    // Five bits each: level, then the level of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
    levels: u32,
}

const INSTANCE_LEVEL_BITS: u32 = 5u;
const INSTANCE_LEVEL_MASK: u32 = 31u;

fn instance_pack(index: u32, drawn: ClipmapPatch) -> Instance {
    var levels = drawn.level;
    for (var side = 0u; side < 4u; side++) {
        if (drawn.neighbours[side] != 0) {
            levels |= firstTrailingBit(u32(drawn.neighbours[side])) << (INSTANCE_LEVEL_BITS * (side + 1u));
        }
    }
    return Instance(index, drawn.x, drawn.z, levels);
}

fn instance_level(instance: Instance) -> u32 {
    return instance.levels & INSTANCE_LEVEL_MASK;
}

fn instance_neighbour(instance: Instance, side: u32) -> u32 {
    return (instance.levels >> (INSTANCE_LEVEL_BITS * (side + 1u))) & INSTANCE_LEVEL_MASK;
}
