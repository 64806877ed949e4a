//! Which patches are drawn, at what detail: decided by integers alone, one patch at a time.
//!
//! The clipmap follows Losasso and Hoppe, "Geometry clipmaps" (2004); the rule of one patch and its neighbours follows
//! DriftEngine. `shaders/shared/clipmap.wgsl` holds the same functions under the same names.

mod cull;
mod decide;
mod density;
mod facts;
mod first_level;
mod frame;
mod plan;
mod update;
mod window;

pub use cull::{Box3, CullFrustum, CullView, Culling, in_frustum};
pub use decide::{ClipmapPatch, clipmap_level_at, clipmap_patch_at, clipmap_patches};
pub use density::{Density, DensityRule, Detail, MOST_THINNING, clipmap_beside, clipmap_density_at};
pub use facts::PatchFacts;
pub use first_level::FirstLevel;
pub use frame::{
    ClipmapFrame, ClipmapSettings, MAX_LEVELS, clipmap_frame, clipmap_frame_covering, levels_covering,
};
pub use plan::{Extents, FramePlan, GradientPlace, Planner, Viewpoint};
pub use update::{Strip, strips};
pub use window::Window;
