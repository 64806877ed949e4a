//! SRTM `.hgt`: big-endian metres, one degree square, its place in the file's name.

use super::decoded::{Decoded, epsg_crs};
use super::empties::{self, EmptyValue};
use super::foreign;
use super::input::{Input, heights_for};
use super::raster::{PixelIs, ReadOptions};
use super::samples::{Decoder, Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::{LengthUnit, metres_per_degree};

/// Columns and rows of every known shape: 3, 2, 1 and half an arc-second, and 2 by 1 at high latitudes.
const SHAPES: &[[u32; 2]] = &[[1201, 1201], [1801, 1801], [1801, 3601], [3601, 3601], [7201, 7201]];

/// The value of a void in the data's own specification.
const VOID: f64 = -32768.0;

/// Whether the file's name is that of an SRTM cell; the format has no signature.
pub(super) fn recognises(input: &Input, options: &ReadOptions) -> bool {
    options.raster_size.is_none() && input.extension() == "hgt"
}

/// Reads an SRTM cell.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let Some(size) = SHAPES.iter().find(|shape| bytes_of(shape) == input.length).copied() else {
        return Err(unknown_shape(input));
    };
    let mut decoded = Decoded::new("SRTM HGT", input.path.clone(), size, Sample::I16.name());
    let empty = options.nodata.map_or_else(|| EmptyValue::from_number(VOID), EmptyValue::from_number);
    decoded.nodata_rule = empties::rule(Some(&empty), Sample::I16);
    decoded.nodata = Some(empty.text().to_owned());
    let decoder =
        Decoder { sample: Sample::I16, endian: Endian::Big, empty: Some(empty), scale: 1.0, offset: 0.0 };
    decoded.heights = heights_for(size)?;
    decoded.raw = decoder.decode(&input.bytes()?, &mut decoded.heights);
    decoded.pixel_is = PixelIs::Point;
    decoded.unit = Some((LengthUnit::metre(), "the format".into()));
    match corner(&input.stem()) {
        Some(south_west) => place(&mut decoded, south_west),
        None => leave_unplaced(&mut decoded),
    }
    Ok(decoded)
}

fn bytes_of(shape: &[u32; 2]) -> u64 {
    2 * u64::from(shape[0]) * u64::from(shape[1])
}

/// Degrees east and north of the south-west corner that a name such as `N46E008` gives.
fn corner(name: &str) -> Option<[f64; 2]> {
    let part = |at: std::ops::Range<usize>, positive: char, negative: char| {
        let text = name.get(at)?.to_ascii_uppercase();
        let digits = text.strip_prefix([positive, negative])?;
        let degrees: f64 =
            digits.chars().all(|c| c.is_ascii_digit()).then(|| digits.parse().ok()).flatten()?;
        Some(if text.starts_with(negative) { -degrees } else { degrees })
    };
    let (north, east) = (part(0..3, 'N', 'S')?, part(3..7, 'E', 'W')?);
    (north.abs() <= 90.0 && east.abs() <= 180.0).then_some([east, north])
}

/// The outermost samples stand on the degree lines, half a pixel inside the pixels' outer corners.
fn place(decoded: &mut Decoded, [west, south]: [f64; 2]) {
    let [dx, dy] = decoded.size.map(|samples| 1.0 / f64::from(samples - 1));
    decoded.geotransform = Some([west - 0.5 * dx, dx, 0.0, south + 1.0 + 0.5 * dy, 0.0, -dy]);
    decoded.crs = Some(epsg_crs(4326, "the file name", &mut decoded.notes));
}

fn leave_unplaced(decoded: &mut Decoded) {
    let steps = decoded.size.map(|samples| 1.0 / f64::from(samples - 1));
    let [east, north] = metres_per_degree(0.0);
    let [x, z] = [steps[0] * east, steps[1] * north];
    // Without a place the samples keep the distances of the equator, in a plan of metres about no known
    // point.
    decoded.geotransform = Some([-0.5 * x, x, 0.0, 0.5 * z, 0.0, -z]);
    decoded.notes.warn(
        "unplaced",
        "the file name is not of the form N46E008: unplaced, with the distances of one degree at the equator",
    );
}

fn unknown_shape(input: &Input) -> Error {
    if input.is_text() {
        return Error::input(
            format!("not elevation data, starts with text \"{}\"", input.first_words()),
            foreign::READ,
            "download the cell again",
        );
    }
    let mut near: Vec<&[u32; 2]> = SHAPES.iter().collect();
    near.sort_by_key(|shape| bytes_of(shape).abs_diff(input.length));
    let shapes: Vec<String> = near
        .iter()
        .take(2)
        .map(|shape| format!("{} for {}×{}", bytes_of(shape), shape[0], shape[1]))
        .collect();
    Error::input(
        format!("{} bytes, the size of no known .hgt", input.length),
        format!("{} samples", shapes.join(" or ")),
        "download the cell again, or give --raster-size and --byte-order big",
    )
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    fn flat(shape: [u32; 2]) -> Vec<u8> {
        [0x01, 0x02].repeat((shape[0] * shape[1]) as usize)
    }

    #[test]
    fn every_known_shape_opens_big_endian_and_placed_by_its_name() {
        let folder = TestFolder::new();
        for (shape, bytes) in [
            ([1201, 1201], 2_884_802),
            ([3601, 3601], 25_934_402),
            ([1801, 3601], 12_970_802),
            ([7201, 7201], 103_708_802),
        ] {
            let content = flat(shape);
            assert_eq!(content.len(), bytes);
            let raster = folder.read("N46E008.hgt", &content).expect("opened");
            assert_eq!(raster.size, shape);
            assert_eq!(raster.heights[0], 258.0);
            let at = raster.georeference().position(0.0, 0.0);
            assert!((at[0] - 8.0).abs() < 1e-9 && (at[1] - 47.0).abs() < 1e-9, "{at:?}");
            assert_eq!(raster.facts.crs.as_ref().and_then(|crs| crs.epsg), Some(4326));
        }
    }

    #[test]
    fn voids_are_empty_and_southern_lower_case_names_are_placed() {
        let folder = TestFolder::new();
        let mut content = flat([1201, 1201]);
        content[..2].copy_from_slice(&(-32768_i16).to_be_bytes());
        let raster = folder.read("s01w002.hgt", &content).expect("opened");
        assert_eq!((raster.facts.statistics.empty, raster.facts.nodata.as_deref()), (1, Some("-32768")));
        let at = raster.georeference().position(0.0, 1200.0);
        assert!((at[0] + 2.0).abs() < 1e-9 && (at[1] + 1.0).abs() < 1e-9, "{at:?}");
    }

    #[test]
    fn a_name_without_a_place_opens_unplaced_with_a_notice() {
        let raster = TestFolder::new().read("valley.hgt", &flat([1201, 1201])).expect("opened");
        assert!(raster.facts.warnings.iter().any(|warning| warning.code == "unplaced"));
        assert!(raster.facts.crs.is_none());
        assert!((raster.spacing_m[0] - 92.77).abs() < 0.01, "{:?}", raster.spacing_m);
    }

    #[test]
    fn impostors_are_named_for_what_they_are() {
        let folder = TestFolder::new();
        let error = message(folder.read("N24E035.hgt", &vec![0; 2_801_664]));
        assert!(error.contains("2801664 bytes") && error.contains("2884802 for 1201×1201"), "{error}");
        let page = "The page that you are looking for could not be found on this server.\r\n";
        let error = message(folder.read("N24E035.hgt", page.as_bytes()));
        assert!(error.contains("not elevation data, starts with text \"The page"), "{error}");
    }
}
