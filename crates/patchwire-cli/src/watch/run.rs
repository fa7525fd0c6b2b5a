//! The loop: pieces in, keys in, a screen out.

use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use crossterm::event::KeyEvent;

use super::feed::{Feed, Timed};
use super::keys::{self, Act};
use super::view::{Palette, Screen};
use super::watched::{Shown, Watched};

/// Where the view is: something to draw on, with keys and a clock.
pub(super) trait Desk {
    type Error;

    /// The time since the view began.
    fn now(&self) -> Duration;

    /// What a person did, waiting for it no longer than this.
    fn input(&mut self, most: Duration) -> Result<Option<Input>, Self::Error>;

    fn draw(&mut self, shown: &Shown, screen: &mut Screen) -> Result<(), Self::Error>;
}

/// What a person does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    /// The terminal has another size.
    Resize,
    /// Somebody else wants the command to end.
    Signal,
}

/// How the view was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// After the stream had ended.
    Over,
    /// Before that.
    Early,
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

/// How often the speed is drawn while nothing comes.
const FADING: Duration = Duration::from_millis(250);

/// Shows a stream until the person leaves.
pub(super) fn run<D: Desk, W: Watched>(
    desk: &mut D,
    feed: &Feed<W::Fed>,
    watched: &mut W,
    palette: Palette,
    ending: Ending,
) -> Result<Way, D::Error> {
    let mut screen = Screen::new(palette);
    let mut pace = Pacer::new();
    let mut drawn: Option<Duration> = None;
    let mut speed = None;
    let mut is_new = true;
    loop {
        let now = desk.now();
        pace.tick(now, screen.pauses);
        if !screen.pauses && !watched.is_over() {
            pace.take(desk, feed, watched);
            let counters = &mut watched.shown_mut().model.counters;
            counters.tick(feed.now(now, pace.at));
            let is_due = drawn.is_some_and(|drawn| now >= drawn + FADING);
            is_new |= pace.took || is_due && counters.speed() != speed;
        }
        let ends = watched.is_over() && ending == Ending::WithStream;
        if is_new && (ends || drawn.is_none_or(|drawn| now >= drawn + FRAME)) {
            watched.look();
            desk.draw(watched.shown(), &mut screen)?;
            drawn = Some(now);
            speed = watched.shown().model.counters.speed();
            is_new = false;
        }
        if ends {
            return Ok(Way::Over);
        }
        let wait = match drawn {
            _ if pace.has_more => Duration::ZERO,
            _ if pace.took => BUSY,
            Some(drawn) if is_new => (drawn + FRAME).saturating_sub(desk.now()),
            _ if watched.is_over() || screen.pauses => IDLE,
            _ => FRAME.min(pace.next()),
        };
        match desk.input(wait)? {
            Some(Input::Key(key)) => match keys::act(key) {
                Some(Act::Help) => screen.help = !screen.help,
                Some(Act::Quit) if screen.help => screen.help = false,
                Some(Act::Quit) => return Ok(way(watched)),
                Some(act) => screen.act(act, &watched.shown().model),
                None => continue,
            },
            Some(Input::Resize) => {}
            Some(Input::Signal) => return Ok(way(watched)),
            None => continue,
        }
        is_new = true;
    }
}

fn way(watched: &impl Watched) -> Way {
    if watched.is_over() { Way::Over } else { Way::Early }
}

/// When what comes is taken. Its clock stands still while the view pauses.
struct Pacer<F> {
    at: Duration,
    ticked: Option<Duration>,
    /// What is not due yet.
    waiting: Option<Timed<F>>,
    /// Whether reading stopped with something left that is due.
    has_more: bool,
    /// Whether there was anything to read.
    took: bool,
}

impl<F> Pacer<F> {
    const fn new() -> Self {
        Self { at: Duration::ZERO, ticked: None, waiting: None, has_more: false, took: false }
    }

    fn tick(&mut self, now: Duration, pauses: bool) {
        let passed = now.saturating_sub(self.ticked.unwrap_or(now));
        self.ticked = Some(now);
        if !pauses {
            self.at += passed;
        }
        (self.has_more, self.took) = (false, false);
    }

    /// Reads what is due.
    fn take(&mut self, desk: &impl Desk, feed: &Feed<F>, watched: &mut impl Watched<Fed = F>) {
        let began = desk.now();
        while !watched.is_over() {
            let next = match self.waiting.take() {
                Some(waiting) => Ok(waiting),
                None => feed.next(),
            };
            match next {
                Ok(timed) if timed.due.is_some_and(|due| due > self.at) => {
                    self.waiting = Some(timed);
                    break;
                }
                Ok(Timed { fed, came, .. }) => watched.take(fed, came),
                Err(TryRecvError::Disconnected) => watched.close(),
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
        let due = self.waiting.as_ref().and_then(|waiting| waiting.due);
        due.map_or(FRAME, |due| due.saturating_sub(self.at))
    }
}

#[cfg(test)]
mod tests;
