//! Cameras that show a whole box: the first picture of a terrain and the named views.
//!
//! With the directions of the view fixed, each corner of the box bounds the eye by one plane for each edge of
//! the picture. The nearest eye that obeys them all is found in closed form, one axis of the picture at a time.

use super::Camera;
use crate::error::{Error, Result};
use glam::{DVec2, DVec3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use std::str::FromStr;

/// Share of the picture's half extent that the framed box may fill.
const FILL: f64 = 0.95;

/// A named side to look from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// From the south, 45° down.
    South,
    /// From the north, 45° down.
    North,
    /// From the east, 45° down.
    East,
    /// From the west, 45° down.
    West,
    /// Straight down, north up.
    Top,
    /// From the south-west, 45° down, so that light from the north-west falls across the view.
    Corner,
}

impl View {
    /// Every view, in the order in which they are told.
    pub const ALL: [Self; 6] = [Self::South, Self::North, Self::East, Self::West, Self::Top, Self::Corner];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::South => "south",
            Self::North => "north",
            Self::East => "east",
            Self::West => "west",
            Self::Top => "top",
            Self::Corner => "corner",
        }
    }

    /// Compass direction and pitch of the view, radians.
    pub fn angles(self) -> (f64, f64) {
        let down = -FRAC_PI_4;
        match self {
            Self::South => (0.0, down),
            Self::North => (2.0 * FRAC_PI_2, down),
            Self::East => (3.0 * FRAC_PI_2, down),
            Self::West => (FRAC_PI_2, down),
            Self::Top => (0.0, -FRAC_PI_2),
            Self::Corner => (FRAC_PI_4, down),
        }
    }
}

impl FromStr for View {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|view| view.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::usage(format!("view “{name}”"), format!("one of {names}"), "correct the name")
        })
    }
}

/// A rectangle of the picture, pixels from its upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PixelRect {
    /// Upper left corner.
    pub min: DVec2,
    /// Lower right corner.
    pub max: DVec2,
}

impl PixelRect {
    /// The whole of a picture.
    pub fn whole(size: [u32; 2]) -> Self {
        Self { min: DVec2::ZERO, max: DVec2::new(f64::from(size[0].max(1)), f64::from(size[1].max(1))) }
    }

    /// The middle.
    pub fn centre(&self) -> DVec2 {
        (self.min + self.max) * 0.5
    }
}

impl Camera {
    /// The nearest camera on one side of a box that shows all of it with a small margin, in a picture of `size` pixels.
    ///
    /// The box is in the drawn world, metres; `fov_y` in radians.
    pub fn framing(view: View, bounds_min: DVec3, bounds_max: DVec3, size: [u32; 2], fov_y: f64) -> Self {
        let (yaw, pitch) = view.angles();
        let camera = Self { eye: DVec3::ZERO, yaw, pitch, fov_y, near: 0.1 };
        camera.framed(bounds_min, bounds_max, size, PixelRect::whole(size))
    }

    /// This camera moved, not turned, to the nearest place from which the box fits `inside` a part of the picture with a
    /// small margin.
    #[must_use]
    pub fn framed(&self, bounds_min: DVec3, bounds_max: DVec3, size: [u32; 2], inside: PixelRect) -> Self {
        let axes = [self.right(), self.up(), self.forward()];
        let corners: [DVec3; 8] = std::array::from_fn(|corner| {
            let high = [corner & 1 != 0, corner & 2 != 0, corner & 4 != 0];
            let point = DVec3::from_array(std::array::from_fn(|axis| {
                if high[axis] { bounds_max[axis] } else { bounds_min[axis] }
            }));
            DVec3::from_array(axes.map(|axis| axis.dot(point)))
        });
        let (low, high) = self.slopes(size, inside);
        let nearest = corners.iter().map(|corner| corner.z).fold(f64::INFINITY, f64::min);
        let depth = (0..2)
            .map(|axis| farthest_depth(&corners, axis, low[axis], high[axis]))
            .fold(nearest - 2.0 * self.near, f64::min);
        let across = |axis: usize| centred(&corners, axis, depth, low[axis], high[axis]);
        let eye = axes[0] * across(0) + axes[1] * across(1) + axes[2] * depth;
        Self { eye, ..*self }
    }

    /// Bounds of a part of the picture as metres right and up, one metre before the eye, drawn in by the margin.
    fn slopes(&self, size: [u32; 2], inside: PixelRect) -> (DVec2, DVec2) {
        let size = size.map(|pixels| pixels.max(1));
        let half = self.half_extent(size);
        let whole = PixelRect::whole(size).max;
        let at = |pixel: DVec2| (pixel / whole * 2.0 - 1.0) * half * DVec2::new(1.0, -1.0);
        let (one, other) = (at(inside.min), at(inside.max));
        let (middle, reach) = ((one + other) * 0.5, (one - other).abs() * 0.5 * FILL);
        (middle - reach, middle + reach)
    }
}

/// The greatest depth of the eye, along the view, from which all corners lie between two slopes.
fn farthest_depth(corners: &[DVec3; 8], axis: usize, low: f64, high: f64) -> f64 {
    let least = corners.iter().map(|c| c[axis] - high * c.z).fold(f64::NEG_INFINITY, f64::max);
    let most = corners.iter().map(|c| c[axis] - low * c.z).fold(f64::INFINITY, f64::min);
    (most - least) / (high - low)
}

/// The eye's place along one axis of the picture that leaves the same room at both ends.
///
/// The sum of the two outermost slopes falls as the eye moves along the axis, so halving finds it.
fn centred(corners: &[DVec3; 8], axis: usize, depth: f64, low: f64, high: f64) -> f64 {
    let outermost = |at: f64| {
        let slopes = corners.map(|c| (c[axis] - at) / (c.z - depth));
        slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            + slopes.iter().copied().fold(f64::INFINITY, f64::min)
    };
    let reach = corners.map(|c| c.z - depth).into_iter().fold(0.0, f64::max) * low.abs().max(high.abs());
    let mut from = corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min) - reach;
    let mut to = corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max) + reach;
    for _ in 0..80 {
        let middle = (from + to) * 0.5;
        if outermost(middle) > low + high {
            from = middle;
        } else {
            to = middle;
        }
    }
    (from + to) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bounds of the box in the picture, pixels.
    fn seen(camera: &Camera, low: DVec3, high: DVec3, size: [u32; 2]) -> PixelRect {
        let mut rect = PixelRect { min: DVec2::INFINITY, max: DVec2::NEG_INFINITY };
        for corner in 0..8 {
            let pick = |bit: usize, axis: usize| if corner & bit == 0 { low[axis] } else { high[axis] };
            let point = DVec3::new(pick(1, 0), pick(2, 1), pick(4, 2));
            let (pixel, _) = camera.project(point, size).expect("before the eye");
            rect = PixelRect { min: rect.min.min(pixel), max: rect.max.max(pixel) };
        }
        rect
    }

    #[test]
    fn every_view_shows_the_whole_box_tightly_and_in_the_middle() {
        let boxes =
            [[1000.0, 150.0, 1000.0], [90_000.0, 4000.0, 2000.0], [10.0, 0.0, 400.0], [3.0, 900.0, 3.0]];
        for (extent, view, size) in boxes.into_iter().flat_map(|extent| {
            View::ALL
                .into_iter()
                .flat_map(move |view| [[1280, 800], [500, 900]].map(|size| (extent, view, size)))
        }) {
            let half = DVec3::from_array(extent) * 0.5;
            let (low, high) = (DVec3::Y * 700.0 - half, DVec3::Y * 700.0 + half);
            let camera = Camera::framing(view, low, high, size, Camera::FOV_Y);
            let (rect, whole) = (seen(&camera, low, high, size), PixelRect::whole(size));
            let room = (1.0 - FILL) * 0.5 * whole.max;
            assert!(rect.min.cmpge(room - 1e-6).all(), "{view:?} {extent:?} {rect:?}");
            assert!(rect.max.cmple(whole.max - room + 1e-6).all(), "{view:?} {extent:?} {rect:?}");
            assert!((rect.centre() - whole.centre()).length() < 1e-3, "{view:?} {extent:?} {rect:?}");
            let filled = (rect.max - rect.min) / (whole.max * FILL);
            assert!((filled.max_element() - 1.0).abs() < 1e-6, "{view:?} {extent:?} fills {filled}");
        }
    }

    #[test]
    fn a_part_of_the_picture_is_kept_to() {
        let (low, high, size) =
            (DVec3::new(-500.0, 0.0, -500.0), DVec3::new(500.0, 90.0, 500.0), [1280, 800]);
        let inside = PixelRect { min: DVec2::new(300.0, 0.0), max: DVec2::new(1280.0, 770.0) };
        let camera = Camera::framing(View::South, low, high, size, Camera::FOV_Y);
        let rect = seen(&camera.framed(low, high, size, inside), low, high, size);
        assert!(rect.min.x > 300.0 && rect.max.y < 770.0, "{rect:?}");
        assert!((rect.centre() - inside.centre()).length() < 1e-3, "{rect:?}");
    }

    #[test]
    fn a_picture_of_no_pixels_and_a_box_of_no_size_give_finite_cameras() {
        let camera = Camera::framing(View::Top, DVec3::ONE, DVec3::ONE, [0, 0], Camera::FOV_Y);
        assert!(camera.eye.is_finite() && camera.eye.y > 1.0);
    }

    #[test]
    fn names_are_read_back() {
        for view in View::ALL {
            assert_eq!(view.name().parse::<View>().expect("known"), view);
        }
        let refused = "below".parse::<View>().expect_err("unknown").to_string();
        assert_eq!(refused, "view “below”; one of south, north, east, west, top, corner; correct the name");
    }
}
