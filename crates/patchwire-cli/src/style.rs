//! Colours. They are left out if the output is no terminal, or if `NO_COLOR` is set.

use anstyle::{AnsiColor, Color, Style};
use clap::builder::Styles;

/// Errors.
pub(crate) const ERROR: Style = colour(AnsiColor::Red).bold();
/// Hints and repairs.
pub(crate) const NOTE: Style = colour(AnsiColor::Yellow);
/// Success.
pub(crate) const DONE: Style = colour(AnsiColor::Green);
/// Names: paths, keys, options.
pub(crate) const NAME: Style = colour(AnsiColor::Cyan);
/// Numbers and literals.
pub(crate) const SCALAR: Style = colour(AnsiColor::Magenta);
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Everything else.
pub(crate) const PLAIN: Style = Style::new();
/// Titles.
pub(crate) const TITLE: Style = Style::new().bold();

/// The styles of the help.
pub(crate) const HELP: Styles = Styles::styled()
    .header(TITLE)
    .usage(TITLE)
    .literal(NAME)
    .placeholder(FAINT)
    .error(ERROR)
    .valid(DONE)
    .invalid(NOTE);

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}
