//! Ctrl-C: long work ends in order if it can, and no half file stays in any case.

use crate::error::{Error, Result};
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::NamedTempFile;

/// How long work may take to notice and end by itself.
const GRACE: Duration = Duration::from_secs(1);

static RAISED: AtomicBool = AtomicBool::new(false);

/// Files that are being written and go if the program goes.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Starts to listen for Ctrl-C and for requests to end.
///
/// Work that has not ended a second later is ended: its unfinished files are removed and the exit code is 130.
///
/// # Errors
/// The system refuses the handler.
pub fn listen() -> Result<()> {
    ctrlc::set_handler(|| {
        RAISED.store(true, Ordering::SeqCst);
        std::thread::sleep(GRACE);
        // The lock is kept, so that nothing new is begun meanwhile.
        let unfinished = unfinished();
        for path in unfinished.iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(i32::from(Error::Interrupted.exit_code()));
    })
    .map_err(|error| Error::failed(format!("no handler for Ctrl-C: {error}"), "one", "report it"))
}

/// Whether the user wants the work to end.
pub fn is_raised() -> bool {
    RAISED.load(Ordering::SeqCst)
}

/// For long work to call now and then.
///
/// # Errors
/// [`Error::Interrupted`] once the user wants the work to end.
pub fn check() -> Result<()> {
    if is_raised() { Err(Error::Interrupted) } else { Ok(()) }
}

/// Names a file that must not outlive an interrupted program, for as long as the value lives.
#[derive(Debug)]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file and names it in one step, so that an interruption finds both or neither.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn begin(make: impl FnOnce() -> io::Result<NamedTempFile>) -> io::Result<(Self, NamedTempFile)> {
        let mut names = unfinished();
        let file = make()?;
        names.insert(file.path().to_owned());
        Ok((Self(file.path().to_owned()), file))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // The set is whole after a panic elsewhere, so its poison means nothing.
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}
