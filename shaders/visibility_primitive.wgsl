@fragment
fn by_primitive(in: Varying, @builtin(primitive_index) triangle: u32) -> @location(0) u32 {
    return visible(in.tile, triangle);
}
