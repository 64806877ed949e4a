//! The demo terrain: mountains that rivers have cut.
//!
//! A coarse landscape is lifted and eroded, then made twice as fine again and again, each time with fewer steps, so that the
//! great valleys are settled cheaply and gullies come last. Valley floors are filled, and rock detail is added where the
//! finished surface is steep. Only + − × ÷, square roots, floors and integer hashes are used, and no sum depends on how
//! work is shared out, so every machine and any number of threads give the same bits.

mod detail;
mod fit;
mod gullies;
mod landscape;
mod relief;
mod sediment;

use super::Terrain;
use crate::error::Result;
use detail::Sampling;
use glam::DVec3;
use landscape::{Ground, Landscape};

/// Samples along a side.
const SAMPLES: usize = 2049;

/// Metres between samples.
const SPACING: f32 = 10.0;

/// Metres of ground that is eroded beyond each edge and then cut off, so that rivers cross the edge as if it were not there.
const MARGIN: f32 = 1920.0;

/// Metres between nodes of the coarsest landscape.
const COARSEST: f32 = 160.0;

/// Steps of time at each refinement, from the coarsest.
const STEPS: [u32; 3] = [60, 24, 8];

/// The demo terrain: 2049² samples, 10 m apart, centred on the world's origin, the same to the bit on every machine.
///
/// # Errors
/// None in practice: only what [`Terrain::from_vec`] refuses.
pub fn demo() -> Result<Terrain> {
    let half = SPACING * (SAMPLES - 1) as f32 / 2.0;
    let landscape = eroded(half + MARGIN);
    let surface = sediment::filled(&landscape);
    let sampling = Sampling {
        side: SAMPLES,
        first: (MARGIN / surface.cell) as usize,
        per_cell: (surface.cell / SPACING) as usize,
    };
    let heights = detail::detailed(&surface, &sampling);
    let (side, corner) = (SAMPLES as u32, -f64::from(half));
    Terrain::from_vec(side, side, f64::from(SPACING), DVec3::new(corner, 0.0, corner), heights)
}

/// The landscape from −half to half metres along both axes, at the finest refinement.
fn eroded(half: f32) -> Landscape {
    let side = (2.0 * half / COARSEST) as usize + 1;
    let grid = |f| relief::over_grid(side, COARSEST, half, f);
    let mut ground = Ground { uplift: grid(relief::uplift), erodibility: grid(relief::erodibility) };
    let mut landscape = Landscape::new(side, COARSEST, grid(relief::first_height));
    landscape.erode(&ground, STEPS[0]);
    for steps in &STEPS[1..] {
        ground = ground.refined(landscape.side);
        landscape = fit::refined(&landscape);
        landscape.erode(&ground, *steps);
    }
    landscape
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FNV-1a over the bits of every height.
    fn fingerprint(terrain: &Terrain) -> u64 {
        terrain.heights().iter().fold(0xcbf2_9ce4_8422_2325, |hash, height| {
            (hash ^ u64::from(height.to_bits())).wrapping_mul(0x0100_0000_01b3)
        })
    }

    #[test]
    fn the_demo_is_the_same_to_the_bit_with_any_number_of_threads() {
        let on_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("pool");
            fingerprint(&pool.install(demo).expect("demo"))
        };
        assert_eq!([on_threads(1), on_threads(3)], [0x1037_a878_cf25_9efd; 2]);
    }

    #[test]
    fn the_demo_is_framed_as_the_first_picture_needs() {
        let terrain = demo().expect("demo");
        assert_eq!(terrain.size(), [2049, 2049]);
        assert_eq!(terrain.origin() * 2.0, DVec3::new(-terrain.extent_x(), 0.0, -terrain.extent_z()));
        assert!(*terrain.range().start() > 0.0 && *terrain.range().end() < 2500.0, "{:?}", terrain.range());
        let highest = terrain.heights().iter().position(|h| h == terrain.range().end()).expect("there");
        assert!((300..1024).contains(&(highest / 2049)), "the summit is north of the centre");
        let lowest_south = (0..2049).map(|x| terrain.stored(x, 2048)).fold(f32::MAX, f32::min);
        assert!(lowest_south < 150.0, "the main valley opens to the south");
    }
}
