//! From bytes to a raster: one file a format, sniffed by content; what was assumed is told.

mod raster;

pub use raster::{
    ByteOrder, Crs, Facts, HeightUnit, PixelIs, Raster, ReadOptions, RowOrder, SampleType, Statistics,
    Vertical, Warning,
};
