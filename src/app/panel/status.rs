//! The line at the bottom, and the stamp that tells of exaggerated heights.

use super::theme;
use crate::app::readout::Readout;
use crate::app::viewer::Viewer;
use egui::{Align, Align2, Area, Id, Label, Layout, Rect, RichText, Ui, pos2};

/// From this width in points on, the view's direction has room beside the read-out.
const WIDE: f32 = 420.0;

/// What is under the pointer, and which way the view goes.
pub fn show(ui: &mut Ui, viewer: &Viewer) {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        // A narrow window keeps what is under the pointer.
        if let (Some(field), true) = (&viewer.field, ui.available_width() > WIDE) {
            let camera = field.control.camera();
            ui.label(RichText::new(direction(camera.yaw, camera.pitch)).color(theme::MUTED));
            ui.add_space(16.0);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| readout(ui, viewer.readout.as_ref()));
    });
}

fn readout(ui: &mut Ui, readout: Option<&Readout>) {
    let Some(readout) = readout else {
        let hint = RichText::new("Point at the ground for its height").color(theme::MUTED);
        ui.add(Label::new(hint).truncate());
        return;
    };
    ui.label(RichText::new(&readout.height).color(egui::Color32::WHITE));
    ui.add_space(10.0);
    ui.add(Label::new(RichText::new(&readout.place).color(theme::MUTED)).truncate());
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
