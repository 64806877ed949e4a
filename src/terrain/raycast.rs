//! Where a ray meets the drawn triangles.
//!
//! The ray's path over the ground is cut wherever it crosses a line of samples or a diagonal. Between two cuts it runs
//! over one triangle, and its height over that triangle's plane is linear. A change of sign is a hit, also from one
//! triangle's end to the next one's begin, so no rounding lets a ray slip between two triangles. Blocks of the
//! minimum/maximum pyramid that the ray passes over or under are skipped.

use super::Terrain;
use super::bounds::Bounds;
use super::facet::Facet;
use super::ray::{Lines, Ray, Span};
use glam::{DVec2, DVec3};

/// Within this many cells of a triangle beside a hole, a ray counts as over it.
const REACH: f64 = 1e-10;

/// Where a ray meets the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// World position on the triangle, metres.
    pub position: DVec3,
    /// Unit normal of the triangle's plane; it points up whichever side was hit.
    pub normal: DVec3,
    /// Metres from the ray's origin.
    pub distance: f64,
}

impl Terrain {
    /// The first drawn triangle that the ray from `origin` along `direction`, of any length, meets from above or below.
    ///
    /// Triangles are closed and holes are not hit; a ray that starts on a triangle hits it there. `None` also for a direction of zero, and for NaN or infinity.
    pub fn raycast(&self, origin: DVec3, direction: DVec3) -> Option<Hit> {
        if !origin.is_finite() {
            return None;
        }
        // Scaled first: the length of a tiny or huge direction is zero or infinite.
        let direction = (direction / direction.abs().max_element()).try_normalize()?;
        let (ray, span) = Ray::new(self, origin, direction)?;
        let touch = if ray.is_vertical() { self.touch_vertical(&ray, span) } else { self.touch(&ray, span) };
        touch.map(|touch| self.hit(&ray, touch))
    }

    fn touch_vertical(&self, ray: &Ray, span: Span) -> Option<Touch> {
        let facet = self.facet_at(ray.ground(0.0))?;
        let t = ray.t_at_height(facet.height(ray.ground(0.0)));
        (-ray.slack..=span.end + ray.slack).contains(&t).then_some(Touch { t, facet })
    }

    fn touch(&self, ray: &Ray, span: Span) -> Option<Touch> {
        let bounds = self.bounds();
        let mut walk = Walk { terrain: self, bounds, ray, chain: None };
        let touch = if span.length() == 0.0 {
            walk.triangle(span)
        } else {
            walk.block(bounds.coarsest(), [0, 0], span)
        };
        touch.or_else(|| walk.close())
    }

    fn hit(&self, ray: &Ray, Touch { t, facet }: Touch) -> Hit {
        let ground = self.clamped(ray.ground(t));
        let (x, z) = ray.world(t);
        let normal = self.normal_from(facet.gradient());
        let position = DVec3::new(x, facet.height(ground) + self.origin().y, z);
        Hit { position, normal, distance: ray.distance(t) }
    }
}

/// A point of the ray on a triangle.
#[derive(Clone, Copy)]
struct Touch {
    t: f64,
    facet: Facet,
}

/// How the ray leaves a triangle.
#[derive(Clone, Copy)]
struct End {
    /// Metres of the ray over the triangle's plane.
    over: f64,
    touch: Touch,
}

struct Walk<'a> {
    terrain: &'a Terrain,
    bounds: &'a Bounds,
    ray: &'a Ray,
    /// The end of the triangle before, while triangles follow each other without a gap.
    chain: Option<End>,
}

impl Walk<'_> {
    /// Walks a block over a span of the ray, nearest part first.
    fn block(&mut self, level: usize, block: [usize; 2], span: Span) -> Option<Touch> {
        let range = self.bounds.block(level, block);
        if !self.ray.meets(span, f64::from(range.low), f64::from(range.high)) {
            return self.close();
        }
        if level == 0 {
            return self.cells(span);
        }
        let half = Bounds::block_cells(level - 1) as f64;
        let middle = DVec2::new((2 * block[0] + 1) as f64, (2 * block[1] + 1) as f64) * half;
        for part in self.ray.split(span, middle) {
            let at = self.ray.ground(part.middle());
            let child =
                [2 * block[0] + usize::from(at.x >= middle.x), 2 * block[1] + usize::from(at.y >= middle.y)];
            if let Some(touch) = self.block(level - 1, child, part) {
                return Some(touch);
            }
        }
        None
    }

    /// Walks the triangles below a span of the ray.
    fn cells(&mut self, span: Span) -> Option<Touch> {
        let mut lines = Lines::new(self.ray, span.start);
        let mut start = span.start;
        while start < span.end {
            let end = lines.next_cut().clamp(start, span.end);
            if let Some(touch) = self.triangle(Span { start, end }) {
                return Some(touch);
            }
            lines.pass(end);
            start = end;
        }
        None
    }

    /// Looks for a hit over the one triangle below a span of the ray.
    fn triangle(&mut self, span: Span) -> Option<Touch> {
        let middle = self.terrain.clamped(self.ray.ground(span.middle()));
        let facet = self.terrain.facet_at(middle).or_else(|| self.terrain.facet_near(middle, REACH));
        let Some(facet) = facet else { return self.close() };
        let end_at = |t: f64| {
            let over = self.ray.height(t) - facet.height(self.ray.ground(t));
            End { over, touch: Touch { t, facet } }
        };
        let (start, end) = (end_at(span.start), end_at(span.end));
        let before = self.chain.replace(end);
        if before.is_some_and(|before| change_of_sign(before.over, start.over)) {
            return Some(start.touch);
        }
        if change_of_sign(start.over, end.over) {
            let share = start.over / (start.over - end.over);
            // A ray within the plane touches it at once.
            let share = if share.is_finite() { share } else { 0.0 };
            return Some(Touch { t: span.start + share * span.length(), facet });
        }
        // The first triangle after a gap has none before it to share a rounding error with.
        (before.is_none() && start.over.abs() <= self.ray.slack).then_some(start.touch)
    }

    /// Ends a row of triangles at a gap; its last point is a hit if the ray leaves it there within rounding.
    fn close(&mut self) -> Option<Touch> {
        let end = self.chain.take()?;
        (end.over.abs() <= self.ray.slack).then_some(end.touch)
    }
}

fn change_of_sign(a: f64, b: f64) -> bool {
    a.min(b) <= 0.0 && a.max(b) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::super::facet::Half;
    use super::super::fixtures::{field, holed};
    use super::*;
    use proptest::prelude::*;

    /// The corners of every drawn triangle in world metres; `flip` draws the other diagonal.
    fn triangles(terrain: &Terrain, flip: bool) -> Vec<[DVec3; 3]> {
        let [columns, rows] = terrain.cells().map(i64::from);
        let corner = |ix: i64, iz: i64| {
            let at = terrain.world_from_grid(DVec2::new(ix as f64, iz as f64));
            terrain.sample(ix, iz).map(|height| DVec3::new(at.x, height, at.y))
        };
        let halves = |(ix, iz): (i64, i64)| {
            let [a, b, c, d] = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, z)| corner(ix + x, iz + z));
            if flip { [[a, b, c], [b, d, c]] } else { [[a, b, d], [a, d, c]] }
        };
        let cells = (0..rows).flat_map(|iz| (0..columns).map(move |ix| (ix, iz)));
        cells.flat_map(halves).filter_map(|[a, b, c]| Some([a?, b?, c?])).collect()
    }

    /// Distance to one triangle, which is grown by `margin` of its size so that its edges are surely closed.
    fn distance(origin: DVec3, direction: DVec3, [a, b, c]: [DVec3; 3], margin: f64) -> Option<f64> {
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

    fn brute(triangles: &[[DVec3; 3]], origin: DVec3, direction: DVec3, margin: f64) -> Option<f64> {
        let hits = triangles.iter().filter_map(|triangle| distance(origin, direction, *triangle, margin));
        hits.min_by(f64::total_cmp)
    }

    /// A point over, beside or under the field, from fractions of its box.
    fn place(terrain: &Terrain, at: [f64; 3]) -> DVec3 {
        let [columns, rows] = terrain.cells().map(f64::from);
        let ground = terrain.world_from_grid(DVec2::new(at[0] * columns, at[2] * rows));
        DVec3::new(ground.x, terrain.origin().y + at[1] * 50.0, ground.y)
    }

    /// Whether the ray agrees with every triangle tried one by one; a ray that only grazes may do either.
    fn agrees(terrain: &Terrain, triangles: &[[DVec3; 3]], origin: DVec3, target: DVec3) -> bool {
        let direction = (target - origin).normalize();
        let distance = terrain.raycast(origin, direction).map(|hit| hit.distance);
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
        let [wide, narrow] = [1e-7, -1e-7].map(|margin| brute(triangles, origin, direction, margin));
        match distance {
            Some(t) => wide.is_some_and(|w| near(t, w)) || narrow.is_some_and(|n| near(t, n)),
            None => narrow.is_none(),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1024))]

        #[test]
        fn agrees_with_all_triangles_tried_one_by_one(
            terrain in holed(),
            from in [-1.0f64..2.0, -3.0f64..3.0, -1.0f64..2.0],
            to in [-0.1f64..1.1, -1.0f64..1.0, -0.1f64..1.1],
        ) {
            let triangles = triangles(&terrain, false);
            prop_assert!(agrees(&terrain, &triangles, place(&terrain, from), place(&terrain, to)));
        }

        #[test]
        fn from_above_it_is_the_height(terrain in holed(), at in [-0.1f64..1.1, 2.0f64..9.0, -0.1f64..1.1]) {
            let origin = place(&terrain, at);
            let hit = terrain.raycast(origin, DVec3::NEG_Y);
            let height = terrain.height_at(origin.x, origin.z).filter(|_| terrain.covers(origin.x, origin.z));
            prop_assert_eq!(hit.map(|hit| hit.position.y), height);
            let below = terrain.raycast(DVec3::new(origin.x, -1e4, origin.z), DVec3::Y);
            prop_assert_eq!(below.map(|hit| hit.position), hit.map(|hit| hit.position));
        }

        #[test]
        fn a_hit_lies_on_the_ground_and_on_the_ray(
            terrain in holed(),
            from in [-9.0f64..9.0, 1.1f64..3.0, -9.0f64..9.0],
            to in [0.0f64..1.0, -1.0f64..1.0, 0.0f64..1.0],
        ) {
            let origin = place(&terrain, from);
            let direction = place(&terrain, to) - origin;
            if let Some(hit) = terrain.raycast(origin, direction) {
                let along = origin + direction.normalize() * hit.distance;
                prop_assert!((along - hit.position).length() < 1e-6);
                prop_assert!(hit.normal.y > 0.0 && (hit.normal.length() - 1.0).abs() < 1e-12);
                if let Some(height) = terrain.height_at(hit.position.x, hit.position.z) {
                    prop_assert!((height - hit.position.y).abs() < 1e-6);
                }
            }
        }

        #[test]
        fn never_slips_through_an_edge_or_a_sample(
            mut heights in proptest::collection::vec(-5.0f32..5.0, 81),
            spacing in [0.1f64..40.0, 0.1f64..40.0],
            kind in 0usize..6, line in 1i64..8, at in -3.0f64..11.0, lift in 40.0f64..90.0,
            sample in [1i64..8, 1i64..8],
        ) {
            // The bottom of a pit: past it there is no way but into the ground.
            heights[(sample[1] * 9 + sample[0]) as usize] = -6.0;
            let terrain = Terrain::new(9, 9, spacing, DVec3::new(3e5, 12.0, -7e6), &heights).expect("built");
            let world = |u: f64, v: f64, height: f64| {
                let at = terrain.world_from_grid(DVec2::new(u, v));
                DVec3::new(at.x, terrain.origin().y + height, at.y)
            };
            let target = world(sample[0] as f64, sample[1] as f64, -6.0);
            let k = line as f64;
            let (origin, aim) = match kind {
                // Along a line of samples of either axis, along a diagonal, at a sample from afar, along a diagonal and
                // straight down.
                0 => (world(k, at, lift), world(k, 4.3, -7.0)),
                1 => (world(at, k, lift), world(4.3, k, -7.0)),
                2 => (world(at, at, lift), world(4.3, 4.3, -7.0)),
                3 => (world(at, 2.7, lift), target),
                4 => (target + DVec3::new(spacing[0], lift, spacing[1]), target),
                _ => (target + DVec3::Y * lift, target),
            };
            let hit = terrain.raycast(origin, aim - origin);
            // The field is closed under every ray that ends inside it at its lowest sample or below.
            prop_assert!(hit.is_some(), "slipped through");
            // Places are rounded to nanometres this far from the world's origin, and slopes are up to 1:100.
            let reach = (aim - origin).length() + 1e-6;
            prop_assert!(hit.is_some_and(|hit| hit.distance <= reach));
        }
    }

    #[test]
    fn the_other_diagonal_is_noticed() {
        let terrain = field(2, 2, &[0.0, 3.0, 3.0, 0.0]);
        let (origin, target) = (DVec3::new(0.7, 9.0, 0.2), DVec3::new(0.6, 0.0, 0.5));
        assert!(agrees(&terrain, &triangles(&terrain, false), origin, target));
        assert!(!agrees(&terrain, &triangles(&terrain, true), origin, target));
        assert!(terrain.facet(0, 0, Half::East).is_some());
    }

    #[test]
    fn far_origins_and_odd_directions() {
        let terrain = field(3, 3, &[1.0; 9]);
        let far = DVec3::new(-1e9, 1e9 + 1.0, 1.0);
        let hit = terrain.raycast(far, DVec3::new(1.0, -1.0, 0.0)).expect("hit at the rim");
        assert!((hit.position - DVec3::new(0.0, 1.0, 1.0)).length() < 1e-6);
        let level = terrain.raycast(DVec3::new(-5.0, 1.0, 0.4), DVec3::X).expect("within the plane");
        assert_eq!((level.distance, level.normal), (5.0, DVec3::Y));
        let tiny = terrain.raycast(DVec3::new(0.3, 2.0, 0.4), DVec3::new(0.0, -1e-300, 0.0));
        assert_eq!(tiny.map(|hit| hit.distance), Some(1.0));
        for bad in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NAN, 1.0)] {
            assert_eq!(terrain.raycast(DVec3::new(1.0, 5.0, 1.0), bad), None);
            if bad != DVec3::ZERO {
                assert_eq!(terrain.raycast(bad, DVec3::NEG_Y), None);
            }
        }
        assert_eq!(terrain.raycast(DVec3::new(1.0, 5.0, 1.0), DVec3::Y), None);
    }

    #[test]
    fn a_hole_lets_rays_through_and_its_rim_does_not() {
        let mut heights = [2.0; 25];
        heights[12] = f32::NAN;
        let terrain = field(5, 5, &heights);
        let down = |x: f64, z: f64| terrain.raycast(DVec3::new(x - 4.0, 6.0, z), DVec3::new(1.0, -1.0, 0.0));
        assert_eq!(down(2.0, 2.0), None);
        assert_eq!(down(2.5, 2.3), None);
        assert!(down(2.0, 1.0).is_some() && down(0.9, 2.0).is_some() && down(3.0, 2.5).is_some());
    }
}
