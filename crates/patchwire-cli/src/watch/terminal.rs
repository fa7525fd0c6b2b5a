//! Takes the terminal for the view, and restores it.

use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use anstream::ColorChoice;
use crossterm::clipboard::CopyToClipboard;
use crossterm::event::{self, Event};
use ratatui::DefaultTerminal;

use super::run::{self, ExitRule, Input, ViewExit, ViewHost};
use super::signals::Signals;
use super::timed_channel::TimedReceiver;
use super::view::{self, Palette, Screen};
use super::watched_stream::{ViewContent, WatchedStream};

/// The terminal while the view has it. It is restored when this is dropped; a hook of `ratatui`
/// restores it before a panic message.
pub(crate) struct OwnTerminal<'s> {
    signals: &'s Signals,
    terminal: DefaultTerminal,
    began: Instant,
}

/// Whether a view can be shown: stdout is a terminal that can move its cursor.
pub(crate) fn is_available() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !is_dumb
}

impl<'s> OwnTerminal<'s> {
    /// Takes the terminal.
    fn enter(signals: &'s Signals) -> io::Result<Self> {
        // If taking the terminal fails halfway, the half that was taken is restored.
        let terminal = ratatui::try_init().inspect_err(|_| ratatui::restore())?;
        Ok(Self { signals, terminal, began: Instant::now() })
    }
}

impl Drop for OwnTerminal<'_> {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Shows a stream on the terminal until the person leaves, and restores the terminal. If a signal
/// ended the view, it then ends the command.
pub(crate) fn watch<W: WatchedStream>(
    receiver: TimedReceiver<W::Message>,
    watched: &mut W,
    ending: ExitRule,
) -> io::Result<ViewExit> {
    let has_colours = anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    let signals = Signals::catch()?;
    // The terminal is restored at the end of this statement, even after an error.
    let way = run::run(
        &mut OwnTerminal::enter(&signals)?,
        &receiver,
        watched,
        Palette::new(has_colours),
        ending,
    );
    signals.raise();
    way
}

/// The shortest wait for keys: with no time at all, `crossterm` does not check for them.
const LOOK: Duration = Duration::from_millis(1);

impl ViewHost for OwnTerminal<'_> {
    type Error = io::Error;

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn input(&mut self, most: Duration) -> io::Result<Option<Input>> {
        let polled = event::poll(most.max(LOOK));
        // Reading from a terminal that is gone may fail; the signal is the better explanation.
        if self.signals.is_caught() {
            return Ok(Some(Input::Signal));
        }
        if !polled? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) => Some(Input::Key(key)),
            Event::Resize(..) => Some(Input::Resize),
            _ => None,
        })
    }

    fn copy(&mut self, text: &str) -> io::Result<()> {
        // OSC 52: the terminal copies, also through ssh.
        crossterm::execute!(io::stdout(), CopyToClipboard::to_clipboard_from(text))
    }

    fn draw(&mut self, content: &ViewContent, screen: &mut Screen) -> io::Result<()> {
        self.terminal.draw(|frame| view::draw(frame, &content.model, screen, &content.info))?;
        Ok(())
    }
}
