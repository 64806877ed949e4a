//! Cards: what is being read, what to tell, and where to begin.

use super::{Memory, parts, theme};
use crate::app::action::Action;
use crate::app::loading::Loading;
use crate::app::viewer::{Notice, Viewer};
use std::time::Duration;

use egui::{Align2, Area, Id, Label, ProgressBar, Rect, RichText, Stroke, StrokeKind, Ui, vec2};

/// The time of a load is told anew this often.
const TICK: Duration = Duration::from_millis(200);
/// Until a load over a field in view is told.
const BRIEF: Duration = Duration::from_millis(150);

/// Progress and notices, within the side panel.
pub fn news(ui: &mut Ui, viewer: &Viewer, actions: &mut Vec<Action>) {
    // What takes no time to read would make the panel flicker.
    let lasts = |loading: &&Loading| viewer.field.is_none() || loading.since.elapsed() > BRIEF;
    if let Some(loading) = viewer.loading.as_ref().filter(lasts) {
        ui.add_space(8.0);
        progress(ui, loading, actions);
    }
    if let Some(told) = &viewer.notice {
        ui.add_space(8.0);
        notice(ui, told, actions);
    }
}

/// Progress and notices over the picture, where no panel shows them.
pub fn floating_news(ui: &Ui, viewer: &Viewer, free: Rect, actions: &mut Vec<Action>) {
    if viewer.loading.is_none() && viewer.notice.is_none() {
        return;
    }
    let corner = free.left_top() + vec2(14.0, 6.0);
    Area::new(Id::unique("news")).fixed_pos(corner).show(ui, |ui| {
        ui.set_max_width(320.0);
        news(ui, viewer, actions);
    });
}

/// Where to begin, in the middle of an empty window.
pub fn welcome(
    ui: &Ui,
    viewer: &Viewer,
    memory: &mut Memory,
    can_drop: bool,
    free: Rect,
    actions: &mut Vec<Action>,
) {
    let area = Area::new(Id::unique("welcome")).fixed_pos(free.center()).pivot(Align2::CENTER_CENTER);
    area.show(ui, |ui| {
        theme::card(24).show(ui, |ui| {
            ui.set_width(380.0_f32.min(free.width() - 80.0).max(160.0));
            if viewer.loading.is_none() {
                let invitation = if can_drop { "Drop a terrain file here" } else { "Open a terrain file" };
                ui.label(RichText::new(invitation).heading().color(egui::Color32::WHITE));
                let ways = "or give its path: type or paste it below, or start with  orograph FILE";
                let ways = if can_drop { ways } else { ways.trim_start_matches("or ") };
                ui.add(Label::new(RichText::new(sentence(ways)).color(theme::MUTED)).wrap());
                ui.add_space(8.0);
                parts::path_field(ui, memory, actions);
            }
            news(ui, viewer, actions);
        });
    });
}

/// A text with its first letter raised.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A frame around the picture while a file is held over it.
pub fn drop_here(ui: &Ui, free: Rect) {
    let painter = ui.ctx().layer_painter(egui::LayerId::new(egui::Order::Foreground, Id::unique("drop")));
    let frame = free.shrink(10.0);
    painter.rect_stroke(frame, 8.0, Stroke::new(2.0, theme::ACCENT), StrokeKind::Inside);
    let font = egui::TextStyle::Heading.resolve(ui.style());
    let galley = painter.layout_no_wrap("Drop to open".into(), font, theme::TEXT);
    let place = Align2::CENTER_CENTER.anchor_size(frame.center(), galley.size() + vec2(32.0, 20.0));
    painter.rect_filled(place, 8.0, ui.visuals().extreme_bg_color);
    painter.galley(place.min + vec2(16.0, 10.0), galley, theme::TEXT);
}

fn progress(ui: &mut Ui, loading: &Loading, actions: &mut Vec<Action>) {
    framed(ui, theme::ACCENT, |ui| {
        ui.add(Label::new(format!("Opening {}", loading.label)).truncate());
        ui.horizontal(|ui| {
            let share = loading.progress.share();
            let bar = ProgressBar::new(share).desired_width(ui.available_width() - 68.0).desired_height(8.0);
            ui.add(bar.fill(theme::ACCENT));
            if ui.button("Cancel").clicked() {
                actions.push(Action::CancelLoading);
            }
        });
        let seconds = loading.since.elapsed().as_secs_f64();
        let told = format!("{}, {seconds:.1} s", loading.progress.stage_name());
        ui.label(RichText::new(told).color(theme::MUTED).small());
    });
    ui.ctx().request_repaint_after(TICK);
}

fn notice(ui: &mut Ui, told: &Notice, actions: &mut Vec<Action>) {
    let (text, colour) = match told {
        Notice::Done(text) => (text, theme::ACCENT),
        Notice::Failed(text) => (text, theme::FAILURE),
    };
    framed(ui, colour, |ui| {
        ui.add(Label::new(text).wrap());
        ui.add_space(2.0);
        if ui.button("Dismiss").clicked() {
            actions.push(Action::Dismiss);
        }
    });
}

/// A raised field with a coloured edge at its left.
fn framed(ui: &mut Ui, colour: egui::Color32, add: impl FnOnce(&mut Ui)) {
    let frame = theme::card(10).fill(ui.visuals().extreme_bg_color).corner_radius(4);
    let shown = frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.visuals_mut().widgets.inactive.weak_bg_fill = theme::HOVERED;
        ui.visuals_mut().extreme_bg_color = theme::HOVERED;
        add(ui);
    });
    let mut edge = shown.response.rect;
    edge.set_width(3.0);
    ui.painter().rect_filled(edge, 2.0, colour);
}
