//! Places that file names of tiles tell: a degree square such as `N45W074`, or the number of a column and a row.

/// Degrees east and north of the corner that a name gives; by the usual convention it is the south-western one.
pub(super) fn degrees(stem: &str) -> Option<[f64; 2]> {
    let text = stem.to_ascii_uppercase();
    text.char_indices().find_map(|(at, _)| {
        // A letter in the midst of a word is no hemisphere.
        let starts_word = !text[..at].ends_with(char::is_alphanumeric);
        starts_word.then(|| degrees_at(&text[at..])).flatten()
    })
}

/// Reads `N45W074`, `n45_w074`, `N45_00_W074_00` or `w074_n45` at the start of an upper-case text.
fn degrees_at(text: &str) -> Option<[f64; 2]> {
    let (first, rest) = hemisphere(text)?;
    let rest = rest.strip_prefix("_00").unwrap_or(rest);
    let (second, rest) = hemisphere(rest.trim_start_matches(['_', '-']))?;
    let ends_word = !rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    match (first, second) {
        (('N' | 'S', north), ('E' | 'W', east)) | (('E' | 'W', east), ('N' | 'S', north))
            if ends_word && north.abs() <= 90.0 && east.abs() <= 180.0 =>
        {
            Some([east, north])
        }
        _ => None,
    }
}

/// A hemisphere's letter with its signed degrees, and what follows.
fn hemisphere(text: &str) -> Option<((char, f64), &str)> {
    let letter = text.chars().next().filter(|c| "NSEW".contains(*c))?;
    let digits = text[1..].bytes().take_while(u8::is_ascii_digit).count();
    let degrees: f64 = (1..=3).contains(&digits).then(|| text[1..=digits].parse().ok()).flatten()?;
    let signed = if matches!(letter, 'S' | 'W') { -degrees } else { degrees };
    Some(((letter, signed), &text[1 + digits..]))
}

/// What the two numbers of a name count, as far as it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counts {
    /// Columns first, then rows, by the letters x and y or c and r.
    ColumnRow,
    /// Rows first, then columns.
    RowColumn,
    /// Two bare numbers.
    Unsaid,
}

/// A tile's name in a series.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbered {
    /// What the names of the series have in common, numbers left out.
    pub series: String,
    pub counts: Counts,
    pub numbers: [i64; 2],
}

/// Reads `hill_x0_y1`, `hill_y1_x0`, `hill_r1_c0`, `hill_0_1` or `tile-01-02`.
pub(super) fn numbered(stem: &str) -> Option<Numbered> {
    let text = stem.to_ascii_lowercase();
    let (text, second, second_letter) = last_number(&text)?;
    let (text, first, first_letter) = last_number(text.trim_end_matches(['_', '-', ' ']))?;
    let counts = match (first_letter, second_letter) {
        (Some('x' | 'c'), Some('y' | 'r')) => Counts::ColumnRow,
        (Some('y' | 'r'), Some('x' | 'c')) => Counts::RowColumn,
        (None, None) => Counts::Unsaid,
        _ => return None,
    };
    Some(Numbered { series: text.to_owned(), counts, numbers: [first, second] })
}

/// The number that ends a text, the letter or word before it that says what it counts, and the text without both.
fn last_number(text: &str) -> Option<(&str, i64, Option<char>)> {
    let before = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = text[before.len()..].parse().ok()?;
    for (word, letter) in
        [("column", 'c'), ("col", 'c'), ("row", 'r'), ("x", 'x'), ("y", 'y'), ("c", 'c'), ("r", 'r')]
    {
        if let Some(rest) = before.strip_suffix(word)
            && !rest.ends_with(|c: char| c.is_ascii_alphabetic())
        {
            return Some((rest, number, Some(letter)));
        }
    }
    // Two bare numbers are told apart by what stands between them.
    let is_apart = before.is_empty() || before.ends_with(['_', '-', ' ']);
    is_apart.then_some((before, number, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degree_squares_in_every_usual_spelling() {
        for (name, place) in [
            ("N45W074", [-74.0, 45.0]),
            ("n45_w074_1arc_v3", [-74.0, 45.0]),
            ("ASTGTMV003_S03E118_dem", [118.0, -3.0]),
            ("Copernicus_DSM_COG_10_N45_00_W074_00_DEM", [-74.0, 45.0]),
            ("e008_n46", [8.0, 46.0]),
        ] {
            assert_eq!(degrees(name), Some(place), "{name}");
        }
        for name in ["hill", "N45", "N95E010", "barn45w074", "N45W0745", "N45S074", "tile_0_1", "ÄN45"] {
            assert_eq!(degrees(name), None, "{name}");
        }
    }

    #[test]
    fn numbers_of_columns_and_rows() {
        let read = |name: &str| numbered(name).map(|found| (found.series, found.counts, found.numbers));
        let expect = |series: &str, counts, numbers| Some((series.to_owned(), counts, numbers));
        assert_eq!(read("Hill_x0_y12"), expect("hill_", Counts::ColumnRow, [0, 12]));
        assert_eq!(read("hill_y3_x1"), expect("hill_", Counts::RowColumn, [3, 1]));
        assert_eq!(read("hill-r03-c1"), expect("hill-", Counts::RowColumn, [3, 1]));
        assert_eq!(read("x1y2"), expect("", Counts::ColumnRow, [1, 2]));
        assert_eq!(read("dem_row1_col2"), expect("dem_", Counts::RowColumn, [1, 2]));
        assert_eq!(read("tile_01_02"), expect("tile_", Counts::Unsaid, [1, 2]));
        assert_eq!(read("0_1"), expect("", Counts::Unsaid, [0, 1]));
        for name in ["hill", "hill_1", "hill12", "hill_x1_2", "max1_y2", "x1_x2", "1_99999999999999999999"] {
            assert_eq!(read(name), None, "{name}");
        }
    }
}
