//! The time of each pass as that of a submission, for adapters whose timestamps are missing or wrong.

use super::{Gpu, PassTime};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Cuts what is recorded into one submission a pass, waits for each, and takes its time.
#[derive(Debug)]
pub(super) struct Submissions {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// The pass that is being recorded.
    open: Mutex<Option<String>>,
    times: Mutex<Vec<PassTime>>,
}

impl Submissions {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        Self { device, queue, open: Mutex::default(), times: Mutex::default() }
    }

    /// Submits what `encoder` holds, leaves it empty for the pass `next`, and takes the time of the pass before. What comes
    /// before the first pass, uploads above all, is waited for and not counted.
    pub(super) fn split(&self, encoder: &mut wgpu::CommandEncoder, next: Option<&str>) {
        let fresh = self.device.create_command_encoder(&Default::default());
        let recorded = std::mem::replace(encoder, fresh).finish();
        let begin = Instant::now();
        self.queue.submit([recorded]);
        // A device that stopped is told of by whoever waits for the picture; these times then mean nothing.
        drop(self.device.poll(wgpu::PollType::wait_indefinitely()));
        let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
        if let Some(name) = std::mem::replace(&mut *lock(&self.open), next.map(str::to_owned)) {
            lock(&self.times).push(PassTime { name, milliseconds });
        }
    }

    /// The times since the last call, in the order of the passes.
    pub(super) fn take(&self) -> Vec<PassTime> {
        std::mem::take(&mut lock(&self.times))
    }
}

/// What the mutex holds, also after a panic elsewhere: nothing here is left half-changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
