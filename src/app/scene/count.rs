//! How much was drawn, read back without waiting.

use crate::gpu::Gpu;
use crate::passes::{DrawCounts, Select};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const BYTES: u64 = size_of::<DrawCounts>() as u64;

/// Nothing is under way.
const IDLE: u8 = 0;
/// A copy is on its way.
const ASKED: u8 = 1;
/// A copy can be read.
const READY: u8 = 2;

/// Copies the indirect draw's numbers now and then.
pub struct DrawCounter {
    staging: wgpu::Buffer,
    state: Arc<AtomicU8>,
    newest: DrawCounts,
}

impl DrawCounter {
    /// A count of nothing yet.
    pub fn new(gpu: &Gpu) -> Self {
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("orograph.count"),
            size: BYTES,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { staging, state: Arc::new(AtomicU8::new(IDLE)), newest: DrawCounts::default() }
    }

    /// Takes in a copy that has come, and asks for the next one.
    pub fn ask(&mut self, gpu: &Gpu, draw: &wgpu::Buffer) {
        // A device that is lost tells of it elsewhere.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        if self.state.load(Ordering::Acquire) == READY {
            self.read();
        }
        if self.state.load(Ordering::Acquire) != IDLE {
            return;
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(draw, Select::COUNTS_OFFSET, &self.staging, 0, BYTES);
        gpu.queue.submit([encoder.finish()]);
        self.state.store(ASKED, Ordering::Release);
        let state = self.state.clone();
        self.staging.map_async(wgpu::MapMode::Read, .., move |mapped| {
            // After a failure nothing more is asked; the last count stays.
            if mapped.is_ok() {
                state.store(READY, Ordering::Release);
            }
        });
    }

    /// The newest counts.
    pub fn newest(&self) -> DrawCounts {
        self.newest
    }

    fn read(&mut self) {
        if let Ok(view) = self.staging.get_mapped_range(..) {
            self.newest = bytemuck::pod_read_unaligned(&view);
        }
        self.staging.unmap();
        self.state.store(IDLE, Ordering::Release);
    }
}
