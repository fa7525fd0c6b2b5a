//! The terminal: taken for the view, and given back as it was.

use std::io::{self, IsTerminal as _};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use anstream::ColorChoice;
use crossterm::event::{self, Event};
use ratatui::DefaultTerminal;

use super::feed::Fed;
use super::run::{self, Desk, Ending, Input};
use super::session::{Left, Session};
use super::view::{self, Palette, Screen};

/// The terminal, while the view has it. It is given back when this is dropped, and by a hook that
/// `ratatui` sets before a panic prints.
pub(crate) struct Stage {
    terminal: DefaultTerminal,
    began: Instant,
}

impl Stage {
    /// Whether a view can be shown: stdout is a terminal that can move its cursor.
    pub(crate) fn is_there() -> bool {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        io::stdout().is_terminal() && !is_dumb
    }

    /// Takes the terminal.
    pub(crate) fn enter() -> io::Result<Self> {
        // Where it can be taken only in part, that part is given back.
        let terminal = ratatui::try_init().inspect_err(|_| ratatui::restore())?;
        Ok(Self { terminal, began: Instant::now() })
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Shows a stream on the terminal until the person leaves, and gives the terminal back.
pub(crate) fn watch(feed: &Receiver<Fed>, session: Session, ending: Ending) -> io::Result<Left> {
    let has_colours = anstream::AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    run::run(&mut Stage::enter()?, feed, session, Palette::new(has_colours), ending)
}

impl Desk for Stage {
    type Error = io::Error;

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    fn input(&mut self, most: Duration) -> io::Result<Option<Input>> {
        if !event::poll(most)? {
            return Ok(None);
        }
        Ok(match event::read()? {
            Event::Key(key) => Some(Input::Key(key)),
            Event::Resize(..) => Some(Input::Resize),
            _ => None,
        })
    }

    fn draw(&mut self, session: &Session, screen: &mut Screen) -> io::Result<()> {
        self.terminal.draw(|frame| view::draw(frame, &session.model, screen, &session.about))?;
        Ok(())
    }
}
