//! The loop: pieces in, keys in, a screen out.

use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use crossterm::event::KeyEvent;

use super::feed::{Fed, Piece};
use super::keys::{self, Act};
use super::session::{Left, Session};
use super::view::{Palette, Screen};

/// Where the view is: something to draw on, with keys and a clock.
pub(super) trait Desk {
    type Error;

    /// The time since the view began.
    fn now(&self) -> Duration;

    /// What a person did, waiting for it no longer than this.
    fn input(&mut self, most: Duration) -> Result<Option<Input>, Self::Error>;

    fn draw(&mut self, session: &Session, screen: &mut Screen) -> Result<(), Self::Error>;
}

/// What a person does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    /// The terminal has another size.
    Resize,
}

/// When the view ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// When the person leaves.
    Left,
    /// When the stream ends, too.
    WithStream,
}

/// At most thirty drawings a second.
const FRAME: Duration = Duration::from_millis(33);
/// Longest that pieces are read without a look at the keys.
const READING: Duration = Duration::from_millis(20);
/// Longest that keys are waited for while pieces come as fast as they are read.
const BUSY: Duration = Duration::from_millis(2);
/// Longest that keys are waited for when nothing else happens.
const IDLE: Duration = Duration::from_millis(500);

/// Shows a stream until the person leaves.
pub(super) fn run<D: Desk>(
    desk: &mut D,
    feed: &Receiver<Fed>,
    mut session: Session,
    palette: Palette,
    ending: Ending,
) -> Result<Left, D::Error> {
    let mut screen = Screen::new(palette);
    let mut pace = Pacer::default();
    let mut drawn: Option<Duration> = None;
    let mut is_new = true;
    loop {
        let now = desk.now();
        pace.tick(now, screen.pauses);
        if !screen.pauses && !session.is_over() {
            pace.take(desk, feed, &mut session);
            is_new |= pace.took;
        }
        let ends = session.is_over() && ending == Ending::WithStream;
        if is_new && (ends || drawn.is_none_or(|drawn| now >= drawn + FRAME)) {
            session.look();
            desk.draw(&session, &mut screen)?;
            drawn = Some(now);
            is_new = false;
        }
        if ends {
            return Ok(session.leave());
        }
        let wait = match drawn {
            _ if pace.has_more => Duration::ZERO,
            _ if pace.took => BUSY,
            Some(drawn) if is_new => (drawn + FRAME).saturating_sub(desk.now()),
            _ if session.is_over() || screen.pauses => IDLE,
            _ => FRAME.min(pace.next()),
        };
        match desk.input(wait)? {
            Some(Input::Key(key)) => match keys::act(key) {
                Some(Act::Help) => screen.help = !screen.help,
                Some(Act::Quit) if screen.help => screen.help = false,
                Some(Act::Quit) => return Ok(session.leave()),
                Some(act) => screen.act(act, &session.model),
                None => continue,
            },
            Some(Input::Resize) => {}
            None => continue,
        }
        is_new = true;
    }
}

/// When pieces are taken. Its clock stands still while the view pauses.
#[derive(Default)]
struct Pacer {
    at: Duration,
    ticked: Option<Duration>,
    /// A piece that is not due yet.
    waiting: Option<Piece>,
    /// Whether reading stopped with pieces left that are due.
    has_more: bool,
    /// Whether there was anything to read.
    took: bool,
}

impl Pacer {
    fn tick(&mut self, now: Duration, pauses: bool) {
        let passed = now.saturating_sub(self.ticked.unwrap_or(now));
        self.ticked = Some(now);
        if !pauses {
            self.at += passed;
        }
        (self.has_more, self.took) = (false, false);
    }

    /// Reads what is due.
    fn take(&mut self, desk: &impl Desk, feed: &Receiver<Fed>, session: &mut Session) {
        let began = desk.now();
        while !session.is_over() {
            let fed = match self.waiting.take() {
                Some(piece) => Ok(Fed::Piece(piece)),
                None => feed.try_recv(),
            };
            match fed {
                Ok(Fed::Piece(piece)) if piece.due.is_some_and(|due| due > self.at) => {
                    self.waiting = Some(piece);
                    break;
                }
                Ok(Fed::Piece(piece)) => session.feed(&piece.bytes, piece.came),
                Ok(Fed::End) | Err(TryRecvError::Disconnected) => session.finish(None),
                Ok(Fed::Failed(error)) => session.finish(Some(error)),
                Err(TryRecvError::Empty) => break,
            }
            self.took = true;
            if desk.now() >= began + READING {
                self.has_more = true;
                break;
            }
        }
    }

    /// How long until the next piece is due.
    fn next(&self) -> Duration {
        let due = self.waiting.as_ref().and_then(|piece| piece.due);
        due.map_or(FRAME, |due| due.saturating_sub(self.at))
    }
}

#[cfg(test)]
mod tests;
