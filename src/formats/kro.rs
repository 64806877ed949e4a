//! KRO: the plain pictures of Kolor's programs. A header of 20 bytes, then big-endian samples, top row first.

use super::block::{Block, u32_at};
use super::decoded::Decoded;
use super::input::Input;
use super::layout::Order;
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};

/// Bytes before the samples.
const HEADER_BYTES: u64 = 20;

/// Whether the file begins as KRO does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(b"KRO\x01")
}

/// Reads a picture of one channel.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let field = |at: usize| u32_at(&input.head, at, Endian::Big);
    let size = [field(4)?, field(8)?];
    let sample = match (field(12)?, field(16)?) {
        (8, 1) => Sample::U8,
        (16, 1) => Sample::U16,
        (32, 1) => Sample::F32,
        (bits, channels) => {
            return Err(Error::input(
                format!("a KRO picture of {channels} channels of {bits} bits"),
                "one channel of 8, 16 or 32 bits",
                "save one channel of it",
            ));
        }
    };
    let mut decoded = Decoded::new("KRO", input.path.clone(), size, sample.name());
    decoded.take_z_range(sample, options)?;
    let order = Order::Rows(RowOrder::Top);
    let block = Block { size, sample, endian: Endian::Big, start: HEADER_BYTES, order };
    block.read(input, None, options, &mut decoded)?;
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    fn picture(bits: u32, channels: u32, samples: &[u8]) -> Vec<u8> {
        [b"KRO\x01".as_slice(), &[2, 1, bits, channels].map(u32::to_be_bytes).concat(), samples].concat()
    }

    #[test]
    fn one_channel_of_each_width() {
        let folder = TestFolder::new();
        let heights = |content: Vec<u8>| folder.read("a.kro", &content).expect("read").heights;
        assert_eq!(heights(picture(8, 1, &[7, 9])), [7.0, 9.0]);
        assert_eq!(heights(picture(16, 1, &[1, 0, 0, 9])), [256.0, 9.0]);
        let floats = [1.5_f32, -2.0].map(f32::to_be_bytes).concat();
        assert_eq!(heights(picture(32, 1, &floats)), [1.5, -2.0]);
    }

    #[test]
    fn anything_else_is_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.kro", content));
        assert!(refused(&picture(8, 3, &[0; 6])).contains("3 channels of 8 bits"));
        assert!(refused(&picture(32, 1, &[0; 7])).contains("27 bytes; 2×1 samples of f32"));
        assert!(refused(b"KRO\x01\0\0").contains("cut off after 6 bytes"));
    }
}
