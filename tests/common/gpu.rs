//! One software adapter a test binary; without it every GPU test fails and says what to install.

use orograph::clipmap::ClipmapSettings;
use orograph::frame::{Renderer, RendererOptions};
use orograph::gpu::{AdapterChoice, Gpu, RasterPath};
use orograph::passes::Output;
use orograph::source::MemorySource;
use orograph::terrain::Terrain;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// The device, for one test at a time.
pub fn gpu() -> MutexGuard<'static, Gpu> {
    static GPU: OnceLock<Mutex<Gpu>> = OnceLock::new();
    let open =
        || Mutex::new(Gpu::headless(&AdapterChoice::Software).unwrap_or_else(|error| panic!("{error}")));
    GPU.get_or_init(open).lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A renderer of a field in memory.
pub fn renderer(gpu: &Gpu, terrain: &Arc<Terrain>, settings: ClipmapSettings) -> Renderer {
    renderer_by(gpu, terrain, settings, None)
}

/// A renderer of a field in memory that draws by a path.
pub fn renderer_by(
    gpu: &Gpu,
    terrain: &Arc<Terrain>,
    settings: ClipmapSettings,
    path: Option<RasterPath>,
) -> Renderer {
    let source = Arc::new(MemorySource::new(terrain.clone()));
    let options = RendererOptions { path, ..RendererOptions::new(settings, Output::Picture) };
    Renderer::new(gpu, source, terrain.origin(), options).expect("a renderer")
}
