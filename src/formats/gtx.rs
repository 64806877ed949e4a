//! NOAA `.gtx`: a grid of metres between two height systems, big-endian floats, south row first. The format has
//! no signature: a plausible header and exactly the length that it declares stand for one. After the layout
//! that NOAA publishes with VDatum.

use super::block::{Block, f64_at, u32_at};
use super::decoded::{Decoded, epsg_crs};
use super::empties::EmptyValue;
use super::input::Input;
use super::layout::Order;
use super::raster::{ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::LengthUnit;

/// Bytes before the samples.
const HEADER_BYTES: u64 = 40;

/// Stands for "no value here".
const EMPTY_VALUE: &str = "-88.8888";

/// Where the nodes stand, in degrees, and how many there are.
#[derive(Debug)]
struct Header {
    south: f64,
    west: f64,
    step_north: f64,
    step_east: f64,
    size: [u32; 2],
}

/// Whether the name says so, or the header fits the length of the file.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    let fits = |header: &Header| header.is_plausible() && sample_of(header, input.length).is_some();
    (input.extension() == "gtx" && !input.is_text())
        || read_header(&input.head).is_ok_and(|header| fits(&header))
}

/// Reads a grid of 32-bit floats, or of 64-bit floats as older files have.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let header = read_header(&input.head)?;
    let [columns, rows] = header.size;
    if !header.is_plausible() {
        return Err(Error::input(
            format!(
                "{columns}×{rows} nodes from {}° N {}° E in steps of {}° and {}°",
                header.south, header.west, header.step_north, header.step_east
            ),
            "a grid on the globe, south-western node first",
            "get the file again",
        ));
    }
    let Some(sample) = sample_of(&header, input.length) else {
        let samples = u64::from(columns) * u64::from(rows);
        return Err(Error::input(
            format!("{} bytes", input.length),
            format!(
                "{} for {columns}×{rows} samples of f32",
                samples.saturating_mul(4).saturating_add(HEADER_BYTES)
            ),
            "get the file again",
        ));
    };
    let mut decoded = Decoded::new("GTX", input.path.clone(), header.size, sample.name());
    let order = Order::Rows(RowOrder::Bottom);
    let block = Block { size: header.size, sample, endian: Endian::Big, start: HEADER_BYTES, order };
    block.read(input, EmptyValue::parse(EMPTY_VALUE), options, &mut decoded)?;
    decoded.geotransform = Some(header.geotransform());
    decoded.crs = Some(epsg_crs(4326, "the format", &mut decoded.notes));
    decoded.unit = Some((LengthUnit::metre(), "the format".into()));
    Ok(decoded)
}

fn read_header(head: &[u8]) -> Result<Header> {
    let number = |at: usize| f64_at(head, at, Endian::Big);
    let side = |at: usize| u32_at(head, at, Endian::Big);
    Ok(Header {
        south: number(0)?,
        west: number(8)?,
        step_north: number(16)?,
        step_east: number(24)?,
        size: [side(36)?, side(32)?],
    })
}

impl Header {
    /// Longitudes may be written from −180° or up to 360°, and a node may stand a step beyond the globe's end.
    fn is_plausible(&self) -> bool {
        let steps = [self.step_east, self.step_north];
        let [columns, rows] = self.size.map(f64::from);
        steps.iter().all(|step| (1e-6..=90.0).contains(step))
            && (-180.0 - self.step_north..=90.0).contains(&self.south)
            && (-360.0 - self.step_east..=360.0).contains(&self.west)
            && columns >= 1.0
            && columns * self.step_east <= 360.0 + 2.0 * self.step_east
            && rows >= 1.0
            && rows * self.step_north <= 180.0 + 2.0 * self.step_north
    }

    fn geotransform(&self) -> [f64; 6] {
        let [dx, dy] = [self.step_east, self.step_north];
        let north = self.south + dy * (f64::from(self.size[1]) - 1.0);
        [self.west - 0.5 * dx, dx, 0.0, north + 0.5 * dy, 0.0, -dy]
    }
}

/// The sample type that makes the file as long as it is.
fn sample_of(header: &Header, length: u64) -> Option<Sample> {
    let samples = u64::from(header.size[0]) * u64::from(header.size[1]);
    let bytes = |sample: &Sample| samples.checked_mul(sample.bytes() as u64)?.checked_add(HEADER_BYTES);
    [Sample::F32, Sample::F64].into_iter().find(|sample| bytes(sample) == Some(length))
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    /// 3 columns from 276° E, 2 rows from 42° N, half a degree apart.
    fn header(columns: u32, rows: u32) -> Vec<u8> {
        let mut file: Vec<u8> = [42.0_f64, 276.0, 0.5, 0.5].iter().flat_map(|v| v.to_be_bytes()).collect();
        file.extend_from_slice(&[rows.to_be_bytes(), columns.to_be_bytes()].concat());
        file
    }

    fn grid() -> Vec<u8> {
        let values = [1.0_f32, 2.0, 3.0, -88.8888, 5.0, 6.0];
        [header(3, 2), values.iter().flat_map(|value| value.to_be_bytes()).collect()].concat()
    }

    #[test]
    fn floats_of_both_widths_stand_north_first_in_degrees() {
        let folder = TestFolder::new();
        let raster = folder.read("a.gtx", &grid()).expect("read");
        assert_eq!(raster.heights[1..], [5.0, 6.0, 1.0, 2.0, 3.0]);
        assert!(raster.heights[0].is_nan());
        assert_eq!(raster.facts.geotransform, Some([275.75, 0.5, 0.0, 42.75, 0.0, -0.5]));
        assert_eq!(raster.facts.crs.as_ref().and_then(|crs| crs.epsg), Some(4326));
        assert_eq!(raster.facts.nodata.as_deref(), Some("-88.8888"));
        let wide =
            [header(3, 2), (1..=6).flat_map(|value| f64::from(value).to_be_bytes()).collect()].concat();
        let raster = folder.read("b.gtx", &wide).expect("read");
        assert_eq!(raster.heights, [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
        assert_eq!(raster.facts.sample_type, "f64");
    }

    #[test]
    fn content_is_enough_where_the_length_agrees() {
        let folder = TestFolder::new();
        assert_eq!(folder.read("a.dat", &grid()).expect("read").facts.format, "GTX");
        assert!(message(folder.read("a.dat", &grid()[..60])).contains("no known format"));
    }

    #[test]
    fn malformed_grids_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.gtx", content));
        assert!(refused(&grid()[..60]).contains("60 bytes; 64 for 3×2 samples of f32"));
        assert!(refused(&grid()[..20]).contains("cut off after 20 bytes"));
        assert!(refused(&header(u32::MAX, u32::MAX)).contains("4294967295×4294967295 nodes"));
        assert!(refused(&header(3, 0)).contains("3×0 nodes"));
        let mut nowhere = grid();
        nowhere[..8].copy_from_slice(&f64::NAN.to_be_bytes());
        assert!(refused(&nowhere).contains("NaN° N"));
        assert!(refused(b"<html>Not found, nor is anything else here at all</html>").contains("a web page"));
    }
}
