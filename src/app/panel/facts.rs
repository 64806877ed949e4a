//! The file's facts, the same text as the command line's.

use super::{parts, theme};
use crate::app::action::Action;
use crate::app::loading::Wish;
use crate::app::opened::Opened;
use crate::formats::Facts;
use egui::{Button, Label, RichText, Ui};

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

/// One click to heights for values that are none, where the file is not headerless.
pub fn spread(ui: &mut Ui, opened: &Opened, actions: &mut Vec<Action>) {
    let is_spread = matches!(opened.wish, Wish::Spread(_));
    let is_normalised = opened.facts.warnings.iter().any(|warning| warning.code == "normalised");
    if opened.headerless.is_some() || !(is_normalised || is_spread) {
        return;
    }
    let longer = opened.terrain.extent_x().max(opened.terrain.extent_z());
    let stored = [("as stored".to_owned(), Wish::Plain)];
    let ranges = [0.125, 0.25, 0.5].map(|share| {
        let top = (longer * share).max(1.0).round();
        (format!("0 to {top} m"), Wish::Spread([0.0, top]))
    });
    parts::buttons(ui, "Heights", |ui| {
        for (name, wish) in stored.into_iter().chain(ranges) {
            let is_chosen = wish == opened.wish;
            if ui.add(Button::new(name).selected(is_chosen)).clicked() && !is_chosen {
                actions.push(Action::Reread(wish));
            }
        }
    });
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
