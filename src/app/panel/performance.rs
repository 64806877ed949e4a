//! What a picture takes.

use super::{parts, theme};
use crate::app::scene::{LevelFacts, Stats};
use egui::{Color32, RichText, Ui, vec2};

/// The adapter, GPU time by pass, triangles and levels.
pub fn show(ui: &mut Ui, stats: &Stats, adapter: &str) {
    parts::row(ui, "Adapter", adapter);
    if stats.passes.is_empty() {
        parts::row(ui, "GPU time", RichText::new("not told by this adapter").color(theme::MUTED));
    } else {
        let total: f64 = stats.passes.iter().map(|pass| pass.milliseconds).sum();
        parts::named(ui, "GPU time", |ui| parts::number(ui, format!("{total:.2} ms")));
        for pass in &stats.passes {
            pass_row(ui, &pass.name, pass.milliseconds, total);
        }
    }
    parts::named(ui, "Triangles", |ui| parts::number(ui, parts::grouped(stats.triangles)));
    parts::named(ui, "Patches", |ui| parts::number(ui, parts::grouped(stats.patches)));
    parts::named(ui, "Levels", |ui| {
        for level in &stats.levels {
            level_row(ui, level);
        }
    });
}

/// A pass's time, and a bar for its share of the whole.
fn pass_row(ui: &mut Ui, name: &str, milliseconds: f64, total: f64) {
    parts::named(ui, &format!("   {name}"), |ui| {
        ui.horizontal(|ui| {
            parts::number(ui, format!("{milliseconds:.2} ms"));
            let (rect, _) =
                ui.allocate_exact_size(vec2(ui.available_width().max(8.0), 14.0), egui::Sense::hover());
            let share = (milliseconds / total.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0) as f32;
            let mut bar = rect.shrink2(vec2(0.0, 4.0));
            ui.painter().rect_filled(bar, 2.0, theme::LINE);
            bar.set_width(bar.width() * share);
            ui.painter().rect_filled(bar, 2.0, theme::ACCENT);
        });
    });
}

/// A level's colour in the wireframe, and the size of its cells.
fn level_row(ui: &mut Ui, level: &LevelFacts) {
    ui.horizontal(|ui| {
        let [red, green, blue] = level.colour;
        let colour: Color32 = egui::Rgba::from_rgb(red, green, blue).into();
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 14.0), egui::Sense::hover());
        ui.painter().rect_filled(rect.shrink2(vec2(0.0, 1.0)), 2.0, colour);
        ui.label(level.level.to_string());
        ui.label(RichText::new(format!("cells of {} m", length(level.cell))).color(theme::MUTED));
    });
}

/// Metres with three digits that count.
fn length(metres: f64) -> String {
    let decimals = (2.0 - metres.log10().floor()).clamp(0.0, 6.0) as usize;
    let text = format!("{metres:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
