//! What a reader hands over, and how a raster is made of it: empties, units, spacing and what was assumed.

use super::empties::{self, Undeclared};
use super::raster::{Crs, Facts, HeightUnit, PixelIs, Raster, ReadOptions, Warning};
use super::samples::{RawRange, Sample};
use super::spacing;
use super::statistics::Moments;
use crate::error::{Error, Result};
use crate::geo::{self, LengthUnit};
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
}

/// A coordinate reference system with what its plan coordinates are measured in.
#[derive(Debug, Clone)]
pub(super) struct PlaneCrs {
    pub crs: Crs,
    pub geographic: bool,
    pub unit: LengthUnit,
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
        let mut heights = std::mem::take(&mut self.heights);
        if let Some(fill) = self.undeclared() {
            let count = fill.empty(&mut heights);
            self.take_undeclared(fill, count);
        }
        let mut moments = Moments::default();
        moments.add_rows(&heights, self.size[0] as usize);
        let facts = self.into_facts(&moments, options)?;
        Ok(Raster { size: facts.size, heights, spacing_m: facts.spacing_m, unit_m: facts.unit_m, facts })
    }

    /// A usual fill value that the file does not declare but its range of stored values shows.
    pub fn undeclared(&self) -> Option<Undeclared> {
        if self.nodata.is_some() {
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

    /// The facts, with the moments of the heights that were gathered.
    pub fn into_facts(mut self, moments: &Moments, options: &ReadOptions) -> Result<Facts> {
        self.check_band(options)?;
        empties::tell_of_implausible(&self.raw, &mut self.notes);
        self.check_geotransform();
        self.take_crs_option(options);
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
        })
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

    fn check_geotransform(&mut self) {
        let Some(found) = &self.geotransform else { return };
        if geo::Georeference::from_geotransform(found).is_none() {
            self.geotransform = None;
            self.notes.warn("bad-geotransform", "the geotransform cannot be undone and is left out");
        }
    }

    fn take_crs_option(&mut self, options: &ReadOptions) {
        let Some(code) = options.crs else { return };
        let vertical = self.crs.take().and_then(|plane| plane.crs.vertical);
        self.crs = Some(epsg_crs(code, "the --crs option", &mut self.notes));
        if let Some(plane) = &mut self.crs {
            plane.crs.vertical = vertical;
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
        self.unit.take().unwrap_or_else(|| {
            self.notes.assume("Heights are taken as metres; the file names no height unit.");
            (LengthUnit::metre(), "assumed".into())
        })
    }
}

/// The system that an EPSG code stands for.
pub(super) fn epsg_crs(code: u32, source: &str, notes: &mut Notes) -> PlaneCrs {
    let geographic = geo::is_geographic(code);
    let unit = geo::plane_unit(code).unwrap_or_else(|| {
        if !geographic {
            notes.assume(format!("Coordinates of EPSG:{code} are taken as metres."));
        }
        LengthUnit::metre()
    });
    let name = geo::crs_name(code).unwrap_or_else(|| format!("EPSG:{code}"));
    PlaneCrs { crs: Crs { epsg: Some(code), name, source: source.into(), vertical: None }, geographic, unit }
}
