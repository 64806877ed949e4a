//! Sorts the files below a folder by the reader that takes them, as the fuzzer's first inputs.

use crate::layout::layout;
use orograph::formats::{ReadOptions, reader_name, reader_names};
use std::path::Path;

const MOST_BYTES: u64 = 64 << 10;

/// Writes `to/READER/NUMBER` for every file below `from` of at most 64 KiB that a reader takes, and names the readers.
pub fn sort(from: &Path, to: &Path) -> std::io::Result<()> {
    for reader in reader_names() {
        std::fs::create_dir_all(to.join(reader))?;
        println!("{reader}");
    }
    let mut count = 0;
    let mut folders = vec![from.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Some((reader, seed)) = seed(&path) {
                std::fs::write(to.join(reader).join(count.to_string()), seed)?;
                count += 1;
            }
        }
    }
    Ok(())
}

fn seed(path: &Path) -> Option<(&'static str, Vec<u8>)> {
    if std::fs::metadata(path).ok()?.len() > MOST_BYTES {
        return None;
    }
    let reader = reader_name(path, &ReadOptions::default()).ok()?;
    Some((reader, layout(reader).pack(path).ok()?))
}
