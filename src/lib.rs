//! orograph opens a terrain file and draws it with a GPU-driven clipmap, and answers questions about the same ground with the
//! same numbers.
//!
//! # One surface
//!
//! What is drawn, queried, collided with and exported is the same triangles on the same samples. A cell between four
//! samples is split along the diagonal from its north-western to its south-eastern sample, everywhere. A drawn vertex is a stored sample,
//! bit for bit; nothing is resampled on the way to the GPU.
//!
//! # Map
//!
//! A module uses only modules above it; `tests/architecture.rs` holds this table.
//!
//! | module | what it does |
//! |---|---|
//! | [`error`], [`space`], [`camera`] | one error type; spaces and angles; a level camera with reversed, infinite depth |
//! | [`terrain`] | the samples, their triangles, height, normal, ray, patches with matched seams, bounds, errors of coarser lattices, the demo terrain |
//! | [`geo`] | georeferences, units, degrees to metres, names of coordinate systems |
//! | [`formats`] | bytes in, raster out: one file a format, sniffed by content, every assumption told; several files as one |
//! | [`source`] | where the levels of the clipmap are read from |
//! | [`clipmap`] | which patches are drawn and how densely: frame, decision, density, windows, strips, culling, plan |
//! | [`gpu`] | adapter, device, limits, shaders, layouts, readback, timing |
//! | [`passes`] | one file a pass, each with the one WGSL entry file it records |
//! | [`frame`] | the passes in their order; a picture without a window |
//! | [`mirror`] | CPU twins of what the GPU decides and draws, and the comparers |
//! | [`export`] | rasters to files: GeoTIFF, ESRI ASCII grid, PNG, raw samples |
//! | [`app`] | the viewer |
//! | [`cli`] | one file a command |
//!
//! Only `gpu`, `passes`, `frame` and `app` name wgpu, only `app` names winit and egui.
//!
//! # A frame
//!
//! ```text
//! CPU  Planner::plan    view -> FramePlan: block origins, level range, strips to upload, frustum in integers
//! GPU  select           one thread a patch index -> clipmap_density_at; clipmap_patch_at -> cull -> ordered compaction
//!                       -> instance list, list of tiles, and one indirect draw
//!      visibility       patches, displaced from the level textures -> 32-bit id and depth, nothing else; two writers:
//!                       compute, the default where there are 64-bit integers: a workgroup a tile of 8×8 cells, in
//!                       integers, in two runs where atomics have 32 bits; triangles of many pixels are shared out
//!                       among threads by their work;
//!                       vertex, one grid for every tile by the adapter's own pipeline, which every adapter can
//!      pyramid, select, visibility
//!                       where hidden patches are left out, the frame has two phases: the first draws what was seen in the
//!                       picture before; the farthest depth of every square of it hides what lies beyond, and
//!                       the second draws what else of the instance list is not hidden
//!      gbuffer          one thread a pixel: position from depth, gradient from its own levels -> albedo, normal, roughness,
//!                       distance
//!      light            sun, sky, haze, and the tone of a screen
//!      present          edge smoothing into the window or the picture
//!      average          instead of it, for pictures of several samples a pixel: their mean in linear light
//! ```
//!
//! [`clipmap::FramePlan`] is plain data: all decisions can be tested without a device. Nothing is read back to draw; with the
//! camera still nothing is uploaded.
//!
//! Heights live in one toroidal layer of 32-bit integers a level, holding the bits of the samples, so that an empty sample is a
//! bit pattern and no driver can touch a height. Texel i mod side of level l holds sample min(i·2^l, last). Shading reads averaged
//! gradients from larger windows of their own, by the pixel's footprint, so that it neither shimmers nor jumps at rings.
//!
//! # Density
//!
//! The sizes of patches and blocks follow from a wanted width of triangles in pixels ([`clipmap::ClipmapSettings::for_picture`]). Of each
//! patch the samples say how far they are from coarser lattices ([`terrain::Errors`]); where that is less than a part of a pixel
//! the patch takes a stride of 2, 4, 8 … up to two triangles in all. Each half of each side stands on the coarser of the two lattices
//! beside it, so that both patches have the same vertices there; strides never exceed what a side can follow without folding.
//!
//! Nothing pops ([`clipmap::Detail::continuous`]): before a patch takes the next stride, and before a coarser level takes over where the edge
//! of a block may come, the vertices between the coarser lattice's lines slide to where that has the ground. How far is a number
//! of 128ths for each patch, and for each half of a side the greater of the two, so that it is one surface still; the
//! arithmetic is exact, so that the mirror has the same bits. With [`clipmap::Detail::UNIFORM`] every vertex is a stored sample.
//!
//! # Spaces and units
//!
//! World: metres, right-handed, x east, y up, z south; row 0 is the northernmost. A file's terrain is centred on the origin, at height
//! 0. The *drawn world* is the world with heights multiplied by the exaggeration. *Offsets* are metres of the drawn world from the
//! anchor, the corner of the eye's cell at the eye's height: they stay small however far the eye is from the origin. Clip space
//! has reversed depth: 1 at the near plane, 0 at infinity. Matrices are column-major and multiply column vectors. Angles are radians in the library, degrees on
//! the command line; compass angles run clockwise from north.
//!
//! A picture is taken at one place in each of its pixels, a whole number of 1/256 pixel from the middle: [`clipmap::Viewpoint::sample`].
//! The compute path moves snapped vertices by it, so that its triangles are the same at every sample; the vertex path moves clip
//! positions; rays run through it.
//!
//! # Where exactness ends
//!
//! | what | GPU against CPU |
//! |---|---|
//! | patches, neighbours, strides, fades, order of the list | equal |
//! | culling by the frustum | equal: integers on both sides, rounded so that nothing visible is left out |
//! | patches left out for what hides them | not mirrored: single precision, rounded so that nothing visible is left out; drawing all of them shows the same ids and depths |
//! | a vertex's sample, its level, the bits of its height, sliding or not | equal |
//! | a vertex's offset from the anchor | one subtraction and one multiplication an axis: equal |
//! | clip position | within [`mirror::Report::POSITION_BOUND`] subpixels of 1/256 pixel: a driver may fuse multiply and add |
//! | compute path, from the snapped vertices on | equal: id and depth of every pixel; of clipped triangles, from the GPU's clipped corners on |
//! | vertex path, coverage | fixed function; held by counting cracks against the mirror's triangles |
//! | vertex path's ids against the compute path's | equal but within 1/16 pixel of an outline or within a depth's rounding |
//! | colours | not compared |

pub mod app;
pub mod camera;
pub mod cli;
pub mod clipmap;
pub mod error;
pub mod export;
pub mod formats;
pub mod frame;
pub mod geo;
pub mod gpu;
pub mod mirror;
pub mod passes;
pub mod source;
pub mod space;
pub mod terrain;
