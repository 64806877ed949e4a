//! From points whose place on the map is known to the affine map between columns and rows and map coordinates.

use super::georeference::Georeference;

/// A place in the picture and on the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlPoint {
    /// Column and row, counted from the upper left corner of the first pixel.
    pub pixel: [f64; 2],
    /// Map coordinates x and y.
    pub map: [f64; 2],
}

/// The affine map that lies nearest to control points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// x = g0 + column·g1 + row·g2, y = g3 + column·g4 + row·g5.
    pub geotransform: [f64; 6],
    /// The farthest that a point lies off its place, in pixels.
    pub worst: f64,
}

impl Fit {
    /// Points that lie within this many pixels are taken as placed by the map; GDAL's bound as well.
    const EXACT: f64 = 0.25;

    /// Points that lie this near leave nothing but rounding to a better map.
    const ROUNDING: f64 = 1e-6;

    /// Whether the map stands for all the points.
    pub fn is_exact(&self) -> bool {
        self.worst <= Self::EXACT
    }

    /// The map of given slopes that puts one place where a point says.
    fn through(
        place: &ControlPoint,
        [[xc, xr], [yc, yr]]: [[f64; 2]; 2],
        points: &[ControlPoint],
    ) -> Option<Self> {
        let ([column, row], [x, y]) = (place.pixel, place.map);
        let geotransform = [x - column * xc - row * xr, xc, xr, y - column * yc - row * yr, yc, yr];
        let map = Georeference::from_geotransform(&geotransform)?;
        let off = points.iter().map(|point| {
            // Whole numbers of a georeference are the middles of pixels.
            let [column, row] = map.sample(point.map[0], point.map[1]);
            (column + 0.5 - point.pixel[0]).hypot(row + 0.5 - point.pixel[1])
        });
        Some(Self { geotransform, worst: off.fold(0.0, f64::max) })
    }
}

/// Fits an affine map: an upright one where it serves, else the best by least squares, for which three points are needed.
/// `None` where the points determine no map.
pub fn fit(points: &[ControlPoint]) -> Option<Fit> {
    let upright = upright(points);
    if points.len() < 3 || upright.is_some_and(|fit| fit.worst <= Fit::ROUNDING) {
        return upright;
    }
    let middle =
        ControlPoint { pixel: mean(points, |point| point.pixel), map: mean(points, |point| point.map) };
    Fit::through(&middle, slopes(points, &middle)?, points)
}

/// The map without a turn through the first point and the one that spans the largest rectangle with it.
fn upright(points: &[ControlPoint]) -> Option<Fit> {
    let first = points.first()?;
    let area =
        |point: &ControlPoint| ((point.pixel[0] - first.pixel[0]) * (point.pixel[1] - first.pixel[1])).abs();
    let far = points.iter().max_by(|a, b| area(a).total_cmp(&area(b)))?;
    let step = |axis: usize| (far.map[axis] - first.map[axis]) / (far.pixel[axis] - first.pixel[axis]);
    Fit::through(first, [[step(0), 0.0], [0.0, step(1)]], points)
}

/// Map steps of x along columns and rows, then of y, by least squares about the points' middle.
fn slopes(points: &[ControlPoint], middle: &ControlPoint) -> Option<[[f64; 2]; 2]> {
    let ControlPoint { pixel, map } = middle;
    let (mut columns, mut rows, mut both) = (0.0, 0.0, 0.0);
    let mut along = [[0.0; 2]; 2];
    for point in points {
        let [column, row] = [point.pixel[0] - pixel[0], point.pixel[1] - pixel[1]];
        columns += column * column;
        rows += row * row;
        both += column * row;
        for axis in 0..2 {
            let off = point.map[axis] - map[axis];
            along[axis][0] += off * column;
            along[axis][1] += off * row;
        }
    }
    let determinant = columns * rows - both * both;
    // Points on one line leave nothing but rounding here.
    if !(determinant.is_finite() && determinant > 1e-9 * columns * rows) {
        return None;
    }
    Some(along.map(|[column, row]| {
        [(column * rows - row * both) / determinant, (row * columns - column * both) / determinant]
    }))
}

fn mean(points: &[ControlPoint], of: impl Fn(&ControlPoint) -> [f64; 2]) -> [f64; 2] {
    let sum = points.iter().map(of).fold([0.0; 2], |sum, next| [sum[0] + next[0], sum[1] + next[1]]);
    sum.map(|sum| sum / points.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURNED: [f64; 6] = [4e5, 8.0, 6.0, 1.3e6, 6.0, -8.0];

    fn points(geotransform: [f64; 6], pixels: &[[f64; 2]]) -> Vec<ControlPoint> {
        let g = geotransform;
        let place = |[c, r]: [f64; 2]| [g[0] + c * g[1] + r * g[2], g[3] + c * g[4] + r * g[5]];
        pixels.iter().map(|pixel| ControlPoint { pixel: *pixel, map: place(*pixel) }).collect()
    }

    #[test]
    fn points_of_an_affine_map_give_it_back() {
        for pixels in [
            vec![[0.0, 0.0], [4000.0, 0.0], [0.0, 4000.0]],
            vec![[0.0, 4000.0], [4000.0, 4000.0], [4000.0, 0.0], [0.0, 0.0], [17.0, 5.5]],
        ] {
            let found = fit(&points(TURNED, &pixels)).expect("a map");
            assert!(found.is_exact() && found.worst < 1e-6, "{found:?}");
            assert!(found.geotransform.iter().zip(TURNED).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        }
    }

    #[test]
    fn two_corners_give_an_upright_map() {
        let upright = [100.0, 2.0, 0.0, 500.0, 0.0, -3.0];
        let found = fit(&points(upright, &[[0.0, 0.0], [10.0, 20.0]])).expect("a map");
        assert_eq!(found.geotransform, upright);
        assert_eq!(fit(&points(upright, &[[0.0, 0.0], [10.0, 0.0]])), None);
    }

    #[test]
    fn points_that_bend_or_stand_on_a_line_are_told_apart() {
        let mut bent = points(TURNED, &[[0.0, 0.0], [100.0, 0.0], [0.0, 100.0], [100.0, 100.0]]);
        bent[3].map[0] += 40.0;
        assert!(fit(&bent).is_some_and(|found| !found.is_exact() && (found.worst - 1.0).abs() < 0.1));
        assert_eq!(fit(&points(TURNED, &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])), None);
        assert_eq!(fit(&points(TURNED, &[[0.0, 0.0]])), None);
        assert_eq!(fit(&[]), None);
        let broken = ControlPoint { pixel: [f64::NAN; 2], map: [f64::INFINITY; 2] };
        assert_eq!(fit(&[broken; 3]), None);
    }
}
