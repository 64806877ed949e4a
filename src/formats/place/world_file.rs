//! World files: six numbers that place the middle of the first pixel.

use super::{Claim, leave_out, text_beside};
use crate::formats::decoded::Notes;
use std::path::Path;

/// The world file beside a raster.
pub(super) fn beside(path: &Path, notes: &mut Notes) -> Option<Claim> {
    let (file, text) = extensions(path).iter().find_map(|extension| text_beside(path, extension, notes))?;
    let geotransform = geotransform(&text);
    if geotransform.is_none() {
        leave_out(&file, "does not begin with six numbers", notes);
    }
    Some(Claim { source: "the world file", file: Some(file), geotransform, crs: None })
}

/// The extensions of world files: the first and the last letter of the raster's with a w, the whole of it with a w, `wld`.
fn extensions(path: &Path) -> Vec<String> {
    let own =
        path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut letters = own.chars();
    let mut found = match (letters.next(), letters.next_back()) {
        (Some(first), Some(last)) => vec![format!("{first}{last}w"), format!("{own}w")],
        _ => Vec::new(),
    };
    found.push("wld".into());
    found
}

/// Steps of x and y along a column, along a row, and the middle of the first pixel; a geotransform places its corner.
fn geotransform(text: &str) -> Option<[f64; 6]> {
    let mut numbers = text.split_whitespace().map(number);
    let [a, d, b, e, c, f] = [(); 6].map(|()| numbers.next().flatten());
    let [a, d, b, e, c, f] = [a?, d?, b?, e?, c?, f?];
    Some([c - 0.5 * a - 0.5 * b, a, b, f - 0.5 * d - 0.5 * e, d, e])
}

/// A number, which a comma may follow, or hold in place of the point.
fn number(word: &str) -> Option<f64> {
    let word = word.trim_end_matches(',');
    let found: f64 = word.parse().or_else(|_| word.replace(',', ".").parse()).ok()?;
    found.is_finite().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_first_pixel_is_placed() {
        let expected = Some([500.0, 8.0, 0.0, 9000.0, 0.0, -8.0]);
        for text in [
            "8.0\n0\n0\n-8.0\n504.0\n8996.0\n",
            "8\r\n0\r\n0\r\n-8\r\n504\r\n8996\r\n\r\n",
            "8.0,\n0,\n0,\n-8.0,\n504,\n8996",
            "8,0 0,0 0,0 -8,0 504,0 8996,0 remark",
        ] {
            assert_eq!(geotransform(text), expected, "{text}");
        }
        let turned = geotransform("8\n6\n6\n-8\n107\n199").expect("six numbers");
        assert_eq!(turned, [100.0, 8.0, 6.0, 200.0, 6.0, -8.0]);
        for text in ["", "8.0\n0\n0", "words", "8 0 0 nan 504 8996", "8 0 x -8 504 8996"] {
            assert_eq!(geotransform(text), None, "{text}");
        }
    }

    #[test]
    fn extensions_follow_the_rasters() {
        assert_eq!(extensions(Path::new("a.TIF")), ["tfw", "tifw", "wld"]);
        assert_eq!(extensions(Path::new("a.jpeg")), ["jgw", "jpegw", "wld"]);
        assert_eq!(extensions(Path::new("a.r16")), ["r6w", "r16w", "wld"]);
        assert_eq!(extensions(Path::new("a")), ["wld"]);
    }
}
