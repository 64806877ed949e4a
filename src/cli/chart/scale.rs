//! From values to pixels, and where the ticks stand.

/// A range of values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    low: f64,
    high: f64,
}

/// The ticks of a scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Where they stand.
    pub values: Vec<f64>,
    decimals: usize,
}

impl Scale {
    /// From `low` to `high`.
    pub fn exact(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// Around all values, out to round ones: the ticks of an axis of `intervals` intervals at most.
    pub fn around(values: impl Iterator<Item = f64>, intervals: u32) -> Self {
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        // Level ground stands in the middle of the axis.
        let margin = if high > low { 0.0 } else { 1.0_f64.max(high.abs() * 1e-3) };
        let (low, high) = (low - margin, high + margin);
        let step = step(high - low, intervals);
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step }
    }

    /// The lower end.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// The pixel of a value, where `low` and `high` stand at these pixels.
    pub fn pixel(&self, value: f64, low: f32, high: f32) -> f32 {
        let part = (value - self.low) / (self.high - self.low);
        (f64::from(low) + part * f64::from(high - low)) as f32
    }

    /// Round values within the scale, evenly spaced, with `intervals` intervals at most.
    pub fn ticks(&self, intervals: u32) -> Ticks {
        let step = step(self.high - self.low, intervals);
        let first = (self.low / step - 1e-6).ceil() as i64;
        let last = (self.high / step + 1e-6).floor() as i64;
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        Ticks { values: (first..=last).map(|tick| tick as f64 * step).collect(), decimals }
    }
}

impl Ticks {
    /// The text of a tick; all have the same number of decimals.
    pub fn label(&self, value: f64) -> String {
        let text = format!("{value:.*}", self.decimals);
        // A step times zero may be a negative zero.
        if value == 0.0 { text.trim_start_matches('-').to_owned() } else { text }
    }
}

/// The least of 1, 2 and 5 times a power of ten that needs no more intervals.
fn step(range: f64, intervals: u32) -> f64 {
    let rough = range / f64::from(intervals);
    let power = 10_f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        let scale = Scale::around([712.3, 1433.0].into_iter(), 6);
        let ticks = scale.ticks(6);
        let labels: Vec<_> = ticks.values.iter().map(|value| ticks.label(*value)).collect();
        assert_eq!(labels, ["600", "800", "1000", "1200", "1400", "1600"]);
        assert_eq!(scale.pixel(600.0, 500.0, 0.0), 500.0);
    }

    #[test]
    fn level_ground_has_an_axis_too_and_small_steps_have_decimals() {
        let level = Scale::around([200.0].into_iter(), 5);
        assert!((level.pixel(200.0, 0.0, 1.0) - 0.5).abs() < 1e-6);
        let small = Scale::exact(0.0, 0.25).ticks(5);
        assert_eq!(small.values.iter().map(|value| small.label(*value)).next_back().as_deref(), Some("0.25"));
    }
}
