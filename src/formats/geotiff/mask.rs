//! Masks: a directory of the same file, or a `.msk` file beside it.

use super::blocks::Picture;
use super::layout::Layout;
use super::open::{self, Kind};
use crate::error::Result;
use crate::formats::decoded::Decoded;
use crate::formats::input::Input;
use crate::formats::samples::{Decoder, NATIVE};
use std::sync::Arc;
use tiff_reader::{Ifd, TiffFile};

/// The mask of a picture, 0 where a sample is empty; `None` where there is none.
///
/// # Errors
/// A mask that cannot be read.
pub(super) fn find(
    tiff: &Arc<TiffFile>,
    ifd: &Ifd,
    input: &Input,
    decoded: &mut Decoded,
) -> Result<Option<Picture>> {
    let size = |ifd: &Ifd| [ifd.width(), ifd.height()];
    if let Some(mask) =
        open::others(tiff).find(|other| Kind::of(other) == Kind::Mask && size(other) == size(ifd))
    {
        decoded.nodata_rule.push_str("; the file's own mask also empties");
        return picture(tiff.clone(), mask, input.length).map(Some);
    }
    let mut name = input.path.clone().into_os_string();
    name.push(".msk");
    let Ok(beside) = Input::open(name.as_ref()) else { return Ok(None) };
    let open::Opened { tiff, .. } = open::open(&beside).map_err(|error| error.in_file(&beside.path))?;
    let mask = open::first_directory(&tiff)?.clone();
    if size(&mask) != size(ifd) {
        decoded.notes.warn("mask-size", "the .msk file is of another size and left out");
        return Ok(None);
    }
    decoded.nodata_rule.push_str("; the .msk file also empties");
    decoded.files.push(beside.path.clone());
    picture(tiff, mask, beside.length).map(Some)
}

/// A mask as a picture of its own.
///
/// # Errors
/// A layout that is not read.
pub(super) fn picture(tiff: Arc<TiffFile>, ifd: Ifd, file_length: u64) -> Result<Picture> {
    let layout = Layout::of(&ifd, false, file_length)?;
    let decoder = Decoder { sample: layout.sample, endian: NATIVE, empty: None, scale: 1.0, offset: 0.0 };
    Ok(Picture { tiff, ifd, layout, band: 0, decoder, mask: None })
}
