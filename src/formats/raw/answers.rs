//! Everything that a headerless file leaves open, answered.

use crate::formats::raster::{ByteOrder, ReadOptions, RowOrder, SampleType};
use serde::{Deserialize, Serialize};

/// How a headerless file is read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// Samples along x and z.
    pub size: [u32; 2],
    /// Type of the samples.
    #[serde(rename = "type")]
    pub sample_type: SampleType,
    /// Order of a sample's bytes.
    pub byte_order: ByteOrder,
    /// Which row comes first.
    pub row_order: RowOrder,
    /// Bytes before the samples.
    pub header_bytes: u64,
    /// Heights of the least and the greatest code, or of 0 and 1 for floats; `None` takes stored values as heights.
    pub z_range: Option<[f64; 2]>,
    /// Metres between samples; `None` is 1.
    pub spacing: Option<f64>,
}

impl Answers {
    /// The options with these answers in place of what they say.
    pub fn replace(&self, options: &ReadOptions) -> ReadOptions {
        ReadOptions {
            raster_size: Some(self.size),
            sample_type: Some(self.sample_type),
            byte_order: Some(self.byte_order),
            row_order: Some(self.row_order),
            header_bytes: Some(self.header_bytes),
            z_range: self.z_range,
            spacing: self.spacing,
            ..options.clone()
        }
    }

    /// The options with these answers where they say nothing.
    pub fn complete(&self, options: &ReadOptions) -> ReadOptions {
        ReadOptions {
            raster_size: options.raster_size.or(Some(self.size)),
            sample_type: options.sample_type.or(Some(self.sample_type)),
            byte_order: options.byte_order.or(Some(self.byte_order)),
            row_order: options.row_order.or(Some(self.row_order)),
            header_bytes: options.header_bytes.or(Some(self.header_bytes)),
            z_range: options.z_range.or(self.z_range),
            spacing: options.spacing.or(self.spacing),
            ..options.clone()
        }
    }

    /// Bytes that a file must have for these answers; `None` for more than can be counted.
    pub fn file_bytes(&self) -> Option<u64> {
        let samples = u64::from(self.size[0]) * u64::from(self.size[1]);
        samples.checked_mul(self.sample_type.bytes())?.checked_add(self.header_bytes)
    }
}
