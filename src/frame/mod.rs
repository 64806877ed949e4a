//! The whole frame: what is kept between pictures, and the passes in their order.

mod flight;
mod offscreen;
mod renderer;
mod samples;
mod times;
mod visible;
mod writer;

pub use flight::Flight;
pub use offscreen::Offscreen;
pub use renderer::{Counts, FrameInput, Renderer, RendererOptions, culling_on, detail_on};
pub use samples::{EIGHT_SAMPLES, FOUR_SAMPLES, ONE_SAMPLE, SIXTEEN_SAMPLES, TWO_SAMPLES, sample_in_turn};
pub use times::{FrameTimes, Percentiles};
