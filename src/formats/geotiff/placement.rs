//! The geotransform from a TIFF's tags.

use crate::formats::control_points::map_of;
use crate::formats::decoded::Notes;
use crate::formats::raster::PixelIs;
use crate::geo::ControlPoint;
use tiff_reader::Ifd;

const TAG_PIXEL_SCALE: u16 = 33550;
const TAG_TIE_POINT: u16 = 33922;
const TAG_TRANSFORMATION: u16 = 34264;

/// The geotransform of the upper left pixel's outer corner; `None` where the tags give none. One tie point and a scale go
/// before a matrix, and a matrix before tie points alone.
pub(super) fn geotransform(ifd: &Ifd, pixel_is: PixelIs, notes: &mut Notes) -> Option<[f64; 6]> {
    let numbers = |tag| ifd.tag(tag).and_then(|tag| tag.value.as_f64_vec()).unwrap_or_default();
    let tie = numbers(TAG_TIE_POINT);
    let found = from_scale(&numbers(TAG_PIXEL_SCALE), &tie)
        .or_else(|| from_matrix(&numbers(TAG_TRANSFORMATION)))
        .or_else(|| from_tie_points(&tie, notes))?;
    Some(match pixel_is {
        PixelIs::Area => found,
        PixelIs::Point => to_corner(found),
    })
}

/// One tie point and a scale. Rows run south whatever the sign of the scale.
fn from_scale(scale: &[f64], tie: &[f64]) -> Option<[f64; 6]> {
    let (&[width, height, ..], &[column, row, _, x, y, ..]) = (scale, tie) else { return None };
    let height = height.abs();
    (width != 0.0 && height != 0.0).then_some([
        x - column * width,
        width,
        0.0,
        y + row * height,
        0.0,
        -height,
    ])
}

/// A matrix of 4×4, row-major.
fn from_matrix(matrix: &[f64]) -> Option<[f64; 6]> {
    let &[a, b, _, x, d, e, _, y, ..] = matrix else { return None };
    (matrix.len() == 16).then_some([x, a, b, y, d, e])
}

/// Two or more tie points, which have to lie on one map.
fn from_tie_points(tie: &[f64], notes: &mut Notes) -> Option<[f64; 6]> {
    let (points, _) = tie.as_chunks::<6>();
    let points: Vec<ControlPoint> = points
        .iter()
        .map(|&[column, row, _, x, y, _]| ControlPoint { pixel: [column, row], map: [x, y] })
        .collect();
    if points.len() < 2 { None } else { map_of(&points, "the file's tie points", notes) }
}

/// The tags of a file of points place the first sample; its pixel's corner is half a step before it.
fn to_corner(g: [f64; 6]) -> [f64; 6] {
    [g[0] - 0.5 * (g[1] + g[2]), g[1], g[2], g[3] - 0.5 * (g[4] + g[5]), g[4], g[5]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tie_point_scale_and_matrix() {
        let tie = [1.0, 2.0, 0.0, 100.0, 200.0, 0.0];
        assert_eq!(from_scale(&[10.0, 5.0, 0.0], &tie), Some([90.0, 10.0, 0.0, 210.0, 0.0, -5.0]));
        assert_eq!(from_scale(&[10.0, 5.0], &tie[..3]), None);
        let mut matrix = [0.0; 16];
        (matrix[0], matrix[3], matrix[5], matrix[7]) = (10.0, 90.0, 5.0, 210.0);
        assert_eq!(from_matrix(&matrix), Some([90.0, 10.0, 0.0, 210.0, 0.0, 5.0]));
        assert_eq!(to_corner([0.0, 2.0, 0.0, 0.0, 0.0, -2.0]), [-1.0, 2.0, 0.0, 1.0, 0.0, -2.0]);
    }

    #[test]
    fn tie_points_without_a_scale_have_to_lie_on_one_map() {
        let mut notes = Notes::default();
        let mut tie = Vec::new();
        for [column, row] in [[0.0, 0.0], [10.0, 0.0], [0.0, 20.0], [10.0, 20.0]] {
            tie.extend([column, row, 0.0, 500.0 + 3.0 * column + row, 900.0 + column - 3.0 * row, 0.0]);
        }
        let found = from_tie_points(&tie, &mut notes).expect("a map");
        let expected = [500.0, 3.0, 1.0, 900.0, 1.0, -3.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
        assert!(notes.assumptions[0].contains("4 control points"), "{:?}", notes.assumptions);
        tie[21] += 30.0;
        assert_eq!(from_tie_points(&tie, &mut notes), None);
        assert_eq!(from_tie_points(&tie[..6], &mut notes), None);
        assert_eq!(notes.warnings.len(), 1, "a single tie point is nothing to warn of");
    }
}
