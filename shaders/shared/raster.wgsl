// Triangles to pixels in integers, line by line as in src/mirror/raster.rs: what the CPU checks pixel by pixel.
//
// A pixel is covered when its middle lies within the triangle or on its top or left edge. Depth is one exponent a triangle and a plane of
// fixed-point increments over 24-bit values, packed back as float bits, so that it compares like the float it stands for.

// Greatest extent of a triangle in subpixels whose edge functions fit 32 bits: 127 pixels.
const RASTER_SMALL: i32 = 32512;

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

// The depth plane of a triangle of positive area in subpixels squared.
fn raster_depth(a: SnapVertex, b: SnapVertex, c: SnapVertex, area: i64) -> RasterDepth {
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
    let shift = min(62u - 25u - 1u - raster_bits(extent), 24u);
    let rise_x = i64(zb - za) * i64(c_y) - i64(zc - za) * i64(b_y);
    let rise_y = i64(zc - za) * i64(b_x) - i64(zb - za) * i64(c_x);
    return RasterDepth(
        i64(za) << shift,
        (rise_x << shift) / area,
        (rise_y << shift) / area,
        shift,
        exponent,
        min(za, min(zb, zc)),
        max(za, max(zb, zc)),
    );
}

// The float bits of the depth at an offset from the triangle's first vertex.
fn raster_depth_bits(depth: RasterDepth, sum: i64) -> u32 {
    let z = clamp(i32(sum >> depth.shift), depth.least, depth.greatest);
    return bitcast<u32>(f32(z) * bitcast<f32>(u32(127 + depth.exponent) << 23u));
}
