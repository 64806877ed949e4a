//! How many patches were drawn, read back without waiting.

use crate::gpu::Gpu;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Two words: indices a patch, and the number of patches.
const BYTES: u64 = 8;

/// Nothing is under way.
const IDLE: u8 = 0;
/// A copy is on its way.
const ASKED: u8 = 1;
/// A copy can be read.
const READY: u8 = 2;

/// Copies the indirect draw's numbers now and then.
pub struct PatchCount {
    staging: wgpu::Buffer,
    state: Arc<AtomicU8>,
    patches: u64,
}

impl PatchCount {
    /// A count of nothing yet.
    pub fn new(gpu: &Gpu) -> Self {
        let staging = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("orograph.count"),
            size: BYTES,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { staging, state: Arc::new(AtomicU8::new(IDLE)), patches: 0 }
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
        encoder.copy_buffer_to_buffer(draw, 0, &self.staging, 0, BYTES);
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

    /// The newest count.
    pub fn patches(&self) -> u64 {
        self.patches
    }

    fn read(&mut self) {
        if let Ok(view) = self.staging.get_mapped_range(..) {
            self.patches =
                view.get(4..8).map_or(0, |word| u64::from(bytemuck::pod_read_unaligned::<u32>(word)));
        }
        self.staging.unmap();
        self.state.store(IDLE, Ordering::Release);
    }
}
