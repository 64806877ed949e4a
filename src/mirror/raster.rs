//! The twin of the compute path's rasteriser: fill rule and depth plane line by line as in shaders/shared/raster.wgsl.
//!
//! It takes the GPU's snapped vertices and does the same integer arithmetic, in 64 bits throughout: where the shader's 32 bits
//! suffice, both give the same. It asks every pixel of a triangle's box, where the shaders go from edge to edge.

/// Subpixels a pixel.
const SUBPIXELS: i64 = 256;

/// A vertex as the compute path snaps it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RasterVertex {
    /// 1/256 pixel from the picture's upper left corner, y down.
    pub x: i32,
    /// As `x`.
    pub y: i32,
    /// near/w: 1 at the near plane, 0 at infinity.
    pub z: f32,
}

/// The plane of a triangle's depth: (base + along_x·dx + along_y·dy) >> shift, in units of 2^exponent.
#[derive(Debug, Clone, Copy)]
struct Depth {
    base: i64,
    along_x: i64,
    along_y: i64,
    shift: u32,
    exponent: i32,
    least: i32,
    greatest: i32,
}

/// Whether pixels on an edge along (dx, dy) belong to the triangle on its right-hand side, y down.
pub type OwnsEdge = fn(i64, i64) -> bool;

/// The fill rule: top and left edges belong to the triangle.
pub fn top_left(dx: i64, dy: i64) -> bool {
    dy < 0 || (dy == 0 && dx > 0)
}

/// Calls `pixel(x, y, depth bits)` for every pixel of a triangle within a picture of `size` pixels.
pub fn rasterise(
    corners: [RasterVertex; 3],
    size: [u32; 2],
    owns_edge: OwnsEdge,
    mut pixel: impl FnMut(u32, u32, u32),
) {
    let [a, mut b, mut c] = corners;
    let area = cross(b, c, a);
    if area == 0 {
        return;
    }
    if area < 0 {
        (b, c) = (c, b);
    }
    let xs = [a.x, b.x, c.x];
    let ys = [a.y, b.y, c.y];
    let (x0, x1) = pixels(xs, size[0]);
    let (y0, y1) = pixels(ys, size[1]);
    let depth = Depth::new(a, b, c, area.abs());
    let edges = [(b, c), (c, a), (a, b)];
    for y in y0..=y1 {
        for x in x0..=x1 {
            let (px, py) = (x * SUBPIXELS + 128, y * SUBPIXELS + 128);
            if edges.iter().all(|(from, to)| is_inside(*from, *to, [px, py], owns_edge)) {
                let sum = depth.sum(px - i64::from(a.x), py - i64::from(a.y));
                pixel(x as u32, y as u32, depth.bits(sum));
            }
        }
    }
}

/// Twice the area of (a, b, c) in subpixels squared, positive when it turns clockwise in the picture.
fn cross(b: RasterVertex, c: RasterVertex, a: RasterVertex) -> i64 {
    let d = |to: i32, from: i32| i64::from(to) - i64::from(from);
    d(b.x, a.x) * d(c.y, a.y) - d(c.x, a.x) * d(b.y, a.y)
}

/// First and last pixel whose middle lies between the least and greatest place.
fn pixels(places: [i32; 3], size: u32) -> (i64, i64) {
    let least = i64::from(places[0].min(places[1]).min(places[2]));
    let greatest = i64::from(places[0].max(places[1]).max(places[2]));
    (((least + 127) >> 8).max(0), ((greatest - 128) >> 8).min(i64::from(size) - 1))
}

/// Whether a place lies on the right-hand side of an edge, y down, or on an edge that the triangle owns.
fn is_inside(from: RasterVertex, to: RasterVertex, [px, py]: [i64; 2], owns_edge: OwnsEdge) -> bool {
    let (dx, dy) = (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let value = dx * (py - i64::from(from.y)) - dy * (px - i64::from(from.x));
    value > 0 || (value == 0 && owns_edge(dx, dy))
}

impl Depth {
    /// Least bits after the point of the increments.
    const LEAST_SHIFT: u32 = 21;

    fn new(a: RasterVertex, b: RasterVertex, c: RasterVertex, area: i64) -> Self {
        let highest = a.z.max(b.z).max(c.z);
        let exponent = (highest.to_bits() >> 23) as i32 - 150;
        let scale = f32::from_bits(((127 - exponent) as u32) << 23);
        let [za, zb, zc] = [a.z, b.z, c.z].map(|z| (z * scale) as i32);
        let (b_x, b_y, c_x, c_y) = (b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y);
        let extent = b_x.abs().max(b_y.abs()).max(c_x.abs().max(c_y.abs())) as u32;
        let first_shift = (62 - 25 - 1 - (u32::BITS - extent.leading_zeros())).min(24);
        let more = Self::LEAST_SHIFT.saturating_sub(first_shift);
        let (to_b, to_c) = (i64::from(zb - za), i64::from(zc - za));
        let rise_x = to_b * i64::from(c_y) - to_c * i64::from(b_y);
        let rise_y = to_c * i64::from(b_x) - to_b * i64::from(c_x);
        let slope = |rise: i64| ((rise / area) << more) + ((rise % area) << more) / area;
        Self {
            base: i64::from(za) << (first_shift + more),
            along_x: slope(rise_x << first_shift),
            along_y: slope(rise_y << first_shift),
            shift: first_shift + more,
            exponent,
            least: za.min(zb).min(zc),
            greatest: za.max(zb).max(zc),
        }
    }

    /// Terms may overflow for slivers; their sum does not.
    fn sum(&self, dx: i64, dy: i64) -> i64 {
        self.base.wrapping_add(self.along_x.wrapping_mul(dx)).wrapping_add(self.along_y.wrapping_mul(dy))
    }

    fn bits(&self, sum: i64) -> u32 {
        let z = ((sum >> self.shift) as i32).clamp(self.least, self.greatest);
        (z as f32 * f32::from_bits(((127 + self.exponent) as u32) << 23)).to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    const SIZE: [u32; 2] = [48, 40];

    fn vertex() -> impl Strategy<Value = RasterVertex> {
        (-2000..14_000i32, -2000..12_000i32, 0.001f32..1.0).prop_map(|(x, y, z)| RasterVertex { x, y, z })
    }

    proptest! {
        /// A quadrilateral cut along its diagonal either way: every pixel of the inside is covered once.
        #[test]
        fn a_shared_edge_is_covered_once(a in vertex(), b in vertex(), c in vertex(), d in vertex()) {
            // Only where b and d lie on different sides of a–c.
            prop_assume!(cross(b, c, a).signum() * cross(d, c, a).signum() < 0);
            let mut counts = HashMap::new();
            for triangle in [[a, b, c], [a, c, d]] {
                rasterise(triangle, SIZE, top_left, |x, y, _| *counts.entry((x, y)).or_insert(0) += 1);
            }
            prop_assert!(counts.values().all(|&count| count == 1));
        }

        #[test]
        fn depth_stays_near_the_plane_and_within_the_corners(a in vertex(), b in vertex(), c in vertex()) {
            let unit = 2f64.powi(-22);
            prop_assert!(depth_error([a, b, c]) <= 3.0 * unit);
        }

        /// Increments are cut after 21 bits, of depths of 24: over 2²⁴ subpixels an axis that is 16 units of the last.
        #[test]
        fn depth_of_a_triangle_far_beyond_the_picture_is_as_exact(
            a in far_vertex(), b in far_vertex(), c in far_vertex()
        ) {
            prop_assert!(depth_error([a, b, c]) <= 20.0 * 2f64.powi(-23));
        }
    }

    fn far_vertex() -> impl Strategy<Value = RasterVertex> {
        let place = -8_388_607..8_388_607i32;
        (place.clone(), place, 1e-6f32..1.0).prop_map(|(x, y, z)| RasterVertex { x, y, z })
    }

    /// Greatest distance of a pixel's depth from the plane through the corners, as a share of the nearest corner's.
    fn depth_error([a, b, c]: [RasterVertex; 3]) -> f64 {
        let area = cross(b, c, a) as f64;
        let (low, high) = (f64::from(a.z.min(b.z).min(c.z)), f64::from(a.z.max(b.z).max(c.z)));
        let mut worst = 0f64;
        rasterise([a, b, c], SIZE, top_left, |x, y, bits| {
            let z = f64::from(f32::from_bits(bits));
            let at = RasterVertex { x: x as i32 * 256 + 128, y: y as i32 * 256 + 128, z: 0.0 };
            let (wb, wc) = (cross(at, c, a) as f64 / area, cross(b, at, a) as f64 / area);
            let exact = f64::from(a.z) * (1.0 - wb - wc) + f64::from(b.z) * wb + f64::from(c.z) * wc;
            assert!(z >= low - high * 2f64.powi(-22) && z <= high, "{z} within the corners");
            worst = worst.max((z - exact).abs() / high);
        });
        worst
    }

    #[test]
    fn top_and_left_edges_belong_to_the_triangle() {
        let at = |x: i32, y: i32| RasterVertex { x: x * 256 + 128, y: y * 256 + 128, z: 0.5 };
        let mut seen = Vec::new();
        rasterise([at(2, 2), at(5, 2), at(2, 5)], SIZE, top_left, |x, y, _| seen.push((x, y)));
        assert_eq!(seen, [(2, 2), (3, 2), (4, 2), (2, 3), (3, 3), (2, 4)]);
    }
}
