//! Masks: a directory of the same file, or a `.msk` file beside it.

use super::blocks::{self, Picture};
use super::layout::Layout;
use super::open;
use crate::error::Result;
use crate::formats::decoded::Decoded;
use crate::formats::input::Input;
use crate::formats::samples::{Decoder, NATIVE};
use tiff_reader::{Ifd, TiffFile};

const TAG_NEW_SUBFILE_TYPE: u16 = 254;
/// The bit of the subfile type that says "mask of another picture", and the one that says "reduced copy".
const MASK: u32 = 4;
const REDUCED: u32 = 1;

/// The mask of a picture, 0 where a sample is empty; `None` where there is none.
pub(super) fn find(
    tiff: &TiffFile,
    ifd: &Ifd,
    input: &Input,
    decoded: &mut Decoded,
) -> Result<Option<Vec<f32>>> {
    let size = |ifd: &Ifd| [ifd.width(), ifd.height()];
    let is_mask = |other: &&Ifd| subfile(other) & (MASK | REDUCED) == MASK && size(other) == size(ifd);
    if let Some(mask) = tiff.ifds().iter().skip(1).find(is_mask) {
        decoded.nodata_rule.push_str("; the file's own mask also empties");
        return read(tiff, mask, input.length).map(Some);
    }
    let mut name = input.path.clone().into_os_string();
    name.push(".msk");
    let Ok(beside) = Input::open(name.as_ref()) else { return Ok(None) };
    let open::Opened { tiff, .. } = open::open(&beside).map_err(|error| error.in_file(&beside.path))?;
    let mask = open::first_directory(&tiff)?;
    if size(mask) != size(ifd) {
        decoded.notes.warn("mask-size", "the .msk file is of another size and left out");
        return Ok(None);
    }
    decoded.nodata_rule.push_str("; the .msk file also empties");
    decoded.files.push(beside.path.clone());
    read(&tiff, mask, beside.length).map(Some)
}

fn subfile(ifd: &Ifd) -> u32 {
    ifd.tag(TAG_NEW_SUBFILE_TYPE).and_then(|tag| tag.value.as_u32()).unwrap_or(0)
}

fn read(tiff: &TiffFile, ifd: &Ifd, file_length: u64) -> Result<Vec<f32>> {
    let layout = Layout::of(ifd, false, file_length)?;
    let decoder = Decoder { sample: layout.sample, endian: NATIVE, empty: None, scale: 1.0, offset: 0.0 };
    let picture = Picture { tiff, ifd, layout: &layout, band: 0 };
    blocks::read(&picture, &decoder, None).map(|(mask, _)| mask)
}
