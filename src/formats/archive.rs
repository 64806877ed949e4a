//! A terrain file inside a ZIP archive or a gzip file. It is unpacked into a temporary folder, together with the small
//! files beside it, so that every reader finds its sidecars and streams as it does outside.

use super::decoded::Decoded;
use super::input::{Input, unreadable};
use super::raster::ReadOptions;
use super::{place, raw, recognise};
use crate::error::{Error, Result};
use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// Bytes of an unpacked file at most.
const MOST_BYTES: u64 = 1 << 32;
/// The most bytes that one byte of Deflate data can stand for.
const DEFLATE_RATIO: u64 = 1032;
/// Entries of an archive at most; a folder of terrain has some hundreds.
const MOST_ENTRIES: usize = 10_000;
/// Files up to this many bytes are unpacked to lie beside the terrain: sidecars have some kilobytes.
const SIDECAR_BYTES: u64 = 1 << 20;
/// Bytes of such files together.
const ALL_SIDECAR_BYTES: u64 = 32 << 20;
/// Bytes by which a file's format is told.
const HEAD_BYTES: u64 = 4096;

/// A file in a ZIP archive.
struct Entry {
    index: usize,
    length: u64,
    path: PathBuf,
}

/// Whether the file begins as ZIP or gzip does.
pub(super) fn recognises(input: &Input, _: &ReadOptions) -> bool {
    is_zip(input) || input.head.starts_with(&[0x1f, 0x8b])
}

fn is_zip(input: &Input) -> bool {
    [b"PK\x03\x04", b"PK\x05\x06"].iter().any(|magic| input.head.starts_with(*magic))
}

/// Reads the one terrain file inside.
pub(super) fn read(input: &Input, options: &ReadOptions) -> Result<Decoded> {
    let folder = tempfile::tempdir().map_err(|error| unreadable(&error))?;
    let unpacked = match is_zip(input) {
        true => unpack_zip(input, folder.path(), options)?,
        false => unpack_gzip(input, folder.path(), options)?,
    };
    let inner = Input::open(&unpacked)?;
    let mut decoded = place::read(recognise::reader_of(&inner, options)?, &inner, options)?;
    let inside = |file: &PathBuf| {
        file.strip_prefix(folder.path()).map_or_else(|_| file.clone(), |name| input.path.join(name))
    };
    decoded.files = std::iter::once(input.path.clone()).chain(decoded.files.iter().map(inside)).collect();
    if let Some(name) = unpacked.file_name() {
        decoded.notes.assume(format!("{} is read from inside the archive.", name.to_string_lossy()));
    }
    Ok(decoded)
}

/// Unpacks the terrain of a ZIP archive and the small files beside it.
fn unpack_zip(input: &Input, folder: &Path, options: &ReadOptions) -> Result<PathBuf> {
    let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| broken_zip(&error))?;
    let entries = entries(&mut archive, folder)?;
    let mut left = ALL_SIDECAR_BYTES;
    for entry in entries.iter().filter(|entry| entry.length <= SIDECAR_BYTES) {
        left = left.checked_sub(entry.length).ok_or_else(|| too_much("small files"))?;
        unpack(&mut archive, entry)?;
    }
    let (mut told_by_content, mut told_by_name) = (Vec::new(), Vec::new());
    for entry in &entries {
        let head = head_of(&mut archive, entry)?;
        if is_terrain(&head, options) {
            if raw::recognises(&head, options) { &mut told_by_name } else { &mut told_by_content }
                .push(entry);
        }
    }
    // Headerless samples have no more than a name, which many other files share.
    let terrain = only(if told_by_content.is_empty() { &told_by_name } else { &told_by_content }, folder)?;
    if terrain.length > SIDECAR_BYTES {
        unpack(&mut archive, terrain)?;
    }
    Ok(terrain.path.clone())
}

/// The files of an archive that have a harmless name.
fn entries(archive: &mut ZipArchive<BufReader<File>>, folder: &Path) -> Result<Vec<Entry>> {
    if archive.len() > MOST_ENTRIES {
        return Err(too_much("entries"));
    }
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| broken_zip(&error))?;
        let hidden = |name: &Path| {
            name.starts_with("__MACOSX")
                || name.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'))
        };
        // Names that lead out of the folder are left out with those of folders.
        let name = entry.enclosed_name().filter(|name| !entry.is_dir() && !hidden(name));
        found.extend(name.map(|name| Entry { index, length: entry.size(), path: folder.join(name) }));
    }
    Ok(found)
}

fn unpack(archive: &mut ZipArchive<BufReader<File>>, entry: &Entry) -> Result<()> {
    let packed = archive.by_index(entry.index).map_err(|error| broken_zip(&error))?;
    let most = packed.compressed_size().saturating_mul(DEFLATE_RATIO).min(MOST_BYTES);
    if entry.length > most {
        return Err(too_much("bytes in one file"));
    }
    write(packed, &entry.path, entry.length)
}

fn head_of(archive: &mut ZipArchive<BufReader<File>>, entry: &Entry) -> Result<Input> {
    let packed = archive.by_index(entry.index).map_err(|error| broken_zip(&error))?;
    let mut head = Vec::new();
    packed
        .take(HEAD_BYTES)
        .read_to_end(&mut head)
        .map_err(|error| broken("ZIP archive", &error.to_string()))?;
    Ok(Input { path: entry.path.clone(), length: entry.length, head })
}

/// Whether a reader takes the file; archives inside archives are not looked into.
fn is_terrain(input: &Input, options: &ReadOptions) -> bool {
    !input.head.is_empty() && !recognises(input, options) && recognise::reader_of(input, options).is_ok()
}

/// The only terrain, where the others are its sidecars: files of its name with another or one more extension.
fn only<'a>(terrains: &[&'a Entry], folder: &Path) -> Result<&'a Entry> {
    let belongs = |entry: &Entry, main: &Entry| {
        let same_stem = entry.path.with_extension("") == main.path.with_extension("");
        let longer = entry.path.with_extension("") == main.path;
        entry.index != main.index && (longer || (same_stem && entry.length < main.length))
    };
    let mains: Vec<&Entry> =
        terrains.iter().filter(|entry| !terrains.iter().any(|main| belongs(entry, main))).copied().collect();
    match mains.as_slice() {
        [] => Err(Error::input(
            "an archive without a terrain file",
            "one terrain file inside, not in an archive of its own",
            "unpack it and open the file",
        )),
        [one] => Ok(one),
        several => {
            let name =
                |entry: &&Entry| entry.path.strip_prefix(folder).unwrap_or(&entry.path).display().to_string();
            let names: Vec<String> = several.iter().take(5).map(name).collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            Err(Error::input(
                format!("an archive of {} terrain files: {}{more}", several.len(), names.join(", ")),
                "one terrain file inside",
                "unpack it and open the folder or one of its files",
            ))
        }
    }
}

/// Unpacks a gzip file under its name without the last extension.
fn unpack_gzip(input: &Input, folder: &Path, options: &ReadOptions) -> Result<PathBuf> {
    let is_gzip_name = ["gz", "gzip", "z"].contains(&input.extension().as_str());
    let name =
        if is_gzip_name { Some(input.stem().into()) } else { input.path.file_name().map(PathBuf::from) };
    let path = folder.join(name.unwrap_or_else(|| "unpacked".into()));
    let told = |error: &std::io::Error| broken("gzip file", &error.to_string());
    let mut head = Vec::new();
    unzipped(input)?.take(HEAD_BYTES).read_to_end(&mut head).map_err(|error| told(&error))?;
    // What no reader takes is not unpacked: it may be large.
    let sniffed = Input { path: path.clone(), length: length_at_end(input)?, head };
    if recognises(&sniffed, options) {
        return Err(Error::input("an archive inside an archive", "a terrain file inside", "unpack it once"));
    }
    recognise::reader_of(&sniffed, options)?;
    write(unzipped(input)?, &path, input.length.saturating_mul(DEFLATE_RATIO).min(MOST_BYTES))?;
    Ok(path)
}

fn unzipped(input: &Input) -> Result<MultiGzDecoder<BufReader<File>>> {
    let file = File::open(&input.path).map_err(|error| unreadable(&error))?;
    Ok(MultiGzDecoder::new(BufReader::new(file)))
}

/// A gzip file's last four bytes: its length unpacked, modulo 4 GiB.
fn length_at_end(input: &Input) -> Result<u64> {
    let mut bytes = [0; 4];
    File::open(&input.path)
        .and_then(|mut file| {
            file.seek(SeekFrom::End(-4))?;
            file.read_exact(&mut bytes)
        })
        .map_err(|error| unreadable(&error))?;
    Ok(u64::from(u32::from_le_bytes(bytes)))
}

/// Writes what is unpacked, of which there may be so many bytes.
fn write(packed: impl Read, path: &Path, most: u64) -> Result<()> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| unreadable(&error))?;
    }
    let mut file = File::create(path).map_err(|error| unreadable(&error))?;
    let written = std::io::copy(&mut packed.take(most.saturating_add(1)), &mut file)
        .map_err(|error| broken("archive", &error.to_string()))?;
    if written > most { Err(too_much("bytes in one file")) } else { Ok(()) }
}

fn too_much(of: &str) -> Error {
    Error::input(
        format!("an archive of too many {of}"),
        format!("at most {} GiB in one file", MOST_BYTES >> 30),
        "unpack it and open the terrain file",
    )
}

fn broken_zip(error: &ZipError) -> Error {
    broken("ZIP archive", &error.to_string())
}

fn broken(what: &str, why: &str) -> Error {
    Error::input(
        format!("a broken or locked {what}: {why}"),
        "an archive that can be unpacked",
        "get the file again",
    )
}

#[cfg(test)]
mod tests;
