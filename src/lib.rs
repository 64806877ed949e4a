//! orograph

pub mod app;
pub mod camera;
pub mod cli;
pub mod clipmap;
pub mod error;
pub mod formats;
pub mod frame;
pub mod geo;
pub mod gpu;
pub mod mirror;
pub mod passes;
pub mod source;
pub mod space;
pub mod terrain;
