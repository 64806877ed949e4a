//! The window's surface: configured, resized, and brought back when the system takes it away.

use crate::error::{Error, Result};
use crate::gpu::{self, AdapterChoice, Gpu};
use std::sync::Arc;
use wgpu::CurrentSurfaceTexture;
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

/// After so many tries in vain the device is taken for lost.
const VAIN_TRIES: u32 = 100;

/// A device with the surface that it draws to.
pub struct Screen {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    configuration: wgpu::SurfaceConfiguration,
    /// How often in a row there was no picture although the window can be seen.
    vain_tries: u32,
    /// The device.
    pub gpu: Gpu,
}

/// What came of asking for a picture to draw into.
pub enum Acquired {
    /// One to draw into.
    Picture(wgpu::SurfaceTexture),
    /// None now, but soon.
    Later,
    /// None until the window is seen again or gets a size.
    Unseen,
    /// None ever again: the device has to be opened anew.
    Lost,
}

impl Screen {
    /// Opens a device for a window.
    ///
    /// # Errors
    /// No adapter can draw to the window.
    pub fn open(window: Arc<Window>, display: OwnedDisplayHandle, choice: &AdapterChoice) -> Result<Self> {
        let instance = gpu::instance(|| Some(Box::new(display.clone())));
        let surface = surface(&instance, &window)?;
        let gpu = Gpu::open(&instance, choice, Some(&surface))?;
        let configuration = configuration(&surface, &gpu, &window)?;
        let screen = Self { window, instance, surface, configuration, vain_tries: 0, gpu };
        screen.configure();
        Ok(screen)
    }

    /// The format of the surface's texels.
    pub fn format(&self) -> wgpu::TextureFormat {
        self.configuration.format
    }

    /// The surface's size, physical pixels; the window's may be zero while this never is.
    pub fn size(&self) -> [u32; 2] {
        [self.configuration.width, self.configuration.height]
    }

    /// Whether the window has no area, as when it is minimised.
    pub fn is_empty(&self) -> bool {
        let size = self.window.inner_size();
        size.width == 0 || size.height == 0
    }

    /// Follows the window's size.
    pub fn resize(&mut self) {
        let size = self.window.inner_size();
        if self.is_empty() || self.size() == [size.width, size.height] {
            return;
        }
        (self.configuration.width, self.configuration.height) = (size.width, size.height);
        self.configure();
    }

    /// The next picture of the surface.
    pub fn acquire(&mut self) -> Acquired {
        // A device tells of its loss only when asked.
        let polled = self.gpu.device.poll(wgpu::PollType::Poll);
        if self.gpu.is_lost() || polled.is_err() || self.vain_tries > VAIN_TRIES {
            return Acquired::Lost;
        }
        if self.is_empty() {
            return Acquired::Unseen;
        }
        self.resize();
        let acquired = self.ask();
        self.vain_tries = if matches!(acquired, Acquired::Later) { self.vain_tries + 1 } else { 0 };
        acquired
    }

    fn ask(&mut self) -> Acquired {
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => Acquired::Picture(texture),
            CurrentSurfaceTexture::Suboptimal(texture) => {
                // It can be drawn to; only a window of another size is worth a new start.
                drop(texture);
                self.configure();
                self.second_try()
            }
            CurrentSurfaceTexture::Outdated => {
                self.configure();
                self.second_try()
            }
            CurrentSurfaceTexture::Lost => self.recreate(),
            CurrentSurfaceTexture::Occluded => Acquired::Unseen,
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Validation => Acquired::Later,
        }
    }

    fn second_try(&self) -> Acquired {
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) | CurrentSurfaceTexture::Suboptimal(texture) => {
                Acquired::Picture(texture)
            }
            CurrentSurfaceTexture::Occluded => Acquired::Unseen,
            _ => Acquired::Later,
        }
    }

    fn recreate(&mut self) -> Acquired {
        log::warn!("the window's surface was lost and is made anew");
        match surface(&self.instance, &self.window) {
            Ok(surface) if self.gpu.adapter.is_surface_supported(&surface) => {
                self.surface = surface;
                self.configure();
                Acquired::Later
            }
            _ => Acquired::Lost,
        }
    }

    fn configure(&self) {
        self.surface.configure(&self.gpu.device, &self.configuration);
    }
}

fn surface(instance: &wgpu::Instance, window: &Arc<Window>) -> Result<wgpu::Surface<'static>> {
    instance.create_surface(window.clone()).map_err(|error| {
        Error::adapter(
            format!("no surface for the window: {error}"),
            "one that can be drawn to",
            "try another backend with WGPU_BACKEND",
        )
    })
}

fn configuration(
    surface: &wgpu::Surface<'_>,
    gpu: &Gpu,
    window: &Window,
) -> Result<wgpu::SurfaceConfiguration> {
    let size = window.inner_size();
    let found = surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1));
    let mut configuration = found.ok_or_else(|| {
        Error::adapter(
            format!("{} cannot draw to the window", gpu.facts.name),
            "an adapter that can",
            "choose another with --adapter",
        )
    })?;
    // Scene and panel write encoded colours themselves, so texels are stored as they come.
    let formats = surface.get_capabilities(&gpu.adapter).formats;
    let plain = [wgpu::TextureFormat::Bgra8Unorm, wgpu::TextureFormat::Rgba8Unorm];
    if let Some(format) = plain.into_iter().find(|format| formats.contains(format)) {
        configuration.format = format;
    }
    configuration.present_mode = wgpu::PresentMode::AutoVsync;
    Ok(configuration)
}
