//! The panels over the picture. They show the viewer and give back what was asked for.

mod cards;
mod draft;
mod facts;
mod headerless;
mod help;
mod parts;
mod performance;
mod status;
pub mod theme;
mod view;

use super::action::Action;
use super::control::Preset;
use super::viewer::Viewer;
use draft::Draft;
use egui::{Frame, Margin, Panel, Rect, ScrollArea};
use std::path::PathBuf;

/// Width of the side panel, points.
const WIDTH: f32 = 300.0;
/// Height of the status line, points.
const STATUS_HEIGHT: f32 = 28.0;

/// What the panels remember between pictures.
#[derive(Debug, Default)]
pub struct Memory {
    /// What stands in the path's text field.
    pub path: String,
    /// Whether the text field is to get the keyboard.
    pub enter_path: bool,
    /// Whether a file is held over the window.
    pub dropping: bool,
    /// The answers as they are being changed.
    pub draft: Option<Draft>,
}

/// What the panels show beside the viewer.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// What is drawn with.
    pub adapter: &'a str,
    /// Whether files can be dropped on the window.
    pub can_drop: bool,
    /// What the left button does.
    pub preset: Preset,
}

/// What came of showing the panels.
#[derive(Debug)]
pub struct Shown {
    /// What was asked for.
    pub actions: Vec<Action>,
    /// The part of the window that no panel covers, points.
    pub free: Rect,
}

/// Shows everything.
pub fn show(ui: &mut egui::Ui, viewer: &Viewer, memory: &mut Memory, around: Surroundings) -> Shown {
    let mut actions = Vec::new();
    if viewer.panels && viewer.field.is_some() {
        let side = Panel::left("side").exact_size(WIDTH).resizable(false).show_separator_line(false);
        side.frame(theme::panel(Margin::ZERO))
            .show(ui, |ui| side_panel(ui, viewer, memory, around, &mut actions));
        let bottom =
            Panel::bottom("status").exact_size(STATUS_HEIGHT).resizable(false).show_separator_line(false);
        bottom.frame(theme::panel(Margin::symmetric(14, 0))).show(ui, |ui| status::show(ui, viewer));
    }
    let free = ui.available_rect_before_wrap();
    over_picture(ui, viewer, memory, around, free, &mut actions);
    if memory.path.is_empty() && !ui.egui_wants_keyboard_input() {
        actions.extend(pasted(ui).map(Action::Open));
    }
    Shown { actions, free }
}

fn side_panel(
    ui: &mut egui::Ui,
    viewer: &Viewer,
    memory: &mut Memory,
    around: Surroundings,
    actions: &mut Vec<Action>,
) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        Frame::new().inner_margin(Margin { left: 16, right: 14, top: 14, bottom: 14 }).show(ui, |ui| {
            let Some(field) = &viewer.field else { return };
            facts::title(ui, &field.opened.facts);
            ui.add_space(8.0);
            parts::path_field(ui, memory, actions);
            cards::news(ui, viewer, actions);
            if let Some(headerless) = &field.opened.headerless {
                parts::section(ui, "HEADERLESS", |ui| headerless::show(ui, headerless, memory, actions));
            }
            parts::section(ui, "FILE", |ui| {
                facts::show(ui, &field.opened);
                facts::spread(ui, &field.opened, actions);
            });
            parts::section(ui, "VIEW", |ui| view::show(ui, viewer, field, around.preset, actions));
            parts::section(ui, "PERFORMANCE", |ui| performance::show(ui, &viewer.stats, around.adapter));
            ui.add_space(14.0);
            parts::hint(ui, "H", "all keys");
        });
    });
}

fn over_picture(
    ui: &mut egui::Ui,
    viewer: &Viewer,
    memory: &mut Memory,
    around: Surroundings,
    free: Rect,
    actions: &mut Vec<Action>,
) {
    match &viewer.field {
        None if viewer.help => {}
        None => cards::welcome(ui, viewer, memory, around.can_drop, free, actions),
        Some(_) if !viewer.panels => cards::floating_news(ui, viewer, free, actions),
        Some(_) => {}
    }
    if let Some(field) = &viewer.field {
        status::stamp(ui, field.control.exaggeration().factor(), free);
    }
    if viewer.help {
        help::show(ui, free);
    }
    if memory.dropping {
        cards::drop_here(ui, free);
    }
}

/// A path that was pasted while no text field listens: plain, quoted or as a file address.
fn pasted(ui: &egui::Ui) -> Option<PathBuf> {
    let text = ui.input(|input| {
        input.events.iter().find_map(|event| match event {
            egui::Event::Paste(text) => Some(text.clone()),
            _ => None,
        })
    })?;
    parts::path_of(&text)
}
