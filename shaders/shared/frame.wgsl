// The picture's own data. Offsets are metres of the drawn world from the anchor: the corner of the eye's cell at the eye's
// height, rounded to single precision. So numbers stay small wherever on the map the eye is.

struct Frame {
    clip_from_offset: mat4x4f,
    // Direction through the sample of the pixel with middle p: corner + x·p.x + y·p.y, one metre long along the view.
    ray_corner: vec4f,
    ray_x: vec4f,
    ray_y: vec4f,
    // The eye's offset; w: distance of the near plane.
    eye: vec4f,
    spacing: vec2f,
    exaggeration: f32,
    base_height: f32,
    eye_cell: vec2i,
    // Cells of the field.
    cells: vec2i,
    size: vec2u,
    levels: u32,
    first_level: u32,
    patch_cells: i32,
    patches_across: i32,
    lattice_side: i32,
    triangle_bits: u32,
    // Height of the field's least and greatest sample.
    height_range: vec2f,
    cull_shift: u32,
    cull_per_metre: f32,
    cull_enabled: u32,
    gradient_levels: u32,
    // Radians of one pixel in the middle of the picture.
    pixel_angle: f32,
    // Reciprocals, since a division costs a CPU several times a multiplication: of the exaggeration, of the height between the
    // field's least and greatest sample, of the cells from the eye that gradient level 0 is sure to reach, of the spacing.
    per_exaggeration: f32,
    per_height_range: f32,
    per_gradient_reach: f32,
    per_spacing: vec2f,
    // Where in each pixel the picture is taken: 1/256 pixel from its middle, y down.
    sample: vec2i,
    // How far x and y of a clip position move, times w, to bring that to the middle.
    sample_shift: vec2f,
    // Units of distance to a cull unit, in 1/1024.
    density_scale: vec3i,
    // Metres of stored height that may be missed at a unit of distance.
    error_per_unit: f32,
    // The eye's cell, clamped to the field, and where the eye stands in it.
    density_cell: vec2i,
    density_sixteenths: vec2i,
    most_thinning: u32,
    // Whether patches fade.
    continuous: u32,
    // How far the first level has faded.
    first_fade: u32,
    // Whether patches are left out for what hides them, and so drawn in two phases.
    occlusion: u32,
    planes: array<vec4i, 5>,
    // x, z of each block's first cell.
    origins: array<vec4i, 20>,
    // x, y: where the anchor lies in each gradient level, whose side is 1 and repeats; z, w: sides a metre.
    gradients: array<vec4f, 20>,
}

@group(0) @binding(0) var<uniform> frame: Frame;

// Direction through the sample of a pixel, one metre long along the view.
fn frame_ray(pixel: vec2u) -> vec3f {
    let at = vec2f(pixel) + 0.5;
    return frame.ray_corner.xyz + at.x * frame.ray_x.xyz + at.y * frame.ray_y.xyz;
}
