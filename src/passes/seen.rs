//! What pixels see, as later passes read it: one bind group, whoever wrote it.

use super::Targets;
use super::bindings::{DEPTH, READ, WORDS, compute_entries, group, layout};
use super::targets::VisibilityTarget;
use crate::gpu::{Gpu, RasterPath};
use wgpu::BindingResource;

/// Bind group 2 of the passes over the visibility buffer.
#[derive(Debug)]
pub struct Seen {
    path: RasterPath,
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) group: Option<wgpu::BindGroup>,
}

impl Seen {
    const LABEL: &'static str = "orograph.seen";

    /// For visibility that a path writes.
    pub fn new(gpu: &Gpu, path: RasterPath) -> Self {
        let types: &[_] = match path {
            RasterPath::Vertex => &[WORDS, DEPTH],
            RasterPath::Compute | RasterPath::Compute32 => &[READ],
        };
        Self { path, layout: layout(gpu, Self::LABEL, &compute_entries(types)), group: None }
    }

    /// The path that writes it.
    pub fn path(&self) -> RasterPath {
        self.path
    }

    /// Binds what is read; again whenever the targets change.
    pub fn bind(&mut self, gpu: &Gpu, targets: &Targets) {
        let group = match &targets.visibility {
            VisibilityTarget::Textures { ids, depth } => {
                let views = [ids, depth].map(|target| BindingResource::TextureView(&target.view));
                group(gpu, Self::LABEL, &self.layout, &views)
            }
            VisibilityTarget::Words(words) => {
                group(gpu, Self::LABEL, &self.layout, &[words.as_entire_binding()])
            }
        };
        self.group = Some(group);
    }
}
