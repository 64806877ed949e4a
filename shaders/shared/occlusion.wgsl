// Whether the depth pyramid hides a patch. Every rounding makes the patch's box larger and nearer, so that nothing visible is ever hidden:
// in single precision the offsets of all its vertices lie between those of the box's corners, and their places in the picture between the
// corners' but for the error of the projection, which is bounded.

// That error of a clip coordinate, as a share of the sizes of its terms: four roundings of 2⁻²⁴ of a vertex, as many of a corner, and
// twice that for what the test itself rounds.
const OCCLUSION_ROUNDING: f32 = 1.0 / 1048576.0;
// Pixels for snapping, on sixteenths of a pixel by some adapters, and for arithmetic on pixels.
const OCCLUSION_PIXELS: f32 = 1.0;
// Up to so many pixels from the picture's corner no vertex meets the guard band.
const OCCLUSION_REACH: f32 = 16384.0;
// A share of the depth for its own rounding, and for pixels of the vertex path whose depth is told beside their triangle.
const OCCLUSION_DEPTH: f32 = 1.0 / 4096.0;

// Where the box of a patch stands.
struct OcclusionBounds {
    // First and last pixel, perhaps beyond the picture.
    first: vec2f,
    last: vec2f,
    // Reversed, of the nearest corner.
    depth: f32,
    // Whether the box lies before the near plane, and not so near that the picture is lost in it.
    sound: bool,
}

fn occlusion_bounds(instance: Instance, heights: vec2f) -> OcclusionBounds {
    let first_cell = vec2i(instance.x, instance.z);
    let last_cell = min(first_cell + (frame.patch_cells << instance_level(instance)), frame.cells);
    let low = patch_offset(first_cell, heights.x);
    let high = patch_offset(last_cell, heights.y);
    let size = vec2f(frame.size);
    var nearest = 3.4e38;
    var first = vec2f(3.4e38);
    var last = vec2f(-3.4e38);
    for (var corner = 0u; corner < 8u; corner++) {
        let is_high = (vec3u(corner) & vec3u(1u, 2u, 4u)) != vec3u(0u);
        let clip = frame.clip_from_offset * vec4f(select(low, high, is_high), 1.0);
        let at = (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * size - vec2f(frame.sample) * (1.0 / 256.0);
        nearest = min(nearest, clip.w);
        first = min(first, at);
        last = max(last, at);
    }
    let error = occlusion_error(max(abs(low), abs(high)));
    let w = nearest - error.w;
    // Half a picture is one clip coordinate; the picture's corner is counted among the distances from its middle.
    let reach = max(abs(first), abs(last)) + size;
    let margin = (error.xy * 0.5 * size + reach * error.w) / w + OCCLUSION_PIXELS;
    first = floor(first - margin);
    last = floor(last + margin);
    let within = all(first > vec2f(-OCCLUSION_REACH)) && all(last < vec2f(OCCLUSION_REACH));
    let depth = frame.eye.w / w * (1.0 + OCCLUSION_DEPTH);
    return OcclusionBounds(first, last, depth, w >= frame.eye.w && within);
}

// Bounds of the errors of clip coordinates of offsets up to `reach`.
fn occlusion_error(reach: vec3f) -> vec4f {
    let terms = frame.clip_from_offset;
    let sizes = abs(terms[0]) * reach.x + abs(terms[1]) * reach.y + abs(terms[2]) * reach.z + abs(terms[3]);
    return sizes * OCCLUSION_ROUNDING;
}

// Whether everything that is seen is nearer than a depth in the squares that hold these pixels: at most nine along a side, of the first
// level that has so few. Most patches are seen, and most of those in the first squares.
fn occlusion_covers(first: vec2u, last: vec2u, depth: f32) -> bool {
    let extent = (last >> vec2u(PYRAMID_BITS)) - (first >> vec2u(PYRAMID_BITS));
    let number = 29u - countLeadingZeros(max(max(extent.x, extent.y), 8u) - 1u);
    var level = PyramidLevel(0u, pyramid_size(0u));
    for (var k = 1u; k <= number; k++) {
        level = pyramid_after(level, k);
    }
    let low = first >> vec2u(PYRAMID_BITS + number);
    let high = last >> vec2u(PYRAMID_BITS + number);
    var nearer = true;
    for (var y = low.y; y <= high.y && nearer; y++) {
        for (var x = low.x; x <= high.x && nearer; x++) {
            nearer = pyramid[level.first + y * level.size.x + x] > depth;
        }
    }
    return nearer;
}

fn occlusion_hides(instance: Instance, heights: vec2f) -> bool {
    let bounds = occlusion_bounds(instance, heights);
    let size = vec2f(frame.size);
    // What the frustum keeps for its own rounding is drawn, and covers nothing.
    let meets = bounds.sound && all(bounds.last >= vec2f(0.0)) && all(bounds.first < size);
    let first = clamp(select(vec2f(0.0), bounds.first, meets), vec2f(0.0), size - 1.0);
    let last = clamp(select(vec2f(0.0), bounds.last, meets), vec2f(0.0), size - 1.0);
    return meets && occlusion_covers(vec2u(first), vec2u(last), bounds.depth);
}
