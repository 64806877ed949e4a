//! The panels' library between window and GPU: events in, triangles out.

use super::panel::theme;
use crate::gpu::Gpu;
use std::time::Duration;
use winit::event::WindowEvent;
use winit::window::Window;

/// Everything that has to be made anew with a device.
pub struct Ui {
    context: egui::Context,
    state: egui_winit::State,
    renderer: egui_wgpu::Renderer,
    /// Textures that the next picture no longer shows.
    unused: Vec<egui::TextureId>,
}

/// The panels of one picture, ready to be drawn.
pub struct Painted {
    triangles: Vec<egui::ClippedPrimitive>,
    pixels_per_point: f32,
    /// When the panels want to be drawn again.
    pub again_in: Duration,
}

impl Painted {
    /// No panels at all.
    pub fn nothing(pixels_per_point: f32) -> Self {
        Self { triangles: Vec::new(), pixels_per_point, again_in: Duration::MAX }
    }
}

impl Ui {
    /// A fresh start for a window and a device.
    pub fn new(window: &Window, gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let context = egui::Context::default();
        theme::apply(&context);
        let side = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = Some(window.scale_factor() as f32);
        let root = egui::ViewportId::ROOT;
        let state = egui_winit::State::new(context.clone(), root, window, scale, None, Some(side));
        let renderer = egui_wgpu::Renderer::new(&gpu.device, format, Default::default());
        Self { context, state, renderer, unused: Vec::new() }
    }

    /// Offers an event to the panels; `true` where they keep it.
    pub fn takes(&mut self, window: &Window, event: &WindowEvent) -> bool {
        self.state.on_window_event(window, event).consumed
    }

    /// Whether a field of the panels listens to the keyboard.
    pub fn wants_keys(&self) -> bool {
        self.context.egui_wants_keyboard_input()
    }

    /// Whether the pointer is over a panel.
    pub fn is_under_pointer(&self) -> bool {
        self.context.is_pointer_over_egui()
    }

    /// Takes the keyboard away from the panels.
    pub fn drop_focus(&self) {
        self.context.memory_mut(|memory| memory.stop_text_input());
    }

    /// Physical pixels a point.
    pub fn scale(&self) -> f32 {
        self.context.pixels_per_point()
    }

    /// Lays the panels out, and brings their textures to the GPU.
    pub fn run(&mut self, window: &Window, gpu: &Gpu, show: impl FnMut(&mut egui::Ui)) -> Painted {
        let input = self.state.take_egui_input(window);
        let output = self.context.run_ui(input, show);
        self.state.handle_platform_output(window, output.platform_output);
        let again_in = output
            .viewport_output
            .get(&egui::ViewportId::ROOT)
            .map_or(Duration::MAX, |viewport| viewport.repaint_delay);
        let triangles = self.context.tessellate(output.shapes, output.pixels_per_point);
        self.upload(gpu, output.textures_delta);
        Painted { triangles, pixels_per_point: output.pixels_per_point, again_in }
    }

    /// Sends new textures to the GPU. Those no longer used go with the next picture, for this one may still show them.
    fn upload(&mut self, gpu: &Gpu, mut textures: egui::TexturesDelta) {
        for id in self.unused.drain(..) {
            self.renderer.free_texture(&id);
        }
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.renderer.update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        self.unused.extend(textures.free.iter().copied());
        // They are applied; the library wants that said.
        textures.clear();
    }

    /// Records and submits the drawing of the panels over a picture; over `background` where there is none yet.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        painted: &Painted,
        target: &wgpu::TextureView,
        size: [u32; 2],
        background: Option<wgpu::Color>,
    ) {
        let screen =
            egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: painted.pixels_per_point };
        let label = Some("orograph.panel");
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let triangles = &painted.triangles;
        let before = self.renderer.update_buffers(&gpu.device, &gpu.queue, &mut encoder, triangles, &screen);
        let load = background.map_or(wgpu::LoadOp::Load, wgpu::LoadOp::Clear);
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label,
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        self.renderer.render(&mut pass.forget_lifetime(), triangles, &screen);
        gpu.queue.submit(before.into_iter().chain([encoder.finish()]));
    }
}
