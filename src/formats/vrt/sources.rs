//! Reading the files behind a `.vrt`, which may be such documents again.

use super::document::{Source, Virtual};
use super::rect::{Rect, Window};
use crate::error::{Error, Result};
use crate::formats::decoded::{Decoded, Notes};
use crate::formats::input::Input;
use crate::formats::mosaic::compose::Samples;
use crate::formats::mosaic::grid::Grid;
use crate::formats::raster::ReadOptions;
use crate::formats::recognise;
use crate::geo::LengthUnit;
use crate::terrain::is_empty;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// Documents within documents, at most.
const DEEPEST: usize = 8;

/// Sources that are read for one document and those within it, at most.
const MOST_SOURCES: u32 = 1 << 16;

/// A document that is being read, within those that named it.
pub(super) struct Nested<'a> {
    path: PathBuf,
    outer: Option<&'a Nested<'a>>,
    left: &'a Cell<u32>,
}

impl<'a> Nested<'a> {
    /// How many sources may be read in all.
    pub fn budget() -> Cell<u32> {
        Cell::new(MOST_SOURCES)
    }

    /// The document that is read for its own sake.
    pub fn outermost(path: &Path, left: &'a Cell<u32>) -> Self {
        Self { path: real(path), outer: None, left }
    }

    /// A document that this one names.
    ///
    /// # Errors
    /// One that names itself in the end, or that lies too deep.
    pub fn within(&'a self, path: &Path) -> Result<Self> {
        let inner = Self { path: real(path), outer: Some(self), left: self.left };
        let outer = || std::iter::successors(Some(self), |document| document.outer);
        if outer().any(|document| document.path == inner.path) {
            return Err(Error::input(
                "a .vrt that is made of itself",
                "sources without a circle",
                "make it again",
            ));
        }
        if outer().count() >= DEEPEST {
            let found = format!("more than {DEEPEST} .vrt within one another");
            return Err(Error::input(found, "fewer", "make one .vrt of the files themselves"));
        }
        Ok(inner)
    }

    fn count_source(&self) -> Result<()> {
        let left = self.left.get().checked_sub(1).ok_or_else(|| {
            Error::input(
                format!("more than {MOST_SOURCES} sources"),
                "fewer",
                "join some of them into larger files",
            )
        })?;
        self.left.set(left);
        Ok(())
    }
}

/// The file behind a path, so that two spellings of one are the same.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A source with the part of it that is read, and where that stands in the virtual raster's columns and rows.
pub(super) struct Part<'a> {
    pub source: &'a Source,
    window: Window,
    pub grid: Grid,
}

/// Reads sources, and keeps what is told of them.
pub(super) struct Reader<'a> {
    document: &'a Nested<'a>,
    /// Whether stored values are wanted, because the document scales them itself.
    no_scale: bool,
    /// The last source read, since several parts in turn often come from one file.
    last: Option<(Source, Decoded)>,
    /// Each file that was read, with its notes.
    pub told: Vec<(PathBuf, Notes)>,
    pub files: Vec<PathBuf>,
    /// The units that the sources name.
    pub units: Vec<Option<LengthUnit>>,
    /// Whether any source was scaled by its own file.
    pub scaled: bool,
}

impl<'a> Reader<'a> {
    pub fn new(document: &'a Nested<'a>, no_scale: bool) -> Self {
        let (told, files, units) = (Vec::new(), Vec::new(), Vec::new());
        Self { document, no_scale, last: None, told, files, units, scaled: false }
    }

    /// The part of a source that is wanted. Reads the source where the document does not tell its size.
    ///
    /// # Errors
    /// A source that is missing, or cannot be read where it is.
    pub fn part<'s>(&mut self, source: &'s Source, whole: &Virtual) -> Result<Part<'s>> {
        let from = match (source.from, source.size) {
            (Some(rect), _) => rect,
            (None, Some(size)) => Rect::whole(size),
            (None, None) => Rect::whole(self.decoded(source)?.size),
        };
        let window = from.window();
        let to = source.to.unwrap_or(Rect::whole(whole.size));
        let grid = from.laid_over(&to, &window).ok_or_else(|| {
            Error::input(
                "rectangles whose numbers are out of range",
                "those of rasters",
                "make the .vrt again",
            )
        })?;
        Ok(Part { source, window, grid })
    }

    /// The samples of a part.
    ///
    /// # Errors
    /// A source that cannot be read.
    pub fn samples(&mut self, part: &Part) -> Result<Samples> {
        let Source { ratio, offset, .. } = *part.source;
        let decoded = self.decoded(part.source)?;
        let (size, mut heights) = part.window.cut(&decoded.heights, decoded.size);
        if ratio != 1.0 || offset != 0.0 {
            for height in heights.iter_mut().filter(|height| !is_empty(**height)) {
                *height = (f64::from(*height) * ratio + offset) as f32;
            }
        }
        Ok(Samples { size, heights })
    }

    /// The whole of a source's band.
    fn decoded(&mut self, source: &Source) -> Result<&Decoded> {
        let is_last = self.last.as_ref().is_some_and(|(last, _)| {
            last.path == source.path && last.band == source.band && same(last.nodata, source.nodata)
        });
        if !is_last {
            let decoded = self.decode(source).map_err(|error| error.in_file(&source.path))?;
            self.take_facts(&source.path, &decoded);
            self.last = Some((source.clone(), decoded));
        }
        match &self.last {
            Some((_, decoded)) => Ok(decoded),
            None => Err(Error::failed("a source was lost", "no internal failure", "report this line")),
        }
    }

    fn decode(&self, source: &Source) -> Result<Decoded> {
        self.document.count_source()?;
        let input = Input::open(&source.path)?;
        let options = ReadOptions {
            band: Some(source.band),
            nodata: source.nodata,
            no_scale: self.no_scale,
            ..ReadOptions::default()
        };
        let decoded = if super::recognises(&input, &options) {
            super::read_within(&input, &options, &self.document.within(&source.path)?)?
        } else {
            recognise::reader_of(&input, &options)?(&input, &options)?
        };
        decoded.check_band(&options)?;
        Ok(decoded)
    }

    fn take_facts(&mut self, path: &Path, decoded: &Decoded) {
        if self.told.iter().any(|(known, _)| known == path) {
            return;
        }
        // What a source assumes of its own place and unit is no matter of the whole.
        let mut notes = Notes { warnings: decoded.notes.warnings.clone(), ..Notes::default() };
        notes.warnings.retain(|warning| warning.code != "unplaced");
        self.told.push((path.to_owned(), notes));
        self.files.extend(decoded.files.iter().cloned());
        self.units.push(decoded.unit.as_ref().map(|(unit, _)| unit.clone()));
        self.scaled |= decoded.scale != 1.0 || decoded.offset != 0.0;
    }
}

/// Whether two empty values are the same, NaN among them.
fn same(one: Option<f64>, other: Option<f64>) -> bool {
    one.map(f64::to_bits) == other.map(f64::to_bits)
}
