// What is drawn at a time: a square of at most 8×8 drawn cells of a patch.

// Drawn cells along a tile.
const TILES_CELLS: i32 = 8;
// Bits of a tile's number within its patch.
const TILES_BITS: u32 = 6u;

struct Tile {
    word: u32,
    instance: u32,
    // First drawn cell within the patch.
    first: vec2i,
    // Drawn cells along the patch.
    cells: i32,
}

fn tiles_pack(instance: u32, number: u32) -> u32 {
    return (instance << TILES_BITS) | number;
}

fn tiles_unpack(word: u32) -> Tile {
    let instance = word >> TILES_BITS;
    let number = i32(word & ((1u << TILES_BITS) - 1u));
    let across = instance_tiles(instances[instance]);
    let first = vec2i(number % across, number / across) * TILES_CELLS;
    return Tile(word, instance, first, instance_cells(instances[instance]));
}

// The number of a triangle within its patch.
fn tiles_triangle(tile: Tile, cell: vec2i, second: u32) -> u32 {
    let at = tile.first + cell;
    return u32(at.y * tile.cells + at.x) * 2u + second;
}
