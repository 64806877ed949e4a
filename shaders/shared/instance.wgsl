// A drawn patch as it stands in the instance list.

struct Instance {
    index: u32,
    x: i32,
    z: i32,
    // Five bits each: level, then the level of the neighbour on −x, +x, −z, +z where it is coarser, else 0.
    levels: u32,
    // Three bits each: thinning, then for each half of each side how many levels coarser than the patch's own its lattice is.
    density: u32,
    // How far the patch has faded toward the next coarser lattice.
    fade: u32,
    // Eight bits for each half of each side: how far that has.
    fades: vec2u,
}

const INSTANCE_LEVEL_BITS: u32 = 5u;
const INSTANCE_LEVEL_MASK: u32 = 31u;
const INSTANCE_DENSITY_BITS: u32 = 3u;
const INSTANCE_DENSITY_MASK: u32 = 7u;
// A fade that is whole.
const INSTANCE_FADED: u32 = 128u;

fn instance_level(instance: Instance) -> u32 {
    return instance.levels & INSTANCE_LEVEL_MASK;
}

fn instance_neighbour(instance: Instance, side: u32) -> u32 {
    return (instance.levels >> (INSTANCE_LEVEL_BITS * (side + 1u))) & INSTANCE_LEVEL_MASK;
}

fn instance_thinning(instance: Instance) -> u32 {
    return instance.density & INSTANCE_DENSITY_MASK;
}

// The level whose lattice half a side stands on; half: twice the side, and one for its last cells.
fn instance_side_lattice(instance: Instance, half: u32) -> u32 {
    return instance_level(instance) + ((instance.density >> (INSTANCE_DENSITY_BITS * (half + 1u))) & INSTANCE_DENSITY_MASK);
}

fn instance_side_fade(instance: Instance, half: u32) -> u32 {
    return (select(instance.fades.x, instance.fades.y, half >= 4u) >> (8u * (half & 3u))) & 255u;
}

// Drawn cells along the patch.
fn instance_cells(instance: Instance) -> i32 {
    return frame.patch_cells >> instance_thinning(instance);
}

// Tiles of 8×8 drawn cells, or less, along the patch.
fn instance_tiles(instance: Instance) -> i32 {
    return (instance_cells(instance) + 7) >> 3u;
}

fn instance_tile_count(instance: Instance) -> u32 {
    let across = u32(instance_tiles(instance));
    return across * across;
}
