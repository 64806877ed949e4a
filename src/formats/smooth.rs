//! Taking out the stairs that whole codes leave, on demand.
//!
//! A height that was rounded to a code may have stood up to half a step away from it. Within that, each is drawn toward the mean of its
//! neighbours, again and again: the relaxation of Laplace's equation with each sample held to its own interval. Nothing moves by more
//! than was unknown, so real forms stay, and a plane that was cut into terraces becomes nearly one again.

use super::input::heights_for;
use crate::error::Result;
use crate::terrain::{EMPTY, is_empty};
use rayon::prelude::*;

/// How often each sample is drawn toward its neighbours: enough for terraces of about a dozen samples.
const ROUNDS: usize = 64;

/// Smooths heights of a size, in the unit of `step`, the distance between two codes. Empties stay, and take no part.
pub(super) fn smooth(heights: &mut [f32], size: [u32; 2], step: f64) -> Result<()> {
    let half = (0.5 * step) as f32;
    let (mut now, mut next) = (heights_for(size)?, heights_for(size)?);
    now.copy_from_slice(heights);
    let width = size[0] as usize;
    for _ in 0..ROUNDS {
        next.par_chunks_mut(width).enumerate().for_each(|(row, out)| {
            let stored = &heights[row * width..][..width];
            for (column, (height, stored)) in out.iter_mut().zip(stored).enumerate() {
                *height = drawn(&now, width, [column, row], *stored, half);
            }
        });
        std::mem::swap(&mut now, &mut next);
    }
    heights.copy_from_slice(&now);
    Ok(())
}

/// A sample half-way to the mean of its neighbours, within half a step of what was stored.
fn drawn(now: &[f32], width: usize, [column, row]: [usize; 2], stored: f32, half: f32) -> f32 {
    if is_empty(stored) {
        return EMPTY;
    }
    let at = row * width + column;
    let neighbours = [
        (column > 0).then(|| at - 1),
        (column + 1 < width).then(|| at + 1),
        at.checked_sub(width),
        Some(at + width),
    ];
    let valid = neighbours.into_iter().flatten().filter_map(|at| now.get(at)).filter(|h| !is_empty(**h));
    let (sum, count) = valid.fold((0.0, 0.0), |(sum, count), height| (sum + height, count + 1.0));
    if count == 0.0 {
        return stored;
    }
    (0.5 * (now[at] + sum / count)).clamp(stored - half, stored + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terraced_slope_becomes_even_within_half_a_step() {
        let stairs: Vec<f32> = (0..64 * 8).map(|at| ((at % 64) / 8) as f32 * 10.0).collect();
        let mut heights = stairs.clone();
        smooth(&mut heights, [64, 8], 10.0).expect("smoothed");
        let largest = heights[..64].windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
        assert!(largest < 2.0, "{largest}");
        assert!(heights[4..60].windows(2).all(|pair| pair[0] <= pair[1]));
        assert!(heights.iter().zip(&stairs).all(|(new, old)| (new - old).abs() <= 5.0));
    }

    #[test]
    fn flat_ground_and_holes_stay() {
        let mut heights = vec![7.0; 9];
        heights[4] = EMPTY;
        smooth(&mut heights, [3, 3], 1.0).expect("smoothed");
        assert!(is_empty(heights[4]));
        assert!(heights.iter().enumerate().all(|(at, height)| at == 4 || *height == 7.0));
        let mut alone = vec![EMPTY, 3.0];
        smooth(&mut alone, [2, 1], 1.0).expect("smoothed");
        assert_eq!(alone[1], 3.0);
    }
}
