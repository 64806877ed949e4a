//! What a headerless file does not say: shown, and changed with the picture at once.

use super::draft::Draft;
use super::{Memory, parts, theme};
use crate::app::action::Action;
use crate::app::headerless::{Headerless, Source};
use crate::app::loading::Wish;
use crate::formats::{Answers, ByteOrder, Reading, RowOrder, SampleType};
use egui::{Button, DragValue, Label, RichText, Ui, vec2};

/// Readings that are offered.
const OFFERED: usize = 6;

/// Everything that was answered, and the readings there are. A change that fits the file reads it anew.
pub fn show(ui: &mut Ui, found: &Headerless, memory: &mut Memory, actions: &mut Vec<Action>) {
    let mut draft = Draft::of(memory.draft.take(), found);
    let before = draft.answers;
    told(ui, found.source);
    readings(ui, found, &mut draft);
    answers(ui, &mut draft);
    match draft.trouble() {
        Some(trouble) => {
            ui.add(Label::new(RichText::new(trouble).color(theme::WARNING)).wrap());
        }
        None if draft.answers != before => actions.push(Action::Reread(Wish::Answers(draft.answers))),
        None => {}
    }
    memory.draft = Some(draft);
}

fn told(ui: &mut Ui, source: Source) {
    let text = match source {
        Source::Told => "As told.",
        Source::Remembered => "As told before.",
        Source::Guessed => "A guess; the file does not say.",
    };
    ui.add(Label::new(RichText::new(text).color(theme::MUTED)).wrap());
}

/// The plausible readings, one click each, with the roughness that they are ranked by.
fn readings(ui: &mut Ui, found: &Headerless, draft: &mut Draft) {
    ui.add_space(2.0);
    for reading in found.readings.iter().take(OFFERED) {
        let row = Button::new(title(reading))
            .right_text(RichText::new(format!("rough {:.2}", reading.roughness)).color(theme::MUTED))
            .selected(draft.is(reading))
            .min_size(vec2(ui.available_width(), 0.0));
        if ui.add(row).clicked() {
            draft.take(reading);
        }
    }
    ui.add_space(4.0);
}

fn title(reading: &Reading) -> String {
    let [width, depth] = reading.size;
    let order = match reading.byte_order {
        _ if reading.sample_type.bytes() == 1 => "",
        ByteOrder::Big => " big",
        ByteOrder::Little | ByteOrder::Auto => " little",
    };
    let header = match reading.header_bytes {
        0 => String::new(),
        bytes => format!(" after {bytes} B"),
    };
    format!("{width} × {depth}  {}{order}{header}", reading.sample_type.name())
}

fn answers(ui: &mut Ui, draft: &mut Draft) {
    parts::buttons(ui, "Size", |ui| size(ui, draft));
    parts::buttons(ui, "Type", |ui| {
        let mut kind = draft.answers.sample_type;
        choose(ui, SampleType::ALL.map(|kind| (kind.name(), kind)), &mut kind);
        if kind != draft.answers.sample_type {
            draft.set_type(kind);
        }
    });
    if draft.answers.sample_type.bytes() > 1 {
        let orders = [("little-endian", ByteOrder::Little), ("big-endian", ByteOrder::Big)];
        parts::buttons(ui, "Bytes", |ui| choose(ui, orders, &mut draft.answers.byte_order));
    }
    let orders = [("north first", RowOrder::Top), ("south first", RowOrder::Bottom)];
    parts::buttons(ui, "Rows", |ui| choose(ui, orders, &mut draft.answers.row_order));
    parts::buttons(ui, "Header", |ui| {
        ui.add(DragValue::new(&mut draft.answers.header_bytes).suffix(" B"));
    });
    parts::buttons(ui, "Heights", |ui| heights(ui, draft));
    parts::buttons(ui, "Spacing", |ui| spacing(ui, &mut draft.answers));
}

fn size(ui: &mut Ui, draft: &mut Draft) {
    let [mut width, mut depth] = draft.answers.size;
    if ui.add(DragValue::new(&mut width).range(2..=u32::MAX).suffix(" wide")).changed() {
        draft.set_width(width);
    }
    if ui.add(DragValue::new(&mut depth).range(2..=u32::MAX).suffix(" deep")).changed() {
        draft.set_depth(depth);
    }
}

/// Stored values as heights, or codes spread over a range.
fn heights(ui: &mut Ui, draft: &mut Draft) {
    let (was, mut spread) = (draft.answers.z_range.is_some(), draft.answers.z_range.is_some());
    choose(ui, [("as stored", false), ("spread over", true)], &mut spread);
    if spread != was {
        draft.set_spread(spread);
    }
    if let Some([low, high]) = &mut draft.answers.z_range {
        ui.end_row();
        ui.add(DragValue::new(low).suffix(" m"));
        ui.label("to");
        ui.add(DragValue::new(high).suffix(" m"));
    }
}

fn spacing(ui: &mut Ui, answers: &mut Answers) {
    let mut metres = answers.spacing.unwrap_or(1.0);
    let field = DragValue::new(&mut metres).range(1e-3..=1e5).speed(0.1).suffix(" m");
    if ui.add(field).changed() {
        answers.spacing = Some(metres);
    }
}

/// A row of values of which one is chosen.
fn choose<T: PartialEq + Copy, const N: usize>(ui: &mut Ui, values: [(&str, T); N], chosen: &mut T) {
    for (name, value) in values {
        if ui.add(Button::new(name).selected(value == *chosen)).clicked() {
            *chosen = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::{ReadOptions, guess};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    /// A slope of 16 × 16 whole codes.
    fn slope() -> Headerless {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.raw");
        let bytes: Vec<u8> = (0..256_u16).flat_map(|at| (300 + 3 * at).to_le_bytes()).collect();
        std::fs::write(&path, bytes).expect("written");
        let found = guess(&path, &ReadOptions::default()).expect("looked at").expect("headerless");
        Headerless { answers: found.answers, source: Source::Guessed, readings: found.readings, bytes: 512 }
    }

    /// The panel over the slope, with what was asked for through it.
    fn panel() -> Harness<'static, (Memory, Vec<Action>)> {
        let found = slope();
        let app = move |ui: &mut Ui, state: &mut (Memory, Vec<Action>)| {
            show(ui, &found, &mut state.0, &mut state.1);
        };
        Harness::new_ui_state(app, (Memory::default(), Vec::new()))
    }

    fn asked(harness: &Harness<'static, (Memory, Vec<Action>)>) -> Answers {
        match harness.state().1[..] {
            [Action::Reread(Wish::Answers(answers))] => answers,
            ref other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_byte_order_is_one_click() {
        let mut harness = panel();
        harness.run();
        assert!(harness.state().1.is_empty());
        harness.get_by_label("big-endian").click();
        harness.run();
        let answers = asked(&harness);
        assert_eq!((answers.size, answers.byte_order), ([16, 16], ByteOrder::Big));
    }

    #[test]
    fn another_reading_is_one_click() {
        let (mut harness, other) = (panel(), slope().readings[1]);
        harness.run();
        harness.get_by_label_contains(&title(&other)).click();
        harness.run();
        let answers = asked(&harness);
        assert_eq!((answers.size, answers.sample_type), (other.size, other.sample_type));
    }

    #[test]
    fn what_does_not_fit_is_told_and_not_read() {
        let mut harness = panel();
        harness.run();
        harness.get_by_label("south first").click();
        harness.run();
        assert_eq!(asked(&harness).row_order, RowOrder::Bottom);
        let draft = harness.state_mut().0.draft.as_mut().expect("a draft");
        draft.answers.size = [15, 16];
        harness.run();
        assert!(harness.query_by_label_contains("15 × 16 u16 take 480 bytes").is_some());
        assert_eq!(harness.state().1.len(), 1);
    }
}
