// Offset of a sample at a height from the anchor: one multiplication an axis, so that nothing can be fused.
fn patch_offset(sample: vec2i, height: f32) -> vec3f {
    let cells = vec2f(sample - frame.eye_cell) * frame.spacing;
    return vec3f(cells.x, (height - frame.base_height) * frame.exaggeration, cells.y);
}
