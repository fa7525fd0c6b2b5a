//! Colours. Unless `--color` says otherwise, they are left out if the output is no terminal, or if `NO_COLOR` is
//! set.

use std::ffi::OsString;
use std::io::{self, Write as _};

use anstream::ColorChoice;
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

/// The choice of `--color`, found before the arguments are parsed. Anything else than the three words is left to
/// the parser, which refuses it.
pub(crate) fn wanted(args: impl Iterator<Item = OsString>) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut is_next = false;
    for arg in args.skip(1).take_while(|arg| arg != "--") {
        let arg = arg.to_string_lossy();
        let word = if is_next { Some(&*arg) } else { arg.strip_prefix("--color=") };
        match word {
            Some("always") => choice = ColorChoice::Always,
            Some("never") => choice = ColorChoice::Never,
            Some("auto") => choice = ColorChoice::Auto,
            _ => {}
        }
        is_next = arg == "--color";
    }
    choice
}

/// Prints a message of the argument parser, which is the help or an error.
pub(crate) fn print(message: &clap::Error) -> io::Result<()> {
    let text = message.render();
    let text = text.ansi();
    if message.use_stderr() {
        write!(anstream::stderr().lock(), "{text}")
    } else {
        write!(anstream::stdout().lock(), "{text}")
    }
}

#[cfg(test)]
mod tests {
    use super::wanted;
    use anstream::ColorChoice;

    #[test]
    fn the_last_colour_before_the_end_of_options_counts() {
        let of = |args: &str| wanted(args.split(' ').map(Into::into));
        assert_eq!(of("patchwire demo"), ColorChoice::Auto);
        assert_eq!(of("patchwire --color never demo"), ColorChoice::Never);
        assert_eq!(of("patchwire demo --color=always"), ColorChoice::Always);
        assert_eq!(of("patchwire --color=always demo --color auto"), ColorChoice::Auto);
        assert_eq!(of("patchwire final -- --color=always"), ColorChoice::Auto);
        assert_eq!(of("patchwire --color sometimes"), ColorChoice::Auto);
    }
}
