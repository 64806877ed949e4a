//! Many points put onto the ground at once.

use super::Terrain;
use glam::{DVec2, DVec3};
use rayon::prelude::*;

/// Points a thread takes at a time; fewer cost less than handing them over.
const BATCH: usize = 1024;

/// A point on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// World position, metres.
    pub position: DVec3,
    /// Whether the ground has no data here, and the height is taken from the points before and after.
    pub filled: bool,
}

impl Terrain {
    /// Puts a row of points (x, z) onto the drawn triangles, in parallel.
    ///
    /// A point in a hole lies on the straight line between the nearest points before and after it in the row that have
    /// ground; at an end of the row it takes the nearest one's height. `None` where no point has ground, and for NaN or
    /// infinity.
    pub fn project_points(&self, points: &[DVec2]) -> Vec<Option<Projected>> {
        let heights: Vec<Option<f64>> = points
            .par_iter()
            .with_min_len(BATCH)
            .map(|point| if point.is_finite() { self.height_at(point.x, point.y) } else { None })
            .collect();
        let after = nearest_after(&heights);
        let mut before = None;
        let rows = points.iter().zip(&heights).enumerate();
        rows.map(|(i, (point, height))| {
            before = height.map(|_| i).or(before);
            if !point.is_finite() {
                return None;
            }
            let known = |i: usize| heights[i].map(|height| (points[i], height));
            let height_there =
                height.or_else(|| fill(*point, before.and_then(known), after[i].and_then(known)));
            let on = |height| Projected {
                position: DVec3::new(point.x, height, point.y),
                filled: heights[i].is_none(),
            };
            height_there.map(on)
        })
        .collect()
    }
}

/// For each place in the row, the first at or after it that has a height.
fn nearest_after(heights: &[Option<f64>]) -> Vec<Option<usize>> {
    let mut next = None;
    let mut after: Vec<Option<usize>> = (0..heights.len())
        .rev()
        .map(|i| {
            next = heights[i].map(|_| i).or(next);
            next
        })
        .collect();
    after.reverse();
    after
}

/// A height between two known points, by the distances in plan.
fn fill(point: DVec2, before: Option<(DVec2, f64)>, after: Option<(DVec2, f64)>) -> Option<f64> {
    match (before, after) {
        (Some((from, low)), Some((to, high))) => {
            let (behind, ahead) = (point.distance(from), point.distance(to));
            let share = if behind == 0.0 { 0.0 } else { behind / (behind + ahead) };
            Some(low + (high - low) * share)
        }
        (one, other) => one.or(other).map(|(_, height)| height),
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::field;
    use super::*;

    #[test]
    fn a_miss_lies_between_its_neighbours_and_says_so() {
        let mut heights: Vec<f32> = (0..28).map(|i| (i % 7) as f32).collect();
        heights[10] = f32::NAN;
        let terrain = field(7, 4, &heights);
        let at = |x: f64, z: f64| DVec2::new(x, z);
        let row = [at(3.0, 1.0), at(1.0, 1.0), at(2.5, 1.0), at(3.5, 1.25), at(5.0, 1.0), at(f64::NAN, 1.0)];
        let projected = terrain.project_points(&row);
        let told: Vec<_> = projected.iter().map(|p| p.map(|p| (p.position.y, p.filled))).collect();
        assert_eq!(told[0], Some((1.0, true)));
        assert_eq!(told[1], Some((1.0, false)));
        assert_eq!(told[2], Some((1.0 + 4.0 * 1.5 / 4.0, true)));
        assert!(told[3].is_some_and(|(height, filled)| filled && height > 2.5 && height < 5.0));
        assert_eq!((told[4], told[5]), (Some((5.0, false)), None));
        assert_eq!(terrain.project_points(&row[2..3]), [None]);
        assert_eq!(terrain.project_points(&[]), []);
    }

    #[test]
    fn many_points_are_the_same_as_one_by_one() {
        let heights: Vec<f32> = (0..100).map(|i| (i * 37 % 11) as f32).collect();
        let terrain = field(10, 10, &heights);
        let points: Vec<DVec2> =
            (0..5000).map(|i| DVec2::new(f64::from(i % 71) * 0.13, f64::from(i % 89) * 0.1)).collect();
        for (point, projected) in points.iter().zip(terrain.project_points(&points)) {
            let height = terrain.height_at(point.x, point.y).expect("ground");
            let position = DVec3::new(point.x, height, point.y);
            assert_eq!(projected, Some(Projected { position, filled: false }));
        }
    }
}
