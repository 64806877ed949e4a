//! The passes of a frame: one file a pass, each with the one WGSL entry file it records.
//!
//! A pass is built once, prepared for a plan, and recorded into an encoder. Bind group 0 is the frame's, 1 the pass's own.
//!
//! The passes over the picture are written so that a CPU runs them well too. On llvmpipe (Mesa 22.3) eight threads share an
//! instruction, and measured on these passes:
//!
//! - a branch skips nothing, it masks; only a loop that no thread needs any longer is left;
//! - uniforms are read once for all eight threads before the first branch, and thread by thread behind one;
//! - a branch on a uniform alone has the shader compiled anew for every picture;
//! - buffers are read and written, and textures stored to, thread by thread, a loop for each 32 bits; textures of four 8-bit
//!   channels are read quickest, others by a call.

mod average;
mod bindings;
mod bounds;
mod gbuffer;
mod gradients;
mod instance;
mod levels;
mod light;
mod look;
mod parts;
mod polygons;
mod present;
mod probe;
mod pyramid;
mod raster;
mod raster_lists;
mod raster_runs;
mod recheck;
mod reference;
mod seen;
mod select;
mod targets;
mod tile_list;
mod uniforms;
mod vertices;
mod visibility;

pub use average::{Average, Mean};
pub use bindings::FrameBindings;
pub use bounds::{PatchBounds, StoredFacts};
pub use gbuffer::GBuffer;
pub use gradients::GradientLevels;
pub use instance::Instance;
pub use levels::HeightLevels;
pub use light::Light;
pub use look::Look;
pub use polygons::{PolygonProbe, Polygons};
pub use present::{Output, Present};
pub use pyramid::Pyramid;
pub use raster::Raster;
pub use raster_lists::RasterRoom;
pub use recheck::Recheck;
pub use reference::Reference;
pub use seen::Seen;
pub use select::Select;
pub use targets::Targets;
pub use tile_list::{Draw, DrawCounts, Phase};
pub use uniforms::Frame;
pub use vertices::{DrawnPatch, VertexProbe, Vertices};
pub use visibility::Visibility;

/// Every shader of the program, for checks that need no GPU.
pub const SHADERS: &[crate::gpu::Shader] = &[
    select::SHADER,
    visibility::SHADER,
    visibility::SHADER_BY_PRIMITIVE,
    raster::BLOCKS,
    raster::BLOCKS_32,
    raster::LARGE,
    raster::LARGE_32,
    pyramid::SHADER,
    pyramid::SHADER_OVER_WORDS,
    recheck::SHADER,
    gbuffer::SHADER,
    gbuffer::SHADER_OVER_WORDS,
    light::SHADER,
    present::SHADER,
    present::SHADER_INTO_PICTURE,
    average::SHADER,
    vertices::SHADER,
    polygons::SHADER,
    reference::SHADER,
];
