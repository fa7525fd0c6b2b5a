//! Colours: a few, the same as in other commands.

use ratatui::style::{Color, Modifier, Style};

/// The style of each kind of text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    /// Keys and names.
    pub(super) name: Style,
    /// Secondary text.
    pub(super) faint: Style,
    /// Titles.
    pub(super) title: Style,
    pub(super) done: Style,
    pub(super) writing: Style,
    /// Hints and repairs.
    pub(super) note: Style,
    pub(super) error: Style,
    /// Numbers and literals.
    pub(super) scalar: Style,
    pub(super) plain: Style,
}

impl Palette {
    pub(crate) const fn new(has_colours: bool) -> Self {
        if has_colours { Self::COLOURS } else { Self::PLAIN }
    }

    const COLOURS: Self = Self {
        name: Style::new().fg(Color::Cyan),
        faint: Style::new().add_modifier(Modifier::DIM),
        title: Style::new().add_modifier(Modifier::BOLD),
        done: Style::new().fg(Color::Green),
        writing: Style::new().fg(Color::Yellow),
        note: Style::new().fg(Color::Yellow),
        error: Style::new().fg(Color::Red),
        scalar: Style::new().fg(Color::Magenta),
        plain: Style::new(),
    };

    /// Styles without colours.
    const PLAIN: Self = Self {
        name: Style::new(),
        faint: Style::new().add_modifier(Modifier::DIM),
        title: Style::new().add_modifier(Modifier::BOLD),
        done: Style::new(),
        writing: Style::new().add_modifier(Modifier::BOLD),
        note: Style::new(),
        error: Style::new().add_modifier(Modifier::BOLD),
        scalar: Style::new(),
        plain: Style::new(),
    };
}
