// Where a vertex stands in the picture, snapped: 1/256 pixel from the upper left corner, y down, and moved so that the sample
// of each pixel comes to its middle.

const SNAP_SUBPIXELS: f32 = 256.0;
// Positions beyond this many subpixels from the corner, and vertices before the near plane, are clipped first.
const SNAP_GUARD: f32 = 8388608.0;
struct SnapVertex {
    x: i32,
    y: i32,
    // near/w: 1 at the near plane, 0 at infinity.
    z: f32,
    // Whether position and depth are sound; else the triangle is clipped.
    sound: bool,
}

fn snap_vertex(clip: vec4f) -> SnapVertex {
    let size = vec2f(frame.size);
    let at = (clip.xy / clip.w * vec2f(0.5, -0.5) + 0.5) * size * SNAP_SUBPIXELS;
    let near = frame.eye.w;
    let sound = clip.w >= near && max(abs(at.x), abs(at.y)) < SNAP_GUARD;
    let place = vec2i(round(select(vec2f(0.0), at, sound))) - frame.sample;
    return SnapVertex(place.x, place.y, select(0.0, min(near / clip.w, 1.0), sound), sound);
}
