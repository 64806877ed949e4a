//! What a reader hands over, and how a raster is made of it: empties, units, spacing and what was assumed.

use super::empties::{self, EmptyValue, Undeclared};
use super::notices::{self, CommonFactors};
pub(super) use super::plane_crs::{PlaneCrs, epsg_crs};
use super::raster::{Facts, HeightUnit, PixelIs, Raster, ReadOptions, Warning};
use super::samples::{RawRange, Sample};
use super::smooth;
use super::spacing;
use super::statistics::Moments;
use crate::error::{Error, Result};
use crate::geo::{EpsgSystem, LengthUnit};
use std::path::PathBuf;

/// Assumptions and warnings as they are gathered.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    pub assumptions: Vec<String>,
    pub warnings: Vec<Warning>,
}

impl Notes {
    /// Tells of something that the file does not say.
    pub fn assume(&mut self, text: impl Into<String>) {
        self.assumptions.push(text.into());
    }

    /// Tells of something that may be wrong, under a short, stable name.
    pub fn warn(&mut self, code: &str, text: impl Into<String>) {
        self.warnings.push(Warning { code: code.into(), text: text.into() });
    }

    /// Adds what was gathered elsewhere.
    pub fn append(&mut self, other: Self) {
        self.assumptions.extend(other.assumptions);
        self.warnings.extend(other.warnings);
    }
}

/// What a reader found in a file.
#[derive(Debug, Clone)]
pub(super) struct Decoded {
    pub format: &'static str,
    pub files: Vec<PathBuf>,
    pub size: [u32; 2],
    pub sample_type: String,
    pub compression: String,
    pub predictor: u16,
    pub band: u32,
    pub heights: Vec<f32>,
    pub raw: RawRange,
    pub geotransform: Option<[f64; 6]>,
    /// Whether the map's y runs south; see [`Facts::y_points_south`].
    pub y_points_south: bool,
    pub pixel_is: PixelIs,
    /// Whether numbers are written out, so that the type's bits say nothing of their steps.
    pub is_text: bool,
    /// What all codes of 16 bits are multiples of, where that tells of eight.
    pub common_factor: Option<f64>,
    pub crs: Option<PlaneCrs>,
    /// The declared empty value as text.
    pub nodata: Option<String>,
    pub nodata_rule: String,
    pub scale: f64,
    pub offset: f64,
    /// The height unit and where it was read.
    pub unit: Option<(LengthUnit, String)>,
    pub notes: Notes,
}

impl Decoded {
    /// A file's samples without anything that says where they stand.
    pub fn new(format: &'static str, file: PathBuf, size: [u32; 2], sample_type: &str) -> Self {
        Self {
            format,
            files: vec![file],
            size,
            sample_type: sample_type.to_owned(),
            compression: "none".into(),
            predictor: 1,
            band: 1,
            heights: Vec::new(),
            raw: RawRange::default(),
            geotransform: None,
            y_points_south: false,
            pixel_is: PixelIs::Area,
            is_text: false,
            common_factor: None,
            crs: None,
            nodata: None,
            nodata_rule: String::new(),
            scale: 1.0,
            offset: 0.0,
            unit: None,
            notes: Notes::default(),
        }
    }

    /// Settles which stored value is empty, the caller's word over the file's, and says so.
    pub fn take_empty(
        &mut self,
        declared: Option<EmptyValue>,
        sample: Sample,
        options: &ReadOptions,
    ) -> Option<EmptyValue> {
        let empty = options.nodata.map(EmptyValue::from_number).or(declared);
        self.nodata_rule = empties::rule(empty.as_ref(), sample);
        self.nodata = empty.as_ref().map(|empty| empty.text().to_owned());
        empty
    }

    /// Spreads the codes of an integer type over the range that the caller asks for; of a float type, 0 to 1.
    pub fn take_z_range(&mut self, sample: Sample, options: &ReadOptions) -> Result<()> {
        let codes = if sample.is_float() { Some([0.0, 1.0]) } else { sample.codes() };
        match (options.z_range, codes) {
            (Some(range), Some(codes)) => self.spread(codes, range),
            (Some(_), None) => Err(Error::usage(
                format!("--z-range for {} samples", sample.name()),
                "codes of at most 32 bits, or floats",
                "leave --z-range out",
            )),
            (None, _) => Ok(()),
        }
    }

    /// Spreads codes from the least to the greatest over a range of heights.
    pub fn spread(&mut self, [least, greatest]: [f64; 2], [low, high]: [f64; 2]) -> Result<()> {
        if !(low.is_finite() && high.is_finite() && low != high) {
            return Err(Error::usage(
                format!("a z range of {low} to {high}"),
                "two heights",
                "correct --z-range",
            ));
        }
        self.scale = (high - low) / (greatest - least);
        self.offset = low - least * self.scale;
        self.notes.assume(format!("Stored values {least} to {greatest} are spread over {low} to {high}."));
        Ok(())
    }

    /// Settles what is doubtful: undeclared empties, steps, and all that [`Decoded::settle_facts`] does.
    pub fn settle(&mut self, options: &ReadOptions) -> Result<()> {
        if let Some(fill) = self.undeclared(options) {
            let count = fill.empty(&mut self.heights);
            self.take_undeclared(fill, count);
        }
        self.common_factor = CommonFactors::of(self).and_then(|mut factors| {
            factors.add(&self.heights);
            factors.found()
        });
        let step = self.settle_facts(options)?;
        if options.smooth {
            self.smooth(step)?;
        }
        Ok(())
    }

    /// Settles what needs no heights: the caller's word over the file's on system and unit, and what is told. Returns the
    /// step between codes in the height unit; floats have none.
    pub fn settle_facts(&mut self, options: &ReadOptions) -> Result<Option<f64>> {
        self.check_band(options)?;
        if options.nodata.is_some_and(f64::is_nan) {
            self.nodata = None;
            self.nodata_rule =
                "no value but NaN, infinities and magnitudes from 1e30 on is empty, as asked".into();
        }
        empties::tell_of_implausible(&self.raw, &mut self.notes);
        self.take_crs_option(options)?;
        let has_unit = self.unit.is_some() || options.z_unit.is_some();
        let (unit, source) = self.height_unit(options);
        let step = notices::tell(self, options, has_unit.then_some(unit.metres))?;
        self.unit = Some((unit, source));
        Ok(step)
    }

    /// A usual fill value that the file does not declare but its range of stored values shows, unless the caller wants none.
    pub fn undeclared(&self, options: &ReadOptions) -> Option<Undeclared> {
        if self.nodata.is_some() || options.nodata.is_some() {
            return None;
        }
        Undeclared::find(&self.raw, self.scale, self.offset)
    }

    /// Notes that the samples of such a value were emptied.
    pub fn take_undeclared(&mut self, fill: Undeclared, count: u64) {
        let rule = fill.tell(count, &mut self.notes);
        self.nodata_rule = format!("{}; {rule}", self.nodata_rule);
        self.raw.min = self.raw.second;
    }

    /// Makes the raster of what is settled: metres between samples, and the sums.
    pub fn finish(mut self, options: &ReadOptions) -> Result<Raster> {
        let heights = std::mem::take(&mut self.heights);
        let mut moments = Moments::default();
        moments.add_rows(&heights, self.size[0] as usize);
        let facts = self.into_facts(&moments, options)?;
        Ok(Raster { size: facts.size, heights, spacing_m: facts.spacing_m, unit_m: facts.unit_m, facts })
    }

    /// The facts of what is settled, with the moments of the heights that were gathered.
    pub fn into_facts(mut self, moments: &Moments, options: &ReadOptions) -> Result<Facts> {
        let assumed = || (LengthUnit::metre(), Facts::ASSUMED.into());
        let (unit, unit_source) = self.unit.take().unwrap_or_else(assumed);
        let spacing_m = spacing::spacing(
            spacing::Plan {
                size: self.size,
                geotransform: self.geotransform.as_ref(),
                crs: self.crs.as_ref(),
            },
            options,
            &mut self.notes,
        )?;
        spacing::tell_of_orientation(self.geotransform.as_ref(), self.y_points_south, &mut self.notes);
        let statistics = moments.statistics(&self.raw);
        if statistics.valid == 0 {
            self.notes.warn("no-valid-sample", "the file holds no valid sample");
        }
        let file = self.files.first().cloned().unwrap_or_default();
        Ok(Facts {
            file,
            format: self.format.into(),
            files: self.files,
            size: self.size,
            sample_type: self.sample_type,
            compression: self.compression,
            predictor: self.predictor,
            band: self.band,
            plan_unit: self.crs.as_ref().map(PlaneCrs::plan_unit),
            crs: self.crs.map(|plane| plane.crs),
            geotransform: self.geotransform,
            y_points_south: self.y_points_south,
            pixel_is: self.pixel_is,
            spacing_m,
            nodata: self.nodata,
            nodata_rule: self.nodata_rule,
            scale: self.scale,
            offset: self.offset,
            unit: unit.name,
            unit_m: unit.metres,
            unit_source,
            statistics,
            assumptions: self.notes.assumptions,
            warnings: self.notes.warnings,
        })
    }

    /// Takes the stairs out that lie `step` apart, and tells so.
    fn smooth(&mut self, step: Option<f64>) -> Result<()> {
        let Some(step) = step else {
            self.notes.assume("Nothing was smoothed: floats have no steps.");
            return Ok(());
        };
        smooth::smooth(&mut self.heights, self.size, step)?;
        let half = 0.5 * step;
        let unit = self.unit.as_ref().map_or("", |(unit, _)| &unit.name);
        self.notes.assume(format!(
            "Heights are smoothed, as asked: each moved by at most half a step, {half} {unit}."
        ));
        Ok(())
    }

    /// Refuses a band that the reader did not heed.
    pub fn check_band(&self, options: &ReadOptions) -> Result<()> {
        match options.band {
            Some(band) if band != self.band => Err(Error::usage(
                format!("band {band} is asked for"),
                format!("band {} of this {} file", self.band, self.format),
                "leave --band out",
            )),
            _ => Ok(()),
        }
    }

    /// The caller's system over the file's, whose heights stay where the caller names none.
    fn take_crs_option(&mut self, options: &ReadOptions) -> Result<()> {
        let Some(code) = options.crs else { return Ok(()) };
        if EpsgSystem::of_code(code).is_some_and(|system| system.is_vertical()) {
            return Err(Error::usage(
                format!("EPSG:{code}, a system of heights alone"),
                "a system that places samples in a plan",
                "correct --crs, and give the height unit with --z-unit",
            ));
        }
        let mut plane = epsg_crs(code, "the --crs option", &mut self.notes);
        if let Some(file) = self.crs.take().filter(|_| plane.crs.vertical.is_none()) {
            plane.crs.vertical = file.crs.vertical;
            plane.vertical_unit = file.vertical_unit;
        }
        self.crs = Some(plane);
        Ok(())
    }

    /// Takes a height unit where none is known yet; tells where it differs from the known one.
    pub fn offer_unit(&mut self, unit: LengthUnit, source: String) {
        match &self.unit {
            None => self.unit = Some((unit, source)),
            Some((taken, by)) if !taken.is_as_long_as(&unit) => {
                let text = format!(
                    "heights are in {} by {by} and in {} by {source}; {} is taken",
                    taken.name, unit.name, taken.name
                );
                self.notes.warn("unit-conflict", text);
            }
            Some(_) => {}
        }
    }

    fn height_unit(&mut self, options: &ReadOptions) -> (LengthUnit, String) {
        let asked = options.z_unit.map(|unit| match unit {
            HeightUnit::Metre => LengthUnit::metre(),
            HeightUnit::Foot => LengthUnit::foot(),
            HeightUnit::UsFoot => LengthUnit::us_survey_foot(),
        });
        if let Some(unit) = asked {
            return (unit, "the --z-unit option".into());
        }
        if let Some((unit, source)) = self.crs.as_ref().and_then(PlaneCrs::height_unit) {
            self.offer_unit(unit, source);
        }
        self.unit.take().unwrap_or_else(|| {
            self.notes.assume("Heights are taken as metres; the file names no height unit.");
            (LengthUnit::metre(), Facts::ASSUMED.into())
        })
    }
}
