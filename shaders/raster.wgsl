// The compute path into the visibility buffer: one workgroup a block of 8×8 drawn cells, then one a tile of each large triangle.

@group(1) @binding(1) var<storage, read> instances: array<Instance>;
@group(1) @binding(2) var<storage, read> draw: array<u32, 12>;
@group(1) @binding(3) var<storage, read_write> visibility: array<atomic<u64>>;
@group(1) @binding(4) var<storage, read_write> large: LargeList;
// The dispatch over the tiles: workgroups along x, y, z.
@group(2) @binding(0) var<storage, read_write> tile_dispatch: array<u32, 3>;

override HAS_EMPTIES: bool = false;

// Triangles that are too large for one thread, cut into tiles of the picture.
struct LargeList {
    // Tiles asked for; may exceed the room.
    count: atomic<u32>,
    tiles: array<LargeTile>,
}

struct LargeTile {
    instance: u32,
    triangle: u32,
    // Tile along x in the low 16 bits, along y in the high.
    place: u32,
}

const BLOCK: i32 = 8;
const ROW: u32 = 9u;
const TILE: i32 = 64;

var<workgroup> block_x: array<i32, 81>;
var<workgroup> block_y: array<i32, 81>;
var<workgroup> block_z: array<f32, 81>;
// 0 sound, 1 to be clipped, 2 empty.
var<workgroup> block_state: array<u32, 81>;

fn write_pixel(x: i32, y: i32, depth: u32, id: u32) {
    let index = u32(y) * frame.size.x + u32(x);
    atomicMax(&visibility[index], (u64(depth) << 32u) | u64(id));
}

// One triangle of at most RASTER_SMALL extent, by one thread.
fn raster_small(first: SnapVertex, second: SnapVertex, third: SnapVertex, id: u32) {
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
    let x0 = max(0, (min(a.x, min(b.x, c.x)) + 127) >> 8u);
    let y0 = max(0, (min(a.y, min(b.y, c.y)) + 127) >> 8u);
    let x1 = min(i32(frame.size.x) - 1, (max(a.x, max(b.x, c.x)) - 128) >> 8u);
    let y1 = min(i32(frame.size.y) - 1, (max(a.y, max(b.y, c.y)) - 128) >> 8u);
    if (x1 < x0 || y1 < y0) { return; }
    let px = x0 * 256 + 128;
    let py = y0 * 256 + 128;
    // Value at the first pixel of the row, less one where the edge is not owned.
    var row_a = (c.x - b.x) * (py - b.y) - (c.y - b.y) * (px - b.x) - select(1, 0, raster_owns_edge(c.x - b.x, c.y - b.y));
    var row_b = (a.x - c.x) * (py - c.y) - (a.y - c.y) * (px - c.x) - select(1, 0, raster_owns_edge(a.x - c.x, a.y - c.y));
    var row_c = (b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x) - select(1, 0, raster_owns_edge(b.x - a.x, b.y - a.y));
    let right_a = -(c.y - b.y) * 256;
    let right_b = -(a.y - c.y) * 256;
    let right_c = -(b.y - a.y) * 256;
    let down_a = (c.x - b.x) * 256;
    let down_b = (a.x - c.x) * 256;
    let down_c = (b.x - a.x) * 256;
    let depth = raster_depth(a, b, c, i64(area));
    var row_z = depth.base + depth.along_x * i64(px - a.x) + depth.along_y * i64(py - a.y);
    let right_z = depth.along_x * 256li;
    let down_z = depth.along_y * 256li;
    for (var y = y0; y <= y1; y++) {
        var in_a = row_a;
        var in_b = row_b;
        var in_c = row_c;
        var z = row_z;
        for (var x = x0; x <= x1; x++) {
            if ((in_a | in_b | in_c) >= 0) {
                write_pixel(x, y, raster_depth_bits(depth, z), id);
            }
            in_a += right_a;
            in_b += right_b;
            in_c += right_c;
            z += right_z;
        }
        row_a += down_a;
        row_b += down_b;
        row_c += down_c;
        row_z += down_z;
    }
}

fn extent_of(a: SnapVertex, b: SnapVertex, c: SnapVertex) -> i32 {
    let x = max(a.x, max(b.x, c.x)) - min(a.x, min(b.x, c.x));
    let y = max(a.y, max(b.y, c.y)) - min(a.y, min(b.y, c.y));
    return max(x, y);
}

// A large triangle within the pixels x0 … x1, y0 … y1, each lane every 8th pixel both ways.
fn raster_large(first: SnapVertex, second: SnapVertex, third: SnapVertex, id: u32, bounds: vec4i, lane: vec2i, stride: i32) {
    let a = first;
    var b = second;
    var c = third;
    var area = i64(b.x - a.x) * i64(c.y - a.y) - i64(c.x - a.x) * i64(b.y - a.y);
    if (area == 0li) { return; }
    if (area < 0li) {
        area = -area;
        b = third;
        c = second;
    }
    let x0 = max(bounds.x, (min(a.x, min(b.x, c.x)) + 127) >> 8u);
    let y0 = max(bounds.y, (min(a.y, min(b.y, c.y)) + 127) >> 8u);
    let x1 = min(bounds.z, (max(a.x, max(b.x, c.x)) - 128) >> 8u);
    let y1 = min(bounds.w, (max(a.y, max(b.y, c.y)) - 128) >> 8u);
    if (x1 < x0 || y1 < y0) { return; }
    let bias_a = select(1li, 0li, raster_owns_edge(c.x - b.x, c.y - b.y));
    let bias_b = select(1li, 0li, raster_owns_edge(a.x - c.x, a.y - c.y));
    let bias_c = select(1li, 0li, raster_owns_edge(b.x - a.x, b.y - a.y));
    let depth = raster_depth(a, b, c, area);
    for (var y = y0 + lane.y; y <= y1; y += stride) {
        for (var x = x0 + lane.x; x <= x1; x += stride) {
            let px = x * 256 + 128;
            let py = y * 256 + 128;
            let in_a = i64(c.x - b.x) * i64(py - b.y) - i64(c.y - b.y) * i64(px - b.x) - bias_a;
            let in_b = i64(a.x - c.x) * i64(py - c.y) - i64(a.y - c.y) * i64(px - c.x) - bias_b;
            let in_c = i64(b.x - a.x) * i64(py - a.y) - i64(b.y - a.y) * i64(px - a.x) - bias_c;
            if ((in_a | in_b | in_c) >= 0li) {
                let sum = depth.base + depth.along_x * i64(px - a.x) + depth.along_y * i64(py - a.y);
                write_pixel(x, y, raster_depth_bits(depth, sum), id);
            }
        }
    }
}

struct Polygon {
    count: u32,
    corners: array<vec4f, 9>,
}

// The plane that a clipped polygon is cut at: the near plane, then the guard band's four sides.
fn clip_distance(plane: u32, at: vec4f) -> f32 {
    let guard = SNAP_GUARD / SNAP_SUBPIXELS * 0.5;
    // Pixels from the picture's middle, times w.
    let x = at.x * f32(frame.size.x) * 0.5;
    let y = at.y * f32(frame.size.y) * 0.5;
    switch (plane) {
        case 0u: { return at.w - frame.eye.w; }
        case 1u: { return guard * at.w - x; }
        case 2u: { return guard * at.w + x; }
        case 3u: { return guard * at.w - y; }
        default: { return guard * at.w + y; }
    }
}

// After Sutherland and Hodgman, "Reentrant polygon clipping" (1974).
fn clip_polygon(a: vec4f, b: vec4f, c: vec4f) -> Polygon {
    var polygon: Polygon;
    polygon.count = 3u;
    polygon.corners[0] = a;
    polygon.corners[1] = b;
    polygon.corners[2] = c;
    for (var plane = 0u; plane < 5u; plane++) {
        var cut: Polygon;
        for (var k = 0u; k < polygon.count; k++) {
            let here = polygon.corners[k];
            let next = polygon.corners[select(k + 1u, 0u, k + 1u == polygon.count)];
            let from_here = clip_distance(plane, here);
            let from_next = clip_distance(plane, next);
            if (from_here >= 0.0) {
                cut.corners[cut.count] = here;
                cut.count++;
            }
            if ((from_here >= 0.0) != (from_next >= 0.0)) {
                var at = select(
                    mix(next, here, from_next / (from_next - from_here)),
                    mix(here, next, from_here / (from_here - from_next)),
                    from_here >= 0.0,
                );
                // Between two corners on the near plane, rounding must not bring w before it: the corner would be dropped as unsound.
                at.w = select(max(at.w, frame.eye.w), frame.eye.w, plane == 0u);
                cut.corners[cut.count] = at;
                cut.count++;
            }
        }
        polygon = cut;
        if (polygon.count < 3u) { break; }
    }
    return polygon;
}

// Whether all corners lie beyond one side of the picture, whatever their w.
fn outside_picture(a: vec4f, b: vec4f, c: vec4f) -> bool {
    let w = vec3f(a.w, b.w, c.w);
    let x = vec3f(a.x, b.x, c.x);
    let y = vec3f(a.y, b.y, c.y);
    return all(x > w) || all(x < -w) || all(y > w) || all(y < -w) || all(w < vec3f(frame.eye.w));
}

fn corner_clip(instance: u32, triangle: u32, k: u32) -> vec4f {
    return project_vertex(instances[instance], patch_corner(triangle, k)).clip;
}

// Draws a triangle of any size within some pixels, clipped if it has to be.
fn raster_any(instance: u32, triangle: u32, bounds: vec4i, lane: vec2i, stride: i32) {
    let a = corner_clip(instance, triangle, 0u);
    let b = corner_clip(instance, triangle, 1u);
    let c = corner_clip(instance, triangle, 2u);
    let id = visibility_pack(instance, triangle);
    let first = snap_vertex(a);
    let second = snap_vertex(b);
    let third = snap_vertex(c);
    if (first.sound && second.sound && third.sound) {
        raster_large(first, second, third, id, bounds, lane, stride);
        return;
    }
    let polygon = clip_polygon(a, b, c);
    for (var k = 2u; k < polygon.count; k++) {
        let p = snap_vertex(polygon.corners[0]);
        let q = snap_vertex(polygon.corners[k - 1u]);
        let r = snap_vertex(polygon.corners[k]);
        if (p.sound && q.sound && r.sound) {
            raster_large(p, q, r, id, bounds, lane, stride);
        }
    }
}

// First and last pixel of the picture that a triangle may cover: x0, y0, x1, y1. None are left where it is clipped away.
fn pixel_bounds(a: vec4f, b: vec4f, c: vec4f) -> vec4i {
    let polygon = clip_polygon(a, b, c);
    var low = vec2i(0x7fffff);
    var high = vec2i(-0x7fffff);
    for (var k = 0u; k < polygon.count; k++) {
        let corner = snap_vertex(polygon.corners[k]);
        if (corner.sound) {
            low = min(low, vec2i(corner.x, corner.y));
            high = max(high, vec2i(corner.x, corner.y));
        }
    }
    return vec4i(max((low + 127) >> vec2u(8u), vec2i(0)), min((high - 128) >> vec2u(8u), vec2i(frame.size) - 1));
}

// Hands a triangle's tiles over to the second pass; draws it at once where the list has no room left.
fn defer(instance: u32, triangle: u32) {
    let a = corner_clip(instance, triangle, 0u);
    let b = corner_clip(instance, triangle, 1u);
    let c = corner_clip(instance, triangle, 2u);
    if (outside_picture(a, b, c)) { return; }
    let bounds = pixel_bounds(a, b, c);
    if (any(bounds.xy > bounds.zw)) { return; }
    let low = bounds.xy / TILE;
    let tiles = bounds.zw / TILE - low + 1;
    let needed = u32(tiles.x * tiles.y);
    let start = atomicAdd(&large.count, needed);
    let room = arrayLength(&large.tiles);
    if (start + needed > room) {
        raster_any(instance, triangle, bounds, vec2i(0), 1);
    }
    for (var k = 0u; k < needed && start + k < room; k++) {
        let place = vec2u(low) + vec2u(k % u32(tiles.x), k / u32(tiles.x));
        large.tiles[start + k] = LargeTile(instance, triangle, place.x | (place.y << 16u));
    }
}

fn block_vertex(k: u32) -> SnapVertex {
    return SnapVertex(block_x[k], block_y[k], block_z[k], true);
}

fn block_triangle(instance: u32, triangle: u32, a: u32, b: u32, c: u32) {
    let state = block_state[a] | block_state[b] | block_state[c];
    if (HAS_EMPTIES && (state & 2u) != 0u) { return; }
    if ((state & 1u) != 0u) {
        defer(instance, triangle);
        return;
    }
    let first = block_vertex(a);
    let second = block_vertex(b);
    let third = block_vertex(c);
    if (extent_of(first, second, third) > RASTER_SMALL) {
        defer(instance, triangle);
        return;
    }
    raster_small(first, second, third, visibility_pack(instance, triangle));
}

@compute @workgroup_size(256)
fn clear(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let index = id.y * groups.x * 256u + id.x;
    if (index < arrayLength(&visibility)) {
        atomicStore(&visibility[index], 0lu);
    }
    if (index == 0u) {
        atomicStore(&large.count, 0u);
    }
}

@compute @workgroup_size(64)
fn blocks(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    let side = (frame.patch_cells + BLOCK - 1) / BLOCK;
    let per_patch = u32(side * side);
    let block = group.y * groups.x + group.x;
    let instance = min(block / per_patch, draw[1] - 1u);
    let drawn = block / per_patch < draw[1];
    let in_patch = i32(block % per_patch);
    let corner = vec2i(in_patch % side, in_patch / side) * BLOCK;
    for (var k = lane; k < ROW * ROW; k += 64u) {
        let at = min(corner + vec2i(i32(k % ROW), i32(k / ROW)), vec2i(frame.patch_cells));
        let projected = project_vertex(instances[instance], at);
        let vertex = snap_vertex(projected.clip);
        block_x[k] = vertex.x;
        block_y[k] = vertex.y;
        block_z[k] = vertex.z;
        block_state[k] = select(1u, 0u, vertex.sound) | select(0u, 2u, projected.bits == LEVELS_EMPTY);
    }
    workgroupBarrier();
    let cell = vec2i(i32(lane) % BLOCK, i32(lane) / BLOCK);
    let in_field = corner + cell;
    if (drawn && all(in_field < vec2i(frame.patch_cells))) {
        let triangle = u32(in_field.y * frame.patch_cells + in_field.x) * 2u;
        let least = u32(cell.y) * ROW + u32(cell.x);
        block_triangle(instance, triangle, least, least + ROW + 1u, least + 1u);
        block_triangle(instance, triangle + 1u, least, least + ROW, least + ROW + 1u);
    }
}

@compute @workgroup_size(1)
fn prepare_tiles() {
    let count = min(atomicLoad(&large.count), arrayLength(&large.tiles));
    tile_dispatch[0] = min(count, 32768u);
    tile_dispatch[1] = (count + 32767u) / 32768u;
    tile_dispatch[2] = 1u;
}

@compute @workgroup_size(64)
fn tiles(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) lane: u32) {
    let index = group.y * groups.x + group.x;
    if (index >= min(atomicLoad(&large.count), arrayLength(&large.tiles))) { return; }
    let tile = large.tiles[index];
    let low = vec2i(i32(tile.place & 0xffffu), i32(tile.place >> 16u)) * TILE;
    let high = min(low + TILE, vec2i(frame.size)) - 1;
    raster_any(tile.instance, tile.triangle, vec4i(low, high), vec2i(i32(lane) % 8, i32(lane) / 8), 8);
}
