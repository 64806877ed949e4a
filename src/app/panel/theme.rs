//! Colours, sizes and spacing of the panels: dark, calm, and legible over any picture.

use egui::{Color32, CornerRadius, FontFamily, FontId, Frame, Margin, Stroke, TextStyle, Visuals, vec2};

/// Text that is read.
pub const TEXT: Color32 = Color32::from_rgb(0xec, 0xee, 0xf0);
/// Text that names what is read.
pub const MUTED: Color32 = Color32::from_rgb(0xa3, 0xac, 0xb5);
/// What can be pressed, or is chosen.
pub const ACCENT: Color32 = Color32::from_rgb(0x7f, 0xb8, 0xe6);
/// What may be wrong.
pub const WARNING: Color32 = Color32::from_rgb(0xf0, 0xc0, 0x6a);
/// What went wrong.
pub const FAILURE: Color32 = Color32::from_rgb(0xff, 0x9c, 0x8f);
/// Lines between parts.
pub const LINE: Color32 = Color32::from_rgb(0x38, 0x3e, 0x46);
/// Fields and buttons.
const RAISED: Color32 = Color32::from_rgb(0x2b, 0x31, 0x38);
/// Fields and buttons under the pointer, and buttons on raised ground.
pub const HOVERED: Color32 = Color32::from_rgb(0x3a, 0x43, 0x4d);
/// What is chosen.
const CHOSEN: Color32 = Color32::from_rgb(0x2d, 0x5b, 0x80);
/// The panels' ground, nearly opaque so that text keeps its contrast over snow.
const GROUND: [u8; 4] = [0x14, 0x17, 0x1b, 0xeb];

/// The panels' ground.
fn ground() -> Color32 {
    let [red, green, blue, alpha] = GROUND;
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// The frame of a panel at the window's edge.
pub fn panel(margin: Margin) -> Frame {
    Frame::new().fill(ground()).inner_margin(margin)
}

/// The frame of a card over the picture.
pub fn card(margin: i8) -> Frame {
    Frame::new().fill(ground()).inner_margin(Margin::same(margin)).corner_radius(CornerRadius::same(8))
}

/// Sets the look of everything.
pub fn apply(context: &egui::Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        style.text_styles = [
            (TextStyle::Heading, 18.0, FontFamily::Proportional),
            (TextStyle::Body, 14.0, FontFamily::Proportional),
            (TextStyle::Button, 13.5, FontFamily::Proportional),
            (TextStyle::Small, 12.0, FontFamily::Proportional),
            (TextStyle::Monospace, 12.5, FontFamily::Monospace),
        ]
        .map(|(name, size, family)| (name, FontId::new(size, family)))
        .into();
        style.spacing.item_spacing = vec2(6.0, 4.0);
        style.spacing.button_padding = vec2(8.0, 3.0);
        style.spacing.interact_size.y = 19.0;
        style.spacing.scroll = egui::style::ScrollStyle::floating();
        style.visuals = visuals();
    });
}

fn visuals() -> Visuals {
    let mut visuals = Visuals::dark();
    visuals.override_text_color = Some(TEXT);
    visuals.weak_text_color = Some(MUTED);
    visuals.extreme_bg_color = RAISED;
    visuals.selection.bg_fill = CHOSEN;
    visuals.selection.stroke = Stroke::new(1.0, TEXT);
    visuals.warn_fg_color = WARNING;
    visuals.error_fg_color = FAILURE;
    let radius = CornerRadius::same(4);
    for (widget, fill) in [
        (&mut visuals.widgets.noninteractive, RAISED),
        (&mut visuals.widgets.inactive, RAISED),
        (&mut visuals.widgets.hovered, HOVERED),
        (&mut visuals.widgets.active, CHOSEN),
        (&mut visuals.widgets.open, HOVERED),
    ] {
        (widget.bg_fill, widget.weak_bg_fill) = (fill, fill);
        widget.corner_radius = radius;
        widget.bg_stroke = Stroke::NONE;
        widget.expansion = 0.0;
    }
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    visuals.widgets.hovered.bg_stroke = Stroke::new(1.0, ACCENT);
    visuals
}
