// Triangles to pixels in integers, line by line as in src/mirror/raster.rs: what the CPU checks pixel by pixel.
//
// A pixel is covered when its middle lies within the triangle or on its top or left edge. Depth is one exponent a triangle and a plane of
// fixed-point increments over 24-bit values, packed back as float bits, so that it compares like the float it stands for.

// The picture's size. Every entry point sets it first: llvmpipe reads a uniform behind a branch lane by lane.
var<private> raster_size: vec2i;

// The plane of a triangle's depth: z(x, y) = (base + along_x·(x − x0) + along_y·(y − y0)) >> shift, in units of 2^exponent.
struct RasterDepth {
    base: i64,
    along_x: i64,
    along_y: i64,
    shift: u32,
    exponent: i32,
    least: i32,
    greatest: i32,
}

// Whether pixels on an edge along (x, y) belong to the triangle on its right-hand side, y down: top and left edges do.
fn raster_owns_edge(x: i32, y: i32) -> bool {
    return y < 0 || (y == 0 && x > 0);
}

fn raster_bits(value: u32) -> u32 {
    return 32u - countLeadingZeros(value);
}

// The depth plane of a triangle of positive area in subpixels squared. `large`: whether its extent may exceed 127 pixels, where a
// slope takes a second division for the bits that the first leaves out.
fn raster_depth(a: SnapVertex, b: SnapVertex, c: SnapVertex, area: i64, large: bool) -> RasterDepth {
    let highest = max(a.z, max(b.z, c.z));
    // The greatest z becomes a number of 24 bits.
    let exponent = i32(bitcast<u32>(highest) >> 23u) - 150;
    let scale = bitcast<f32>(u32(127 - exponent) << 23u);
    let za = i32(a.z * scale);
    let zb = i32(b.z * scale);
    let zc = i32(c.z * scale);
    let b_x = b.x - a.x;
    let b_y = b.y - a.y;
    let c_x = c.x - a.x;
    let c_y = c.y - a.y;
    let extent = u32(max(max(abs(b_x), abs(b_y)), max(abs(c_x), abs(c_y))));
    let first_shift = min(62u - 25u - 1u - raster_bits(extent), 24u);
    let more = select(0u, RASTER_SHIFT - min(first_shift, RASTER_SHIFT), large);
    let rise_x = i64(zb - za) * i64(c_y) - i64(zc - za) * i64(b_y);
    let rise_y = i64(zc - za) * i64(b_x) - i64(zb - za) * i64(c_x);
    return RasterDepth(
        i64(za) << (first_shift + more),
        raster_slope(rise_x << first_shift, area, more, large),
        raster_slope(rise_y << first_shift, area, more, large),
        first_shift + more,
        exponent,
        min(za, min(zb, zc)),
        max(za, max(zb, zc)),
    );
}

// Least bits after the point of a depth plane's increments.
const RASTER_SHIFT: u32 = 21u;

// rise·2^more / area.
fn raster_slope(rise: i64, area: i64, more: u32, large: bool) -> i64 {
    let slope = rise / area;
    if (!large) { return slope; }
    return (slope << more) + ((rise - slope * area) << more) / area;
}

// The float bits of the depth at an offset from the triangle's first vertex.
fn raster_depth_bits(depth: RasterDepth, sum: i64) -> u32 {
    let z = clamp(i32(sum >> depth.shift), depth.least, depth.greatest);
    return bitcast<u32>(f32(z) * bitcast<f32>(u32(127 + depth.exponent) << 23u));
}

// First and last pixel of the picture whose middle lies in the bounding box: x0, y0, x1, y1.
fn raster_bounds(a: SnapVertex, b: SnapVertex, c: SnapVertex) -> vec4i {
    let low = vec2i(min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)));
    let high = vec2i(max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)));
    return raster_box(low, high);
}

fn raster_box(low: vec2i, high: vec2i) -> vec4i {
    return vec4i(max((low + 127) >> vec2u(8u), vec2i(0)), min((high - 128) >> vec2u(8u), raster_size - 1));
}

// The longer side of the bounding box, subpixels.
fn raster_extent(a: SnapVertex, b: SnapVertex, c: SnapVertex) -> i32 {
    let x = max(a.x, max(b.x, c.x)) - min(a.x, min(b.x, c.x));
    let y = max(a.y, max(b.y, c.y)) - min(a.y, min(b.y, c.y));
    return max(x, y);
}
