//! Where a raster stands: affine georeferences, degrees to metres, units of length, systems of coordinates.

mod control_points;
mod ellipsoid;
mod epsg;
mod georeference;
mod names;
mod projection_text;
mod units;

pub use control_points::{ControlPoint, Fit, fit};
pub use ellipsoid::metres_per_degree;
pub use epsg::{EpsgSystem, SystemKind};
pub use georeference::Georeference;
pub use names::system_named;
pub use projection_text::{ProjectionText, VerticalText, read_projection_text};
pub use units::{LengthUnit, degrees_in_angle};
