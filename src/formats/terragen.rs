//! Terragen terrain, `.ter`: chunks named by four letters, then 16-bit codes with a scale and a base, south
//! row first. After Planetside's published file specification.

use super::block::{Block, f32_at, u16_at};
use super::decoded::{Decoded, PlaneCrs};
use super::input::Input;
use super::layout::Order;
use super::raster::{Crs, PixelIs, ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::LengthUnit;

/// How every file begins.
const SIGNATURE: &[u8] = b"TERRAGENTERRAIN ";

/// Metres between samples, and in one unit of height, where no chunk says otherwise.
const USUAL_SCALE: [f64; 3] = [30.0; 3];

/// What the chunks before the samples say.
#[derive(Debug)]
struct Header {
    size: [u32; 2],
    /// Metres along x, along y and in one unit of height.
    scale: [f64; 3],
    has_scale: bool,
    /// Units of height that all 65536 codes span, and the height of code 0.
    span: i16,
    base: i16,
    /// Bytes before the first sample.
    start: usize,
}

/// Whether the file begins as Terragen's do.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(SIGNATURE)
}

/// Reads a Terragen terrain.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let header = read_header(&input.head)?;
    let mut decoded = Decoded::new("Terragen", input.path.clone(), header.size, Sample::I16.name());
    if !header.has_scale {
        decoded
            .notes
            .assume("Samples are taken to be 30 m apart, as the format has it where no scale is given.");
    }
    if !options.no_scale {
        decoded.scale = header.scale[2] / 65536.0 * f64::from(header.span);
        decoded.offset = header.scale[2] * f64::from(header.base);
    }
    let block = Block {
        size: header.size,
        sample: Sample::I16,
        endian: Endian::Little,
        start: header.start as u64,
        order: Order::Rows(RowOrder::Bottom),
    };
    block.read(input, None, options, &mut decoded)?;
    place(&mut decoded, header.scale);
    Ok(decoded)
}

/// Metres from the north-western corner: east along x, south along y.
fn place(decoded: &mut Decoded, [dx, dy, _]: [f64; 3]) {
    decoded.geotransform = Some([0.0, dx, 0.0, 0.0, 0.0, dy]);
    decoded.y_points_south = true;
    decoded.pixel_is = PixelIs::Point;
    let crs =
        Crs { epsg: None, name: "Terragen world space".into(), source: "the format".into(), vertical: None };
    decoded.crs = Some(PlaneCrs::new(crs, false, LengthUnit::metre()));
    decoded.unit = Some((LengthUnit::metre(), "the format".into()));
}

/// Goes from chunk to chunk as far as the samples. Chunks that are not known are passed over by four bytes at
/// a time, to which all are padded.
fn read_header(head: &[u8]) -> Result<Header> {
    let mut header =
        Header { size: [0; 2], scale: USUAL_SCALE, has_scale: false, span: 0, base: 0, start: 0 };
    let mut at = SIGNATURE.len();
    while let Some(name) = head.get(at..at + 4) {
        at += 4;
        let number = |place: usize| u16_at(head, place, Endian::Little);
        at += match name {
            b"SIZE" => {
                header.size = [u32::from(number(at)?) + 1; 2];
                4
            }
            b"XPTS" => {
                header.size[0] = u32::from(number(at)?);
                4
            }
            b"YPTS" => {
                header.size[1] = u32::from(number(at)?);
                4
            }
            b"SCAL" => {
                header.scale = read_scale(head, at)?;
                header.has_scale = true;
                12
            }
            b"ALTW" => {
                [header.span, header.base] = [number(at)?.cast_signed(), number(at + 2)?.cast_signed()];
                header.start = at + 4;
                return Ok(header);
            }
            b"EOF " => break,
            _ => 0,
        };
    }
    Err(Error::input("a Terragen file without an ALTW chunk", "its altitudes", "get the file again"))
}

fn read_scale(head: &[u8], at: usize) -> Result<[f64; 3]> {
    let mut scale = USUAL_SCALE;
    for (axis, metres) in scale.iter_mut().enumerate() {
        *metres = f64::from(f32_at(head, at + 4 * axis, Endian::Little)?);
        if !(metres.is_finite() && *metres > 0.0) {
            return Err(Error::input(
                format!("a scale of {metres} m"),
                "positive metres in the SCAL chunk",
                "save the terrain again with a scale",
            ));
        }
    }
    Ok(scale)
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};
    use crate::formats::{PixelIs, ReadOptions};

    /// A terrain of 3 columns and 2 rows; codes 0 … 5 times 8192, south row first.
    fn terrain(chunks: &[&[u8]]) -> Vec<u8> {
        let mut file = b"TERRAGENTERRAIN SIZE\x01\0\0\0XPTS\x03\0\0\0YPTS\x02\0\0\0".to_vec();
        chunks.iter().for_each(|chunk| file.extend_from_slice(chunk));
        file.extend_from_slice(b"ALTW\x08\0\xff\xff");
        file.extend((0..6_i16).flat_map(|code| (code * 4096).to_le_bytes()));
        file.extend_from_slice(b"EOF ");
        file
    }

    fn scale(metres: [f32; 3]) -> Vec<u8> {
        [b"SCAL".as_slice(), &metres.map(f32::to_le_bytes).concat()].concat()
    }

    #[test]
    fn codes_are_scaled_and_rows_stand_north_first() {
        let folder = TestFolder::new();
        let raster = folder.read("a.ter", &terrain(&[&scale([10.0, 20.0, 2.0])])).expect("read");
        // 2 m · (−1 + 8 · code / 65536): a step of 4096 codes is 1 m.
        assert_eq!(raster.heights, [1.0, 2.0, 3.0, -2.0, -1.0, 0.0]);
        assert_eq!(raster.facts.geotransform, Some([0.0, 10.0, 0.0, 0.0, 0.0, 20.0]));
        assert_eq!((raster.spacing_m, raster.facts.pixel_is), ([10.0, 20.0], PixelIs::Point));
        assert_eq!((raster.facts.sample_type.as_str(), raster.facts.offset), ("i16", -2.0));
        assert_eq!(raster.facts.unit_source, "the format");
        // The first row is the northern one though y grows from row to row.
        assert_eq!(raster.to_terrain().expect("built").sample(0, 0), Some(1.0));
        let options = ReadOptions { no_scale: true, ..ReadOptions::default() };
        let raster = folder.read_with("b.ter", &terrain(&[]), &options).expect("read");
        assert_eq!(raster.heights[1], 4.0 * 4096.0);
    }

    #[test]
    fn a_terrain_without_a_scale_is_thirty_metres_wide_a_sample_and_says_so() {
        let unknown = b"CRAD\0\0\x80\x3fCRVM\0\0\0\0\0\0\0\0";
        let raster = TestFolder::new().read("a.ter", &terrain(&[unknown])).expect("read");
        assert_eq!((raster.spacing_m, raster.heights[5]), ([30.0; 2], 0.0));
        assert!(raster.facts.assumptions.iter().any(|text| text.contains("30 m apart")));
    }

    #[test]
    fn malformed_terrains_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.ter", content));
        assert!(refused(b"TERRAGENTERRAIN ").contains("without an ALTW"));
        assert!(refused(b"TERRAGENTERRAIN SIZE\x01\0\0\0EOF ").contains("without an ALTW"));
        assert!(refused(b"TERRAGENTERRAIN SIZE\x01").contains("cut off after 21 bytes"));
        for metres in [[f32::NAN, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, -1.0]] {
            assert!(refused(&terrain(&[&scale(metres)])).contains("positive metres"));
        }
        let whole = terrain(&[]);
        assert!(refused(&whole[..whole.len() - 5]).contains("3×2 samples of i16"));
        assert!(refused(b"TERRAGENTERRAIN XPTS\xff\xffYPTS\xff\xffALTW\0\0\0\0").contains("65535"));
        assert!(refused(b"TERRAGENTERRAIN ALTW\0\0\0\0").contains("0×0"));
    }
}
