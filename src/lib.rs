//! orograph

pub mod camera;
pub mod cli;
pub mod clipmap;
pub mod error;
pub mod formats;
pub mod source;
pub mod space;
pub mod terrain;
