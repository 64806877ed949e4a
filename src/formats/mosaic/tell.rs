//! Notes of several files, each told once.

use crate::formats::decoded::Notes;
use std::path::Path;

/// Different notes, and names in one of them, that are told in full.
const MOST_NOTES: usize = 8;
const MOST_NAMES: usize = 3;

/// A file's name for a sentence.
pub(in crate::formats) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Names of files: the first few, and how many more.
pub(in crate::formats) fn names<'a>(paths: impl Iterator<Item = &'a Path>) -> String {
    let names: Vec<String> = paths.map(name).collect();
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Gathers notes of several files; what several of them say is told once.
#[derive(Default)]
pub(in crate::formats) struct Gathered<'a> {
    files: usize,
    assumptions: Vec<(&'a str, Vec<&'a Path>)>,
    warnings: Vec<([&'a str; 2], Vec<&'a Path>)>,
}

impl<'a> Gathered<'a> {
    /// Takes one file's notes in.
    pub fn add(&mut self, path: &'a Path, notes: &'a Notes) {
        self.files += 1;
        notes.assumptions.iter().for_each(|text| join(&mut self.assumptions, text.as_str(), path));
        for warning in &notes.warnings {
            join(&mut self.warnings, [warning.code.as_str(), warning.text.as_str()], path);
        }
    }

    /// Tells them, with the files that each is about where it is not about all.
    pub fn tell(&self, notes: &mut Notes) {
        for (text, paths) in self.assumptions.iter().take(MOST_NOTES) {
            notes.assume(self.about(text, paths));
        }
        if let more @ 1.. = self.assumptions.len().saturating_sub(MOST_NOTES) {
            notes.assume(format!("{more} more assumptions are those of single tiles."));
        }
        for ([code, text], paths) in self.warnings.iter().take(MOST_NOTES) {
            notes.warn(code, self.about(text, paths));
        }
        if let more @ 1.. = self.warnings.len().saturating_sub(MOST_NOTES) {
            notes.warn("more-warnings", format!("{more} more warnings are those of single tiles"));
        }
    }

    fn about(&self, text: &str, paths: &[&Path]) -> String {
        if paths.len() == self.files {
            return text.to_owned();
        }
        format!("{}: {text}", names(paths.iter().copied()))
    }
}

/// Adds a file to the entry of what it says.
fn join<'a, T: PartialEq>(entries: &mut Vec<(T, Vec<&'a Path>)>, said: T, path: &'a Path) {
    match entries.iter_mut().find(|entry| entry.0 == said) {
        Some((_, paths)) => paths.push(path),
        None => entries.push((said, vec![path])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_say_is_told_once_and_what_some_say_names_them() {
        let files: Vec<std::path::PathBuf> = (0..12).map(|number| format!("t{number}.asc").into()).collect();
        let notes = |number: usize| {
            let mut notes = Notes::default();
            notes.assume("All say this.");
            if number > 5 {
                notes.assume("Some say this.");
            }
            notes.warn("own", format!("tile {number}"));
            notes
        };
        let notes: Vec<Notes> = (0..12).map(notes).collect();
        let mut gathered = Gathered::default();
        files.iter().zip(&notes).for_each(|(path, notes)| gathered.add(path, notes));
        let mut told = Notes::default();
        gathered.tell(&mut told);
        assert_eq!(told.assumptions, ["All say this.", "t6.asc, t7.asc, t8.asc and 3 more: Some say this."]);
        assert_eq!(told.warnings.len(), MOST_NOTES + 1);
        assert_eq!(told.warnings[0].text, "t0.asc: tile 0");
        assert_eq!(told.warnings[MOST_NOTES].text, "4 more warnings are those of single tiles");
    }
}
