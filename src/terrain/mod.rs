//! The ground: one set of samples, one set of triangles, and every answer from them.

mod bounds;
mod errors;
mod facet;
#[cfg(test)]
mod fixtures;
mod heightfield;
mod lattice;
pub(crate) mod noise;
mod normal;
mod patch;
mod patch_mesh;
mod placement;
mod project;
mod pyramid;
mod query;
mod ray;
mod raycast;
mod resample;
pub mod synth;

pub use bounds::Bounds;
pub use errors::Errors;
pub use heightfield::{EMPTY, Spacing, Terrain, is_empty};
pub use lattice::{lattice_sample, lattice_source, lattice_to_sample};
pub use patch::{PatchGrid, PatchVertex, patch_vertex};
pub use patch_mesh::{PatchMesh, PatchNeighbours, PatchOptions, heightfield_patch};
pub use placement::{Placed, Placement};
pub use project::Projected;
pub use raycast::Hit;
pub use resample::RESOLUTION;
