//! ESRI ASCII grid: one number a sample in the fewest digits that give it back, north row first.

use super::plan::Target;
use crate::error::{Error, Result};
use crate::formats::Raster;
use crate::terrain::is_empty;
use std::fmt::Write;
use std::io;

/// Values that mean "nothing here", in the order in which they are tried.
const EMPTY_VALUES: [f32; 4] = [-9999.0, -99999.0, -32768.0, f32::MIN];

/// Where the grid stands, and the value of its empties.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// Map coordinates of the lower left corner.
    corner: [f64; 2],
    /// Map units from column to column and from row to row.
    steps: [f64; 2],
    empty: Option<String>,
}

impl Layout {
    /// Reads the layout off a raster.
    ///
    /// # Errors
    /// A turned grid, which the format cannot place.
    pub fn of(raster: &Raster) -> Result<Self> {
        let [width, depth] = raster.size.map(f64::from);
        let empty = empty_value(raster);
        let Some([x, right, row_x, y, column_y, down]) = raster.facts.geotransform else {
            return Ok(Self { corner: [0.0; 2], steps: raster.spacing_m, empty });
        };
        if row_x != 0.0 || column_y != 0.0 {
            return Err(Error::usage("a turned grid", "rows that run east", "export it as .tif"));
        }
        let corner = [x.min(x + width * right), y.min(y + depth * down)];
        Ok(Self { corner, steps: [right.abs(), down.abs()], empty })
    }

    fn header(&self, [width, depth]: [u32; 2]) -> String {
        let ([x, y], [right, down]) = (self.corner, self.steps);
        let cells = match right == down {
            true => format!("cellsize {right}"),
            false => format!("dx {right}\ndy {down}"),
        };
        let empty = self.empty.as_ref().map_or_else(String::new, |text| format!("NODATA_value {text}\n"));
        format!("ncols {width}\nnrows {depth}\nxllcorner {x}\nyllcorner {y}\n{cells}\n{empty}")
    }
}

/// The declared value, unless a height has it too; else a usual one that no height has.
fn empty_value(raster: &Raster) -> Option<String> {
    let declared = raster.facts.nodata.clone();
    if declared.is_none() && raster.facts.statistics.empty == 0 {
        return None;
    }
    let usual = EMPTY_VALUES.iter().map(f32::to_string);
    let free = |text: &String| text.parse::<f32>().is_ok_and(|value| !raster.heights.contains(&value));
    declared.into_iter().chain(usual).find(free).or_else(|| Some("nan".into()))
}

/// Writes the grid.
pub(super) fn write(raster: &Raster, layout: &Layout, out: &mut dyn Target) -> io::Result<()> {
    let empty = layout.empty.as_deref().unwrap_or("nan");
    let (width, [flip_columns, flip_rows]) = (raster.size[0] as usize, raster.orientation().flipped);
    out.write_all(layout.header(raster.size).as_bytes())?;
    let rows = raster.heights.chunks(width);
    let rows: Box<dyn Iterator<Item = &[f32]>> =
        if flip_rows { Box::new(rows.rev()) } else { Box::new(rows) };
    rows.into_iter().try_for_each(|row| {
        let line = if flip_columns { line(row.iter().rev(), empty) } else { line(row.iter(), empty) };
        out.write_all(line.as_bytes())
    })
}

fn line<'a>(heights: impl Iterator<Item = &'a f32>, empty: &str) -> String {
    let mut line = heights.fold(String::new(), |mut line, height| {
        if !line.is_empty() {
            line.push(' ');
        }
        // Writing to a String cannot fail.
        let _ = if is_empty(*height) { write!(line, "{empty}") } else { write!(line, "{height}") };
        line
    });
    line.push('\n');
    line
}
