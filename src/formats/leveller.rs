//! Leveller documents, `.ter`: entries of a name, a length and a content, among them one heightfield, north row
//! first. After Daylon Graphics' published description, versions 4 to 7.

use super::block::{Block, f64_at, u32_at};
use super::decoded::{Decoded, PlaneCrs};
use super::input::Input;
use super::layout::Order;
use super::raster::{Crs, PixelIs, ReadOptions, RowOrder};
use super::samples::{Endian, Sample};
use crate::error::{Error, Result};
use crate::geo::LengthUnit;

/// Bytes before the first entry: `trrn` and the version.
const HEADER_BYTES: usize = 5;

/// The last version whose heights are whole numbers of 1/65536, and the last with one scale for all axes.
const LAST_FIXED: u8 = 5;
const LAST_OF_ONE_SCALE: u8 = 6;

/// Whether the file begins as a Leveller document of a known version.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    input.head.starts_with(b"trrn") && input.head.get(4).is_some_and(|version| (4..=7).contains(version))
}

/// Reads the heightfield of a Leveller document.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let bytes = input.bytes()?;
    let version = bytes.get(4).copied().unwrap_or_default();
    let [width, depth, data] = ["hf_w", "hf_b", "hf_data"].map(|name| entry(&bytes, name));
    let (Some(width), Some(depth), Some(data)) = (width, depth, data) else {
        return Err(Error::input(
            "a Leveller document without a heightfield",
            "its width, breadth and heights",
            "save the document again",
        ));
    };
    let size = [u32_at(width.content, 0, Endian::Little)?, u32_at(depth.content, 0, Endian::Little)?];
    let sample = if version <= LAST_FIXED { Sample::I32 } else { Sample::F32 };
    if u128::from(size[0]) * u128::from(size[1]) * 4 > data.content.len() as u128 {
        return Err(Error::input(
            format!("{} bytes of heights", data.content.len()),
            format!("{}×{} samples of {}", size[0], size[1], sample.name()),
            "get the file again",
        ));
    }
    let mut decoded = Decoded::new("Leveller", input.path.clone(), size, sample.name());
    let unit_part = if sample == Sample::I32 { 1.0 / 65536.0 } else { 1.0 };
    decoded.scale = unit_part;
    if version <= LAST_OF_ONE_SCALE {
        place(&bytes, &mut decoded)?;
    } else {
        decoded.notes.warn("unplaced", "the coordinate system of a newer Leveller document is left out");
    }
    if options.no_scale {
        decoded.scale = 1.0;
    }
    let order = Order::Rows(RowOrder::Top);
    let block = Block { size, sample, endian: Endian::Little, start: data.start as u64, order };
    block.read(input, None, options, &mut decoded)?;
    Ok(decoded)
}

/// One spacing, in a unit of its own, holds for all three axes; the middle of the field is the origin.
fn place(bytes: &[u8], decoded: &mut Decoded) -> Result<()> {
    let Some(spacing) = entry(bytes, "hf_worldspacing") else { return Ok(()) };
    let step = f64_at(spacing.content, 0, Endian::Little)?;
    if !(step.is_finite() && step > 0.0) {
        return Err(Error::input(
            format!("a spacing of {step}"),
            "a positive number",
            "save the document again",
        ));
    }
    let label = entry(bytes, "hf_worldspacinglabeld").map(|label| String::from_utf8_lossy(label.content));
    let named = label.as_ref().and_then(|label| unit_of(label.split(' ').next()?));
    let unit = named.unwrap_or_else(LengthUnit::metre);
    let half = decoded.size.map(|samples| -0.5 * step * (f64::from(samples) - 1.0));
    decoded.geotransform = Some([half[0], step, 0.0, half[1], 0.0, step]);
    decoded.y_points_south = true;
    decoded.pixel_is = PixelIs::Point;
    decoded.scale *= step;
    let crs =
        Crs { epsg: None, name: "Leveller world space".into(), source: "the format".into(), vertical: None };
    decoded.crs = Some(PlaneCrs::new(crs, false, unit.clone()));
    decoded.unit = Some((unit, "the document".into()));
    Ok(())
}

/// Leveller's own short name stands for the survey foot.
fn unit_of(name: &str) -> Option<LengthUnit> {
    if name == "sft" { Some(LengthUnit::us_survey_foot()) } else { LengthUnit::from_name(name) }
}

/// The content of an entry, and the bytes of the file before it.
struct Entry<'a> {
    content: &'a [u8],
    start: usize,
}

/// The first entry of a name.
fn entry<'a>(bytes: &'a [u8], wanted: &str) -> Option<Entry<'a>> {
    let mut at = HEADER_BYTES;
    loop {
        let name_bytes = usize::from(*bytes.get(at)?);
        let name = bytes.get(at + 1..at + 1 + name_bytes)?;
        let start = at + 1 + name_bytes + 4;
        let length = u32_at(bytes, start - 4, Endian::Little).ok()? as usize;
        let content = bytes.get(start..start.checked_add(length)?)?;
        if name == wanted.as_bytes() {
            return Some(Entry { content, start });
        }
        at = start + length;
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::test_files::{TestFolder, message};

    fn entry(name: &str, content: &[u8]) -> Vec<u8> {
        let length = (content.len() as u32).to_le_bytes();
        [&[name.len() as u8], name.as_bytes(), &length, content].concat()
    }

    /// 3 columns and 2 rows.
    fn document(version: u8, data: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
        let sides = [entry("hf_w", &3_u32.to_le_bytes()), entry("hf_b", &2_u32.to_le_bytes())].concat();
        [b"trrn", &[version][..], &entry("view", &[1; 9]), &more.concat(), &sides, &entry("hf_data", data)]
            .concat()
    }

    fn floats() -> Vec<u8> {
        [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.5].iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    #[test]
    fn one_spacing_scales_plan_and_heights() {
        let more =
            [entry("hf_worldspacing", &10.0_f64.to_le_bytes()), entry("hf_worldspacinglabeld", b"ft (foot)")];
        let raster = TestFolder::new().read("a.ter", &document(6, &floats(), &more)).expect("read");
        assert_eq!((raster.size, raster.heights[0], raster.heights[5]), ([3, 2], 10.0, 65.0));
        assert_eq!(raster.facts.geotransform, Some([-10.0, 10.0, 0.0, -5.0, 0.0, 10.0]));
        assert_eq!((raster.unit_m, raster.spacing_m), (0.3048, [3.048; 2]));
        let terrain = raster.to_terrain().expect("built");
        assert!(terrain.sample(0, 0).is_some_and(|height| (height - 3.048).abs() < 1e-6));
    }

    #[test]
    fn older_heights_are_parts_of_65536_and_newer_ones_unplaced() {
        let folder = TestFolder::new();
        let fixed: Vec<u8> = (0..6_i32).flat_map(|value| (value << 15).to_le_bytes()).collect();
        let raster = folder.read("a.ter", &document(5, &fixed, &[])).expect("read");
        assert_eq!(raster.heights, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]);
        let raster = folder.read("a.ter", &document(7, &floats(), &[])).expect("read");
        assert!(raster.facts.warnings.iter().any(|warning| warning.code == "unplaced"));
    }

    #[test]
    fn malformed_documents_are_refused() {
        let folder = TestFolder::new();
        let refused = |content: &[u8]| message(folder.read("a.ter", content));
        assert!(refused(b"trrn\x06").contains("without a heightfield"));
        let whole = document(6, &floats(), &[]);
        assert!(refused(&whole[..whole.len() - 1]).contains("without a heightfield"));
        assert!(refused(&document(6, &floats()[..20], &[])).contains("20 bytes of heights; 3×2"));
        let spacing = [entry("hf_worldspacing", &f64::NAN.to_le_bytes())];
        assert!(refused(&document(6, &floats(), &spacing)).contains("a spacing of NaN"));
        assert!(refused(b"trrn\x09").contains("a Leveller document"));
    }
}
