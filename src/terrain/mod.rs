//! The ground: one set of samples, one set of triangles, and every answer from them.

mod bounds;
mod facet;
#[cfg(test)]
mod fixtures;
mod heightfield;
mod lattice;
pub(crate) mod noise;
mod normal;
mod query;
mod ray;
mod raycast;
pub mod synth;

pub use bounds::Bounds;
pub use heightfield::{EMPTY, Spacing, Terrain, is_empty};
pub use lattice::{lattice_sample, lattice_to_sample};
pub use raycast::Hit;
