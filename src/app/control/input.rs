//! What the hands do, without a window system's names.

use crate::camera::{PixelRect, View};
use glam::DVec2;

/// What a drag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    /// Turn about the ground under the pointer.
    Orbit,
    /// Move the ground with the pointer.
    Pan,
    /// Look around from the eye; keys fly meanwhile.
    Look,
}

/// A button of the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    /// The left one.
    Left,
    /// The middle one.
    Middle,
    /// The right one.
    Right,
}

/// Which hands the drags suit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preset {
    /// Left orbits, Shift and left pan.
    #[default]
    Model,
    /// Left pans, Shift and left orbit.
    Map,
}

impl Preset {
    /// What a button drags.
    pub fn drag(self, button: Button, shift: bool) -> Drag {
        match button {
            Button::Left if (self == Self::Map) == shift => Drag::Orbit,
            Button::Left | Button::Middle => Drag::Pan,
            Button::Right => Drag::Look,
        }
    }
}

/// A key that moves for as long as it is held. Letters are named by their place on a US keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it all")]
pub enum Key {
    W,
    A,
    S,
    D,
    E,
    Q,
    ArrowUp,
    ArrowLeft,
    ArrowDown,
    ArrowRight,
    PageUp,
    PageDown,
}

/// A move that is asked for once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Show all of the field from the present direction.
    FrameAll,
    /// The first view again.
    Home,
    /// Turn until north is up.
    NorthUp,
    /// Look straight down.
    StraightDown,
    /// Show all of the field from a named side.
    View(View),
    /// The next greater exaggeration.
    ExaggerateMore,
    /// The next smaller exaggeration.
    ExaggerateLess,
    /// True heights.
    ExaggerateNot,
}

/// One thing that happened. Pixels are physical and count from the picture's upper left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    /// A drag begins.
    Press {
        /// What it does.
        drag: Drag,
        /// Where the pointer is.
        pixel: DVec2,
    },
    /// The pointer moved.
    Move {
        /// Where it is now.
        pixel: DVec2,
    },
    /// The drag ends.
    Release,
    /// Two quick clicks at one place: fly there.
    DoubleClick {
        /// Where the pointer is.
        pixel: DVec2,
    },
    /// The wheel turned.
    Wheel {
        /// Where the pointer is.
        pixel: DVec2,
        /// Notches, positive away from the hand.
        notches: f64,
        /// Whether small steps are wanted.
        fine: bool,
    },
    /// A moving key went down or up.
    Key {
        /// Which.
        key: Key,
        /// Whether it is down.
        down: bool,
    },
    /// Shift and Ctrl, whenever either changes.
    Modifiers {
        /// Whether Shift is down.
        shift: bool,
        /// Whether Ctrl is down.
        ctrl: bool,
    },
    /// The window lost the keyboard: nothing is held any more.
    FocusLost,
    /// The picture's size, and the part of it that no panel covers.
    Resize {
        /// Physical pixels.
        size: [u32; 2],
        /// The free part.
        inside: PixelRect,
    },
    /// A single move.
    Command(Command),
}
