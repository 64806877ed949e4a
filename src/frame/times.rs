//! What pictures take: the times of a flight, pass by pass.

use super::{Counts, FrameInput, Renderer};
use crate::error::Result;
use crate::gpu::{Gpu, PassTime};
use crate::passes::Reference;
use serde::Serialize;
use std::time::Instant;

/// Percentiles of a time, milliseconds, by the nearest rank; NaN where nothing was timed.
#[derive(Debug, Clone, Copy, Serialize)]
#[allow(missing_docs, reason = "the names are the keys of reports")]
pub struct Percentiles {
    pub p50_ms: f64,
    pub p95_ms: f64,
    pub p99_ms: f64,
    pub max_ms: f64,
}

impl Percentiles {
    /// Of times in any order.
    pub fn of(times: &[f64]) -> Self {
        let mut sorted = times.to_vec();
        sorted.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let rank = (share * sorted.len() as f64).ceil() as usize;
            sorted.get(rank.clamp(1, sorted.len().max(1)) - 1).copied().unwrap_or(f64::NAN)
        };
        Self { p50_ms: at(0.50), p95_ms: at(0.95), p99_ms: at(0.99), max_ms: at(1.0) }
    }
}

/// The times of pictures drawn one after the other, each waited for.
#[derive(Debug, Default)]
pub struct FrameTimes {
    /// In the order in which passes were first met.
    passes: Vec<(String, Vec<f64>)>,
    gpu: Vec<f64>,
    wall: Vec<f64>,
    cpu: Vec<f64>,
}

impl FrameTimes {
    /// Runs of the yardstick.
    const REFERENCE_RUNS: u32 = 10;

    /// Times the yardstick, as a pass.
    ///
    /// # Errors
    /// The device was lost.
    pub fn take_reference(&mut self, gpu: &Gpu) -> Result<()> {
        let mut reference = Reference::new(gpu)?;
        for _ in 0..Self::REFERENCE_RUNS {
            self.take_passes(reference.measure(gpu)?);
        }
        Ok(())
    }

    /// Draws a picture as [`Renderer::draw`], waits for it and takes its times. Where timestamps are missing or wrong it is drawn again, pass
    /// by pass.
    ///
    /// # Errors
    /// As [`Renderer::draw`], or the device was lost.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        input: &FrameInput,
        target: &wgpu::TextureView,
    ) -> Result<Counts> {
        let begin = Instant::now();
        let (_, counts) = renderer.draw(gpu, input, target)?;
        self.cpu.push(milliseconds(begin));
        gpu.wait()?;
        self.wall.push(milliseconds(begin));
        if !gpu.has_pass_timestamps() {
            self.take_passes(renderer.draw_by_pass(gpu, input, target)?);
        } else if let Some(passes) = renderer.finished_times().filter(|passes| !passes.is_empty()) {
            self.gpu.push(passes.iter().map(|pass| pass.milliseconds).sum());
            self.take_passes(passes);
        }
        Ok(counts)
    }

    /// Each pass and what it took, in the order of the frame.
    pub fn passes(&self) -> impl Iterator<Item = (&str, Percentiles)> {
        self.passes.iter().map(|(name, times)| (name.as_str(), Percentiles::of(times)))
    }

    /// What the GPU took; where timestamps are missing or wrong, the same as [`FrameTimes::wall`].
    pub fn frame(&self) -> Percentiles {
        if self.gpu.is_empty() { self.wall() } else { Percentiles::of(&self.gpu) }
    }

    /// From the beginning of a picture until it is done.
    pub fn wall(&self) -> Percentiles {
        Percentiles::of(&self.wall)
    }

    /// What the CPU took to plan, upload and record.
    pub fn cpu(&self) -> Percentiles {
        Percentiles::of(&self.cpu)
    }

    fn take_passes(&mut self, passes: impl IntoIterator<Item = PassTime>) {
        for PassTime { name, milliseconds } in passes {
            match self.passes.iter_mut().find(|(known, _)| *known == name) {
                Some((_, times)) => times.push(milliseconds),
                None => self.passes.push((name, vec![milliseconds])),
            }
        }
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_go_by_the_nearest_rank() {
        let times: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        let found = Percentiles::of(&times);
        assert_eq!((found.p50_ms, found.p95_ms, found.p99_ms), (50.0, 95.0, 99.0));
        assert_eq!(found.max_ms, 100.0);
        assert_eq!(Percentiles::of(&[7.0]).p99_ms, 7.0);
        assert!(Percentiles::of(&[]).p50_ms.is_nan());
    }

    #[test]
    fn passes_stay_in_their_order() {
        let mut times = FrameTimes::default();
        for (name, milliseconds) in [("select", 3.0), ("light", 1.0), ("select", 1.0), ("select", 2.0)] {
            times.take_passes([PassTime { name: name.into(), milliseconds }]);
        }
        let found: Vec<_> = times.passes().map(|(name, times)| (name, times.p50_ms)).collect();
        assert_eq!(found, [("select", 2.0), ("light", 1.0)]);
    }
}
