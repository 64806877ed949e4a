// One indirect draw over a list of tiles.

struct Draw {
    // Of the vertex path: vertices of the grid that every tile shares, tiles, and where both start.
    vertices: u32,
    tiles: u32,
    starts: array<u32, 3>,
    counts: DrawCounts,
    // Of the compute path: a workgroup a tile.
    dispatch: array<u32, 3>,
}

// How much a picture draws.
struct DrawCounts {
    // In the instance list.
    patches: u32,
    triangles: u32,
    // Of these, not left out for what hides them.
    drawn_patches: u32,
    drawn_triangles: u32,
}

// Workgroups along x of a dispatch.
const DRAW_ROW: u32 = 32768u;

fn draw_of(tiles: u32, counts: DrawCounts) -> Draw {
    let along = u32(min(frame.patch_cells, TILES_CELLS));
    let dispatch = array<u32, 3>(min(tiles, DRAW_ROW), (tiles + DRAW_ROW - 1u) / DRAW_ROW, 1u);
    return Draw(along * along * 6u, tiles, array<u32, 3>(0u, 0u, 0u), counts, dispatch);
}

fn draw_triangles(instance: Instance) -> u32 {
    let cells = u32(instance_cells(instance));
    return 2u * cells * cells;
}
