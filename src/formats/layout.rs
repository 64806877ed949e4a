//! How the samples of a grid follow one another, and where the outermost ones stand.

use super::raster::RowOrder;
use super::samples::{Decoder, RawRange};
use crate::error::Result;
use crate::terrain::EMPTY;

/// How the samples follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Row after row, each from west to east.
    Rows(RowOrder),
    /// Column after column from the west, each from north to south or from south to north.
    Columns(RowOrder),
}

/// Decodes line after line, a row or a column, and puts its heights where they belong, north row first.
/// `next_line` is given the line's number and its stored bytes to fill.
pub(super) fn place_lines(
    size: [u32; 2],
    order: Order,
    decoder: &Decoder,
    heights: &mut [f32],
    mut next_line: impl FnMut(usize, &mut [u8]) -> Result<()>,
) -> Result<RawRange> {
    let [width, depth] = size.map(|samples| samples as usize);
    let [lines, length] = if matches!(order, Order::Rows(_)) { [depth, width] } else { [width, depth] };
    let mut stored = vec![0; length * decoder.sample.bytes()];
    let mut line_heights = vec![EMPTY; length];
    let mut range = RawRange::default();
    for line in 0..lines {
        next_line(line, &mut stored)?;
        range = range.merge(decoder.decode(&stored, &mut line_heights));
        match order {
            Order::Rows(first) => {
                let row = from_north(line, depth, first);
                heights[row * width..][..width].copy_from_slice(&line_heights);
            }
            Order::Columns(first) => {
                for (index, height) in line_heights.iter().enumerate() {
                    heights[from_north(index, depth, first) * width + line] = *height;
                }
            }
        }
    }
    Ok(range)
}

/// The row from the north of the `index`-th stored one.
fn from_north(index: usize, depth: usize, first: RowOrder) -> usize {
    match first {
        RowOrder::Top => index,
        RowOrder::Bottom => depth - 1 - index,
    }
}

/// The geotransform of a grid whose outermost samples stand at the given positions: west and east, south and
/// north. `None` where a side has one sample, whose step no position tells.
pub(super) fn from_nodes([width, depth]: [u32; 2], x: [f64; 2], y: [f64; 2]) -> Option<[f64; 6]> {
    let step = |[first, last]: [f64; 2], samples: u32| {
        (samples > 1).then(|| (last - first) / (f64::from(samples) - 1.0))
    };
    let [dx, dy] = [step(x, width)?, step(y, depth)?];
    Some([x[0] - 0.5 * dx, dx, 0.0, y[1] + 0.5 * dy, 0.0, -dy])
}

/// The geotransform of a grid whose outermost pixels end at the given positions: west and east, south and
/// north.
pub(super) fn from_edges([width, depth]: [u32; 2], x: [f64; 2], y: [f64; 2]) -> [f64; 6] {
    let [dx, dy] = [(x[1] - x[0]) / f64::from(width), (y[1] - y[0]) / f64::from(depth)];
    [x[0], dx, 0.0, y[1], 0.0, -dy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_half_a_step_inside_the_edges() {
        let found = from_nodes([3, 2], [10.0, 14.0], [20.0, 23.0]);
        assert_eq!(found, Some([9.0, 2.0, 0.0, 24.5, 0.0, -3.0]));
        assert_eq!(from_nodes([1, 2], [10.0, 10.0], [20.0, 23.0]), None);
        assert_eq!(from_edges([3, 2], [9.0, 15.0], [18.5, 24.5]), [9.0, 2.0, 0.0, 24.5, 0.0, -3.0]);
    }
}
