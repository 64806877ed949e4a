//! The file's facts, the same text as the command line's.

use super::{parts, theme};
use crate::app::scene::Opened;
use crate::formats::Facts;
use egui::{Label, RichText, Ui};

/// The file's name, large, and its kind and size under it.
pub fn title(ui: &mut Ui, facts: &Facts) {
    let name = facts.file.file_name().unwrap_or(facts.file.as_os_str()).to_string_lossy();
    ui.add(Label::new(RichText::new(name.as_ref()).heading().color(egui::Color32::WHITE)).truncate());
    let [width, depth] = facts.size;
    ui.label(RichText::new(format!("{}  ·  {width} × {depth}", facts.format)).color(theme::MUTED));
}

/// The facts line by line: `label: value` in two columns, warnings in their colour.
pub fn show(ui: &mut Ui, opened: &Opened) {
    for line in opened.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(": ") {
            Some(("warning", text)) => note(ui, text, theme::WARNING),
            Some((name, value)) if name.len() < 24 => parts::row(ui, name, value.trim()),
            _ => note(ui, line, theme::MUTED),
        }
    }
}

fn note(ui: &mut Ui, text: &str, colour: egui::Color32) {
    ui.add(Label::new(RichText::new(text).color(colour)).wrap());
}
