//! The adapter, the device, and the few helpers that every pass uses.

mod context;
mod layout;
mod limits;
mod raster_path;
mod readback;
mod shader;
mod submissions;
mod timing;

pub use context::{
    AdapterChoice, AdapterFacts, Gpu, NO_ADAPTER_REMEDY, OPTIONAL_FEATURES, adapters, instance,
};
pub use layout::{Field, GpuStruct, gpu_struct};
pub use limits::IdLayout;
pub use raster_path::RasterPath;
pub use readback::{read_buffer, read_texture};
pub use shader::{Part, Shader, part};
pub use timing::{PassTime, Timing};
