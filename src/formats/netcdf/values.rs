//! Samples of a variable, read some rows at a time.

use super::layers::Layer;
use super::{broken, number, text};
use crate::error::{Error, Result};
use crate::formats::samples::{Decoder, RawRange, Sample};
use bytemuck::NoUninit;
use netcdf_reader::{NcFile, NcReadable, NcSliceInfo, NcSliceInfoElem, NcType, NcVariable};

/// Bytes of samples that are read at once.
const BYTES_AT_ONCE: u64 = 16 << 20;

/// The type of a variable's samples; `None` for texts and for types that its writer made up.
pub(super) fn sample_of(variable: &NcVariable) -> Option<Sample> {
    let unsigned = text(variable, "_Unsigned").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    Some(match variable.dtype {
        // Classic files have no unsigned bytes; a range that only they reach tells of them.
        NcType::Byte if unsigned || valid_range(variable)[1] == 255.0 => Sample::U8,
        NcType::Short if unsigned => Sample::U16,
        NcType::Int if unsigned => Sample::U32,
        NcType::Byte => Sample::I8,
        NcType::UByte => Sample::U8,
        NcType::Short => Sample::I16,
        NcType::UShort => Sample::U16,
        NcType::Int => Sample::I32,
        NcType::UInt => Sample::U32,
        NcType::Int64 => Sample::I64,
        NcType::UInt64 => Sample::U64,
        NcType::Float => Sample::F32,
        NcType::Double => Sample::F64,
        _ => return None,
    })
}

/// The least and the greatest stored value that a variable declares valid; infinite where it declares none.
pub(super) fn valid_range(variable: &NcVariable) -> [f64; 2] {
    let range = variable.attribute("valid_range").and_then(|range| range.value.as_f64_vec());
    let (least, greatest) = match range.as_deref() {
        Some(&[least, greatest]) => (Some(least), Some(greatest)),
        _ => (number(variable, "valid_min"), number(variable, "valid_max")),
    };
    let known = |end: Option<f64>| end.filter(|end| !end.is_nan());
    [known(least).unwrap_or(f64::NEG_INFINITY), known(greatest).unwrap_or(f64::INFINITY)]
}

/// Reads a plane into heights, rows as stored.
pub(super) fn read_plane(
    file: &NcFile,
    layer: &Layer,
    decoder: &Decoder,
    heights: &mut [f32],
) -> Result<RawRange> {
    let [rows, columns] = layer.shape();
    let step = (BYTES_AT_ONCE / columns.saturating_mul(decoder.sample.bytes() as u64).max(1)).max(1);
    let mut raw = RawRange::default();
    for (start, out) in (0..rows).step_by(step as usize).zip(heights.chunks_mut((step * columns) as usize)) {
        let mut selections: Vec<NcSliceInfoElem> =
            layer.fixed.iter().map(|place| NcSliceInfoElem::Index(*place)).collect();
        selections.push(NcSliceInfoElem::Slice { start, end: rows.min(start + step), step: 1 });
        if layer.variable.dimensions.len() > 1 {
            selections.push(NcSliceInfoElem::Slice { start: 0, end: columns, step: 1 });
        }
        let selection = NcSliceInfo { selections };
        raw = raw.merge(read_rows(file, layer, &selection, decoder, out)?);
    }
    Ok(raw)
}

fn read_rows(
    file: &NcFile,
    layer: &Layer,
    selection: &NcSliceInfo,
    decoder: &Decoder,
    out: &mut [f32],
) -> Result<RawRange> {
    let read = match layer.variable.dtype {
        NcType::Byte => read_as::<i8>,
        NcType::UByte => read_as::<u8>,
        NcType::Short => read_as::<i16>,
        NcType::UShort => read_as::<u16>,
        NcType::Int => read_as::<i32>,
        NcType::UInt => read_as::<u32>,
        NcType::Int64 => read_as::<i64>,
        NcType::UInt64 => read_as::<u64>,
        NcType::Float => read_as::<f32>,
        _ => read_as::<f64>,
    };
    read(file, &layer.path, selection, decoder, out)
}

fn read_as<T: NcReadable + NoUninit>(
    file: &NcFile,
    path: &str,
    selection: &NcSliceInfo,
    decoder: &Decoder,
    out: &mut [f32],
) -> Result<RawRange> {
    let samples = file.read_variable_slice::<T>(path, selection).map_err(|error| broken(&error))?;
    match samples.as_slice().filter(|samples| samples.len() == out.len()) {
        Some(samples) => Ok(decoder.decode(bytemuck::cast_slice(samples), out)),
        None => Err(Error::input(
            format!("{} samples of {path} where {} are declared", samples.len(), out.len()),
            "a whole netCDF file",
            "get the file again",
        )),
    }
}
