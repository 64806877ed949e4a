//! A rectangle with axes, a grid and one line.

use super::canvas::{Align, Canvas, Colour};
use super::scale::Scale;

/// Pixels of axis labels and titles.
const LABEL: f32 = 22.0;
/// Pixels between an axis and its labels.
const GAP: f32 = 12.0;
/// Pixels of the line.
const LINE: f32 = 2.5;

/// Pixels between the ticks of either axis, at least.
const X_TICK: f32 = 110.0;
const Y_TICK: f32 = 45.0;

/// A rectangle of the canvas in which values are drawn.
#[derive(Debug, Clone, Copy)]
pub struct Panel {
    /// Left and right ends in pixels.
    pub across: [f32; 2],
    /// Upper and lower ends in pixels.
    pub down: [f32; 2],
    /// What is drawn along x.
    pub x: Scale,
    /// What is drawn along y.
    pub y: Scale,
}

impl Panel {
    /// A scale for a y axis between two pixels that holds all values.
    pub fn y_scale(values: impl Iterator<Item = f64>, down: [f32; 2]) -> Scale {
        Scale::around(values, intervals(down, Y_TICK))
    }

    /// Draws grid, labels of the y axis, and the line over its fill. A missing value is a gap.
    pub fn draw(&self, canvas: &mut Canvas, series: &[(f64, Option<f64>)], line: Colour, fill: Colour) {
        let runs: Vec<Vec<[f32; 2]>> = self.runs(series);
        for run in &runs {
            self.fill(canvas, run, fill);
        }
        self.draw_grid(canvas);
        for run in &runs {
            match run[..] {
                [alone] => canvas.dot(alone, LINE, line),
                _ => canvas.line(run, LINE, line),
            }
        }
        let [left, right] = self.across;
        let [top, bottom] = self.down;
        canvas.line(&[[left, top], [left, bottom], [right, bottom]], 1.5, Colour::INK);
    }

    /// Writes the y axis's title over the panel.
    pub fn write_title(&self, canvas: &mut Canvas, title: &str) {
        canvas.text(title, [self.across[0], self.down[0] - 14.0], LABEL, Colour::INK, Align::Left);
    }

    /// Writes the x axis's labels and its title under the panel.
    pub fn write_x_labels(&self, canvas: &mut Canvas, title: &str) {
        let ticks = self.x.ticks(intervals(self.across, X_TICK));
        for value in &ticks.values {
            let at = [self.x_pixel(*value), self.down[1] + LABEL + GAP];
            canvas.text(&ticks.label(*value), at, LABEL, Colour::INK, Align::Centre);
        }
        let middle = (self.across[0] + self.across[1]) * 0.5;
        canvas.text(title, [middle, self.down[1] + 2.5 * LABEL + GAP], LABEL, Colour::INK, Align::Centre);
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let [left, right] = self.across;
        let [top, bottom] = self.down;
        for value in self.x.ticks(intervals(self.across, X_TICK)).values {
            let x = self.x_pixel(value);
            canvas.line(&[[x, top], [x, bottom]], 1.0, Colour::GRID);
        }
        let ticks = self.y.ticks(intervals(self.down, Y_TICK));
        for value in &ticks.values {
            let y = self.y_pixel(*value);
            canvas.line(&[[left, y], [right, y]], 1.0, Colour::GRID);
            let at = [left - GAP, y + LABEL * 0.35];
            canvas.text(&ticks.label(*value), at, LABEL, Colour::INK, Align::Right);
        }
    }

    /// Unbroken stretches of the series, in pixels.
    fn runs(&self, series: &[(f64, Option<f64>)]) -> Vec<Vec<[f32; 2]>> {
        let stretches = series.split(|(_, y)| y.is_none()).filter(|stretch| !stretch.is_empty());
        let pixel = |(x, y): &(f64, Option<f64>)| y.map(|y| [self.x_pixel(*x), self.y_pixel(y)]);
        stretches.map(|stretch| stretch.iter().filter_map(pixel).collect()).collect()
    }

    fn fill(&self, canvas: &mut Canvas, run: &[[f32; 2]], colour: Colour) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { return };
        let floor = self.y_pixel(self.y.low());
        let ends = [[last[0], floor], [first[0], floor]];
        canvas.area(&[run, &ends].concat(), colour);
    }

    fn x_pixel(&self, x: f64) -> f32 {
        self.x.pixel(x, self.across[0], self.across[1])
    }

    fn y_pixel(&self, y: f64) -> f32 {
        self.y.pixel(y, self.down[1], self.down[0])
    }
}

/// How many intervals of at least `least` pixels an axis has room for.
fn intervals(ends: [f32; 2], least: f32) -> u32 {
    ((ends[1] - ends[0]) / least).max(1.0) as u32
}
