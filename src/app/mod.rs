//! The viewer: what the hands do and what the eyes see.
//!
//! `control` turns hands into a camera without a window. `window` runs the event loop; `live` is the open window, over a
//! `viewer`, which holds the opened field; `panel` shows it and gives back actions; `scene` draws it. What is answered of a headerless file, `remembered` keeps.

mod action;
pub mod control;
mod headerless;
mod input;
mod live;
mod loading;
mod opened;
mod panel;
mod picture;
mod readout;
mod remembered;
mod scene;
mod surface;
mod ui;
mod viewer;
mod window;

pub use headerless::{Headerless, Source};
pub use loading::{Opening, Progress, Wish};
pub use opened::Opened;
pub use remembered::Remembered;
pub use viewer::Opener;
pub use window::{Settings, Start, run};
