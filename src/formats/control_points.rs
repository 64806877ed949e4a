//! The place of a raster by points whose place on the map is known.

use super::decoded::Notes;
use crate::geo::{self, ControlPoint};

/// The geotransform of control points, where one map fits them; what does not fit is told.
pub(super) fn map_of(points: &[ControlPoint], source: &str, notes: &mut Notes) -> Option<[f64; 6]> {
    let count = points.len();
    match geo::fit(points) {
        Some(fit) if fit.is_exact() => {
            notes.assume(format!("The place follows from {count} control points of {source}."));
            Some(fit.geotransform)
        }
        Some(fit) => {
            let worst = fit.worst;
            let text = format!(
                "no flat map fits the {count} control points of {source}: the nearest is {worst:.2} pixels off"
            );
            notes.warn("control-points", text);
            None
        }
        None => {
            notes.warn("control-points", format!("the {count} control points of {source} determine no map"));
            None
        }
    }
}
