//! Where a raster stands: affine georeferences, degrees to metres, units of length, names of EPSG codes.

mod ellipsoid;
mod epsg;
mod georeference;
mod projection_text;
mod units;

pub use ellipsoid::metres_per_degree;
pub use epsg::{crs_name, is_geographic, plane_unit, vertical_name, vertical_unit};
pub use georeference::Georeference;
pub use projection_text::{ProjectionText, read_projection_text};
pub use units::LengthUnit;
