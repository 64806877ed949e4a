//! The key sheet.

use super::theme;
use egui::{Align2, Area, Grid, Id, Rect, RichText, ScrollArea, Ui, vec2};

/// Inputs and what they do, in two groups.
const SHEET: [(&str, &[(&str, &str)]); 2] = [
    (
        "MOVE",
        &[
            ("Left drag", "orbit about the ground under the pointer"),
            ("Shift + left, middle drag", "move the ground with the pointer"),
            ("Right drag", "look around"),
            ("… with W A S D, arrows", "fly; E up, Q down"),
            ("… with Shift, Ctrl", "four times as fast, a quarter"),
            ("… with the wheel", "flying speed"),
            ("Wheel; Ctrl + wheel", "zoom to the pointer; finely"),
            ("Double click", "fly to that place"),
            ("Arrows; Page Up, Down", "move; higher, lower"),
            ("Shift + arrows", "turn and tilt"),
            ("F; Home", "show all; first view again"),
            ("N; T", "north up; straight down"),
            ("Ctrl + 1, 3, 9", "from south, east, a corner"),
        ],
    ),
    (
        "SHOW",
        &[
            ("Z; Shift + Z; 0", "heights greater; smaller; true"),
            (", and .; with Shift", "sun around; lower, higher"),
            ("X", "levels as coloured wireframe"),
            ("Ctrl + O; F5", "open; read again"),
            ("F12; Ctrl + F12", "picture; without panels"),
            ("F10; F11", "hide panels; full screen"),
            ("H or F1", "this sheet"),
            ("Esc; Ctrl + Q", "close what is on top; quit"),
        ],
    ),
];

/// Shows the sheet in the middle of the picture.
pub fn show(ui: &Ui, free: Rect) {
    let area = Area::new(Id::unique("help")).order(egui::Order::Foreground).default_size(free.size());
    area.fixed_pos(free.center()).pivot(Align2::CENTER_CENTER).show(ui, |ui| {
        theme::card(20).show(ui, |ui| {
            ScrollArea::vertical().max_height(free.height() - 80.0).show(ui, |ui| {
                for (group, lines) in SHEET {
                    ui.label(RichText::new(group).size(11.5).color(theme::ACCENT).extra_letter_spacing(1.4));
                    Grid::new(group).spacing(vec2(24.0, 2.0)).min_col_width(160.0).show(ui, |ui| {
                        for (keys, does) in lines {
                            ui.label(*keys);
                            ui.label(RichText::new(*does).color(theme::MUTED));
                            ui.end_row();
                        }
                    });
                    ui.add_space(10.0);
                }
            });
        });
    });
}
