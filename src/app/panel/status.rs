//! The line at the bottom, and the stamp that tells of exaggerated heights.

use super::theme;
use crate::app::viewer::Viewer;
use egui::{Align, Align2, Area, Id, Layout, Rect, RichText, Ui, pos2};

/// What is under the pointer, and which way the view goes.
pub fn show(ui: &mut Ui, viewer: &Viewer) {
    ui.horizontal_centered(|ui| {
        match &viewer.readout {
            Some(readout) => {
                ui.label(RichText::new(&readout.height).strong().color(egui::Color32::WHITE));
                ui.add_space(10.0);
                ui.label(RichText::new(&readout.place).color(theme::MUTED));
            }
            None => {
                ui.label(RichText::new("Point at the ground for its height").color(theme::MUTED));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(field) = &viewer.field {
                let camera = field.control.camera();
                ui.label(RichText::new(direction(camera.yaw, camera.pitch)).color(theme::MUTED));
            }
        });
    });
}

/// The view's direction in words: compass point, degrees, and how far down.
fn direction(yaw: f64, pitch: f64) -> String {
    const POINTS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
    let degrees = yaw.to_degrees().rem_euclid(360.0);
    let point = POINTS[(degrees / 45.0).round() as usize % 8];
    let side = if pitch > 0.0 { "up" } else { "down" };
    format!("{point} {:.0}°   {:.0}° {side}", degrees.round() % 360.0, pitch.to_degrees().abs())
}

/// `vertical ×N` in the picture's corner, wherever heights are not true.
pub fn stamp(ui: &Ui, factor: f64, free: Rect) {
    if factor == 1.0 {
        return;
    }
    let corner = pos2(free.right() - 14.0, free.top() + 14.0);
    Area::new(Id::unique("stamp")).fixed_pos(corner).pivot(Align2::RIGHT_TOP).interactable(false).show(
        ui,
        |ui| {
            theme::card(8).show(ui, |ui| ui.label(format!("vertical ×{factor}")));
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_named_all_around() {
        assert_eq!(direction(0.0, -0.785), "N 0°   45° down");
        assert_eq!(direction(-0.002, 0.1), "N 0°   6° up");
        assert_eq!(direction(3.93, -1.57), "SW 225°   90° down");
    }
}
