//! What a reader hands over, and how a raster is made of it: empties, units, spacing and what was assumed.

use super::empties;
pub(super) use super::plane_crs::{PlaneCrs, epsg_crs};
use super::raster::{Facts, HeightUnit, PixelIs, Raster, ReadOptions, Warning};
use super::samples::{RawRange, Sample};
use super::spacing;
use super::statistics::statistics;
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
    pub pixel_is: PixelIs,
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
            pixel_is: PixelIs::Area,
            crs: None,
            nodata: None,
            nodata_rule: String::new(),
            scale: 1.0,
            offset: 0.0,
            unit: None,
            notes: Notes::default(),
        }
    }

    /// Spreads the codes of an integer type over the range that the caller asks for.
    pub fn take_z_range(&mut self, sample: Sample, options: &ReadOptions) -> Result<()> {
        let Some([low, high]) = options.z_range else { return Ok(()) };
        let Some([least, greatest]) = sample.codes() else {
            return Err(Error::usage(
                format!("--z-range for {} samples", sample.name()),
                "integer codes of at most 32 bits",
                "leave --z-range out",
            ));
        };
        if !(low.is_finite() && high.is_finite() && low != high) {
            return Err(Error::usage(
                format!("a z range of {low} to {high}"),
                "two heights",
                "correct --z-range",
            ));
        }
        self.scale = (high - low) / (greatest - least);
        self.offset = low - least * self.scale;
        self.notes.assume(format!("Codes {least} to {greatest} are spread over {low} to {high}, as asked."));
        Ok(())
    }

    /// Tells of the stairs that eight bits leave.
    pub fn tell_of_eight_bits(&mut self, sample: Sample) {
        if sample.bytes() == 1 {
            self.notes.warn("8-bit", format!("8-bit source, step {:.2} m", self.scale.abs()));
        }
    }

    /// Makes the raster: undeclared empties, the caller's word over the file's, metres, and the sums.
    pub fn into_raster(mut self, options: &ReadOptions) -> Result<Raster> {
        self.check_band(options)?;
        empties::tell_of_implausible(&self.raw, &mut self.notes);
        if self.nodata.is_none() {
            let scaling = [self.scale, self.offset];
            let added = empties::drop_undeclared(&mut self.heights, &mut self.raw, scaling, &mut self.notes);
            self.nodata_rule.extend(added.map(|rule| format!("; {rule}")));
        }
        self.take_crs_option(options)?;
        let (unit, unit_source) = self.height_unit(options);
        let spacing_m = spacing::spacing(
            spacing::Plan {
                size: self.size,
                geotransform: self.geotransform.as_ref(),
                crs: self.crs.as_ref(),
            },
            options,
            &mut self.notes,
        )?;
        spacing::tell_of_orientation(self.geotransform.as_ref(), &mut self.notes);
        let statistics = statistics(&self.heights, &self.raw);
        if statistics.valid == 0 {
            self.notes.warn("no-valid-sample", "the file holds no valid sample");
        }
        let file = self.files.first().cloned().unwrap_or_default();
        let facts = Facts {
            file,
            format: self.format.into(),
            files: self.files,
            size: self.size,
            sample_type: self.sample_type,
            compression: self.compression,
            predictor: self.predictor,
            band: self.band,
            crs: self.crs.map(|plane| plane.crs),
            geotransform: self.geotransform,
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
        };
        Ok(Raster { size: self.size, heights: self.heights, spacing_m, unit_m: unit.metres, facts })
    }

    fn check_band(&self, options: &ReadOptions) -> Result<()> {
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
            (LengthUnit::metre(), "assumed".into())
        })
    }
}
