//! Plain charts: a canvas, text on it, and panels with axes.

mod canvas;
mod panel;
mod scale;

pub use canvas::{Align, Canvas, Colour};
pub use panel::Panel;
pub use scale::Scale;
