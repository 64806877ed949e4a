//! The viewer: what the hands do and what the eyes see.

pub mod control;
