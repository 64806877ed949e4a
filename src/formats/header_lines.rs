//! Headers of one key and its value a line, parted by a sign.

use crate::error::{Error, Result};

/// A header's text and the sign between key and value.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeaderLines<'a> {
    text: &'a str,
    sign: char,
}

impl<'a> HeaderLines<'a> {
    /// Takes a header's text.
    pub fn new(text: &'a str, sign: char) -> Self {
        Self { text, sign }
    }

    /// The value of a key in any case, where it stands.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.text.lines().find_map(|line| {
            let (found, value) = line.split_once(self.sign)?;
            found.trim().eq_ignore_ascii_case(key).then(|| value.trim())
        })
    }

    /// The finite number of a key.
    pub fn number(&self, key: &str) -> Result<f64> {
        self.parsed(key, |text| text.parse().ok().filter(|number: &f64| number.is_finite()), "a number")
    }

    /// The count of a key, at least one.
    pub fn count(&self, key: &str) -> Result<u32> {
        self.parsed(key, |text| text.parse().ok().filter(|count| *count > 0), "a positive whole number")
    }

    fn parsed<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>, expected: &str) -> Result<T> {
        let found = self.text(key);
        found.and_then(parse).ok_or_else(|| {
            Error::input(
                match found {
                    Some(text) => format!("{key} {}", text.chars().take(20).collect::<String>()),
                    None => format!("a header without {key}"),
                },
                format!("{key} to be {expected}"),
                "correct the header",
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_in_any_case_and_what_is_wrong_with_them() {
        let header = HeaderLines::new("Rows: 3\r\nno sign\nnorth : 1e3\ncols: -3\neast: inf\n", ':');
        assert_eq!(header.count("rows").ok(), Some(3));
        assert_eq!(header.number("north").ok(), Some(1000.0));
        assert_eq!(header.text("west"), None);
        let refused = |key: &str| header.count(key).expect_err("refused").to_string();
        assert!(refused("cols").contains("cols -3; cols to be a positive whole number"));
        assert!(refused("west").contains("a header without west"));
        assert!(header.number("east").is_err());
    }
}
