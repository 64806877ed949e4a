// The compute path's triangles of many pixels. Each is clipped, then split into parts of about equal work: a share for a thread, or where a
// triangle has very many of them, a part for a workgroup. So it costs what it covers, be it a needle a thousand pixels long or one that fills
// the picture.

@group(1) @binding(5) var<storage, read_write> pieces: PieceList;
@group(1) @binding(6) var<storage, read_write> shares: ShareList;
@group(2) @binding(0) var<storage, read_write> dispatches: Dispatches;
@group(2) @binding(1) var<storage, read_write> split_dispatch: Dispatch;

// Counts may exceed the room.
struct PieceList {
    count: atomic<u32>,
    pieces: array<Piece>,
}

// A large triangle, or one of the triangles that clipping cut it into.
struct Piece {
    id: u32,
    a: PieceCorner,
    b: PieceCorner,
    c: PieceCorner,
}

struct PieceCorner {
    x: i32,
    y: i32,
    z: f32,
}

// One list in three sections: shares of pieces, each for a thread; parts of pieces, each for a workgroup; and triangles for which these had
// no room. Counts may exceed the room, but for the last: it suffices for every triangle.
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
    shares: Dispatch,
    parts: Dispatch,
    left: Dispatch,
}

// Pixels of work in a share, where there are few large triangles; what a row costs besides its pixels; pixels of one turn in a row.
// Measured on an H200: shares of 64 take half the time of shares of 512, since the last one to end holds up all.
const SHARE_WORK: i32 = 64;
const SHARE_ROW: i32 = 4;
const SHARE_SPAN: i32 = 8;
// Large triangles that keep an adapter busy by themselves: where there are more, shares hold as many times the work.
const SHARE_BUSY: i32 = 4096;
// llvmpipe ends the loops of an invocation after 65,535 steps.
const SHARE_WORK_MOST: i32 = 32768;
// Shares of a triangle that one thread lists.
const SHARES_MOST: i32 = 64;
// Pixels of work for a thread of a part, and of one turn in a row.
const PART_WORK: i32 = 256;
const PART_SPAN: i32 = 16;
const PART_THREADS: i32 = 64;
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

fn edge_at(sample: vec2i, start: SnapVertex, end: SnapVertex) -> Edge {
    let x = end.x - start.x;
    let y = end.y - start.y;
    let value = i64(x) * i64(sample.y - start.y) - i64(y) * i64(sample.x - start.x) - select(1li, 0li, raster_owns_edge(x, y));
    return Edge(value, i64(y) * -256li, i64(x) * 256li, 1.0 / (f32(y) * -256.0));
}

// Narrows a range of pixels from the row's first to where an edge leaves them, to within a pixel.
fn edge_span(span: vec2f, edge: Edge) -> vec2f {
    let crossing = clamp(f32(edge.value) * -edge.pixels_per_value, -1.0, PIXELS_MOST);
    return vec2f(
        select(span.x, max(span.x, floor(crossing)), edge.right > 0li),
        select(span.y, min(span.y, ceil(crossing)), edge.right < 0li),
    );
}

fn raster_share(first: SnapVertex, second: SnapVertex, third: SnapVertex, id: u32, share: Share) {
    let bounds = raster_bounds(first, second, third);
    let row = max(bounds.y, share.row);
    let last = min(bounds.w, share.row + share.rows - 1);
    let a = first;
    var b = second;
    var c = third;
    var area = i64(b.x - a.x) * i64(c.y - a.y) - i64(c.x - a.x) * i64(b.y - a.y);
    if (area == 0li || row > last || bounds.x > bounds.z) { return; }
    if (area < 0li) {
        area = -area;
        b = third;
        c = second;
    }
    let sample = vec2i(bounds.x, row) * 256 + 128;
    var edge_a = edge_at(sample, b, c);
    var edge_b = edge_at(sample, c, a);
    var edge_c = edge_at(sample, a, b);
    let depth = raster_depth(a, b, c, area, true);
    var row_z = depth.base + depth.along_x * i64(sample.x - a.x) + depth.along_y * i64(sample.y - a.y);
    let step = i64(share.turns);
    let step_a = edge_a.right * step;
    let step_b = edge_b.right * step;
    let step_c = edge_c.right * step;
    let step_z = depth.along_x * 256li * step;
    for (var y = row; y <= last; y++) {
        var span = vec2f(0.0, f32(bounds.z - bounds.x));
        span = edge_span(edge_span(edge_span(span, edge_a), edge_b), edge_c);
        let start = i32(span.x) + share.turn;
        let end = i32(span.y);
        var in_a = edge_a.value + edge_a.right * i64(start);
        var in_b = edge_b.value + edge_b.right * i64(start);
        var in_c = edge_c.value + edge_c.right * i64(start);
        var z = row_z + depth.along_x * 256li * i64(start);
        for (var x = start; x <= end; x += share.turns) {
            if ((in_a | in_b | in_c) >= 0li) {
                raster_write(vec2i(bounds.x + x, y), raster_depth_bits(depth, z), id);
            }
            in_a += step_a;
            in_b += step_b;
            in_c += step_c;
            z += step_z;
        }
        edge_a.value += edge_a.down;
        edge_b.value += edge_b.down;
        edge_c.value += edge_c.down;
        row_z += depth.along_y * 256li;
    }
}

// The greatest value of an edge function over the picture.
fn edge_most(start: SnapVertex, end: SnapVertex) -> i64 {
    let x = end.x - start.x;
    let y = end.y - start.y;
    let at = select(vec2i(0), raster_size * 256, vec2<bool>((y < 0), (x > 0)));
    return i64(x) * i64(at.y - start.y) - i64(y) * i64(at.x - start.x);
}

// Whether the picture lies wholly beyond an edge, or the triangle is a line.
fn misses_picture(a: SnapVertex, b: SnapVertex, c: SnapVertex) -> bool {
    let area = i64(b.x - a.x) * i64(c.y - a.y) - i64(c.x - a.x) * i64(b.y - a.y);
    if (area < 0li) {
        return edge_most(c, b) < 0li || edge_most(a, c) < 0li || edge_most(b, a) < 0li;
    }
    return area == 0li || edge_most(b, c) < 0li || edge_most(c, a) < 0li || edge_most(a, b) < 0li;
}

// Greatest number of pixels in one row, about: no triangle is wider than twice its area by its height.
fn widest_row(a: SnapVertex, b: SnapVertex, c: SnapVertex) -> i32 {
    let twice_area = f32(b.x - a.x) * f32(c.y - a.y) - f32(c.x - a.x) * f32(b.y - a.y);
    let height = f32(max(a.y, max(b.y, c.y)) - min(a.y, min(b.y, c.y)));
    return i32(min(abs(twice_area) / (max(height, 1.0) * SNAP_SUBPIXELS), PIXELS_MOST)) + 1;
}

// The first share of a piece that covers these rows, `widest` pixels at most in each.
fn share_first(row: i32, widest: i32) -> Share {
    let busy = max(i32(atomicLoad(&large.count)) / SHARE_BUSY, 1);
    let work = min(SHARE_WORK * busy, SHARE_WORK_MOST);
    let span = min(SHARE_SPAN * busy, SHARE_WORK_MOST);
    let turns = (widest + span - 1) / span;
    return Share(row, max(work / (widest / turns + SHARE_ROW), 1), 0, turns);
}

// The first part: a thread's rows, and turns so that some threads stand side by side in a row.
fn part_first(row: i32, widest: i32) -> Share {
    let turns = clamp(1 << (32u - countLeadingZeros(u32(widest / PART_SPAN))), 1, PART_THREADS);
    return Share(row, max(PART_WORK / (widest / turns + SHARE_ROW), 1), 0, turns);
}

// Lists the shares or parts of a piece; false where they find no room.
fn share_out(id: u32, a: SnapVertex, b: SnapVertex, c: SnapVertex) -> bool {
    let bounds = raster_bounds(a, b, c);
    let size = bounds.zw - bounds.xy + 1;
    if (any(size <= vec2i(0)) || misses_picture(a, b, c)) { return true; }
    let widest = min(size.x, widest_row(a, b, c));
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
    let piece = atomicAdd(&pieces.count, 1u);
    if (piece >= arrayLength(&pieces.pieces)) { return false; }
    pieces.pieces[piece] = Piece(id, PieceCorner(a.x, a.y, a.z), PieceCorner(b.x, b.y, b.z), PieceCorner(c.x, c.y, c.z));
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
        let number = i32(k - place);
        share.row = bounds.y + number / in_rows * rows;
        share.turn = number % in_rows;
        shares.list[k] = share_pack(select(0u, piece + 1u, fits), share);
    }
    if (by_parts) {
        atomicMax(&dispatches.parts.x, min(end - SHARE_ROOM, DISPATCH_MOST));
    } else {
        atomicMax(&dispatches.shares.x, min((end + 63u) / 64u, DISPATCH_MOST));
    }
    return fits;
}

fn split_one(id: u32) {
    let polygon = polygon_of_id(id);
    let first = snap_vertex(polygon.corners[0]);
    var fits = true;
    for (var k = 2u; k < polygon.count; k++) {
        let second = snap_vertex(polygon.corners[k - 1u]);
        fits = share_out(id, first, second, snap_vertex(polygon.corners[k])) && fits;
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
    atomicStore(&dispatches.shares.x, 0u);
    dispatches.shares.y = 1u;
    dispatches.shares.z = 1u;
    atomicStore(&dispatches.parts.x, 0u);
    dispatches.parts.y = 1u;
    dispatches.parts.z = 1u;
    atomicStore(&dispatches.left.x, 0u);
    dispatches.left.y = 1u;
    dispatches.left.z = 1u;
}

@compute @workgroup_size(64)
fn split(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
    raster_size = vec2i(frame.size);
    let count = atomicLoad(&large.count);
    for (var index = thread.x; index < count; index += groups.x * 64u) {
        split_one(large.ids[index]);
    }
}

fn piece_vertex(corner: PieceCorner) -> SnapVertex {
    return SnapVertex(corner.x, corner.y, corner.z, true);
}

fn draw_piece(number: u32, share: Share) {
    let piece = pieces.pieces[number - 1u];
    raster_share(piece_vertex(piece.a), piece_vertex(piece.b), piece_vertex(piece.c), piece.id, share);
}

@compute @workgroup_size(64)
fn draw_shares(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
    raster_size = vec2i(frame.size);
    let count = min(atomicLoad(&shares.shares), SHARE_ROOM);
    for (var index = thread.x; index < count; index += groups.x * 64u) {
        let share = shares.list[index];
        if (share.what != 0u) {
            draw_piece(share.what, share_unpack(share));
        }
    }
}

// The threads of a part take its turns, and as many times its rows as there are threads beyond.
@compute @workgroup_size(64)
fn draw_parts(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    raster_size = vec2i(frame.size);
    let count = min(atomicLoad(&shares.parts), PART_ROOM);
    for (var index = group.x; index < count; index += groups.x) {
        let part = shares.list[SHARE_ROOM + index];
        var share = share_unpack(part);
        share.turn = i32(lane) % share.turns;
        share.row += i32(lane) / share.turns * share.rows;
        if (part.what != 0u) {
            draw_piece(part.what, share);
        }
    }
}

// A workgroup a triangle, a thread every 64th pixel of each row.
@compute @workgroup_size(64)
fn draw_left(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    raster_size = vec2i(frame.size);
    let share = Share(0, raster_size.y, i32(lane), 64);
    for (var index = group.x; index < atomicLoad(&shares.left); index += groups.x) {
        let id = shares.list[SHARE_ROOM + PART_ROOM + index].what;
        let polygon = polygon_of_id(id);
        let first = snap_vertex(polygon.corners[0]);
        for (var k = 2u; k < polygon.count; k++) {
            raster_share(first, snap_vertex(polygon.corners[k - 1u]), snap_vertex(polygon.corners[k]), id, share);
        }
    }
}
