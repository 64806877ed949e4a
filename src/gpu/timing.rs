//! GPU time by pass: from timestamp queries, without waiting for them; or of submissions, each waited for.

use super::Gpu;
use super::submissions::Submissions;
use crate::error::{Error, Result};
use std::fmt::Display;
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult, OwningScope};

/// The time of one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct PassTime {
    /// The pass's name.
    pub name: String,
    /// Milliseconds of GPU time.
    pub milliseconds: f64,
}

/// Times passes; where the GPU tells no times it only hands the passes out.
pub struct Timing {
    profiler: GpuProfiler,
    period: f32,
    submissions: Option<Submissions>,
}

impl Timing {
    /// Times of a frame arrive at most this many frames later.
    const FRAMES_IN_FLIGHT: usize = 4;

    /// Starts timing on a device, by timestamps where they can be trusted.
    ///
    /// # Errors
    /// The profiler could not be made.
    pub fn new(gpu: &Gpu) -> Result<Self> {
        Self::with(gpu, gpu.has_pass_timestamps(), None)
    }

    /// Starts timing by the clock on the wall, on any device: every pass goes into a submission of its own, which is waited for.
    ///
    /// # Errors
    /// The profiler could not be made.
    pub fn by_submission(gpu: &Gpu) -> Result<Self> {
        Self::with(gpu, false, Some(Submissions::new(gpu)))
    }

    fn with(gpu: &Gpu, enable_timer_queries: bool, submissions: Option<Submissions>) -> Result<Self> {
        let settings = GpuProfilerSettings {
            enable_timer_queries,
            enable_debug_groups: false,
            max_num_pending_frames: Self::FRAMES_IN_FLIGHT,
        };
        let profiler = GpuProfiler::new(&gpu.device, settings).map_err(|error| fault(&error))?;
        Ok(Self { profiler, period: gpu.queue.get_timestamp_period(), submissions })
    }

    /// A compute pass timed under its name.
    pub fn compute<'a>(
        &'a self,
        encoder: &'a mut wgpu::CommandEncoder,
        name: &str,
    ) -> OwningScope<'a, wgpu::ComputePass<'a>> {
        self.split(encoder, Some(name));
        let query = self.profiler.begin_pass_query(name, encoder);
        let recorder = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(name),
            timestamp_writes: query.compute_pass_timestamp_writes(),
        });
        OwningScope { profiler: &self.profiler, recorder, scope: Some(query) }
    }

    /// A render pass timed under its name.
    pub fn render<'a>(
        &'a self,
        encoder: &'a mut wgpu::CommandEncoder,
        name: &str,
        descriptor: &wgpu::RenderPassDescriptor<'_>,
    ) -> OwningScope<'a, wgpu::RenderPass<'a>> {
        self.split(encoder, Some(name));
        let query = self.profiler.begin_pass_query(name, encoder);
        let recorder = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(name),
            timestamp_writes: query.render_pass_timestamp_writes(),
            ..descriptor.clone()
        });
        OwningScope { profiler: &self.profiler, recorder, scope: Some(query) }
    }

    /// Fills a buffer with zeros, timed under a name, of which a pass may follow. Without timestamps inside encoders it takes
    /// part in no time.
    pub fn clear(&self, encoder: &mut wgpu::CommandEncoder, name: &str, buffer: &wgpu::Buffer) {
        self.split(encoder, Some(name));
        let query = self.profiler.begin_query(name, encoder);
        encoder.clear_buffer(buffer, 0, None);
        self.profiler.end_query(encoder, query);
    }

    /// Records the copy of the frame's timestamps; after the last pass.
    pub fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.split(encoder, None);
        self.profiler.resolve_queries(encoder);
    }

    /// Ends the frame, after it was submitted.
    ///
    /// # Errors
    /// A pass was left open.
    pub fn end_frame(&mut self) -> Result<()> {
        self.profiler.end_frame().map_err(|error| fault(&error))
    }

    /// The times of the oldest frame that has come back, in the order of its passes; one time a name.
    pub fn finished(&mut self) -> Option<Vec<PassTime>> {
        if let Some(submissions) = &self.submissions {
            return Some(by_name(submissions.take()));
        }
        let results = self.profiler.process_finished_frame(self.period)?;
        Some(by_name(results.iter().filter_map(pass_time)))
    }

    /// Parts what was recorded from the pass that comes next, where passes are timed by their submissions.
    fn split(&self, encoder: &mut wgpu::CommandEncoder, next: Option<&str>) {
        if let Some(submissions) = &self.submissions {
            submissions.split(encoder, next);
        }
    }
}

impl std::fmt::Debug for Timing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Timing").field("period", &self.period).finish_non_exhaustive()
    }
}

fn pass_time(result: &GpuTimerQueryResult) -> Option<PassTime> {
    let time = result.time.as_ref()?;
    Some(PassTime { name: result.label.clone(), milliseconds: (time.end - time.start) * 1e3 })
}

fn by_name(times: impl IntoIterator<Item = PassTime>) -> Vec<PassTime> {
    let mut sums: Vec<PassTime> = Vec::new();
    for time in times {
        match sums.iter_mut().find(|sum| sum.name == time.name) {
            Some(sum) => sum.milliseconds += time.milliseconds,
            None => sums.push(time),
        }
    }
    sums
}

fn fault(error: &dyn Display) -> Error {
    Error::failed(format!("GPU timing failed: {error}"), "timestamps", "report this fault")
}
