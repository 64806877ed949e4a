//! Where in a pixel samples are taken: the positions that Vulkan states for its sample counts (Vulkan 1.4, "Multisampling", table
//! "Standard sample locations"), which are Direct3D's standard patterns too.

use crate::clipmap::Viewpoint;

/// One sample: the middle.
pub const ONE_SAMPLE: [[i32; 2]; 1] = placed([[0, 0]]);
/// The standard positions of two samples.
pub const TWO_SAMPLES: [[i32; 2]; 2] = placed([[4, 4], [-4, -4]]);
/// The standard positions of four samples.
pub const FOUR_SAMPLES: [[i32; 2]; 4] = placed([[-2, -6], [6, -2], [-6, 2], [2, 6]]);
/// The standard positions of eight samples.
pub const EIGHT_SAMPLES: [[i32; 2]; 8] =
    placed([[1, -3], [-1, 3], [5, 1], [-3, -5], [-5, 5], [-7, -1], [3, 7], [7, -7]]);
/// The standard positions of sixteen samples.
pub const SIXTEEN_SAMPLES: [[i32; 2]; 16] = placed([
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
]);

/// Where the picture of a number is taken when many are checked: the first in the middle, the others at sixteen places in turn.
pub fn sample_in_turn(number: usize) -> [i32; 2] {
    number.checked_sub(1).map_or(ONE_SAMPLE[0], |after| SIXTEEN_SAMPLES[after % SIXTEEN_SAMPLES.len()])
}

/// From sixteenths of a pixel to a view's steps.
const fn placed<const COUNT: usize>(mut places: [[i32; 2]; COUNT]) -> [[i32; 2]; COUNT] {
    let steps = Viewpoint::SUBPIXELS as i32 / 16;
    let mut sample = 0;
    while sample < COUNT {
        places[sample] = [places[sample][0] * steps, places[sample][1] * steps];
        sample += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ALL: [&[[i32; 2]]; 5] =
        [&ONE_SAMPLE, &TWO_SAMPLES, &FOUR_SAMPLES, &EIGHT_SAMPLES, &SIXTEEN_SAMPLES];

    #[test]
    fn samples_lie_within_their_pixel_and_about_its_middle() {
        for samples in ALL {
            assert!(samples.iter().flatten().all(|place| (-128..128).contains(place)), "{samples:?}");
            for axis in 0..2 {
                let sum: i32 = samples.iter().map(|sample| sample[axis]).sum();
                // Sixteen columns of a sixteenth of a pixel cannot lie evenly about the middle.
                assert!(sum.abs() as f64 / samples.len() as f64 <= 8.0, "{samples:?}");
            }
        }
    }

    #[test]
    fn no_two_samples_share_a_column_or_a_row() {
        for samples in ALL {
            for axis in 0..2 {
                let lines: BTreeSet<i32> = samples.iter().map(|sample| sample[axis]).collect();
                assert_eq!(lines.len(), samples.len(), "{samples:?}");
            }
        }
    }

    #[test]
    fn the_first_in_turn_is_the_middle_and_then_every_place_comes() {
        assert_eq!(sample_in_turn(0), [0, 0]);
        let places: BTreeSet<_> = (17..33).map(sample_in_turn).collect();
        assert_eq!(places, SIXTEEN_SAMPLES.into());
    }
}
