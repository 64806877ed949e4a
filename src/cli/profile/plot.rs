//! A profile as a picture: heights above, slopes below, over one axis of distance.

use super::{Profile, Sample};
use crate::cli::chart::{Align, Canvas, Colour, Panel, Scale};
use crate::cli::numbers::short;
use crate::error::Result;

/// Pixels of the picture.
const SIZE: [u32; 2] = [1600, 900];
/// Left and right ends of both panels, in pixels.
const ACROSS: [f32; 2] = [120.0, 1560.0];
/// Upper and lower ends of the panels, in pixels.
const HEIGHTS: [f32; 2] = [160.0, 600.0];
const SLOPES: [f32; 2] = [670.0, 808.0];
/// From this length on, distances are told in kilometres.
const KILOMETRES_FROM: f64 = 5000.0;

const HEIGHT_LINE: Colour = Colour::rgb(0x1f, 0x5f, 0x8b);
const HEIGHT_FILL: Colour = Colour::rgb(0xdc, 0xe8, 0xf0);
const SLOPE_LINE: Colour = Colour::rgb(0xa6, 0x4b, 0x2a);
const SLOPE_FILL: Colour = Colour::rgb(0xf4, 0xe3, 0xdb);

/// Draws the profile.
pub fn draw(profile: &Profile) -> Result<Canvas> {
    let length = profile.samples.last().map_or(0.0, |last| last.distance);
    let (metres, unit) = if length >= KILOMETRES_FROM { (1000.0, "km") } else { (1.0, "m") };
    let distance = Scale::exact(0.0, length / metres);
    let series = |value: fn(&Sample) -> Option<f64>| -> Vec<(f64, Option<f64>)> {
        profile.samples.iter().map(|sample| (sample.distance / metres, value(sample))).collect()
    };
    let (heights, slopes) = (series(|sample| sample.height), series(|sample| sample.slope));
    let mut canvas = Canvas::new(SIZE)?;
    write_heading(&mut canvas, profile);

    let height_scale = Panel::y_scale(heights.iter().filter_map(|point| point.1), HEIGHTS);
    let upper = Panel { across: ACROSS, down: HEIGHTS, x: distance, y: height_scale };
    upper.draw(&mut canvas, &heights, HEIGHT_LINE, HEIGHT_FILL);
    upper.write_title(&mut canvas, &format!("Height ({})", profile.unit));

    let steepest = slopes.iter().filter_map(|point| point.1).fold(1.0, f64::max);
    let slope_scale = Panel::y_scale([0.0, steepest].into_iter(), SLOPES);
    let lower = Panel { across: ACROSS, down: SLOPES, x: distance, y: slope_scale };
    lower.draw(&mut canvas, &slopes, SLOPE_LINE, SLOPE_FILL);
    lower.write_title(&mut canvas, "Slope (degrees)");
    lower.write_x_labels(&mut canvas, &format!("Distance ({unit})"));
    Ok(canvas)
}

fn write_heading(canvas: &mut Canvas, profile: &Profile) {
    canvas.text(
        &format!("Height profile of {}", profile.name),
        [ACROSS[0], 54.0],
        34.0,
        Colour::INK,
        Align::Left,
    );
    canvas.text(&summary(profile), [ACROSS[0], 92.0], 22.0, Colour::FAINT_INK, Align::Left);
}

/// Ends, relief, samples and how much of the line has no ground.
fn summary(profile: &Profile) -> String {
    let place = |sample: Option<&Sample>| {
        sample
            .map_or_else(String::new, |sample| format!("{}, {}", short(sample.map[0]), short(sample.map[1])))
    };
    let count = profile.samples.len();
    let empty = profile.samples.iter().filter(|sample| sample.height.is_none()).count();
    let gaps = if empty == 0 { String::new() } else { format!(", {empty} of them without data") };
    let heights = || profile.samples.iter().filter_map(|sample| sample.height);
    let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
    format!(
        "from {} to {};  {low:.1} to {high:.1} {};  {count} samples{gaps}",
        place(profile.samples.first()),
        place(profile.samples.last()),
        profile.unit,
    )
}
