//! What keys, drops and the panel ask of the viewer.

use super::control::{Input, Preset};
use super::loading::Wish;
use std::path::PathBuf;

/// One wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Something for the camera.
    Control(Input),
    /// Draw heights times this factor.
    Exaggerate(f64),
    /// Turn the sun by radians of compass direction and altitude.
    Sun([f64; 2]),
    /// Change what the left button does.
    Preset(Preset),
    /// Read a file.
    Open(PathBuf),
    /// Read the present file again.
    Reload,
    /// Read the present file again, in another way.
    Reread(Wish),
    /// Stop reading.
    CancelLoading,
    /// Put the keyboard into the path's text field.
    EnterPath,
    /// Show or hide the key sheet.
    ToggleHelp,
    /// Show or hide the panels.
    TogglePanels,
    /// Show or hide the levels as a coloured wireframe.
    ToggleLevels,
    /// Fill the screen, or leave it.
    ToggleFullScreen,
    /// Save a picture, with the panels or without.
    Picture {
        /// Whether the panels are part of it.
        panels: bool,
    },
    /// Put a notice away.
    Dismiss,
    /// Leave whatever is open on top.
    Escape,
    /// End the program.
    Quit,
}
