//! The depth pyramid: how far the ground that hides other ground lies at most, by squares of the picture.

use super::bindings::{
    FrameBindings, READ_WRITE, compute_entries, compute_pipeline, group, layout, storage_like,
};
use super::{Seen, Targets};
use crate::error::Result;
use crate::gpu::{Gpu, Part, RasterPath, Shader, Timing, part};

const READING: &[Part] = &[
    part!("shared/frame.wgsl"),
    part!("shared/visibility_id.wgsl"),
    part!("shared/visibility_read.wgsl"),
    part!("shared/pyramid.wgsl"),
];
const ENTRY: &[Part] = &[part!("pyramid.wgsl")];

/// Over the vertex path's visibility.
pub(super) const SHADER: Shader = Shader {
    label: "orograph.pyramid",
    lists: &[READING, &[part!("shared/visibility_textures.wgsl")], ENTRY],
};

/// Over the compute path's visibility.
pub(super) const SHADER_OVER_WORDS: Shader = Shader {
    label: "orograph.pyramid.over_words",
    lists: &[READING, &[part!("shared/visibility_words.wgsl")], ENTRY],
};

/// The pass and the pyramid.
#[derive(Debug)]
pub struct Pyramid {
    own: wgpu::BindGroupLayout,
    squares: wgpu::ComputePipeline,
    levels: wgpu::ComputePipeline,
    depths: wgpu::Buffer,
    group: wgpu::BindGroup,
    size: [u32; 2],
}

impl Pyramid {
    /// Pixels along a square of the first level.
    const SQUARE: u32 = 16;

    /// Builds the pass, with a pyramid for pictures of one pixel.
    ///
    /// # Errors
    /// The shader is not valid.
    pub fn new(gpu: &Gpu, frame: &FrameBindings, seen: &Seen) -> Result<Self> {
        let shader = match seen.path() {
            RasterPath::Vertex => SHADER,
            RasterPath::Compute | RasterPath::Compute32 => SHADER_OVER_WORDS,
        };
        let module = shader.module(&gpu.device)?;
        let own = layout(gpu, SHADER.label, &compute_entries(&[READ_WRITE]));
        let layouts = [&frame.layout, &own, &seen.layout];
        let pipeline = |entry: &str| compute_pipeline(gpu, SHADER.label, &layouts, &module, entry, &[]);
        let (squares, levels) = (pipeline("squares"), pipeline("levels"));
        let size = [1, 1];
        let (depths, group) = pyramid(gpu, &own, size);
        Ok(Self { own, squares, levels, depths, group, size })
    }

    /// Makes room for pictures of the targets' size.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        self.size = targets.size();
        (self.depths, self.group) = pyramid(gpu, &self.own, self.size);
    }

    /// The depths of every level.
    pub(super) fn depths(&self) -> &wgpu::Buffer {
        &self.depths
    }

    /// Records every level from what has been drawn so far.
    pub fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        timing: &Timing,
        frame: &FrameBindings,
        seen: &Seen,
    ) {
        let mut pass = timing.compute(encoder, "pyramid");
        pass.set_bind_group(0, &frame.group, &[]);
        pass.set_bind_group(1, &self.group, &[]);
        pass.set_bind_group(2, &seen.group, &[]);
        pass.set_pipeline(&self.squares);
        let [width, height] = self.size.map(|pixels| pixels.div_ceil(2 * Self::SQUARE));
        pass.dispatch_workgroups(width, height, 1);
        pass.set_pipeline(&self.levels);
        pass.dispatch_workgroups(1, 1, 1);
    }

    /// Squares of all levels, from one to the last, which has one.
    fn squares(size: [u32; 2]) -> u64 {
        let mut level = size.map(|pixels| pixels.div_ceil(Self::SQUARE).max(1));
        let mut sum = 0;
        loop {
            sum += u64::from(level[0]) * u64::from(level[1]);
            if level == [1, 1] {
                return sum;
            }
            level = level.map(|squares| squares.div_ceil(2));
        }
    }
}

fn pyramid(gpu: &Gpu, own: &wgpu::BindGroupLayout, size: [u32; 2]) -> (wgpu::Buffer, wgpu::BindGroup) {
    let bytes = Pyramid::squares(size) * 4;
    let depths = storage_like(gpu, "orograph.pyramid.depths", bytes, wgpu::BufferUsages::STORAGE);
    let group = group(gpu, SHADER.label, own, &[depths.as_entire_binding()]);
    (depths, group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_room_up_to_the_one_of_one_square() {
        assert_eq!(Pyramid::squares([1, 1]), 1);
        assert_eq!(Pyramid::squares([16, 17]), 3);
        assert_eq!(Pyramid::squares([640, 360]), 40 * 23 + 20 * 12 + 10 * 6 + 5 * 3 + 3 * 2 + 2 + 1);
    }
}
