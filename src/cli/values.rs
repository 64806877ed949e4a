//! How values are written on the command line.

use crate::camera::View;
use crate::formats::{ByteOrder, HeightUnit, RowOrder, SampleType};
use crate::frame::Flight;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::ffi::OsString;

/// `WxH`: two whole numbers over zero.
pub fn size(text: &str) -> Result<[u32; 2], String> {
    let parts: Vec<_> = text.split(['x', 'X', '×']).map(|part| part.trim().parse::<u32>()).collect();
    match parts[..] {
        [Ok(width), Ok(height)] if width > 0 && height > 0 => Ok([width, height]),
        _ => Err("expected WIDTHxHEIGHT, such as 1025x513".to_owned()),
    }
}

/// `A,B`: two numbers.
pub fn pair(text: &str) -> Result<[f64; 2], String> {
    numbers(text).ok_or_else(|| "expected two numbers with a comma, such as 408201.5,4080928".to_owned())
}

/// `X,Y,Z`: three numbers.
pub fn triple(text: &str) -> Result<[f64; 3], String> {
    numbers(text).ok_or_else(|| "expected three numbers with commas, such as 0,0,120".to_owned())
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let parts: Option<Vec<f64>> = text.split(',').map(|part| finite(part.trim()).ok()).collect();
    parts?.try_into().ok()
}

/// A number that is neither infinite nor NaN.
pub fn finite(text: &str) -> Result<f64, String> {
    text.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

/// An empty value: a number, or `none`, which is NaN: of all values only NaN is empty then.
pub fn nodata(text: &str) -> Result<f64, String> {
    if text.eq_ignore_ascii_case("none") {
        return Ok(f64::NAN);
    }
    text.parse().map_err(|_| "expected a number, or none".to_owned())
}

/// A number over zero.
pub fn positive(text: &str) -> Result<f64, String> {
    finite(text).ok().filter(|number| *number > 0.0).ok_or_else(|| "expected a number over zero".to_owned())
}

/// Zero, or a number over it.
pub fn not_negative(text: &str) -> Result<f64, String> {
    finite(text)
        .ok()
        .filter(|number| *number >= 0.0)
        .ok_or_else(|| "expected zero or a number over it".to_owned())
}

/// A field of view in degrees.
pub fn view_angle(text: &str) -> Result<f64, String> {
    let degrees = finite(text).ok().filter(|degrees| (1.0..=170.0).contains(degrees));
    degrees.ok_or_else(|| "expected 1 to 170 degrees".to_owned())
}

/// `EPSG:n`, or the number alone.
pub fn epsg(text: &str) -> Result<u32, String> {
    let bare = match text.split_once(':') {
        Some((authority, code)) if authority.eq_ignore_ascii_case("epsg") => code,
        _ => text,
    };
    bare.parse().map_err(|_| "expected an EPSG code, such as EPSG:32632".to_owned())
}

/// `#rrggbb` or one of a few names, as sRGB bytes.
pub fn colour(text: &str) -> Result<[u8; 3], String> {
    if let Some((_, colour)) = COLOURS.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(*colour);
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6 && !digits.starts_with('+'));
    match code.map(u32::to_be_bytes) {
        Some([_, red, green, blue]) => Ok([red, green, blue]),
        None => {
            Err("expected #rrggbb, black, white, grey, red, green, blue, yellow, cyan or magenta".to_owned())
        }
    }
}

const COLOURS: [(&str, [u8; 3]); 9] = [
    ("black", [0, 0, 0]),
    ("white", [255, 255, 255]),
    ("grey", [128, 128, 128]),
    ("red", [255, 0, 0]),
    ("green", [0, 128, 0]),
    ("blue", [0, 0, 255]),
    ("yellow", [255, 255, 0]),
    ("cyan", [0, 255, 255]),
    ("magenta", [255, 0, 255]),
];

/// One of a table's names, as the value beside it.
fn named<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(table.iter().map(|(name, _)| *name)).try_map(|chosen| {
        let found = table.iter().find(|(name, _)| *name == chosen);
        found.map(|(_, value)| *value).ok_or_else(|| "not in the list".to_owned())
    })
}

/// Sample types of headerless files.
pub fn sample_type() -> impl TypedValueParser<Value = SampleType> {
    named(&[
        ("u8", SampleType::U8),
        ("u16", SampleType::U16),
        ("i16", SampleType::I16),
        ("u32", SampleType::U32),
        ("i32", SampleType::I32),
        ("f16", SampleType::F16),
        ("f32", SampleType::F32),
        ("f64", SampleType::F64),
    ])
}

/// Byte orders of headerless files.
pub fn byte_order() -> impl TypedValueParser<Value = ByteOrder> {
    named(&[("little", ByteOrder::Little), ("big", ByteOrder::Big), ("auto", ByteOrder::Auto)])
}

/// Row orders of headerless files.
pub fn row_order() -> impl TypedValueParser<Value = RowOrder> {
    named(&[("top", RowOrder::Top), ("bottom", RowOrder::Bottom)])
}

/// Height units.
pub fn height_unit() -> impl TypedValueParser<Value = HeightUnit> {
    named(&[("m", HeightUnit::Metre), ("ft", HeightUnit::Foot), ("us-ft", HeightUnit::UsFoot)])
}

/// Named views.
pub fn view() -> impl TypedValueParser<Value = View> {
    PossibleValuesParser::new(View::ALL.map(View::name)).try_map(|name| name.parse::<View>())
}

/// Scripted flights.
pub fn flight() -> impl TypedValueParser<Value = Flight> {
    PossibleValuesParser::new(Flight::ALL.map(Flight::name)).try_map(|chosen| {
        let found = Flight::ALL.into_iter().find(|flight| flight.name() == chosen);
        found.ok_or_else(|| "not in the list".to_owned())
    })
}

/// Ties every point after `--at` to an `--at` of its own, so that `--at 1,2 -3,4 FILE` is two points and a file.
pub fn attach_points(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut attached: Vec<OsString> = Vec::new();
    let mut in_points = false;
    for argument in arguments {
        let text = argument.to_str().unwrap_or_default();
        let is_point = in_points && pair(text).is_ok();
        in_points = is_point || text == "--at" || text.starts_with("--at=");
        if is_point {
            // The bare `--at` before the first point is now part of it.
            if attached.last().is_some_and(|last| last == "--at") {
                attached.pop();
            }
            attached.push(format!("--at={text}").into());
        } else {
            attached.push(argument);
        }
    }
    attached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attached(line: &str) -> String {
        let words = attach_points(line.split(' ').map(OsString::from));
        words.iter().filter_map(|word| word.to_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn points_after_at_are_tied_and_nothing_else_is() {
        assert_eq!(attached("o query --at 1,2 -3,4 f"), "o query --at=1,2 --at=-3,4 f");
        assert_eq!(attached("o query f --at=1,2 3,4 --json"), "o query f --at=1,2 --at=3,4 --json");
        assert_eq!(attached("o query 1,2 --at 3,4 --at f"), "o query 1,2 --at=3,4 --at f");
    }

    #[test]
    fn values_are_read_or_say_what_they_should_be() {
        assert_eq!(size("6x4"), Ok([6, 4]));
        assert!(size("6x0").is_err() && size("6").is_err() && size("6x4x2").is_err());
        assert_eq!((nodata("-9999"), nodata("-3.4e38")), (Ok(-9999.0), Ok(-3.4e38)));
        assert!(nodata("None").is_ok_and(f64::is_nan) && nodata("empty").is_err());
        assert_eq!(pair(" -1.5, 2e3"), Ok([-1.5, 2000.0]));
        assert!(pair("1").is_err() && pair("1,2,3").is_err() && pair("nan,1").is_err());
        assert_eq!((epsg("EPSG:32632"), epsg("4326")), (Ok(32632), Ok(4326)));
        assert_eq!((colour("#ff00FF"), colour("Magenta")), (Ok([255, 0, 255]), Ok([255, 0, 255])));
        assert!(colour("#ff00f").is_err() && colour("+ff00f").is_err());
    }
}
