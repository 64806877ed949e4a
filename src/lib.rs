//! orograph

pub mod camera;
pub mod error;
pub mod formats;
pub mod geo;
pub mod source;
pub mod space;
pub mod terrain;
