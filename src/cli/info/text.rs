//! `info` for people: one aligned line a fact.

use super::Info;
use crate::cli::numbers::short;
use crate::cli::report::one_line;
use crate::formats::{Crs, Facts, PixelIs};
use std::fmt::Write;

/// A raster's facts as text, ending in a line break.
pub fn describe(info: &Info) -> String {
    let facts = &info.facts;
    let mut lines = vec![
        ("format", format_line(facts)),
        ("files", facts.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")),
        ("size", size_line(facts)),
        ("crs", facts.crs.as_ref().map_or_else(|| "unknown".to_owned(), crs_line)),
        ("vertical", vertical_line(facts)),
        ("geotransform", geotransform_line(facts)),
        ("empty value", empty_line(facts)),
        ("scale, offset", scaling_line(facts)),
        ("height unit", unit_line(facts)),
        ("samples", format!("{} valid, {} empty", facts.statistics.valid, facts.statistics.empty)),
        ("stored", range_line(facts.statistics.raw_min, facts.statistics.raw_max, "")),
        ("heights", heights_line(facts)),
        ("sha256", info.sha256.clone().unwrap_or_default()),
        ("levels", info.levels.to_string()),
        (
            "memory",
            format!("{}, and {} on the GPU", bytes(info.memory_estimate), bytes(info.gpu_memory_estimate)),
        ),
    ];
    lines.extend(facts.assumptions.iter().map(|text| ("assumed", text.clone())));
    lines.extend(
        facts.warnings.iter().map(|warning| ("warning", format!("{} ({})", warning.text, warning.code))),
    );
    align(&facts.file.display().to_string(), &lines)
}

/// A heading and one indented line a fact, whatever a name or a file's own text holds; facts without text are left out.
fn align(heading: &str, lines: &[(&str, String)]) -> String {
    let told = || lines.iter().filter(|(_, text)| !text.is_empty());
    let width = told().map(|(label, _)| label.len()).max().unwrap_or_default();
    let mut out = format!("{}\n", one_line(heading));
    for (label, text) in told() {
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  {label:width$}  {}", one_line(text));
    }
    out
}

fn format_line(facts: &Facts) -> String {
    let predictor =
        if facts.predictor > 1 { format!(", predictor {}", facts.predictor) } else { String::new() };
    let Facts { format, sample_type, compression, band, .. } = facts;
    format!("{format}, {sample_type}, compression {compression}{predictor}, band {band}")
}

fn size_line(facts: &Facts) -> String {
    let ([width, depth], [x, z]) = (facts.size, facts.spacing_m);
    let pixel = match facts.pixel_is {
        PixelIs::Area => "areas",
        PixelIs::Point => "points",
    };
    format!("{width} × {depth} samples ({pixel}), {} × {} m apart", short(x), short(z))
}

fn crs_line(crs: &Crs) -> String {
    let code = crs.epsg.map(|code| format!("EPSG:{code} ")).unwrap_or_default();
    format!("{code}{} (from {})", crs.name, crs.source)
}

fn vertical_line(facts: &Facts) -> String {
    let vertical = facts.crs.as_ref().and_then(|crs| crs.vertical.as_ref());
    vertical.map_or_else(String::new, |vertical| {
        let code = vertical.epsg.map(|code| format!("EPSG:{code} ")).unwrap_or_default();
        format!("{code}{}", vertical.name)
    })
}

fn geotransform_line(facts: &Facts) -> String {
    let numbers = |six: [f64; 6]| six.map(|number| number.to_string()).join(", ");
    facts.geotransform.map_or_else(|| "none".to_owned(), numbers)
}

fn empty_line(facts: &Facts) -> String {
    match &facts.nodata {
        Some(declared) => format!("{declared} ({})", facts.nodata_rule),
        None => facts.nodata_rule.clone(),
    }
}

fn scaling_line(facts: &Facts) -> String {
    if facts.scale == 1.0 && facts.offset == 0.0 {
        return String::new();
    }
    format!("× {} + {}", facts.scale, facts.offset)
}

fn unit_line(facts: &Facts) -> String {
    let factor = if facts.unit_m == 1.0 { String::new() } else { format!(" = {} m", facts.unit_m) };
    format!("{}{factor} ({})", facts.unit, facts.unit_source)
}

fn range_line(min: Option<f64>, max: Option<f64>, unit: &str) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{} … {}{unit}", short(min), short(max)),
        _ => "none".to_owned(),
    }
}

fn heights_line(facts: &Facts) -> String {
    let statistics = &facts.statistics;
    let range = range_line(statistics.min, statistics.max, &format!(" {}", facts.unit));
    match (statistics.mean, statistics.stddev) {
        (Some(mean), Some(stddev)) => format!("{range}, mean {}, deviation {}", short(mean), short(stddev)),
        _ => range,
    }
}

fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut scaled, mut unit) = (count as f64, 0);
    while scaled >= 1024.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{scaled:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_stays_on_its_line() {
        let told = align("a\nb.asc", &[("files", "a\nb.asc".into()), ("crs", "x\u{1b}[1m".into())]);
        assert_eq!(told, "a b.asc\n  files  a b.asc\n  crs    x [1m\n");
    }

    #[test]
    fn bytes_read_well() {
        assert_eq!(
            [bytes(1023), bytes(13_500_000), bytes(u64::MAX)],
            ["1023 B", "12.9 MiB", "16777216.0 TiB"]
        );
    }
}
