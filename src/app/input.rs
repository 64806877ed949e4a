//! From the window system's events to actions: moving keys by their place, commands by their letter.

use super::action::Action;
use super::control::{Button, Command, Drag, Input, Key, Preset};
use crate::camera::View;
use glam::DVec2;
use std::time::{Duration, Instant};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as Logical, KeyCode, ModifiersState, NamedKey, PhysicalKey};

/// Two clicks within this time are one double click.
const DOUBLE_CLICK: Duration = Duration::from_millis(400);
/// Pixels that the pointer may wander within a click, at scale 1.
const WANDER: f64 = 5.0;
/// Pixels of a touchpad's scroll that are worth one notch of a wheel, at scale 1.
const NOTCH_PIXELS: f64 = 60.0;

/// The sun goes by 5° a key.
const SUN_STEP: f64 = std::f64::consts::PI / 36.0;

/// What has to be remembered between events.
#[derive(Debug, Default)]
pub struct Hands {
    /// What the left button does.
    pub preset: Preset,
    pointer: Option<DVec2>,
    modifiers: ModifiersState,
    pressed: Option<MouseButton>,
    looking: bool,
    last_click: Option<(Instant, DVec2)>,
}

impl Hands {
    /// Where the pointer is, physical pixels, while it is over the window.
    pub fn pointer(&self) -> Option<DVec2> {
        self.pointer
    }

    /// Takes time in which no event could be heard, such as that of drawing, out of the time between two clicks.
    pub fn excuse(&mut self, deaf: Duration) {
        if let Some((then, _)) = &mut self.last_click {
            *then += deaf;
        }
    }

    /// The actions of an event. `taken`: the panels keep the event. `typing`: they listen to the keyboard.
    pub fn actions(&mut self, event: &WindowEvent, taken: bool, typing: bool, scale: f64) -> Vec<Action> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let pixel = DVec2::new(position.x, position.y);
                self.pointer = Some(pixel);
                self.pressed.map(|_| Action::Control(Input::Move { pixel })).into_iter().collect()
            }
            WindowEvent::CursorLeft { .. } => {
                self.pointer = None;
                Vec::new()
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } if !taken => {
                self.press(*button, scale).into_iter().collect()
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                self.release(*button).into_iter().collect()
            }
            WindowEvent::MouseWheel { delta, .. } if !taken => {
                self.wheel(*delta, scale).into_iter().collect()
            }
            WindowEvent::PinchGesture { delta, .. } if !taken => self.pinch(*delta).into_iter().collect(),
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                vec![self.told_modifiers()]
            }
            WindowEvent::KeyboardInput { event, is_synthetic: false, .. } => self.key(event, typing),
            WindowEvent::Focused(false) => {
                (self.pressed, self.looking, self.modifiers) = (None, false, ModifiersState::empty());
                vec![Action::Control(Input::FocusLost)]
            }
            WindowEvent::DroppedFile(path) => vec![Action::Open(path.clone())],
            _ => Vec::new(),
        }
    }

    fn told_modifiers(&self) -> Action {
        let (shift, ctrl) = (self.modifiers.shift_key(), self.modifiers.control_key());
        Action::Control(Input::Modifiers { shift, ctrl })
    }

    fn press(&mut self, button: MouseButton, scale: f64) -> Option<Action> {
        let pixel = self.pointer?;
        let known = match button {
            MouseButton::Left => Button::Left,
            MouseButton::Middle => Button::Middle,
            MouseButton::Right => Button::Right,
            _ => return None,
        };
        if self.pressed.is_some() {
            return None;
        }
        if known == Button::Left && self.is_double(pixel, scale) {
            return Some(Action::Control(Input::DoubleClick { pixel }));
        }
        let drag = self.preset.drag(known, self.modifiers.shift_key());
        self.pressed = Some(button);
        self.looking = drag == Drag::Look;
        Some(Action::Control(Input::Press { drag, pixel }))
    }

    fn is_double(&mut self, pixel: DVec2, scale: f64) -> bool {
        let now = Instant::now();
        let before = self.last_click.replace((now, pixel));
        let double = before
            .is_some_and(|(then, place)| now - then < DOUBLE_CLICK && place.distance(pixel) < WANDER * scale);
        if double {
            self.last_click = None;
        }
        double
    }

    fn release(&mut self, button: MouseButton) -> Option<Action> {
        if self.pressed != Some(button) {
            return None;
        }
        (self.pressed, self.looking) = (None, false);
        Some(Action::Control(Input::Release))
    }

    fn wheel(&self, delta: MouseScrollDelta, scale: f64) -> Option<Action> {
        let notches = match delta {
            MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
            MouseScrollDelta::PixelDelta(pixels) => pixels.y / (NOTCH_PIXELS * scale),
        };
        let fine = self.modifiers.control_key();
        (notches != 0.0).then_some(Action::Control(Input::Wheel { pixel: self.pointer?, notches, fine }))
    }

    /// Spread fingers: a doubled size is worth about three notches.
    fn pinch(&self, delta: f64) -> Option<Action> {
        Some(Action::Control(Input::Wheel { pixel: self.pointer?, notches: 3.0 * delta, fine: false }))
    }

    fn key(&self, event: &KeyEvent, typing: bool) -> Vec<Action> {
        let down = event.state == ElementState::Pressed;
        let mut actions = Vec::new();
        // A key that goes up is always told, so that none stays held behind a text field.
        if let (Some(key), true) = (moving(event.physical_key), !down || !typing) {
            actions.push(Action::Control(Input::Key { key, down }));
        }
        if down && !event.repeat {
            let named = self.named(&event.logical_key);
            actions.extend(named.or_else(|| if typing { None } else { self.command(event) }));
        }
        actions
    }

    /// Keys that work in a text field as well.
    fn named(&self, key: &Logical) -> Option<Action> {
        match key {
            Logical::Named(NamedKey::Escape) => Some(Action::Escape),
            Logical::Named(NamedKey::F1) => Some(Action::ToggleHelp),
            Logical::Named(NamedKey::F5) => Some(Action::Reload),
            Logical::Named(NamedKey::F10) => Some(Action::TogglePanels),
            Logical::Named(NamedKey::F11) => Some(Action::ToggleFullScreen),
            Logical::Named(NamedKey::F12) => Some(Action::Picture { panels: !self.modifiers.control_key() }),
            _ => None,
        }
    }

    fn command(&self, event: &KeyEvent) -> Option<Action> {
        if self.modifiers.control_key() {
            return if self.looking { None } else { with_ctrl(event) };
        }
        if self.modifiers.alt_key() || self.modifiers.super_key() {
            return None;
        }
        if let Some(view) = numpad(event.physical_key) {
            return Some(command(view));
        }
        if event.logical_key == Logical::Named(NamedKey::Home) {
            return Some(command(Command::Home));
        }
        let shift = self.modifiers.shift_key();
        match letter(event)? {
            'f' => Some(command(Command::FrameAll)),
            'n' => Some(command(Command::NorthUp)),
            't' => Some(command(Command::StraightDown)),
            'z' if shift => Some(command(Command::ExaggerateLess)),
            'z' => Some(command(Command::ExaggerateMore)),
            '0' => Some(command(Command::ExaggerateNot)),
            ',' | '<' => Some(sun(-SUN_STEP, shift)),
            '.' | '>' => Some(sun(SUN_STEP, shift)),
            'x' => Some(Action::ToggleLevels),
            'h' => Some(Action::ToggleHelp),
            _ => None,
        }
    }
}

/// The sun's compass direction, or with Shift its altitude.
fn sun(step: f64, shift: bool) -> Action {
    Action::Sun(if shift { [0.0, step] } else { [step, 0.0] })
}

fn command(command: Command) -> Action {
    Action::Control(Input::Command(command))
}

/// The letter or digit of a key, in lower case; a digit also by its place, for layouts that need Shift for it.
fn letter(event: &KeyEvent) -> Option<char> {
    if event.physical_key == PhysicalKey::Code(KeyCode::Digit0) {
        return Some('0');
    }
    match &event.logical_key {
        Logical::Character(text) => text.chars().next().map(|c| c.to_ascii_lowercase()),
        _ => None,
    }
}

fn with_ctrl(event: &KeyEvent) -> Option<Action> {
    if let PhysicalKey::Code(code) = event.physical_key {
        let view = match code {
            KeyCode::Digit1 => Some(View::South),
            KeyCode::Digit3 => Some(View::East),
            KeyCode::Digit9 => Some(View::Corner),
            _ => None,
        };
        if let Some(view) = view {
            return Some(command(Command::View(view)));
        }
    }
    match letter(event)? {
        'o' => Some(Action::EnterPath),
        'q' => Some(Action::Quit),
        _ => None,
    }
}

fn numpad(key: PhysicalKey) -> Option<Command> {
    match key {
        PhysicalKey::Code(KeyCode::Numpad1) => Some(Command::View(View::South)),
        PhysicalKey::Code(KeyCode::Numpad3) => Some(Command::View(View::East)),
        PhysicalKey::Code(KeyCode::Numpad9) => Some(Command::View(View::Corner)),
        PhysicalKey::Code(KeyCode::Numpad7) => Some(Command::StraightDown),
        _ => None,
    }
}

fn moving(key: PhysicalKey) -> Option<Key> {
    let PhysicalKey::Code(code) = key else { return None };
    Some(match code {
        KeyCode::KeyW => Key::W,
        KeyCode::KeyA => Key::A,
        KeyCode::KeyS => Key::S,
        KeyCode::KeyD => Key::D,
        KeyCode::KeyE => Key::E,
        KeyCode::KeyQ => Key::Q,
        KeyCode::ArrowUp => Key::ArrowUp,
        KeyCode::ArrowLeft => Key::ArrowLeft,
        KeyCode::ArrowDown => Key::ArrowDown,
        KeyCode::ArrowRight => Key::ArrowRight,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        _ => return None,
    })
}
