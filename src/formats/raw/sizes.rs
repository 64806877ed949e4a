//! Sizes that so many samples may have.

/// How many sizes are looked at.
const MOST: usize = 6;

/// Rows more than so many times as long as the columns are no plausible terrain; this also bounds the search.
const LONGEST: u64 = 64;

/// A size, and how much smoother it must be than a square to be taken for likelier.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Size {
    pub samples: [u64; 2],
    pub handicap: f64,
}

/// Sizes of exactly so many samples: what the file's name says first, then the squarest.
pub(super) fn plausible(samples: u64, name: &str) -> Vec<Size> {
    let mut sizes: Vec<Size> = Vec::new();
    let mut add = |size: [u64; 2], handicap: f64| {
        if sizes.iter().all(|known| known.samples != size) {
            sizes.push(Size { samples: size, handicap });
        }
        sizes.len() < MOST
    };
    if let Some(named) = named(samples, name) {
        add(named, 0.5);
    }
    let root = samples.isqrt();
    let least = (samples / LONGEST).isqrt().max(2);
    for depth in (least..=root).rev().filter(|depth| samples.is_multiple_of(*depth)) {
        let width = samples / depth;
        let handicap = (width as f64 / depth as f64).sqrt();
        if !(add([width, depth], handicap) && add([depth, width], handicap)) {
            break;
        }
    }
    sizes
}

/// A size that stands in a name: two numbers as in `tile_513x257`, or one as in `island_1025`.
fn named(samples: u64, name: &str) -> Option<[u64; 2]> {
    let numbers: Vec<u64> =
        name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
    let fits = |size: &[u64; 2]| size[0].checked_mul(size[1]) == Some(samples);
    let pairs = numbers.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.chain(numbers.iter().map(|side| [*side; 2])).find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(samples: u64, name: &str) -> Vec<[u64; 2]> {
        plausible(samples, name).iter().map(|size| size.samples).collect()
    }

    #[test]
    fn names_come_first_then_the_squarest() {
        assert_eq!(sizes(24, "a"), [[6, 4], [4, 6], [8, 3], [3, 8], [12, 2], [2, 12]]);
        assert_eq!(sizes(24, "tile_8x3")[..2], [[8, 3], [6, 4]]);
        assert_eq!(sizes(24, "2024-05_3-8")[0], [3, 8]);
        assert_eq!(sizes(1025 * 1025, "island_1025 (2)")[0], [1025, 1025]);
        assert_eq!(sizes(36, "x9y")[0], [6, 6]);
    }

    #[test]
    fn every_count_is_answered_in_bounded_time() {
        assert_eq!(sizes(8191, "prime"), [[0; 2]; 0]);
        assert_eq!(sizes(0, ""), [[0; 2]; 0]);
        assert!(sizes(u64::from(u32::MAX) * 2, "99999999999999999999x1").len() <= MOST);
    }
}
