//! Small fields that the tests of this folder share.

use super::Terrain;
use glam::DVec3;
use proptest::prelude::*;

/// A field of spacing 1 at the world's origin.
pub fn field(width: u32, depth: u32, heights: &[f32]) -> Terrain {
    Terrain::new(width, depth, 1.0, DVec3::ZERO, heights).expect("a field")
}

/// Fields of 2×2 to 11×11 samples of any spacing and place, from none to two thirds of them empty.
pub fn holed() -> impl Strategy<Value = Terrain> {
    let spacing = [0.1f64..40.0, 0.1f64..40.0];
    let origin = [-1e6f64..1e6, -100.0f64..100.0, -1e6f64..1e6];
    (2u32..12, 2u32..12, spacing, origin, 0.0f64..0.67).prop_flat_map(
        |(width, depth, spacing, origin, empty)| {
            let sample = (proptest::bool::weighted(empty), -50.0f32..50.0);
            proptest::collection::vec(sample, (width * depth) as usize).prop_map(move |samples| {
                let mut heights: Vec<f32> =
                    samples.iter().map(|(hole, h)| if *hole { f32::NAN } else { *h }).collect();
                // A field needs one valid sample.
                heights[0] = samples[0].1;
                Terrain::new(width, depth, spacing, origin.into(), &heights).expect("a field")
            })
        },
    )
}

/// Distance to one triangle, which is grown by `margin` of its size so that its edges are surely closed.
pub fn distance_to_triangle(
    origin: DVec3,
    direction: DVec3,
    [a, b, c]: [DVec3; 3],
    margin: f64,
) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(ac);
    let determinant = ab.dot(p);
    let s = origin - a;
    let u = s.dot(p) / determinant;
    let q = s.cross(ab);
    let v = direction.dot(q) / determinant;
    let t = ac.dot(q) / determinant;
    (u >= -margin && v >= -margin && u + v <= 1.0 + margin && t >= -margin).then_some(t)
}
