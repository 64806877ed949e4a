//! Finding and reading the small files that stand beside a raster.

use super::input::Input;
use std::path::{Path, PathBuf};

/// The longest sidecar that is read, in bytes. World files and projections have some hundreds, a `.aux.xml` file with
/// histograms some tens of thousands.
const LONGEST: u64 = 1 << 21;

/// A header and its text: the file itself, or the one beside it of that extension.
pub(super) fn text_beside(path: &Path, extension: &str) -> Option<(PathBuf, String)> {
    let is_itself = path.extension().is_some_and(|own| own.eq_ignore_ascii_case(extension));
    let file = if is_itself { path.to_owned() } else { find(path, extension)? };
    let text = text_of(&file).ok()?;
    Some((file, text))
}

/// A file of samples beside its header.
pub(super) fn input_beside(path: &Path, extension: &str) -> Option<Input> {
    Input::open(&find(path, extension)?).ok()
}

/// The file beside a raster whose extension is another one, in whichever case it is written.
pub(super) fn find(path: &Path, extension: &str) -> Option<PathBuf> {
    let mut capital = extension.to_owned();
    capital.get_mut(..1).map(str::make_ascii_uppercase);
    let extensions = [extension.to_owned(), extension.to_uppercase(), capital];
    stems(path)
        .iter()
        .flat_map(|stem| {
            extensions.iter().map(move |extension| path.with_file_name(format!("{stem}.{extension}")))
        })
        .find(|beside| beside != path && beside.is_file())
}

/// The file whose name is the raster's with more appended, in whichever case that is written.
pub(super) fn find_appended(path: &Path, suffix: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_string_lossy();
    let names = [suffix.to_owned(), suffix.to_uppercase()]
        .map(|suffix| path.with_file_name(format!("{name}{suffix}")));
    names.into_iter().find(|beside| beside.is_file())
}

/// The text of a sidecar.
///
/// # Errors
/// In words what is wrong with the file: it cannot be read, it is too long, or it holds no text.
pub(super) fn text_of(file: &Path) -> Result<String, String> {
    let length = std::fs::metadata(file).map_err(|error| error.to_string())?.len();
    if length > LONGEST {
        return Err(format!("of {length} bytes is too long"));
    }
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    if bytes.contains(&0) {
        return Err("holds no text".into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The name without its extension as it is, in lower and in upper case.
fn stems(path: &Path) -> Vec<String> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut stems = vec![stem.clone(), stem.to_lowercase(), stem.to_uppercase()];
    stems.dedup();
    stems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::test_files::TestFolder;

    #[test]
    fn names_are_found_in_any_usual_case() {
        for (raster, beside) in [
            ("a.tif", "a.prj"),
            ("a.tif", "a.PRJ"),
            ("A.TIF", "a.prj"),
            ("dem.tif", "DEM.PRJ"),
            ("b.asc", "b.Prj"),
        ] {
            let folder = TestFolder::new();
            let (raster, beside) = (folder.write(raster, b""), folder.write(beside, b"text"));
            // A file system that minds no case gives the name that was tried.
            let found = find(&raster, "prj").expect("found");
            assert_eq!(found.to_string_lossy().to_lowercase(), beside.to_string_lossy().to_lowercase());
            assert_eq!(text_of(&found).as_deref(), Ok("text"));
            assert_eq!(find(&raster, "tab"), None);
        }
    }

    #[test]
    fn the_raster_itself_is_not_beside_itself() {
        let folder = TestFolder::new();
        let raster = folder.write("a.prj", b"1");
        assert_eq!(find(&raster, "prj"), None);
        let appended = folder.write("a.prj.aux.xml", b"<a/>");
        assert_eq!(find_appended(&raster, ".aux.xml"), Some(appended));
    }

    #[test]
    fn binary_and_endless_files_are_no_text() {
        let folder = TestFolder::new();
        assert_eq!(text_of(&folder.write("a.prj", b"a\0b")), Err("holds no text".into()));
        let long = folder.write("a.wld", &vec![b' '; LONGEST as usize + 1]);
        assert!(text_of(&long).is_err_and(|error| error.contains("too long")));
    }
}
