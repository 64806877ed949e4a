//! Reading a field in the background, with progress and Cancel.

use super::opened::Opened;
use crate::error::{Error, Result};
use crate::formats::Answers;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The progress is told anew after this many thousandths.
const TOLD_STEP: u32 = 5;

/// How far some work has come, shared between who does it and who waits for it.
#[derive(Clone)]
pub struct Progress(Arc<Shared>);

struct Shared {
    thousandths: AtomicU32,
    stage: Mutex<&'static str>,
    cancelled: AtomicBool,
    /// A coarse field that was not yet taken out.
    preview: Mutex<Option<Opened>>,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl Progress {
    /// Progress at its start; `wake` is called whenever there is news.
    pub fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self(Arc::new(Shared {
            thousandths: AtomicU32::new(0),
            stage: Mutex::new("reading"),
            cancelled: AtomicBool::new(false),
            preview: Mutex::new(None),
            wake: Box::new(wake),
        }))
    }

    /// Begins a stage of the work, such as `reading`, and goes back to nothing done.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the work is no longer wanted.
    pub fn stage(&self, name: &'static str) -> Result<()> {
        *self.0.stage.lock().unwrap_or_else(PoisonError::into_inner) = name;
        self.0.thousandths.store(0, Ordering::Relaxed);
        (self.0.wake)();
        self.check()
    }

    /// Tells which share of the stage is done, 0 … 1.
    ///
    /// # Errors
    /// [`Error::Interrupted`] once the work is no longer wanted.
    pub fn reached(&self, share: f64) -> Result<()> {
        let now = (share.clamp(0.0, 1.0) * 1000.0) as u32;
        let told = self.0.thousandths.load(Ordering::Relaxed);
        if now >= told + TOLD_STEP || (now == 1000 && told < now) {
            self.0.thousandths.store(now, Ordering::Relaxed);
            (self.0.wake)();
        }
        self.check()
    }

    /// Hands over a coarse field, to be looked at until the whole is read.
    pub fn show(&self, preview: Opened) {
        *self.0.preview.lock().unwrap_or_else(PoisonError::into_inner) = Some(preview);
        (self.0.wake)();
    }

    fn check(&self) -> Result<()> {
        if self.0.cancelled.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// The share of the stage that is done, 0 … 1.
    pub fn share(&self) -> f32 {
        self.0.thousandths.load(Ordering::Relaxed) as f32 / 1000.0
    }

    /// The stage's name.
    pub fn stage_name(&self) -> &'static str {
        *self.0.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a file is to be read, over what was said when the program was started.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Wish {
    /// As it says itself; what it leaves open as remembered, or guessed.
    #[default]
    Plain,
    /// A headerless file, by these answers.
    Answers(Answers),
    /// With its codes, or its values of 0 to 1, spread over these heights.
    Spread([f64; 2]),
}

/// Reads a field, telling its progress.
pub type Work = Box<dyn FnOnce(&Progress) -> Result<Opened> + Send>;

/// A field to be read: what it is called, and the work.
pub struct Opening {
    /// What is read, for the progress.
    pub label: String,
    /// Reads it, telling its progress.
    pub work: Work,
}

/// Work under way. Dropping it lets go of the outcome.
pub struct Loading {
    /// What is read.
    pub label: String,
    /// How far it has come.
    pub progress: Progress,
    /// When it began.
    pub since: Instant,
    outcome: Receiver<Result<Opened>>,
}

impl Loading {
    /// Starts the work on a thread of its own; `wake` is called whenever there is news.
    ///
    /// # Errors
    /// No thread could be started.
    pub fn start(opening: Opening, wake: impl Fn() + Send + Sync + 'static) -> Result<Self> {
        let progress = Progress::new(wake);
        let (sender, outcome) = channel();
        let (told, work) = (progress.clone(), opening.work);
        let started = std::thread::Builder::new().name("orograph.loading".into()).spawn(move || {
            // Nobody is left to tell when the viewer has let go. The sender goes before the last call, so that a
            // panic in the work is seen as a closed channel.
            let _ = sender.send(work(&told));
            drop(sender);
            (told.0.wake)();
        });
        started.map_err(|error| {
            Error::failed(
                format!("no thread to read with: {error}"),
                "one thread more",
                "close other programs",
            )
        })?;
        Ok(Self { label: opening.label, progress, since: Instant::now(), outcome })
    }

    /// A coarse field that has been read on the way, once.
    pub fn preview(&self) -> Option<Opened> {
        self.progress.0.preview.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The outcome, once there is one.
    pub fn poll(&self) -> Option<Result<Opened>> {
        match self.outcome.try_recv() {
            Ok(outcome) => Some(outcome),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(Error::failed(
                format!("reading {} stopped half-way", self.label),
                "no internal failure",
                "report the lines in the terminal",
            ))),
        }
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.progress.0.cancelled.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn wait(loading: &Loading) -> Result<Opened> {
        for _ in 0..500 {
            if let Some(outcome) = loading.poll() {
                return outcome;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("no outcome");
    }

    #[test]
    fn work_that_is_dropped_is_told_so() {
        let (sender, ended) = channel();
        let work = move |progress: &Progress| {
            while progress.reached(0.5).is_ok() {
                std::thread::sleep(Duration::from_millis(1));
            }
            sender.send(progress.share()).expect("heard");
            Err(Error::Interrupted)
        };
        let opening = Opening { label: "endless".into(), work: Box::new(work) };
        drop(Loading::start(opening, || ()).expect("started"));
        assert_eq!(ended.recv_timeout(Duration::from_secs(5)), Ok(0.5));
    }

    #[test]
    fn a_panic_in_the_work_is_an_error_of_the_work() {
        let opening = Opening { label: "broken".into(), work: Box::new(|_| panic!("on purpose")) };
        let loading = Loading::start(opening, || ()).expect("started");
        let error = wait(&loading).err().expect("refused");
        assert!(error.to_string().starts_with("reading broken stopped half-way"));
    }
}
