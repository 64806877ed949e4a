//! Output files: written beside their target, then renamed, so that no half file is ever seen.

use super::interrupt::{self, Unfinished};
use crate::error::{Error, Result};
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// What an output is written into.
pub trait Sink: Write + Seek {}
impl<T: Write + Seek> Sink for T {}

/// Writes a file as a whole or not at all. A device or a pipe is written to as it is.
///
/// # Errors
/// [`Error::Output`] where the file cannot be made or `write` fails; [`Error::Interrupted`] where the user ended the work.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> Result<()> {
    interrupt::check()?;
    let outcome = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if !found.is_file() => write_through(path, write),
        Ok(found) => replace(path, Some(found.permissions()), write),
        Err(_) => replace(path, None, write),
    };
    outcome.map_err(|error| if interrupt::is_raised() { Error::Interrupted } else { refused(path, &error) })
}

/// The error of an output that cannot be written.
pub fn refused(path: &Path, error: &io::Error) -> Error {
    Error::output(format!("cannot be written: {error}"), "a writable place", "choose another name or folder")
        .in_file(path)
}

fn write_through(path: &Path, write: impl FnOnce(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::options().write(true).open(path)?);
    write(&mut out)?;
    out.flush()
}

fn replace(
    path: &Path,
    permissions: Option<Permissions>,
    write: impl FnOnce(&mut dyn Sink) -> io::Result<()>,
) -> io::Result<()> {
    // What a link points to is replaced, not the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // In this order the file goes before its name.
    let (_unfinished, file) = Unfinished::begin(|| beside(&target))?;
    let mut out = BufWriter::new(file.as_file());
    write(&mut out)?;
    out.flush()?;
    drop(out);
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    if interrupt::is_raised() {
        return Err(io::ErrorKind::Interrupted.into());
    }
    file.persist(&target)?;
    Ok(())
}

/// A new file in the target's folder, with the permissions that any new file gets.
fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = match target.parent() {
        Some(folder) if folder != Path::new("") => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("no folder {}", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".orograph-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // The error alone: the text around it names the temporary file, which helps nobody.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("out.txt");
        write_atomically(&path, |out| out.write_all(b"old")).expect("written");
        let error = write_atomically(&path, |out| {
            out.write_all(b"ne")?;
            Err(io::Error::other("no more"))
        })
        .expect_err("refused");
        assert_eq!(error.exit_code(), 5);
        assert_eq!(std::fs::read(&path).expect("read"), b"old");
        assert_eq!(folder.path().read_dir().expect("listed").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_of_a_replaced_file_and_links_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("out.txt"), folder.path().join("link.txt"));
        std::fs::write(&path, b"old").expect("written");
        std::fs::set_permissions(&path, Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        write_atomically(&link, |out| out.write_all(b"new")).expect("written");
        assert_eq!(std::fs::read(&path).expect("read"), b"new");
        assert_eq!(std::fs::metadata(&path).expect("found").permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
    }
}
