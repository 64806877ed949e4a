//! Small parts that the panels are put together from.

use super::{Memory, theme};
use crate::app::action::Action;
use egui::{Label, RichText, Stroke, Ui, vec2};
use std::path::PathBuf;

/// Width of the column of names, points.
const NAMES: f32 = 92.0;
/// The same where what is named needs the room.
const SHORT_NAMES: f32 = 64.0;
/// Width of a column of numbers, points.
const NUMBERS: f32 = 72.0;

/// A section under its heading, with a line above. A click on the heading folds it away.
pub fn section(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.add_space(12.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, Stroke::new(1.0, theme::LINE));
    ui.add_space(4.0);
    let id = ui.scope_id().with(name);
    let mut open = ui.data(|data| data.get_temp(id)).unwrap_or(true);
    if heading(ui, name, open).clicked() {
        open = !open;
        ui.data_mut(|data| data.insert_temp(id, open));
    }
    if open {
        ui.add_space(2.0);
        add(ui);
    }
}

/// A section's name, and a mark at the right that tells whether it is open.
fn heading(ui: &mut Ui, name: &str, open: bool) -> egui::Response {
    let size = vec2(ui.available_width(), 22.0);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
    let text = RichText::new(name).size(11.5).color(theme::ACCENT).extra_letter_spacing(1.4);
    ui.put(rect, |ui: &mut Ui| {
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.add(Label::new(text).selectable(false).sense(egui::Sense::empty()));
        })
        .response
    });
    let colour = if response.hovered() { theme::TEXT } else { theme::MUTED };
    let place = rect.right_center() - vec2(8.0, 0.0);
    let mark = if open {
        [vec2(-4.0, -2.0), vec2(0.0, 2.0), vec2(4.0, -2.0)]
    } else {
        [vec2(-2.0, -4.0), vec2(2.0, 0.0), vec2(-2.0, 4.0)]
    };
    ui.painter().line(mark.map(|corner| place + corner).to_vec(), Stroke::new(1.5, colour));
    response
}

/// A name and its value, which wraps within its own column.
pub fn row(ui: &mut Ui, name: &str, value: impl Into<egui::WidgetText>) {
    named(ui, name, |ui| {
        ui.add(Label::new(value).wrap());
    });
}

/// A name and whatever belongs to it.
pub fn named(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    columns(ui, NAMES, name, add);
}

/// A short name and buttons.
pub fn buttons(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui)) {
    columns(ui, SHORT_NAMES, name, |ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            add(ui);
        });
    });
}

fn columns(ui: &mut Ui, width: f32, name: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.allocate_ui_with_layout(vec2(width, 0.0), egui::Layout::top_down(egui::Align::Min), |ui| {
            ui.set_width(width);
            ui.add(Label::new(RichText::new(name).color(theme::MUTED)).wrap());
        });
        ui.vertical(|ui| add(ui));
    });
}

/// A number with its unit, its digits ending in one line with those above and below.
pub fn number(ui: &mut Ui, text: String) {
    ui.allocate_ui_with_layout(vec2(NUMBERS, 18.0), egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.label(text);
    });
}

/// A key and what it does.
pub fn hint(ui: &mut Ui, key: &str, does: &str) {
    ui.horizontal(|ui| {
        egui::Frame::new()
            .fill(ui.visuals().widgets.inactive.bg_fill)
            .corner_radius(4)
            .inner_margin(egui::Margin::symmetric(6, 1))
            .show(ui, |ui| ui.label(RichText::new(key).small()));
        ui.label(RichText::new(does).color(theme::MUTED).small());
    });
}

/// A line in which a path is typed or pasted, and read with Enter.
pub fn path_field(ui: &mut Ui, memory: &mut Memory, actions: &mut Vec<Action>) {
    let field = egui::TextEdit::singleline(&mut memory.path)
        .hint_text(RichText::new("Path of a file to open").color(theme::MUTED))
        .margin(vec2(8.0, 4.0))
        .desired_width(f32::INFINITY);
    let response = ui.add(field);
    if std::mem::take(&mut memory.enter_path) {
        response.request_focus();
    }
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if let (true, Some(path)) = (entered, path_of(&memory.path)) {
        memory.path.clear();
        actions.push(Action::Open(path));
    }
}

/// A path as it is typed, pasted in quotes, or pasted as a file address.
pub fn path_of(text: &str) -> Option<PathBuf> {
    let line = text.lines().next()?.trim();
    let bare = line.strip_prefix("file://").map_or_else(|| line.to_owned(), decoded);
    let bare = bare.trim_matches(['"', '\'']);
    (!bare.is_empty()).then(|| PathBuf::from(bare))
}

/// An address with its percent signs read; what is no such code stays as it is.
fn decoded(address: &str) -> String {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let code = tail.get(..2).and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{a0}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasted_paths_are_read_plain_quoted_and_as_addresses() {
        let read = |text| path_of(text).map(|path| path.to_string_lossy().into_owned());
        assert_eq!(read("  /a b.tif\nsecond"), Some("/a b.tif".into()));
        assert_eq!(read("\"/a b.tif\""), Some("/a b.tif".into()));
        assert_eq!(read("file:///a%20b%C3%A9.tif"), Some("/a bé.tif".into()));
        assert_eq!(read("file:///100%.tif"), Some("/100%.tif".into()));
        assert_eq!(read(" \n"), None);
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1\u{a0}000", "1\u{a0}234\u{a0}567"]);
    }
}
