//! orograph

pub mod app;
pub mod camera;
pub mod error;
pub mod formats;
pub mod source;
pub mod space;
pub mod terrain;
