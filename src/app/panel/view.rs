//! How the field is looked at.

use super::{parts, theme};
use crate::app::action::Action;
use crate::app::control::{Command, Ground, Input, Preset};
use crate::app::viewer::{Field, Viewer};
use crate::camera::View;
use egui::{RichText, Ui};

/// Under this relief, as a share of the field's width, an exaggeration is worth a thought.
const FLAT: f64 = 0.01;

/// Exaggeration, named views, hands, levels.
pub fn show(ui: &mut Ui, viewer: &Viewer, field: &Field, preset: Preset, actions: &mut Vec<Action>) {
    let factor = field.control.exaggeration().factor();
    parts::buttons(ui, "Height", |ui| {
        choice(ui, [1.0, 1.5, 2.0, 3.0, 5.0, 10.0].map(|step| (format!("×{step}"), step)), factor, |step| {
            actions.push(Action::Exaggerate(step));
        });
    });
    suggest(ui, field, factor);
    parts::buttons(ui, "From", |ui| {
        for view in View::ALL {
            if ui.button(title(view)).clicked() {
                actions.push(Action::Control(Input::Command(Command::View(view))));
            }
        }
    });
    parts::buttons(ui, "Left drag", |ui| {
        let hands = [("orbits".to_owned(), Preset::Model), ("moves".to_owned(), Preset::Map)];
        choice(ui, hands, preset, |preset| actions.push(Action::Preset(preset)));
    });
    parts::buttons(ui, "Levels", |ui| {
        let choices = [("plain".to_owned(), false), ("coloured".to_owned(), true)];
        choice(ui, choices, viewer.levels, |_| actions.push(Action::ToggleLevels));
    });
}

/// A row of values of which one is chosen.
fn choice<T: PartialEq + Copy, const N: usize>(
    ui: &mut Ui,
    values: [(String, T); N],
    chosen: T,
    mut choose: impl FnMut(T),
) {
    for (name, value) in values {
        if ui.add(egui::Button::new(name).selected(value == chosen)).clicked() && value != chosen {
            choose(value);
        }
    }
}

/// A word on flat ground, where true heights show little.
fn suggest(ui: &mut Ui, field: &Field, factor: f64) {
    let (low, high) = Ground::bounds(&*field.opened.terrain);
    let extent = high - low;
    let share = extent.y / extent.x.max(extent.z);
    if factor == 1.0 && share < FLAT && share > 0.0 {
        let text = format!("Relief is {:.2} % of the width; try ×5 (key Z).", share * 100.0);
        ui.add(egui::Label::new(RichText::new(text).color(theme::MUTED).small()).wrap());
    }
}

fn title(view: View) -> &'static str {
    match view {
        View::South => "South",
        View::North => "North",
        View::East => "East",
        View::West => "West",
        View::Top => "Above",
        View::Corner => "Corner",
    }
}
