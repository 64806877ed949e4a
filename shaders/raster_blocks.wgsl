// The compute path into the visibility buffer: a workgroup a tile of 8×8 drawn cells, a thread a triangle.
// Triangles of many pixels go to a list.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;
@group(2) @binding(0) var<storage, read_write> split_dispatch: Dispatch;
@group(2) @binding(1) var<storage, read> tiles: array<u32>;
@group(2) @binding(2) var<storage, read> draw: Draw;

override HAS_EMPTIES: bool = false;

const ROW: u32 = 9u;
// Greatest extent in subpixels of a triangle whose edge functions fit 32 bits: 127 pixels.
const SMALL_EXTENT: i32 = 32512;
// Pixels of the bounding box beyond which a triangle would hold up the threads beside it.
const SMALL_PIXELS: i32 = 256;

// A vertex a thread, of which the block has 81: a branch about the rest would cost llvmpipe more than they do.
var<workgroup> block_x: array<i32, 128>;
var<workgroup> block_y: array<i32, 128>;
var<workgroup> block_z: array<f32, 128>;
var<workgroup> block_state: array<u32, 128>;

const STATE_CLIPPED: u32 = 1u;
const STATE_EMPTY: u32 = 2u;
// Beyond a side of the picture or before the near plane, a bit each.
const STATE_OUTSIDE: u32 = 124u;

// An edge function of 32 bits: not negative inside.
struct SmallEdge {
    // At the first pixel of the row.
    value: i32,
    right: i32,
    down: i32,
    pixels_per_value: f32,
}

fn small_edge(sample: vec2i, start: SnapVertex, end: SnapVertex) -> SmallEdge {
    let x = end.x - start.x;
    let y = end.y - start.y;
    let value = x * (sample.y - start.y) - y * (sample.x - start.x) - select(1, 0, raster_owns_edge(x, y));
    return SmallEdge(value, y * -256, x * 256, 1.0 / (f32(y) * -256.0));
}

// Narrows a range of pixels from the row's first to where an edge leaves them, to within a pixel.
fn small_span(span: vec2f, edge: SmallEdge) -> vec2f {
    let crossing = f32(edge.value) * -edge.pixels_per_value;
    return vec2f(
        select(span.x, max(span.x, crossing), edge.right > 0),
        select(span.y, min(span.y, crossing), edge.right < 0),
    );
}

// A triangle of small extent within its pixels.
fn raster_small(first: SnapVertex, second: SnapVertex, third: SnapVertex, id: u32, bounds: vec4i) {
    let a = first;
    var b = second;
    var c = third;
    var area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area == 0) { return; }
    if (area < 0) {
        area = -area;
        b = third;
        c = second;
    }
    let sample = bounds.xy * 256 + 128;
    var edge_a = small_edge(sample, b, c);
    var edge_b = small_edge(sample, c, a);
    var edge_c = small_edge(sample, a, b);
    let depth = raster_depth(a, b, c, i64(area), false);
    var row_z = depth.base + depth.along_x * i64(sample.x - a.x) + depth.along_y * i64(sample.y - a.y);
    let last = f32(bounds.z - bounds.x);
    for (var y = bounds.y; y <= bounds.w; y++) {
        let span = small_span(small_span(small_span(vec2f(0.0, last), edge_a), edge_b), edge_c);
        let start = i32(min(span.x, last + 1.0));
        let end = i32(ceil(max(span.y, -1.0)));
        var in_a = edge_a.value + edge_a.right * start;
        var in_b = edge_b.value + edge_b.right * start;
        var in_c = edge_c.value + edge_c.right * start;
        var z = row_z + depth.along_x * 256li * i64(start);
        for (var x = start; x <= end; x++) {
            if ((in_a | in_b | in_c) >= 0) {
                raster_write(vec2i(bounds.x + x, y), raster_depth_bits(depth, z), id);
            }
            in_a += edge_a.right;
            in_b += edge_b.right;
            in_c += edge_c.right;
            z += depth.along_x * 256li;
        }
        edge_a.value += edge_a.down;
        edge_b.value += edge_b.down;
        edge_c.value += edge_c.down;
        row_z += depth.along_y * 256li;
    }
}

fn leave_to_later(id: u32) {
    if (!RASTER_FIRST) { return; }
    let place = atomicAdd(&large.count, 1u);
    if (place >= arrayLength(&large.ids)) { return; }
    large.ids[place] = id;
    // Every 64th calls for one more workgroup.
    if (place % 64u == 0u) {
        atomicMax(&split_dispatch.x, min(place / 64u + 1u, DISPATCH_MOST));
    }
}

// As `clip_outside` in shaders/shared/clip.wgsl.
fn outside_state(clip: vec4f) -> u32 {
    let across = select(vec4u(0u), vec4u(4u, 8u, 16u, 32u), vec4f(clip.xy, -clip.xy) > vec4f(clip.w));
    return across.x | across.y | across.z | across.w | select(0u, 64u, clip.w < frame.eye.w);
}

fn block_vertex(k: u32) -> SnapVertex {
    return SnapVertex(block_x[k], block_y[k], block_z[k], true);
}

// The triangle of three vertices of the block.
fn block_triangle(id: u32, corners: vec3u) {
    let state = block_state[corners.x] | block_state[corners.y] | block_state[corners.z];
    if (HAS_EMPTIES && (state & STATE_EMPTY) != 0u) { return; }
    if ((state & STATE_CLIPPED) != 0u) {
        let outside = block_state[corners.x] & block_state[corners.y] & block_state[corners.z] & STATE_OUTSIDE;
        if (outside == 0u) { leave_to_later(id); }
        return;
    }
    let a = block_vertex(corners.x);
    let b = block_vertex(corners.y);
    let c = block_vertex(corners.z);
    let bounds = raster_bounds(a, b, c);
    let pixels = bounds.zw - bounds.xy + 1;
    if (any(pixels <= vec2i(0))) { return; }
    if (raster_extent(a, b, c) > SMALL_EXTENT || pixels.x * pixels.y > SMALL_PIXELS) {
        leave_to_later(id);
        return;
    }
    raster_small(a, b, c, id, bounds);
}

@compute @workgroup_size(128)
fn blocks(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    raster_size = vec2i(frame.size);
    let number = group.y * groups.x + group.x;
    let drawn = number < draw.tiles;
    let tile = tiles_unpack(tiles[min(number, draw.tiles - 1u)]);
    let at = min(tile.first + vec2i(i32(lane % ROW), i32(lane / ROW)), vec2i(tile.cells));
    let projected = project_vertex(instances[tile.instance], at);
    let vertex = snap_vertex(projected.clip);
    block_x[lane] = vertex.x;
    block_y[lane] = vertex.y;
    block_z[lane] = vertex.z;
    block_state[lane] = select(STATE_CLIPPED, 0u, vertex.sound)
        | select(0u, STATE_EMPTY, projected.bits == LEVELS_EMPTY)
        | outside_state(projected.clip);
    workgroupBarrier();
    let cell = vec2i(i32(lane / 2u) % TILES_CELLS, i32(lane / 2u) / TILES_CELLS);
    let second = lane % 2u;
    let least = u32(cell.y) * ROW + u32(cell.x);
    let opposite = least + ROW + 1u;
    let corners = select(vec3u(least, opposite, least + 1u), vec3u(least, least + ROW, opposite), second == 1u);
    let id = visibility_pack(tile.instance, tiles_triangle(tile, cell, second));
    if (drawn && all(tile.first + cell < vec2i(tile.cells))) {
        block_triangle(id, corners);
    }
}
