//! Where a ray meets the drawn triangles.
//!
//! The ray's path over the ground is cut wherever it crosses a line of samples or a diagonal. Between two
//! cuts it runs over one triangle, and its height over that triangle's plane is linear. A change of sign is a
//! hit, also from one triangle's end to the next one's begin, so no rounding lets a ray slip between two
//! triangles. Blocks of the minimum/maximum pyramid that the ray passes over or under are skipped.

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
    /// The first drawn triangle that the ray from `origin` along `direction`, of any length, meets from above
    /// or below.
    ///
    /// Triangles are closed and holes are not hit; a ray that starts on a triangle hits it there. `None` also
    /// for a direction of zero, and for NaN or infinity.
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
        (-ray.slack..=span.end).contains(&t).then_some(Touch { t, facet })
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
        let (x, z) = ray.world(t);
        let normal = self.normal_from(facet.gradient());
        let position = DVec3::new(x, facet.height(ray.ground(t)) + self.origin().y, z);
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
        let middle = self.ray.ground(span.middle());
        let facet = self.terrain.facet_at(middle).or_else(|| self.terrain.facet_near(middle, REACH));
        let Some(facet) = facet else { return self.close() };
        let end_at = |t: f64| {
            let over = self.ray.height(t) - facet.height(self.ray.ground(t));
            End { over, touch: Touch { t, facet } }
        };
        let (start, end) = (end_at(span.start), end_at(span.end));
        let before = self.chain.replace(end);
        // The first triangle after a gap has none before it to share a rounding error with.
        let starts_here = before
            .map_or(start.over.abs() <= self.ray.slack, |before| change_of_sign(before.over, start.over));
        if starts_here {
            return Some(start.touch);
        }
        // The start is off the plane here, so the two differ.
        change_of_sign(start.over, end.over).then(|| {
            let share = start.over / (start.over - end.over);
            Touch { t: span.start + share * span.length(), facet }
        })
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
mod rounding_tests;
#[cfg(test)]
mod tests;
