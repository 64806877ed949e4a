//! The whole frame: what is kept between pictures, and the passes in their order.

mod flight;
mod offscreen;
mod renderer;

pub use flight::Flight;
pub use offscreen::Offscreen;
pub use renderer::{Counts, FrameInput, Renderer, RendererOptions};
