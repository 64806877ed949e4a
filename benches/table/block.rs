//! The place of an adapter's figures in a Markdown file.

/// The heading of the section that holds the figures.
const SECTION: &str = "\n## Figures\n";
/// The line after each adapter's figures.
const END: &str = "<!-- end of figures -->\n";

/// A text with an adapter's figures in place of those that it had there before, else after those of the others, else at the end of
/// the section; `None` where there is no section.
pub fn with_block(text: &str, adapter: &str, figures: &str) -> Option<String> {
    let begin = format!("<!-- figures: {adapter} -->\n");
    let (first, last) = place(text, &begin)?;
    let (before, after) = (text[..first].trim_end(), text[last..].trim_start());
    let gap = if after.is_empty() { "" } else { "\n" };
    Some(format!("{before}\n\n{begin}\n{}\n\n{END}{gap}{after}", figures.trim()))
}

/// What of a text the figures take the place of: from a byte to another.
fn place(text: &str, begin: &str) -> Option<(usize, usize)> {
    let section = text.find(SECTION)? + SECTION.len();
    let section_end = text[section..].find("\n## ").map_or(text.len(), |length| section + length + 1);
    let inside = &text[section..section_end];
    if let Some(first) = inside.find(begin) {
        let last = inside[first..].find(END).map(|length| first + length + END.len())?;
        return Some((section + first, section + last));
    }
    let free = inside.rfind(END).map_or(section_end, |last| section + last + END.len());
    Some((free, free))
}
