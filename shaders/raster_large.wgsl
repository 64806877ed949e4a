// The compute path's triangles of many pixels. Each is clipped, then split into parts of about equal work: a share for a thread, or where a
// triangle has very many of them, a part for a workgroup. So it costs what it covers, be it a needle a thousand pixels long or one that fills
// the picture.

@group(1) @binding(4) var<storage, read_write> pieces: PieceList;
@group(1) @binding(5) var<storage, read_write> shares: ShareList;
@group(2) @binding(0) var<storage, read_write> dispatches: Dispatches;
@group(2) @binding(1) var<storage, read_write> split_dispatch: Dispatch;
// Where triangles are drawn that are left, bind group 2 is that of the blocks.
@group(2) @binding(1) var<storage, read> tiles: array<u32>;
@group(2) @binding(2) var<storage, read> draw: Draw;

// Counts may exceed the room.
struct PieceList {
    count: atomic<u32>,
    pieces: array<Piece>,
}

// A large triangle, or one of the triangles that clipping cut it into, turned to positive area, with its depth plane.
struct Piece {
    depth: RasterDepth,
    id: u32,
    a: PieceCorner,
    b: PieceCorner,
    c: PieceCorner,
}

struct PieceCorner {
    x: i32,
    y: i32,
}

// One list in three sections: shares of pieces, each for a thread; parts of pieces, each for a workgroup; and triangles for which these had
// no room. Counts may exceed the room, but for the last: it suffices for every large triangle that is listed.
struct ShareList {
    shares: atomic<u32>,
    parts: atomic<u32>,
    left: atomic<u32>,
    list: array<PackedShare>,
}

struct PackedShare {
    // The piece from 1, 0 for none; the id of a triangle that is left.
    what: u32,
    // Row in the low half, rows in the high.
    rows: u32,
    // Turn in the low half, turns in the high.
    turns: u32,
}

// Shares and parts for which there is room.
override SHARE_ROOM: u32;
override PART_ROOM: u32;

// Some rows of the picture, and in them every pixel in `turns`, from the `turn`-th covered on.
struct Share {
    row: i32,
    rows: i32,
    turn: i32,
    turns: i32,
}

struct Dispatches {
    // Over parts and shares: they are drawn at once, so that neither waits for the other's last.
    listed: Dispatch,
    left: Dispatch,
}

// Pixels of work in a share, where there are few large triangles; what a row costs besides its pixels; pixels of one turn in a row.
// Measured on an H200: shares of 64 take half the time of shares of 512, since the last one to end holds up all.
const SHARE_WORK: i32 = 64;
const SHARE_ROW: i32 = 4;
const SHARE_SPAN: i32 = 4;
// Large triangles that keep an adapter busy by themselves: where there are more, shares hold as many times the work.
const SHARE_BUSY: i32 = 4096;
// llvmpipe ends the loops of an invocation after 65,535 steps.
const SHARE_WORK_MOST: i32 = 32768;
// Shares of a triangle that one thread lists.
const SHARES_MOST: i32 = 24;
// Pixels of work for a thread of a part, and of one turn in a row.
const PART_WORK: i32 = 256;
const PART_SPAN: i32 = 16;
const PART_THREADS: i32 = 64;
// Pixels that single precision may be wrong by where an edge crosses a row: 2⁻²¹ of 16,384, rounded up.
const SPAN_ROUNDING: f32 = 0.01;
// More pixels than a picture has across.
const PIXELS_MOST: f32 = 32768.0;

fn share_pack(what: u32, share: Share) -> PackedShare {
    return PackedShare(what, u32(share.row) | (u32(share.rows) << 16u), u32(share.turn) | (u32(share.turns) << 16u));
}

fn share_unpack(packed: PackedShare) -> Share {
    return Share(i32(packed.rows & 0xffffu), i32(packed.rows >> 16u), i32(packed.turns & 0xffffu), i32(packed.turns >> 16u));
}

// An edge function along pixels: not negative inside.
struct Edge {
    // At the first pixel of the row.
    value: i64,
    right: i64,
    down: i64,
    pixels_per_value: f32,
}

fn edge_at(sample: vec2i, start: PieceCorner, end: PieceCorner) -> Edge {
    let x = end.x - start.x;
    let y = end.y - start.y;
    let value = i64(x) * i64(sample.y - start.y) - i64(y) * i64(sample.x - start.x) - select(1li, 0li, raster_owns_edge(x, y));
    return Edge(value, i64(y) * -256li, i64(x) * 256li, 1.0 / (f32(y) * -256.0));
}

// Narrows a range of pixels from the row's first to where an edge leaves them: all inside stay, at each end one outside may. None stay
// beyond an edge along the row.
fn edge_span(span: vec2f, edge: Edge) -> vec2f {
    let crossing = clamp(f32(edge.value) * -edge.pixels_per_value, -1.0, PIXELS_MOST);
    let beyond = edge.right == 0li && edge.value < 0li;
    let low = select(span.x, max(span.x, ceil(crossing - SPAN_ROUNDING)), edge.right > 0li);
    let high = select(span.y, min(span.y, floor(crossing + SPAN_ROUNDING)), edge.right < 0li);
    return vec2f(low, select(high, -1.0, beyond));
}

fn is_inside(a: Edge, b: Edge, c: Edge, pixel: i32) -> bool {
    let x = i64(pixel);
    return ((a.value + a.right * x) | (b.value + b.right * x) | (c.value + c.right * x)) >= 0li;
}

fn piece_of(id: u32, a: SnapVertex, second: SnapVertex, third: SnapVertex) -> Piece {
    var b = second;
    var c = third;
    var area = i64(b.x - a.x) * i64(c.y - a.y) - i64(c.x - a.x) * i64(b.y - a.y);
    if (area < 0li) {
        area = -area;
        b = third;
        c = second;
    }
    // A line has no depth plane and is not drawn.
    let depth = raster_depth(a, b, c, max(area, 1li), true);
    return Piece(depth, id, PieceCorner(a.x, a.y), PieceCorner(b.x, b.y), PieceCorner(c.x, c.y));
}

fn piece_bounds(piece: Piece) -> vec4i {
    let low = vec2i(min(piece.a.x, min(piece.b.x, piece.c.x)), min(piece.a.y, min(piece.b.y, piece.c.y)));
    let high = vec2i(max(piece.a.x, max(piece.b.x, piece.c.x)), max(piece.a.y, max(piece.b.y, piece.c.y)));
    return raster_box(low, high);
}

fn raster_share(piece: Piece, share: Share) {
    let bounds = piece_bounds(piece);
    let row = max(bounds.y, share.row);
    let last = min(bounds.w, share.row + share.rows - 1);
    let depth = piece.depth;
    let sample = vec2i(bounds.x, row) * 256 + 128;
    var edge_a = edge_at(sample, piece.b, piece.c);
    var edge_b = edge_at(sample, piece.c, piece.a);
    var edge_c = edge_at(sample, piece.a, piece.b);
    var row_z = depth.base + depth.along_x * i64(sample.x - piece.a.x) + depth.along_y * i64(sample.y - piece.a.y);
    let step_z = depth.along_x * 256li * i64(share.turns);
    for (var y = row; y <= last; y++) {
        var span = vec2f(0.0, f32(bounds.z - bounds.x));
        span = edge_span(edge_span(edge_span(span, edge_a), edge_b), edge_c);
        // Only the ends need the exact test.
        let low = i32(span.x) + select(1, 0, is_inside(edge_a, edge_b, edge_c, i32(span.x)));
        let high = i32(span.y) - select(1, 0, is_inside(edge_a, edge_b, edge_c, i32(span.y)));
        let start = low + share.turn;
        var z = row_z + depth.along_x * 256li * i64(start);
        for (var x = start; x <= high; x += share.turns) {
            raster_write(vec2i(bounds.x + x, y), raster_depth_bits(depth, z), piece.id);
            z += step_z;
        }
        edge_a.value += edge_a.down;
        edge_b.value += edge_b.down;
        edge_c.value += edge_c.down;
        row_z += depth.along_y * 256li;
    }
}

// The greatest value of an edge function over the picture.
fn edge_most(start: PieceCorner, end: PieceCorner) -> i64 {
    let x = end.x - start.x;
    let y = end.y - start.y;
    let at = select(vec2i(0), raster_size * 256, vec2<bool>((y < 0), (x > 0)));
    return i64(x) * i64(at.y - start.y) - i64(y) * i64(at.x - start.x);
}

// Whether the picture lies wholly beyond an edge.
fn misses_picture(piece: Piece) -> bool {
    return edge_most(piece.b, piece.c) < 0li || edge_most(piece.c, piece.a) < 0li || edge_most(piece.a, piece.b) < 0li;
}

// Greatest number of pixels in one row, about: no triangle is wider than twice its area by its height.
fn widest_row(piece: Piece) -> i32 {
    let b = vec2f(vec2i(piece.b.x - piece.a.x, piece.b.y - piece.a.y));
    let c = vec2f(vec2i(piece.c.x - piece.a.x, piece.c.y - piece.a.y));
    let twice_area = b.x * c.y - c.x * b.y;
    let height = max(max(b.y, c.y), 0.0) - min(min(b.y, c.y), 0.0);
    return i32(min(abs(twice_area) / (max(height, 1.0) * SNAP_SUBPIXELS), PIXELS_MOST)) + 1;
}

// How many times the least work a share holds.
fn share_busy() -> i32 {
    return max(i32(atomicLoad(&large.count)) / SHARE_BUSY, 1);
}

// The first share of a piece that covers these rows, `widest` pixels at most in each.
fn share_first(row: i32, widest: i32) -> Share {
    let work = min(SHARE_WORK * share_busy(), SHARE_WORK_MOST);
    let span = min(SHARE_SPAN * share_busy(), SHARE_WORK_MOST);
    let turns = (widest + span - 1) / span;
    return Share(row, max(work / (widest / turns + SHARE_ROW), 1), 0, turns);
}

// The first part: a thread's rows, and turns so that some threads stand side by side in a row.
fn part_first(row: i32, widest: i32) -> Share {
    let turns = clamp(1 << (32u - countLeadingZeros(u32(widest / PART_SPAN))), 1, PART_THREADS);
    let work = min(PART_WORK * share_busy(), SHARE_WORK_MOST);
    return Share(row, max(work / (widest / turns + SHARE_ROW), 1), 0, turns);
}

// Lists the shares or parts of a piece; false where they find no room.
fn share_out(piece: Piece) -> bool {
    let bounds = piece_bounds(piece);
    let size = bounds.zw - bounds.xy + 1;
    if (any(size <= vec2i(0)) || misses_picture(piece)) { return true; }
    let widest = min(size.x, widest_row(piece));
    var share = share_first(bounds.y, widest);
    var rows = share.rows;
    var in_rows = share.turns;
    let by_parts = (size.y + rows - 1) / rows * in_rows > SHARES_MOST;
    if (by_parts) {
        share = part_first(bounds.y, widest);
        rows = share.rows * (PART_THREADS / share.turns);
        in_rows = 1;
    }
    let wanted = u32((size.y + rows - 1) / rows * in_rows);
    let number = atomicAdd(&pieces.count, 1u);
    if (number >= arrayLength(&pieces.pieces)) { return false; }
    pieces.pieces[number] = piece;
    var place: u32;
    if (by_parts) {
        place = SHARE_ROOM + atomicAdd(&shares.parts, wanted);
    } else {
        place = atomicAdd(&shares.shares, wanted);
    }
    let room = select(SHARE_ROOM, SHARE_ROOM + PART_ROOM, by_parts);
    let end = min(place + wanted, room);
    let fits = place + wanted == end;
    for (var k = place; k < end; k++) {
        let nth = i32(k - place);
        share.row = bounds.y + nth / in_rows * rows;
        share.turn = nth % in_rows;
        shares.list[k] = share_pack(select(0u, number + 1u, fits), share);
    }
    // Workgroups more: as many as parts, or one whenever the shares fill another.
    let before = min(place, room);
    let more = select((end + 63u) / 64u - (before + 63u) / 64u, end - before, by_parts);
    atomicAdd(&dispatches.listed.x, more);
    return fits;
}

fn split_one(id: u32) {
    let polygon = polygon_of_id(id);
    let first = snap_vertex(polygon.corners[0]);
    var fits = true;
    for (var k = 2u; k < polygon.count; k++) {
        let second = snap_vertex(polygon.corners[k - 1u]);
        fits = share_out(piece_of(id, first, second, snap_vertex(polygon.corners[k]))) && fits;
    }
    if (!fits) {
        let left = atomicAdd(&shares.left, 1u);
        shares.list[SHARE_ROOM + PART_ROOM + left].what = id;
        atomicMax(&dispatches.left.x, min(left + 1u, DISPATCH_MOST));
    }
}

// Before anything is drawn: empty lists and no work for the dispatches that follow.
@compute @workgroup_size(1)
fn reset() {
    atomicStore(&large.count, 0u);
    atomicStore(&pieces.count, 0u);
    atomicStore(&shares.shares, 0u);
    atomicStore(&shares.parts, 0u);
    atomicStore(&shares.left, 0u);
    atomicStore(&split_dispatch.x, 0u);
    split_dispatch.y = 1u;
    split_dispatch.z = 1u;
    atomicStore(&dispatches.listed.x, 0u);
    dispatches.listed.y = 1u;
    dispatches.listed.z = 1u;
    atomicStore(&dispatches.left.x, 0u);
    dispatches.left.y = 1u;
    dispatches.left.z = 1u;
}

@compute @workgroup_size(64)
fn split(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
    raster_size = vec2i(frame.size);
    let count = atomicLoad(&large.count);
    let room = arrayLength(&large.ids);
    for (var index = thread.x; index < min(count, room); index += groups.x * 64u) {
        split_one(large.ids[index]);
    }
    if (thread.x == 0u && count > room) {
        atomicMax(&dispatches.left.x, DISPATCH_MOST);
    }
}

// A workgroup a part, whose threads take its turns, and as many times its rows as there are threads beyond; then a thread a share.
@compute @workgroup_size(64)
fn draw_listed(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
    raster_size = vec2i(frame.size);
    let parts = min(atomicLoad(&shares.parts), PART_ROOM);
    let is_part = group.x < parts;
    let nth = select((group.x - parts) * 64u + lane, SHARE_ROOM + group.x, is_part);
    let end = select(min(atomicLoad(&shares.shares), SHARE_ROOM), SHARE_ROOM + parts, is_part);
    let listed = shares.list[min(nth, end)];
    var share = share_unpack(listed);
    share.row += select(0, i32(lane) / share.turns * share.rows, is_part);
    share.turn = select(share.turn, i32(lane) % share.turns, is_part);
    if (nth < end && listed.what != 0u) {
        raster_share(pieces.pieces[listed.what - 1u], share);
    }
}

// Triangles of a tile.
const TILE_TRIANGLES: u32 = 128u;

// The id of a triangle by its number among those of all tiles; 0 where the tile has fewer.
fn id_of_tiles(number: u32) -> u32 {
    let tile = tiles_unpack(tiles[number / TILE_TRIANGLES]);
    let in_tile = number % TILE_TRIANGLES;
    let cell = vec2i(i32(in_tile / 2u) % TILES_CELLS, i32(in_tile / 2u) / TILES_CELLS);
    let id = visibility_pack(tile.instance, tiles_triangle(tile, cell, in_tile & 1u));
    return select(0u, id, all(tile.first + cell < vec2i(tile.cells)));
}

// A workgroup a triangle, a thread every 64th pixel of each row. Where even the list of large triangles had no room, every triangle
// of the picture is drawn so: to draw one twice changes nothing.
@compute @workgroup_size(64)
fn draw_left(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    raster_size = vec2i(frame.size);
    let share = Share(0, raster_size.y, i32(lane), 64);
    let draws_all = atomicLoad(&large.count) > arrayLength(&large.ids);
    let count = select(atomicLoad(&shares.left), draw.tiles * TILE_TRIANGLES, draws_all);
    for (var index = group.x; index < count; index += groups.x) {
        var id: u32;
        if (draws_all) {
            id = id_of_tiles(index);
        } else {
            id = shares.list[SHARE_ROOM + PART_ROOM + index].what;
        }
        if (id == 0u) { continue; }
        let polygon = polygon_of_id(id);
        let first = snap_vertex(polygon.corners[0]);
        for (var k = 2u; k < polygon.count; k++) {
            raster_share(piece_of(id, first, snap_vertex(polygon.corners[k - 1u]), snap_vertex(polygon.corners[k])), share);
        }
    }
}
