//! A coarse picture of a large file, to be looked at while the whole is read: an overview where the file has one, else
//! samples of blocks that are spread over it.
//!
//! Overviews are averages. They serve this alone: no height that is told or drawn later comes from one.

use super::blocks::{Outcome, Picture, Window};
use super::layout::Layout;
use super::open::{self, Kind};
use super::{mask, placed, survey};
use crate::error::Result;
use crate::formats::decoded::Decoded;
use crate::formats::input::Input;
use crate::formats::raster::{Facts, Raster, ReadOptions};
use crate::formats::samples::Decoder;
use crate::formats::statistics::Moments;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Arc;
use tiff_reader::{Ifd, TiffFile};

/// A picture of so few times the wanted samples is read whole as fast.
const WORTH_IT: usize = 4;
/// An overview may have so many times the wanted samples where no smaller one is there.
const TOO_FINE: usize = 16;
/// Samples of blocks that are decoded for a preview: less than a second of work for two cores, and all of a picture of
/// 10,000 × 10,000.
const MOST_DECODED: usize = 1 << 27;
/// Each lattice that is tried has its lines so many times farther apart.
const COARSER: f64 = 1.25;

/// A coarse picture's samples, beside those of the whole.
struct Coarse {
    size: [usize; 2],
    heights: Vec<f32>,
    outcome: Outcome,
    /// Samples of the whole from one to the next.
    step: [f64; 2],
    /// Whether a sample stands for all that it replaces, so that the outer corner stays; else the first sample stays.
    is_average: bool,
    source: &'static str,
}

/// A coarse picture of about `most` samples; `None` where the whole is small, or can be read only as a whole.
///
/// # Errors
/// As reading the whole.
pub(in crate::formats) fn preview(
    input: &Input,
    options: &ReadOptions,
    most: usize,
) -> Result<Option<Raster>> {
    let Some((picture, decoded)) = placed(input, options)? else { return Ok(None) };
    let [width, depth] = picture.layout.size;
    if width.min(depth) < 2 || width.saturating_mul(depth) <= WORTH_IT * most {
        return Ok(None);
    }
    let coarse = match overview(&picture, input, most) {
        Some(overview) => Some(read_overview(&picture, &overview)),
        None => read_lattice(&picture, most),
    };
    coarse.map(|coarse| finish(coarse, decoded, options)).transpose()
}

/// The largest overview of at most so many samples, else the smallest that is not far too large.
fn overview(picture: &Picture, input: &Input, most: usize) -> Option<Picture> {
    let mut beside = input.path.clone().into_os_string();
    beside.push(".ovr");
    let beside = Input::open(beside.as_ref()).ok();
    let beside = beside.and_then(|file| Some((open::open(&file).ok()?.tiff, file.length)));
    let mut candidates = candidates(picture, &picture.tiff, input.length);
    if let Some((tiff, length)) = &beside {
        candidates.extend(self::candidates(picture, tiff, *length));
    }
    let samples = |picture: &Picture| picture.layout.size[0] * picture.layout.size[1];
    candidates.retain(|overview| samples(overview) <= TOO_FINE * most);
    candidates.sort_by_key(samples);
    let fitting = candidates.partition_point(|overview| samples(overview) <= most);
    (!candidates.is_empty()).then(|| candidates.swap_remove(fitting.saturating_sub(1)))
}

/// The overviews of a picture among the directories of a file.
fn candidates(picture: &Picture, tiff: &Arc<TiffFile>, file_length: u64) -> Vec<Picture> {
    let directories: Vec<Ifd> = tiff.ifds().first().cloned().into_iter().chain(open::others(tiff)).collect();
    let overview = |ifd: &Ifd| {
        let layout = Layout::of(ifd, false, file_length).ok()?;
        if !is_overview(picture, &layout) {
            return None;
        }
        let size = [ifd.width(), ifd.height()];
        let is_mask =
            |other: &&Ifd| Kind::of(other) == Kind::OverviewMask && [other.width(), other.height()] == size;
        let mask = directories.iter().find(is_mask);
        let mask = mask.and_then(|mask| mask::picture(tiff.clone(), mask.clone(), file_length).ok());
        let decoder = Decoder { sample: layout.sample, ..picture.decoder.clone() };
        let (tiff, ifd, mask) = (tiff.clone(), ifd.clone(), mask.map(Box::new));
        Some(Picture { tiff, ifd, layout, band: picture.band, decoder, mask })
    };
    directories.iter().filter(|ifd| Kind::of(ifd) == Kind::Overview).filter_map(overview).collect()
}

/// Whether a layout is that of the same picture made smaller.
fn is_overview(picture: &Picture, layout: &Layout) -> bool {
    let whole = &picture.layout;
    let [x, y] = [0, 1].map(|axis| whole.size[axis] as f64 / layout.size[axis] as f64);
    let same = layout.sample == whole.sample && layout.bands == whole.bands;
    same && layout.size.iter().all(|side| *side > 1) && x > 1.0 && (0.8..1.25).contains(&(x / y))
}

fn read_overview(picture: &Picture, overview: &Picture) -> Coarse {
    let size = overview.layout.size;
    let mut heights = vec![0.0; size[0] * size[1]];
    let outcome = overview.read(&Window { columns: 0..size[0], rows: 0..size[1] }, &mut heights);
    let step = [0, 1].map(|axis| picture.layout.size[axis] as f64 / size[axis] as f64);
    Coarse { size, heights, outcome, step, is_average: true, source: "an overview of averages" }
}

/// Samples of a regular lattice from the first column and row to the last, whose blocks are few enough.
fn read_lattice(picture: &Picture, most: usize) -> Option<Coarse> {
    let Layout { size, block, .. } = picture.layout;
    let (count, groups) = (1..128).find_map(|tried| {
        let count = size.map(|side| ((side as f64 / COARSER.powi(tried)) as usize).max(2));
        let groups = [0, 1].map(|axis| groups(size[axis], count[axis], block[axis]));
        let decoded = groups[0].len() * groups[1].len() * block[0] * block[1];
        (count[0] * count[1] <= most && decoded <= MOST_DECODED).then_some((count, groups))
    })?;
    let [across, down] = groups;
    let pairs: Vec<_> =
        down.iter().flat_map(|rows| across.iter().map(move |columns| (rows, columns))).collect();
    let read: Vec<(Vec<f32>, Outcome)> =
        pairs.par_iter().map(|(rows, columns)| picture.pick(rows, columns)).collect();
    let mut heights = vec![0.0; count[0] * count[1]];
    let mut outcome = Outcome::default();
    for ((rows, columns), (found, of_block)) in pairs.iter().zip(read) {
        for (row, found) in rows.lattice.clone().zip(found.chunks_exact(columns.lattice.len())) {
            let at = row * count[0] + columns.lattice.start;
            heights[at..at + found.len()].copy_from_slice(found);
        }
        outcome = outcome.followed_by(of_block);
    }
    let step = [0, 1].map(|axis| (size[axis] - 1) as f64 / (count[axis] - 1) as f64);
    Some(Coarse { size: count, heights, outcome, step, is_average: false, source: "single samples" })
}

/// Lattice lines that lie in one row or column of blocks.
struct Group {
    lattice: Range<usize>,
    /// Columns or rows of the whole picture, one for each line.
    places: Vec<usize>,
}

/// Lattice lines along one axis, by block: `count` of them over `side` samples, each on the nearest sample.
fn groups(side: usize, count: usize, block: usize) -> Vec<Group> {
    let places: Vec<usize> =
        (0..count).map(|line| (line * (side - 1) + (count - 1) / 2) / (count - 1)).collect();
    let mut first = 0;
    let runs = places.chunk_by(|a, b| a / block == b / block);
    runs.map(|run| {
        let lattice = first..first + run.len();
        first = lattice.end;
        Group { lattice, places: run.to_vec() }
    })
    .collect()
}

impl Picture {
    /// The samples where lattice lines of one block cross.
    fn pick(&self, rows: &Group, columns: &Group) -> (Vec<f32>, Outcome) {
        let range = |places: &[usize]| places[0]..places[places.len() - 1] + 1;
        let window = Window { columns: range(&columns.places), rows: range(&rows.places) };
        let width = window.columns.len();
        let mut heights = vec![0.0; width * window.rows.len()];
        let outcome = self.read(&window, &mut heights);
        let at =
            |row: usize, column: usize| (row - window.rows.start) * width + column - window.columns.start;
        let places =
            rows.places.iter().flat_map(|row| columns.places.iter().map(move |column| (*row, *column)));
        (places.map(|(row, column)| heights[at(row, column)]).collect(), outcome)
    }
}

/// The facts of the whole, with the size, spacing and sums of the coarse picture.
fn finish(coarse: Coarse, mut decoded: Decoded, options: &ReadOptions) -> Result<Raster> {
    let Coarse { size, mut heights, outcome, step, is_average, source } = coarse;
    let whole = decoded.size;
    survey::take_outcome(outcome, &mut decoded)?;
    if let Some(fill) = decoded.undeclared(options) {
        let count = fill.empty(&mut heights);
        decoded.take_undeclared(fill, count);
    }
    decoded.notes.assume(format!(
        "This is a preview of {}×{} of {}×{} samples, {source}, until the whole is read.",
        size[0], size[1], whole[0], whole[1]
    ));
    let mut moments = Moments::default();
    moments.add_rows(&heights, size[0]);
    decoded.settle_facts(options)?;
    let facts = decoded.into_facts(&moments, options)?;
    let size = size.map(|side| side as u32);
    let spacing_m = [0, 1].map(|axis| facts.spacing_m[axis] * step[axis]);
    let geotransform = facts.geotransform.map(|whole| coarser(whole, step, is_average));
    let facts = Facts { size, spacing_m, geotransform, ..facts };
    Ok(Raster { size, heights, spacing_m, unit_m: facts.unit_m, facts })
}

/// The geotransform of larger steps. Either the outer corner stays, or the middle of the first sample.
fn coarser(g: [f64; 6], [x, y]: [f64; 2], keeps_corner: bool) -> [f64; 6] {
    let steps = [g[1] * x, g[2] * y, g[4] * x, g[5] * y];
    let shift = if keeps_corner { 0.0 } else { 0.5 };
    [
        g[0] + shift * (g[1] + g[2] - steps[0] - steps[1]),
        steps[0],
        steps[1],
        g[3] + shift * (g[4] + g[5] - steps[2] - steps[3]),
        steps[2],
        steps[3],
    ]
}

#[cfg(test)]
mod tests {
    use super::super::test_tiff::TestTiff;
    use super::*;
    use crate::formats::test_files::TestFolder;

    /// 64 × 32 samples in strips of 4 rows: 100 · row + column.
    fn whole() -> TestTiff {
        let samples: Vec<f32> = (0..64 * 32).map(|at| (100 * (at / 64) + at % 64) as f32).collect();
        TestTiff::floats([64, 32], &samples).in_strips(4).placed([1000.0, 10.0, 0.0, 2000.0, 0.0, -10.0])
    }

    fn preview_of(tiff: &TestTiff, most: usize) -> Option<Raster> {
        let folder = TestFolder::new();
        let path = folder.write("a.tif", &tiff.bytes());
        crate::formats::preview(&path, &ReadOptions::default(), most).expect("read")
    }

    #[test]
    fn without_an_overview_samples_from_rim_to_rim_are_taken() {
        // 64 and 32 over 1.25 to the power of 6; the fifth power leaves 20 × 10.
        let raster = preview_of(&whole(), 130).expect("a preview");
        assert_eq!(raster.size, [16, 8]);
        let expected: Vec<f32> = (0..8)
            .flat_map(|row| (0..16).map(move |column| [(row * 31 + 3) / 7, (column * 63 + 7) / 15]))
            .map(|[row, column]| (100 * row + column) as f32)
            .collect();
        assert_eq!(raster.heights, expected);
        assert_eq!(raster.heights.last(), Some(&3163.0));
        let [x, z] = raster.spacing_m;
        assert!((x * 15.0 - 630.0).abs() < 1e-9 && (z * 7.0 - 310.0).abs() < 1e-9);
        let last = raster.georeference().position(15.0, 7.0);
        assert!((last[0] - 1635.0).abs() < 1e-9 && (last[1] - 1685.0).abs() < 1e-9, "{last:?}");
        assert!(raster.facts.assumptions.iter().any(|text| text.contains("preview of 16×8 of 64×32")));
    }

    #[test]
    fn an_overview_that_fits_is_taken_wherever_it_stands() {
        let reduced = |size: [u32; 2], height: f32| {
            let samples = vec![height; (size[0] * size[1]) as usize];
            TestTiff::floats(size, &samples).with(254, super::super::test_tiff::Values::Longs(vec![1]))
        };
        // The order in the file is not the order of sizes, and a page is no overview.
        let page = TestTiff::floats([16, 8], &[9.0; 128]);
        let tiff = whole().followed_by(vec![
            reduced([8, 4], 3.0),
            page,
            reduced([16, 8], 2.0),
            reduced([32, 16], 1.0),
        ]);
        let raster = preview_of(&tiff, 130).expect("a preview");
        assert_eq!((raster.size, raster.heights[0]), ([16, 8], 2.0));
        assert_eq!(raster.facts.geotransform, Some([1000.0, 40.0, 0.0, 2000.0, 0.0, -40.0]));
        assert_eq!(raster.spacing_m, [40.0, 40.0]);
        let folder = TestFolder::new();
        let path = folder.write("a.tif", &whole().bytes());
        folder.write("a.tif.ovr", &reduced([16, 8], 5.0).bytes());
        let raster =
            crate::formats::preview(&path, &ReadOptions::default(), 130).expect("read").expect("one");
        assert_eq!(raster.heights, [5.0; 128]);
    }

    #[test]
    fn a_small_picture_has_no_preview() {
        assert!(preview_of(&whole(), 64 * 32 / WORTH_IT).is_none());
    }
}
