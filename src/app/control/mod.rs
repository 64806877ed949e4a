//! Camera control without a window: pointer and keys in, a camera out.
//!
//! Every move that concerns a place on the ground holds that place still in the picture: a [`Sight`] says which point
//! is seen in which direction of the camera at which depth, and the eye follows from it. The horizon stays level, the eye stays over
//! the ground, and everything here is in the drawn world, metres, with pixels counted from the picture's upper left corner.

mod controller;
mod exaggeration;
mod fly;
mod glide;
mod ground;
mod input;
mod motion;
mod sight;

pub use controller::Controller;
pub use exaggeration::Exaggeration;
pub use ground::{Drawn, Ground};
pub use input::{Button, Command, Drag, Input, Key, Preset};
pub use sight::Sight;

#[cfg(test)]
mod tests;
