//! Compressions by number: their names, which are read, and how far a byte can stretch.

use crate::error::{Error, Result};

const NONE: u16 = 1;
pub(super) const LZW: u16 = 5;
pub(super) const DEFLATE: u16 = 8;
pub(super) const PACK_BITS: u16 = 32773;
pub(super) const DEFLATE_OLD: u16 = 32946;
pub(super) const LZMA: u16 = 34925;
pub(super) const ZSTD: u16 = 50000;

/// Number, name, and the most bytes that one stored byte may stand for; `None` where the codec is not read.
/// Some codecs know no bound of their own: 5000 is past all but constant blocks, and those pass where they
/// are small. ZSTD has a form for 128 KiB of one byte in 4, LERC one for any block in some 70: 4 MiB for 1024 × 1024
/// floats of sea.
const CODECS: &[(u16, &str, Option<u64>)] = &[
    (NONE, "none", Some(1)),
    (LZW, "lzw", Some(2600)),
    (7, "jpeg", Some(5000)),
    (DEFLATE, "deflate", Some(1032)),
    (PACK_BITS, "packbits", Some(64)),
    (DEFLATE_OLD, "deflate", Some(1032)),
    (34887, "lerc", Some(65_536)),
    (LZMA, "lzma", Some(5000)),
    (ZSTD, "zstd", Some(32_768)),
    (50001, "webp", Some(5000)),
    (2, "CCITT RLE", None),
    (3, "CCITT Group 3", None),
    (4, "CCITT Group 4", None),
    (6, "old-style JPEG", None),
    (32766, "NeXT", None),
    (32809, "ThunderScan", None),
    (34661, "JBIG", None),
    (34676, "SGI Log", None),
    (34677, "SGI Log 24", None),
    (34712, "JPEG 2000", None),
    (50002, "JPEG XL", None),
    (52546, "JPEG XL", None),
];

/// Whether blocks are stored as they are.
pub(super) fn is_plain(code: u16) -> bool {
    code == NONE
}

/// The name of a compression.
pub(super) fn name(code: u16) -> String {
    CODECS.iter().find(|codec| codec.0 == code).map_or_else(|| code.to_string(), |codec| codec.1.to_owned())
}

/// The most bytes that one stored byte can stand for.
///
/// # Errors
/// A compression that is not read, by name and number.
pub(super) fn stretch(code: u16) -> Result<u64> {
    let found = CODECS.iter().find(|codec| codec.0 == code);
    match found {
        Some((_, _, Some(stretch))) => Ok(*stretch),
        _ => Err(Error::input(
            format!("compression {} ({code})", found.map_or("of an unknown name", |codec| codec.1)),
            "none, LZW, Deflate, PackBits, ZSTD, LERC, LZMA, JPEG or WebP",
            "convert it, for example with gdal_translate -co COMPRESS=DEFLATE",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_codec_that_is_not_read_is_refused_by_name_and_number() {
        assert!(stretch(34712).is_err_and(|error| error.to_string().contains("JPEG 2000 (34712)")));
        assert!(stretch(4711).is_err_and(|error| error.to_string().contains("(4711)")));
        assert_eq!(stretch(8).ok(), Some(1032));
    }
}
