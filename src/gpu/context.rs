//! Choosing an adapter, opening a device on it, and knowing when it is lost.

use crate::error::{Error, Result};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Which adapter to use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AdapterChoice {
    /// The one that `WGPU_ADAPTER_NAME` names, else the one of `WGPU_POWER_PREF`, else the fastest.
    #[default]
    Best,
    /// The software adapter where there is one, so that a test draws the same everywhere.
    Software,
    /// The first whose name holds this text, in any case.
    Named(String),
}

/// What can be told about an adapter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AdapterFacts {
    /// Its name.
    pub name: String,
    /// Vulkan, Metal, Dx12 or Gl.
    pub backend: String,
    /// DiscreteGpu, IntegratedGpu, VirtualGpu, Cpu or Other.
    pub kind: String,
    /// Driver name and version.
    pub driver: String,
    /// The optional features that would be used.
    pub features: Vec<String>,
}

/// An open device.
#[derive(Debug)]
pub struct Gpu {
    /// What the device was opened on.
    pub facts: AdapterFacts,
    /// The adapter.
    pub adapter: wgpu::Adapter,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    lost: Arc<AtomicBool>,
}

/// Features that are used where the adapter has them; the program works without each.
pub const OPTIONAL_FEATURES: wgpu::Features = wgpu::Features::TIMESTAMP_QUERY
    .union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS)
    .union(wgpu::Features::PRIMITIVE_INDEX)
    .union(super::RasterPath::FEATURES);

/// What to do where no adapter is found.
pub const NO_ADAPTER_REMEDY: &str =
    "install a Vulkan driver (Debian: apt-get install mesa-vulkan-drivers draws on the CPU)";

/// An instance of the backends that `WGPU_BACKEND` names, else of the native ones, else, where those see no adapter, of GL.
/// `display` makes the display handle that GL needs to draw in a window.
pub fn instance(display: impl Fn() -> Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::Instance {
    let with = |backends: wgpu::Backends| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle().with_env();
        descriptor.backends = backends;
        descriptor.display = display();
        // The program's own shaders write every indirect call within its limits; a check of each would be one more dispatch.
        if !cfg!(debug_assertions) && std::env::var_os("WGPU_VALIDATION_INDIRECT_CALL").is_none() {
            descriptor.flags.remove(wgpu::InstanceFlags::VALIDATION_INDIRECT_CALL);
        }
        wgpu::Instance::new(descriptor)
    };
    if let Some(backends) = wgpu::Backends::from_env() {
        return with(backends);
    }
    let native = with(wgpu::Backends::PRIMARY);
    if enumerate(&native).is_empty() { with(wgpu::Backends::GL) } else { native }
}

/// Every adapter that the instance sees.
pub fn adapters(instance: &wgpu::Instance) -> Vec<AdapterFacts> {
    enumerate(instance).iter().map(facts).collect()
}

impl Gpu {
    /// Opens a device that draws without a window.
    ///
    /// # Errors
    /// No adapter, none of the asked name, or one whose limits are too low; the message names those seen.
    pub fn headless(choice: &AdapterChoice) -> Result<Self> {
        Self::headless_with(choice, OPTIONAL_FEATURES)
    }

    /// As [`Gpu::headless`], but with some of the optional features alone, as on a lesser adapter.
    ///
    /// # Errors
    /// As [`Gpu::headless`].
    pub fn headless_with(choice: &AdapterChoice, features: wgpu::Features) -> Result<Self> {
        Self::on(choose(&instance(|| None), choice, None)?, features)
    }

    /// Opens a device, for a window's surface if one is given.
    ///
    /// # Errors
    /// As [`Gpu::headless`].
    pub fn open(
        instance: &wgpu::Instance,
        choice: &AdapterChoice,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self> {
        Self::on(choose(instance, choice, surface)?, OPTIONAL_FEATURES)
    }

    fn on(adapter: wgpu::Adapter, features: wgpu::Features) -> Result<Self> {
        let facts = facts(&adapter);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("orograph.device"),
            required_features: adapter.features() & features & OPTIONAL_FEATURES,
            required_limits: super::limits::required(&adapter)?,
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).map_err(|error| {
            Error::adapter(
                format!("{} gave no device: {error}", facts.name),
                "a working device",
                NO_ADAPTER_REMEDY,
            )
        })?;
        let lost = Arc::new(AtomicBool::new(false));
        let flag = lost.clone();
        device.set_device_lost_callback(move |reason, message| {
            log::warn!("device lost ({reason:?}): {message}");
            flag.store(true, Ordering::Relaxed);
        });
        log::info!("drawing with {} ({}, {})", facts.name, facts.backend, facts.driver);
        Ok(Self { facts, adapter, device, queue, lost })
    }

    /// Whether the device was lost; everything on it is then gone and has to be built anew.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Whether the device has a feature.
    pub fn has(&self, feature: wgpu::Features) -> bool {
        self.device.features().contains(feature)
    }

    /// Whether timestamps tell what each pass takes. llvmpipe has them, but takes them while it records: of a chain of compute
    /// passes it gives all the time to the first.
    pub fn has_pass_timestamps(&self) -> bool {
        self.has(wgpu::Features::TIMESTAMP_QUERY) && !self.draws_on_cpu()
    }

    /// Whether the adapter is a program that draws on the CPU.
    pub fn draws_on_cpu(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Bytes of the largest buffer that a shader can be given.
    pub fn largest_storage(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_buffer_size.min(limits.max_storage_buffer_binding_size)
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    /// The device was lost.
    pub fn wait(&self) -> Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely()).map(|_| ()).map_err(|error| {
            Error::adapter(format!("the device stopped: {error}"), "a device that answers", "try again")
        })
    }
}

fn enumerate(instance: &wgpu::Instance) -> Vec<wgpu::Adapter> {
    pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()))
}

fn choose(
    instance: &wgpu::Instance,
    choice: &AdapterChoice,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter> {
    let mut seen = enumerate(instance);
    if let Some(surface) = surface {
        seen.retain(|adapter| adapter.is_surface_supported(surface));
    }
    let names: Vec<String> = seen.iter().map(|adapter| adapter.get_info().name).collect();
    let wanted = match choice {
        AdapterChoice::Named(name) => Some(name.clone()),
        AdapterChoice::Best => std::env::var("WGPU_ADAPTER_NAME").ok(),
        AdapterChoice::Software => None,
    };
    let prefer_software = *choice == AdapterChoice::Software;
    let chosen = match &wanted {
        Some(name) => {
            let name = name.to_lowercase();
            seen.into_iter().find(|adapter| adapter.get_info().name.to_lowercase().contains(&name))
        }
        None => seen.into_iter().min_by_key(|adapter| rank(adapter, prefer_software)),
    };
    chosen.ok_or_else(|| none_chosen(&names, wanted.as_deref()))
}

/// The error where none of the adapters seen is the wanted one.
fn none_chosen(seen: &[String], wanted: Option<&str>) -> Error {
    let expected = wanted.map_or_else(|| "one to draw with".to_owned(), |name| format!("one named {name}"));
    if seen.is_empty() {
        return Error::adapter("no adapter", expected, NO_ADAPTER_REMEDY);
    }
    Error::adapter(
        format!("only {}", seen.join(", ")),
        expected,
        "choose one of those that `orograph adapters` lists",
    )
}

/// Lower is better: kind of device first, then backend.
fn rank(adapter: &wgpu::Adapter, prefer_software: bool) -> (u8, u8) {
    let info = adapter.get_info();
    let low_power = wgpu::PowerPreference::from_env() == Some(wgpu::PowerPreference::LowPower);
    let kind = match info.device_type {
        wgpu::DeviceType::Cpu => {
            if prefer_software {
                0
            } else {
                5
            }
        }
        wgpu::DeviceType::DiscreteGpu => {
            if low_power {
                2
            } else {
                1
            }
        }
        wgpu::DeviceType::IntegratedGpu => {
            if low_power {
                1
            } else {
                2
            }
        }
        wgpu::DeviceType::VirtualGpu => 3,
        wgpu::DeviceType::Other => 4,
    };
    let backend = u8::from(info.backend == wgpu::Backend::Gl);
    (kind, backend)
}

fn facts(adapter: &wgpu::Adapter) -> AdapterFacts {
    let info = adapter.get_info();
    let used = adapter.features() & OPTIONAL_FEATURES;
    AdapterFacts {
        name: info.name,
        backend: format!("{:?}", info.backend),
        kind: format!("{:?}", info.device_type),
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        features: used.iter_names().map(|(name, _)| name.to_lowercase()).collect(),
    }
}
