//! Lists of WGSL files that several shaders begin with.

use crate::gpu::{Part, part};

/// From a patch's vertex to clip coordinates and a visibility id.
pub(super) const PROJECTION: &[Part] = &[
    part!("shared/frame.wgsl"),
    part!("shared/clipmap.wgsl"),
    part!("shared/instance.wgsl"),
    part!("shared/levels.wgsl"),
    part!("shared/offset.wgsl"),
    part!("shared/patch.wgsl"),
    part!("shared/project.wgsl"),
    part!("shared/visibility_id.wgsl"),
];

/// The patches of a frame, their culling and density.
pub(super) const DECISIONS: &[Part] = &[
    part!("shared/frame.wgsl"),
    part!("shared/clipmap.wgsl"),
    part!("shared/cull.wgsl"),
    part!("shared/density.wgsl"),
    part!("shared/instance.wgsl"),
    part!("shared/tiles.wgsl"),
];

/// From the patches of a frame to the lists that are drawn from.
pub(super) const LISTS: &[Part] = &[
    part!("shared/facts.wgsl"),
    part!("shared/history.wgsl"),
    part!("shared/draw.wgsl"),
    part!("shared/sums.wgsl"),
];

/// What becomes of triangles that the projection cannot take whole.
pub(super) const CLIPPING: &[Part] = &[part!("shared/clip.wgsl"), part!("shared/polygon.wgsl")];
