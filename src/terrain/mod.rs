//! The ground: one set of samples, one set of triangles, and every answer from them.

mod bounds;
mod heightfield;

pub use bounds::Bounds;
pub use heightfield::{EMPTY, Spacing, Terrain, is_empty};
