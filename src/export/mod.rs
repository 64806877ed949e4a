//! Rasters to files: each format keeps all that it can hold, and says what it cannot.
//!
//! A [`Plan`] is made first and refuses what its format cannot hold; only then is anything written. Integers are chosen
//! by trying: codes are taken if every height comes back from them bit for bit.

mod ascii_grid;
mod codes;
mod geo_keys;
mod geotiff;
mod plan;
mod png;
mod raw;
mod sidecar;
#[cfg(test)]
mod tests;

pub use plan::{Format, Options, Plan, Target};
