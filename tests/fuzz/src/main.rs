//! Fuzzes the reader that `OROGRAPH_FUZZ_READER` names, or, with `OROGRAPH_FUZZ_SEEDS=FROM:TO`, sorts files by their reader
//! as its first inputs. Findings: a panic, an abort, an input that takes longer than the
//! engine's `-timeout`, and memory beyond what the input is worth.
#![no_main]

mod layout;
mod seeds;

use layout::layout;
use libfuzzer_sys::fuzz_target;
use orograph::formats::{ByteOrder, ReadOptions, read_as};
use std::alloc::{GlobalAlloc, Layout, System};
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The variable that names the reader to fuzz.
const READER: &str = "OROGRAPH_FUZZ_READER";
/// The variable that names the folder of files, and that of the seeds.
const SEEDS: &str = "OROGRAPH_FUZZ_SEEDS";

/// Memory that any input may take, in bytes.
const ALLOWANCE: usize = 64 << 20;
/// Memory that one sample of a raster may take on its way: its height, its stored bytes, and a band beside it.
const BYTES_A_SAMPLE: usize = 32;
/// Deflate stretches a byte to this many at most.
const STRETCH: usize = 1032;

/// Counts what is allocated.
struct Counter;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged; the counts decide nothing.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTER: Counter = Counter;

struct Target {
    reader: String,
    folder: PathBuf,
}

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let reader = std::env::var(READER).unwrap_or_else(|_| panic!("set {READER} to a reader's name"));
    let memory = PathBuf::from("/dev/shm");
    let base = if memory.is_dir() { memory } else { std::env::temp_dir() };
    let folder = base.join(format!("orograph-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the inputs");
    Target { reader, folder }
});

fuzz_target!(init: sort_seeds(), |input: &[u8]| {
    let target = &*TARGET;
    let path = layout(&target.reader).lay_out(&target.folder, input).expect("room for the input");
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let outcome = read_as(&target.reader, &path, &options(&target.reader, input));
    let taken = MOST.load(Ordering::Relaxed) - before;
    let samples = outcome.as_ref().map_or(0, |raster| raster.heights.len());
    let worth = ALLOWANCE + samples * BYTES_A_SAMPLE + input.len() * STRETCH;
    assert!(taken <= worth, "{taken} bytes taken for an input of {} and {samples} samples", input.len());
});

/// Sorts seeds and ends, where they are asked for.
fn sort_seeds() {
    let Ok(folders) = std::env::var(SEEDS) else { return };
    let (from, to) = folders.split_once(':').expect("FROM:TO");
    seeds::sort(from.as_ref(), to.as_ref()).expect("sorted");
    std::process::exit(0);
}

/// A headerless file takes its size from the input's length.
fn options(reader: &str, input: &[u8]) -> ReadOptions {
    let width = input.first().map_or(1, |byte| u32::from(*byte).max(1));
    let size = [width, (input.len() as u32 / 2 / width).max(1)];
    ReadOptions {
        raster_size: (reader == "raw").then_some(size),
        byte_order: (reader == "raw").then_some(ByteOrder::Auto),
        ..ReadOptions::default()
    }
}
