// The vertex path into the visibility buffer: a patch grid displaced from the level textures.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;
@group(1) @binding(2) var<storage, read> tiles: array<u32>;

// Whether a triangle may touch an empty sample; without any, the test costs nothing.
override HAS_EMPTIES: bool = false;

struct Varying {
    @invariant @builtin(position) clip: vec4f,
    @location(0) @interpolate(flat, either) tile: u32,
    @location(1) @interpolate(flat, either) triangle: u32,
}

// The vertex of a tile at `corner` of its cells; cells beyond the patch's are folded onto its edge.
fn project(tile: Tile, corner: vec2i, triangle: u32) -> Varying {
    let at = min(tile.first + corner, vec2i(tile.cells));
    var clip = project_vertex(instances[tile.instance], at).clip;
    clip += vec4f(frame.sample_shift * clip.w, 0.0, 0.0);
    return Varying(clip, tile.word, triangle);
}

// Drawn cells along the grid that every tile shares.
fn grid_cells() -> u32 {
    return u32(min(frame.patch_cells, TILES_CELLS));
}

@vertex
fn grid(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Varying {
    let row = grid_cells() + 1u;
    return project(tiles_unpack(tiles[number]), vec2i(i32(vertex % row), i32(vertex / row)), 0u);
}

@vertex
fn unindexed(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Varying {
    let corner = patch_corner(vertex / 3u, vertex % 3u, i32(grid_cells()));
    return project(tiles_unpack(tiles[number]), corner, vertex / 3u);
}

fn touches_empty(instance: Instance, triangle: u32) -> bool {
    for (var k = 0u; k < 3u; k++) {
        if (project_vertex(instance, patch_corner(triangle, k, instance_cells(instance))).bits == LEVELS_EMPTY) {
            return true;
        }
    }
    return false;
}

// The id of a triangle of a tile's grid.
fn visible(word: u32, in_grid: u32) -> u32 {
    let tile = tiles_unpack(word);
    let cells = grid_cells();
    let cell = vec2i(i32(in_grid / 2u % cells), i32(in_grid / 2u / cells));
    let triangle = tiles_triangle(tile, cell, in_grid & 1u);
    if (HAS_EMPTIES) {
        if (touches_empty(instances[tile.instance], triangle)) { discard; }
    }
    return visibility_pack(tile.instance, triangle);
}

@fragment
fn by_vertex(in: Varying) -> @location(0) u32 {
    return visible(in.tile, in.triangle);
}
