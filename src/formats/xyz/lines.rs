//! Lines of points: comments, names of columns, separators and decimal commas.

use crate::error::{Error, Result};
use crate::formats::input::{Input, unreadable};
use crate::formats::text_values::{number, shown};
use std::io::{BufRead, Read};

/// The longest line, in bytes.
const LONGEST: u64 = 1 << 16;

/// What may stand before the text of a file in UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The lines that are neither blank nor comments, with their numbers from 1.
pub(super) struct Lines {
    source: Box<dyn BufRead>,
    line: Vec<u8>,
    number: u64,
}

impl Lines {
    /// Begins with the first line.
    pub fn open(input: &Input) -> Result<Self> {
        Ok(Self { source: input.read_from(0)?, line: Vec::new(), number: 0 })
    }

    /// The next line that says something; `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<(u64, &str)>> {
        loop {
            self.line.clear();
            self.number += 1;
            let mut bounded = self.source.by_ref().take(LONGEST);
            let bytes = bounded.read_until(b'\n', &mut self.line).map_err(|error| unreadable(&error))?;
            if bytes == 0 {
                return Ok(None);
            }
            let is_text = std::str::from_utf8(&self.line).is_ok_and(|text| !text.contains('\0'));
            if bytes as u64 == LONGEST || !is_text {
                let found = format!("line {} is no text, or of more than {LONGEST} bytes", self.number);
                return Err(Error::input(found, "short lines of numbers", "get the file again"));
            }
            if self.line.iter().any(|byte| !byte.is_ascii_whitespace()) && !is_comment(&self.line) {
                break;
            }
        }
        let text = std::str::from_utf8(&self.line).unwrap_or_default();
        Ok(Some((self.number, text.trim_start_matches(BYTE_ORDER_MARK).trim())))
    }
}

fn is_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    matches!(line.first(), Some(b'#' | b'!' | b'%')) || line.starts_with(b"//")
}

/// One line.
#[derive(Debug, PartialEq)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    /// Whether the line has columns that are not wanted.
    pub has_more: bool,
}

/// What commas are in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Comma {
    NotMetYet,
    Gap,
    Point,
}

/// Which columns of a line hold x, y and z.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    wanted: [usize; 3],
    are_named: bool,
    comma: Comma,
}

impl Default for Columns {
    fn default() -> Self {
        Self { wanted: [0, 1, 2], are_named: false, comma: Comma::NotMetYet }
    }
}

impl Columns {
    /// Takes the names of the columns from a line; false where the line has numbers, or names were taken already.
    pub fn take_names(&mut self, line: &str) -> bool {
        let names = names(line);
        if self.are_named || names.len() < 3 || names.iter().any(|name| number(name).is_some()) {
            return false;
        }
        self.are_named = true;
        let place = |is_it: fn(&str) -> bool| names.iter().position(|name| is_it(name));
        if let (Some(x), Some(y), Some(z)) = (place(is_x), place(is_y), place(is_z)) {
            self.wanted = [x, y, z];
        }
        true
    }

    /// The names of the first three columns, where they are taken for lack of known names.
    pub fn assumed(&self, line: &str) -> Option<String> {
        let names = names(line);
        let is_known = names.iter().any(|name| is_x(name))
            && self
                .wanted
                .iter()
                .all(|place| names.get(*place).is_some_and(|name| is_x(name) || is_y(name) || is_z(name)));
        (!is_known).then(|| names[..names.len().min(3)].join(", "))
    }

    /// The point of a line.
    pub fn point(&mut self, number: u64, line: &str) -> Result<Point> {
        let needed = self.needed();
        let expected = || format!("at least {needed} numbers a line");
        if self.comma == Comma::NotMetYet && line.contains(',') {
            self.comma = comma_of(line);
        }
        let mut found = [f64::NAN; 3];
        let mut count = 0;
        for word in line.split(|c| self.is_gap(c)).filter(|word| !word.is_empty()) {
            if let Some(axis) = self.wanted.iter().position(|place| *place == count) {
                found[axis] = self.number(word).ok_or_else(|| {
                    let word = shown(word.as_bytes());
                    Error::input(format!("\"{word}\" in line {number}"), expected(), "correct the file")
                })?;
            }
            count += 1;
        }
        let [x, y, z] = found;
        if count < needed || !(x.is_finite() && y.is_finite()) {
            return Err(Error::input(
                format!("line {number} gives no point: \"{}\"", shown(line.as_bytes())),
                expected(),
                "correct the file",
            ));
        }
        Ok(Point { x, y, z, has_more: count > 3 })
    }

    fn needed(&self) -> usize {
        self.wanted.iter().max().map_or(0, |last| last + 1)
    }

    fn is_gap(&self, c: char) -> bool {
        c.is_whitespace() || c == ';' || (c == ',' && self.comma != Comma::Point)
    }

    fn number(&self, word: &str) -> Option<f64> {
        if self.comma == Comma::Point { number(word) } else { word.parse().ok() }
    }
}

/// Commas within all of at least three numbers that something else parts are decimal ones.
fn comma_of(line: &str) -> Comma {
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || c == ';').filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| !word.starts_with(',') && !word.ends_with(',') && number(word).is_some();
    if words.len() >= 3 && words.iter().all(is_number) { Comma::Point } else { Comma::Gap }
}

fn names(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| c.is_whitespace() || c == ';' || c == ',');
    words.map(|word| word.trim_matches('"')).filter(|word| !word.is_empty()).collect()
}

fn is_x(name: &str) -> bool {
    name.eq_ignore_ascii_case("x") || begins(name, "lon") || begins(name, "east")
}

fn is_y(name: &str) -> bool {
    name.eq_ignore_ascii_case("y") || begins(name, "lat") || begins(name, "north")
}

fn is_z(name: &str) -> bool {
    name.eq_ignore_ascii_case("z") || ["alt", "height", "elev"].iter().any(|start| begins(name, start))
}

fn begins(name: &str, start: &str) -> bool {
    name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Whether a text that may be cut off within its last line is a list of points.
pub(super) fn are_points(head: &[u8], is_cut: bool) -> bool {
    let text = String::from_utf8_lossy(head);
    let whole = if is_cut { text.rsplit_once('\n').map_or("", |(whole, _)| whole) } else { &text };
    let lines = whole.trim_start_matches(BYTE_ORDER_MARK).lines();
    let mut lines = lines.filter(|line| !line.trim().is_empty() && !is_comment(line.as_bytes())).peekable();
    let mut columns = Columns::default();
    if lines.peek().is_some_and(|line| columns.take_names(line)) {
        lines.next();
    }
    lines.peek().is_some() && lines.all(|line| columns.point(0, line).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(lines: &[&str]) -> Vec<[f64; 3]> {
        let mut columns = Columns::default();
        let read = |line: &&str| columns.point(1, line).expect("a point");
        lines.iter().map(read).map(|point| [point.x, point.y, point.z]).collect()
    }

    #[test]
    fn separators_and_decimal_commas() {
        let expected = [[504.5, 8996.0, -1.25]];
        for line in ["504.5 8996 -1.25", "504.5,8996,-1.25", "504.5; 8996 ;-1.25", "504.5\t8996\t-1.25"] {
            assert_eq!(points(&[line]), expected, "{line}");
        }
        for line in ["504,5 8996 -1,25", "504,5;8996,0;-1,25", "504,5\t8996,0\t-1,25"] {
            assert_eq!(points(&[line]), expected, "{line}");
        }
        assert_eq!(points(&["504.5, 8996, -1.25"]), expected);
        // Commas say what they are where they are first met.
        assert_eq!(points(&["504 8996 1", "512 8996 1,5"])[1], [512.0, 8996.0, 1.5]);
    }

    #[test]
    fn names_choose_the_columns() {
        let mut columns = Columns::default();
        assert!(columns.take_names("id;\"Elevation\";Latitude;EASTING"));
        assert_eq!(columns.assumed("id;\"Elevation\";Latitude;EASTING"), None);
        let point = columns.point(2, "7;100;46,5;8").expect("a point");
        assert_eq!(point, Point { x: 8.0, y: 46.5, z: 100.0, has_more: true });
        let mut columns = Columns::default();
        assert!(columns.take_names("a b c") && !columns.take_names("d e f"));
        assert_eq!(columns.assumed("a b c").as_deref(), Some("a, b, c"));
        assert!(!Columns::default().take_names("1 2 z"));
    }

    #[test]
    fn lines_without_a_point_are_named() {
        let refused = |line: &str| Columns::default().point(9, line).expect_err("refused").to_string();
        assert!(refused("1 2").contains("line 9 gives no point: \"1 2\""));
        assert!(refused("1 two 3").contains("\"two\" in line 9"));
        assert!(refused("1 inf 3").contains("line 9"));
    }

    #[test]
    fn points_are_told_from_other_texts() {
        assert!(are_points(b"\xef\xbb\xbf# made up\nx,y,z\n1,2,3\n4,5,6", false));
        assert!(are_points(b"1 2 3 4\n1 2", true));
        for text in ["", "a b c\n", "a b c\nd e f\n1 2 3\n", "1 2\n3 4\n", "x y z\n", "1 2 3\n4 5 x\n"] {
            assert!(!are_points(text.as_bytes(), false), "{text}");
        }
    }
}
