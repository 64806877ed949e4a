//! Binary Terrain, `.bt`: a header of 256 bytes, then columns from the west, each from south to north. After the
//! format's description by the Virtual Terrain Project, versions 1.0 to 1.3.

use super::block::{Block, f32_at, f64_at, u16_at, u32_at};
use super::decoded::{Decoded, PlaneCrs, epsg_crs};
use super::empties::EmptyValue;
use super::input::Input;
use super::layout::{Order, from_edges};
use super::raster::{Crs, ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use super::sidecar;
use crate::error::{Error, Result};
use crate::geo::LengthUnit;

/// Bytes before the samples.
const HEADER_BYTES: u64 = 256;

/// Stands for "unknown" in either sample type.
const UNKNOWN: f64 = -32768.0;

/// Datums by their EPSG number and their older USGS number: EPSG codes of the geographic system, and of zone 0
/// of UTM in the north and in the south.
const DATUMS: &[([u16; 2], u32, u32, Option<u32>)] = &[
    ([6326, 23], 4326, 32600, Some(32700)),
    ([6269, 14], 4269, 26900, None),
    ([6267, 13], 4267, 26700, None),
];

/// Whether the file begins as Binary Terrain does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(b"binterr")
}

/// Reads a Binary Terrain file.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let head = &input.head[..input.head.len().min(HEADER_BYTES as usize)];
    let short = |at: usize| u16_at(head, at, Endian::Little);
    let size = [u32_at(head, 10, Endian::Little)?, u32_at(head, 14, Endian::Little)?];
    let is_float = short(20)? & 0xff != 0;
    let sample = match (is_float, short(18)?) {
        (true, 4) => Sample::F32,
        (false, 4) => Sample::I32,
        (false, 2) => Sample::I16,
        (_, bytes) => {
            return Err(Error::input(
                format!("samples of {bytes} bytes in a Binary Terrain file"),
                "integers of 2 or 4 bytes, or floats of 4",
                "get the file again",
            ));
        }
    };
    let mut decoded = Decoded::new("Binary Terrain", input.path.clone(), size, sample.name());
    let order = Order::Columns(RowOrder::Bottom);
    let block = Block { size, sample, endian: Endian::Little, start: HEADER_BYTES, order };
    block.read(input, Some(EmptyValue::from_number(UNKNOWN)), options, &mut decoded)?;
    let version = head.get(7..10).unwrap_or_default();
    if version >= b"1.1".as_slice() {
        let bound = |at: usize| f64_at(head, at, Endian::Little);
        decoded.geotransform = Some(from_edges(size, [bound(28)?, bound(36)?], [bound(44)?, bound(52)?]));
    }
    take_height_unit(&mut decoded, f64::from(f32_at(head, 62, Endian::Little)?));
    let has_projection_file = version >= b"1.2".as_slice() && short(60)? & 0xff != 0;
    // The .prj file that the header points to goes before the header's own system.
    if !(has_projection_file && sidecar::find(&input.path, "prj").is_some()) {
        decoded.crs = own_crs([short(22)?, short(24)?, short(26)?], &mut decoded);
    }
    Ok(decoded)
}

/// The header gives the metres of a unit of height; nothing stands for one metre.
fn take_height_unit(decoded: &mut Decoded, metres: f64) {
    let feet = [LengthUnit::foot(), LengthUnit::us_survey_foot()];
    let unit = match metres {
        0.0 | 1.0 => LengthUnit::metre(),
        metres if metres > 0.0 && metres.is_finite() => feet
            .into_iter()
            .find(|unit| (unit.metres - metres).abs() < 1e-7)
            .unwrap_or_else(|| LengthUnit { name: format!("{metres} m"), metres }),
        _ => {
            decoded.notes.warn("bad-unit", format!("a height unit of {metres} m is left out"));
            return;
        }
    };
    decoded.unit = Some((unit, "the header".into()));
}

/// The system that the header's own numbers give: kind of unit, UTM zone (below zero in the south), datum.
fn own_crs([kind, zone, datum]: [u16; 3], decoded: &mut Decoded) -> Option<PlaneCrs> {
    const DEGREES: u16 = 0;
    let known = DATUMS.iter().find(|entry| entry.0.contains(&datum));
    let zone = zone.cast_signed();
    let code = known.and_then(|(_, geographic, north, south)| match (kind, zone) {
        (DEGREES, _) => Some(*geographic),
        (_, 1..=60) => Some(north + u32::from(zone.unsigned_abs())),
        (_, -60..=-1) => south.map(|south| south + u32::from(zone.unsigned_abs())),
        _ => None,
    });
    if let Some(code) = code {
        return Some(epsg_crs(code, "the header", &mut decoded.notes));
    }
    let unit = match kind {
        1 => LengthUnit::metre(),
        2 => LengthUnit::foot(),
        3 => LengthUnit::us_survey_foot(),
        _ => return None,
    };
    let crs = Crs { epsg: None, name: "unknown".into(), source: "the header".into(), vertical: None };
    Some(PlaneCrs::new(crs, false, unit))
}

#[cfg(test)]
mod tests {
    use crate::formats::Raster;
    use crate::formats::test_files::{TestFolder, message};

    /// 3 columns and 2 rows between 10 and 16, 20 and 26, with unit kind, zone and datum, and metres a height unit.
    fn header(bytes: u16, is_float: bool, crs: [u16; 3], metres: f32) -> Vec<u8> {
        let mut file = b"binterr1.3".to_vec();
        file.extend([3_u32, 2].map(u32::to_le_bytes).concat());
        file.extend([bytes, u16::from(is_float), crs[0], crs[1], crs[2]].map(u16::to_le_bytes).concat());
        file.extend([10.0_f64, 16.0, 20.0, 26.0].map(f64::to_le_bytes).concat());
        file.extend([0, 0]);
        file.extend(metres.to_le_bytes());
        file.resize(256, 0);
        file
    }

    fn shorts(crs: [u16; 3], metres: f32) -> Raster {
        let samples: Vec<u8> = [1_i16, 2, 3, -32768, 5, 6].iter().flat_map(|v| v.to_le_bytes()).collect();
        let content = [header(2, false, crs, metres), samples].concat();
        TestFolder::new().read("a.bt", &content).expect("read")
    }

    fn code(crs: [u16; 3]) -> Option<u32> {
        shorts(crs, 1.0).facts.crs.and_then(|crs| crs.epsg)
    }

    #[test]
    fn columns_from_the_south_become_rows_from_the_north() {
        let raster = shorts([1, 33, 6326], 0.3048);
        assert_eq!((raster.size, raster.heights[0], raster.heights[2]), ([3, 2], 2.0, 6.0));
        assert_eq!((raster.heights[3], raster.heights[4], raster.heights[5]), (1.0, 3.0, 5.0));
        assert_eq!(raster.facts.statistics.empty, 1);
        assert_eq!(raster.facts.geotransform, Some([10.0, 2.0, 0.0, 26.0, 0.0, -3.0]));
        assert_eq!(raster.unit_m, 0.3048);
    }

    #[test]
    fn the_header_names_utm_degrees_and_feet() {
        assert_eq!(code([1, 33, 6326]), Some(32633));
        assert_eq!(code([1, 0_u16.wrapping_sub(33), 23]), Some(32733));
        assert_eq!((code([1, 10, 6269]), code([0, 0, 14])), (Some(26910), Some(4269)));
        let feet = shorts([3, 0, 9999], 1.0);
        assert_eq!((feet.spacing_m[0], code([3, 0, 9999])), (2.0 * 1200.0 / 3937.0, None));
    }

    #[test]
    fn a_projection_file_goes_before_the_header() {
        let folder = TestFolder::new();
        let mut content = [header(4, true, [1, 33, 6326], 1.0), [0; 24].to_vec()].concat();
        content[60] = 1;
        folder.write("a.prj", br#"GEOGCS["WGS 84",UNIT["degree",0.01745],AUTHORITY["EPSG","4326"]]"#);
        let raster = folder.read("a.bt", &content).expect("read");
        assert_eq!(raster.facts.crs.and_then(|crs| crs.epsg), Some(4326));
        assert_eq!(raster.facts.files.len(), 2);
    }

    #[test]
    fn malformed_files_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.bt", content));
        assert!(refused(b"binterr1.3\x03\0").contains("cut off after 12 bytes"));
        assert!(refused(&header(2, false, [0; 3], 1.0)).contains("256 bytes; 3×2 samples of i16"));
        assert!(refused(&header(2, true, [0; 3], 1.0)).contains("samples of 2 bytes"));
        let mut huge = header(4, false, [0; 3], 1.0);
        huge[10..18].fill(0xff);
        assert!(refused(&huge).contains("4294967295×4294967295"));
    }
}
