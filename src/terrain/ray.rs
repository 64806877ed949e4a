//! A ray in grid coordinates, clipped to the box around a field.

use super::Terrain;
use glam::{DVec2, DVec3};

/// A piece of a ray, metres from the ray's entry into the field's box.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: f64,
    pub end: f64,
}

impl Span {
    pub fn middle(self) -> f64 {
        self.start + self.length() * 0.5
    }

    pub fn length(self) -> f64 {
        self.end - self.start
    }

    /// The part where `from + rate·t` lies within `low ..= high`.
    fn clip(self, from: f64, rate: f64, low: f64, high: f64) -> Option<Self> {
        let mut ends = [(low - from) / rate, (high - from) / rate];
        if rate == 0.0 {
            return (low..=high).contains(&from).then_some(self);
        }
        if rate < 0.0 {
            ends.reverse();
        }
        let part = Self { start: self.start.max(ends[0]), end: self.end.min(ends[1]) };
        (part.start <= part.end).then_some(part)
    }
}

/// A ray whose t = 0 is where it enters the field's box, so that a far origin costs its precision once only.
#[derive(Debug)]
pub(super) struct Ray {
    /// Cells from sample (0, 0) at entry, and cells per metre of ray.
    grid: [DVec2; 2],
    /// Metres over the field's origin at entry, and per metre of ray.
    height: [f64; 2],
    /// World x and z at entry, and per metre of ray.
    world: [DVec2; 2],
    /// Metres from the ray's origin to its entry.
    entry: f64,
    /// Metres that rounding can put the ray over or under a triangle.
    pub slack: f64,
}

impl Ray {
    /// The ray from `origin` along the unit vector `direction`, and the part of it inside the field's box.
    pub fn new(terrain: &Terrain, origin: DVec3, direction: DVec3) -> Option<(Self, Span)> {
        let flat = DVec2::new(direction.x, direction.z);
        let (start, rate) = (terrain.grid_from_world(origin.x, origin.z), flat / terrain.spacing());
        let height = origin.y - terrain.origin().y;
        let [columns, rows] = terrain.cells().map(f64::from);
        let range = terrain.range();
        let (low, high) = (f64::from(*range.start()), f64::from(*range.end()));
        // Each number that a height over a triangle comes from, with what its rounding is worth in metres:
        // the world heights, and the cells to the ray's origin and over the field on ground that rises by all
        // its relief in one.
        let heights = origin.y.abs() + terrain.origin().y.abs() + low.abs() + high.abs();
        let relief = (start.x.abs() + start.y.abs() + columns + rows) * (high - low);
        let slack_at = |t: f64| 16.0 * f64::EPSILON * (heights + relief + t);
        // A flat field has a box of no height, which rounding could miss.
        let margin = slack_at(0.0);

        let all = Span { start: 0.0, end: f64::INFINITY };
        let inside = all.clip(start.x, rate.x, 0.0, columns)?.clip(start.y, rate.y, 0.0, rows)?.clip(
            height,
            direction.y,
            low - margin,
            high + margin,
        )?;
        let entry = inside.start;
        let ray = Self {
            grid: [start + rate * entry, rate],
            height: [height + direction.y * entry, direction.y],
            world: [DVec2::new(origin.x, origin.z) + flat * entry, flat],
            entry,
            slack: slack_at(entry),
        };
        let span = Span { start: 0.0, end: inside.end - entry };
        (entry.is_finite() && ray.slack.is_finite() && span.end.is_finite()).then_some((ray, span))
    }

    pub fn is_vertical(&self) -> bool {
        self.grid[1] == DVec2::ZERO
    }

    /// Grid coordinates at t.
    pub fn ground(&self, t: f64) -> DVec2 {
        self.grid[0] + self.grid[1] * t
    }

    /// Metres over the field's origin at t.
    pub fn height(&self, t: f64) -> f64 {
        self.height[0] + self.height[1] * t
    }

    /// Where a ray that is not level reaches a height.
    pub fn t_at_height(&self, height: f64) -> f64 {
        (height - self.height[0]) / self.height[1]
    }

    /// World x and z at t, metres.
    pub fn world(&self, t: f64) -> (f64, f64) {
        (self.world[0] + self.world[1] * t).into()
    }

    /// Metres from the ray's origin at t.
    pub fn distance(&self, t: f64) -> f64 {
        (self.entry + t).max(0.0)
    }

    /// Whether a span of the ray comes as low as `high` and as high as `low`.
    pub fn meets(&self, span: Span, low: f64, high: f64) -> bool {
        let (a, b) = (self.height(span.start), self.height(span.end));
        a.min(b) - self.slack <= high && a.max(b) + self.slack >= low
    }

    /// A span in up to three parts, cut where the ray crosses the lines x and z of `middle`.
    pub fn split(&self, span: Span, middle: DVec2) -> impl Iterator<Item = Span> + use<> {
        let cut = |from: f64, rate: f64, line: f64| {
            let t = (line - from) / rate;
            if t.is_nan() { span.start } else { t.clamp(span.start, span.end) }
        };
        let [from, rate] = self.grid;
        let (x, z) = (cut(from.x, rate.x, middle.x), cut(from.y, rate.y, middle.y));
        let ends = [span.start, x.min(z), x.max(z), span.end];
        (0..3).map(move |i| Span { start: ends[i], end: ends[i + 1] }).filter(|part| part.start < part.end)
    }
}

/// Where the ray crosses next: lines of samples along both axes, and diagonals.
pub(super) struct Lines([Family; 3]);

impl Lines {
    pub fn new(ray: &Ray, t: f64) -> Self {
        let [from, rate] = ray.grid;
        Self([
            Family::new(from.x, rate.x, t),
            Family::new(from.y, rate.y, t),
            Family::new(from.x - from.y, rate.x - rate.y, t),
        ])
    }

    /// The t of the next crossing; infinite where there is none.
    pub fn next_cut(&self) -> f64 {
        self.0.iter().map(Family::cut).fold(f64::INFINITY, f64::min)
    }

    /// Leaves the crossings up to t behind.
    pub fn pass(&mut self, t: f64) {
        for family in &mut self.0 {
            if family.cut() <= t {
                family.next += family.rate.signum();
            }
        }
    }
}

/// Parallel lines, one at each whole number of a coordinate.
struct Family {
    from: f64,
    rate: f64,
    next: f64,
}

impl Family {
    fn new(from: f64, rate: f64, t: f64) -> Self {
        let at = from + rate * t;
        Self { from, rate, next: if rate > 0.0 { at.floor() + 1.0 } else { at.ceil() - 1.0 } }
    }

    fn cut(&self) -> f64 {
        if self.rate == 0.0 { f64::INFINITY } else { (self.next - self.from) / self.rate }
    }
}
