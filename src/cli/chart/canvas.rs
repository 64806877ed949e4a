//! Lines, areas and text on white.

use crate::error::{Error, Result};
use ab_glyph::{Font, FontRef, ScaleFont, point};
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

/// An opaque sRGB colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    /// Text and axes.
    pub const INK: Self = Self::rgb(0x22, 0x26, 0x2a);
    /// Text of less weight.
    pub const FAINT_INK: Self = Self::rgb(0x5a, 0x62, 0x6a);
    /// Grid lines.
    pub const GRID: Self = Self::rgb(0xd0, 0xd5, 0xda);

    /// From red, green and blue.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([red, green, blue])
    }

    fn paint(self) -> Paint<'static> {
        let mut paint = Paint { anti_alias: true, ..Paint::default() };
        let [red, green, blue] = self.0;
        paint.set_color_rgba8(red, green, blue, 255);
        paint
    }
}

/// Which part of a text stands at its anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Its start.
    Left,
    /// Its middle.
    Centre,
    /// Its end.
    Right,
}

/// A picture that is drawn on.
pub struct Canvas {
    pixmap: Pixmap,
    font: FontRef<'static>,
}

impl Canvas {
    /// A white picture of `size` pixels.
    pub fn new(size: [u32; 2]) -> Result<Self> {
        let broken = |what: &str| Error::failed(what, "a chart", "report it");
        let mut pixmap = Pixmap::new(size[0], size[1]).ok_or_else(|| broken("a chart without pixels"))?;
        pixmap.fill(tiny_skia::Color::WHITE);
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)
            .map_err(|_| broken("the built-in font is not readable"))?;
        Ok(Self { pixmap, font })
    }

    /// A line through points, in pixels.
    pub fn line(&mut self, points: &[[f32; 2]], width: f32, colour: Colour) {
        let Some(path) = path(points) else { return };
        let stroke =
            Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        self.pixmap.stroke_path(&path, &colour.paint(), &stroke, Transform::identity(), None);
    }

    /// The inside of a polygon.
    pub fn area(&mut self, points: &[[f32; 2]], colour: Colour) {
        let Some(path) = path(points) else { return };
        self.pixmap.fill_path(&path, &colour.paint(), FillRule::Winding, Transform::identity(), None);
    }

    /// A disc.
    pub fn dot(&mut self, centre: [f32; 2], radius: f32, colour: Colour) {
        let Some(path) = PathBuilder::from_circle(centre[0], centre[1], radius) else { return };
        self.pixmap.fill_path(&path, &colour.paint(), FillRule::Winding, Transform::identity(), None);
    }

    /// A text on a baseline, `size` pixels high.
    pub fn text(&mut self, text: &str, anchor: [f32; 2], size: f32, colour: Colour, align: Align) {
        let font = self.font.clone();
        let scaled = font.as_scaled(size);
        let width: f32 = text.chars().map(|c| scaled.h_advance(scaled.glyph_id(c))).sum();
        let mut x = anchor[0]
            - match align {
                Align::Left => 0.0,
                Align::Centre => width * 0.5,
                Align::Right => width,
            };
        for c in text.chars() {
            let glyph = scaled.glyph_id(c).with_scale_and_position(size, point(x, anchor[1]));
            x += scaled.h_advance(glyph.id);
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let corner = outline.px_bounds().min;
            outline.draw(|dx, dy, cover| {
                self.blend(corner.x as i64 + i64::from(dx), corner.y as i64 + i64::from(dy), cover, colour)
            });
        }
    }

    /// Pixels along x and y.
    pub fn size(&self) -> [u32; 2] {
        [self.pixmap.width(), self.pixmap.height()]
    }

    /// Opaque sRGB pixels, row after row.
    pub fn pixels(&self) -> &[[u8; 4]] {
        bytemuck::cast_slice(self.pixmap.data())
    }

    /// Lays a colour over one pixel of the opaque picture.
    fn blend(&mut self, x: i64, y: i64, cover: f32, colour: Colour) {
        let [width, height] = self.size().map(i64::from);
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let start = (y * width + x) as usize * 4;
        let cover = cover.clamp(0.0, 1.0);
        for (under, over) in self.pixmap.data_mut()[start..start + 3].iter_mut().zip(colour.0) {
            *under = (f32::from(*under) * (1.0 - cover) + f32::from(over) * cover).round() as u8;
        }
    }
}

fn path(points: &[[f32; 2]]) -> Option<Path> {
    let (first, rest) = points.split_first()?;
    let mut builder = PathBuilder::new();
    builder.move_to(first[0], first[1]);
    for point in rest {
        builder.line_to(point[0], point[1]);
    }
    builder.finish()
}
