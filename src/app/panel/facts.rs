//! The file's facts, the same text as the command line's.

use super::{parts, theme};
use crate::app::opened::Opened;
use crate::formats::Facts;
use egui::{Label, RichText, Ui};

/// The file's name, large, and its kind and size under it.
pub fn title(ui: &mut Ui, facts: &Facts) {
    let name = facts.file.file_name().unwrap_or(facts.file.as_os_str()).to_string_lossy();
    ui.add(Label::new(RichText::new(name.as_ref()).heading().color(egui::Color32::WHITE)).truncate());
    let [width, depth] = facts.size;
    ui.label(RichText::new(format!("{}  ·  {width} × {depth}", facts.format)).color(theme::MUTED));
}

/// The facts line by line, warnings in their colour. The text's lines are indented, a name and a value with two spaces or
/// more between; its heading is the path, which the title stands for.
pub fn show(ui: &mut Ui, opened: &Opened) {
    for (name, value) in opened.text.lines().filter_map(fact) {
        let colour = if name == "warning" { theme::WARNING } else { theme::TEXT };
        parts::row(ui, name, RichText::new(value).color(colour));
    }
}

fn fact(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.strip_prefix("  ")?.split_once("  ")?;
    Some((name, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_told_apart() {
        assert_eq!(fact("  empty value    -9999 (declared)"), Some(("empty value", "-9999 (declared)")));
        assert_eq!(fact("/data/two  spaces.tif"), None);
    }
}
