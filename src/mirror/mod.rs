//! CPU twins of what the GPU decides and draws, and the comparers that hold the two against each other.
//!
//! Each comparer takes both sides as data, so that a test can hand it a wrong twin and see it fail.

mod compare;
mod coverage;
mod culling;
mod ids;
mod pixels;
mod raster;
mod select;
mod verify;
mod vertices;

pub use compare::{Comparison, cell_counts, compare_lists, compare_vertices};
pub use coverage::crack_pixels;
pub use culling::{Shown, culled_pixels, shown_pixels};
pub use ids::{IdComparison, compare_ids, compare_paths};
pub use pixels::{Outlines, compare_pixels, mirror_pixels};
pub use raster::{OwnsEdge, RasterVertex, rasterise, top_left};
pub use select::select;
pub use verify::{Report, VerifyOptions, cameras, verify};
pub use vertices::{MirrorVertex, patch_vertices, triangle_corners};
