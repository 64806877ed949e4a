//! The `.hdr` file that stands beside a file of samples, of whichever words it is: either of the two may be opened.

use super::input::Input;
use super::raster::ReadOptions;
use super::sidecar;
use crate::error::{Error, Result};
use std::path::PathBuf;

/// The extension of headers.
const HEADER: &str = "hdr";

/// The header of an input, which may be the header itself; none where the caller says that the file has none.
pub(super) fn header_of(input: &Input, options: &ReadOptions) -> Option<PathBuf> {
    if options.raster_size.is_some() {
        return None;
    }
    if input.extension() == HEADER {
        return input.is_text().then(|| input.path.clone());
    }
    sidecar::find(&input.path, HEADER).or_else(|| sidecar::find_appended(&input.path, ".hdr"))
}

/// The path and the text of the header of an input.
///
/// # Errors
/// No header, or one that holds no text.
pub(super) fn header_text(input: &Input, options: &ReadOptions) -> Result<(PathBuf, String)> {
    let file = header_of(input, options).ok_or_else(|| {
        Error::input("samples without their header", "a .hdr file of the same name", "put it beside the file")
    })?;
    let text = sidecar::text_of(&file).map_err(|what| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        Error::input(format!("{name} {what}"), "a header of words and numbers", "get both files again")
    })?;
    Ok((file, text))
}

/// Whether an input can be samples beside a header, or the header: other text is taken for what it says itself.
pub(super) fn may_be_samples(input: &Input, extensions: &[&str]) -> bool {
    let extension = input.extension();
    extension.is_empty()
        || extension == HEADER
        || extensions.contains(&extension.as_str())
        || !input.is_text()
}

/// The samples of an input: the input itself, or the file beside it where it is the header.
///
/// # Errors
/// A header without its samples.
pub(super) fn samples_of(input: &Input, extensions: &[&str]) -> Result<Option<Input>> {
    if input.extension() != HEADER {
        return Ok(None);
    }
    let stem = input.path.with_extension("");
    let found = extensions.iter().find_map(|extension| sidecar::input_beside(&input.path, extension));
    found.or_else(|| Input::open(&stem).ok()).map(Some).ok_or_else(|| {
        Error::input(
            "a header without its samples",
            format!("a file of the same name that ends in .{}", extensions.join(", .")),
            "put it beside the header",
        )
    })
}
