//! The loop of the view: messages and keys in, a screen out.

use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use crossterm::event::KeyEvent;

use super::keys::{self, KeyAction};
use super::model::Model;
use super::timed_channel::{Timed, TimedReceiver};
use super::view::{Palette, Screen, Search};
use super::watched_stream::{ViewContent, WatchedStream};

/// What the view runs on: a screen, keys, and a clock.
pub(super) trait ViewHost {
    type Error;

    /// The time since the view began.
    fn now(&self) -> Duration;

    /// Waits at most `most` for the next input.
    fn input(&mut self, most: Duration) -> Result<Option<Input>, Self::Error>;

    fn draw(&mut self, content: &ViewContent, screen: &mut Screen) -> Result<(), Self::Error>;

    /// Puts a text onto the clipboard.
    fn copy(&mut self, text: &str) -> Result<(), Self::Error>;
}

/// An input of the person or the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Key(KeyEvent),
    /// The terminal changed its size.
    Resize,
    /// A signal asks the command to end.
    Signal,
}

/// When the view was left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ViewExit {
    /// After the stream had ended.
    AfterEnd,
    /// Before the stream had ended.
    BeforeEnd,
}

/// When the view closes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitRule {
    /// Never: only when the person leaves.
    OnQuit,
    /// When the stream ends.
    AtStreamEnd,
}

/// At most thirty drawings a second.
const FRAME: Duration = Duration::from_millis(33);
/// The longest time that messages are read before the keys are checked.
const READING: Duration = Duration::from_millis(20);
/// The longest wait for keys while messages arrive as fast as they are read.
const BUSY: Duration = Duration::from_millis(2);
/// The longest wait for keys when nothing else happens.
const IDLE: Duration = Duration::from_millis(500);

/// How often the speed is redrawn while nothing arrives.
const FADING: Duration = Duration::from_millis(250);

/// Shows a stream until the person leaves.
pub(super) fn run<D: ViewHost, W: WatchedStream>(
    host: &mut D,
    receiver: &TimedReceiver<W::Message>,
    watched: &mut W,
    palette: Palette,
    ending: ExitRule,
) -> Result<ViewExit, D::Error> {
    let mut screen = Screen::new(palette);
    let mut pace = Pacer::new();
    let mut drawn: Option<Duration> = None;
    let mut speed = None;
    let mut is_new = true;
    watched.content_mut().model.counters.play(receiver.speed());
    loop {
        let now = host.now();
        pace.tick(now, screen.pauses);
        if !screen.pauses && !watched.is_over() {
            pace.take(host, receiver, watched);
            let counters = &mut watched.content_mut().model.counters;
            counters.tick(receiver.stream_time(now, pace.at));
            let is_due = drawn.is_some_and(|drawn| now >= drawn + FADING);
            is_new |= pace.took || is_due && counters.speed() != speed;
        }
        let ends = watched.is_over() && ending == ExitRule::AtStreamEnd;
        if is_new && (ends || drawn.is_none_or(|drawn| now >= drawn + FRAME)) {
            watched.refresh();
            host.draw(watched.content(), &mut screen)?;
            drawn = Some(now);
            speed = watched.content().model.counters.speed();
            is_new = false;
        }
        if ends {
            return Ok(ViewExit::AfterEnd);
        }
        let wait = match drawn {
            _ if pace.has_more => Duration::ZERO,
            _ if pace.took => BUSY,
            Some(drawn) if is_new => (drawn + FRAME).saturating_sub(host.now()),
            _ if watched.is_over() || screen.pauses => IDLE,
            _ => FRAME.min(pace.next()),
        };
        match host.input(wait)? {
            Some(Input::Key(key)) => match pressed(&mut screen, key, &watched.content().model) {
                Pressed::Quit => return Ok(way(watched)),
                Pressed::Copies(text) => host.copy(&text)?,
                Pressed::Acts => {}
                Pressed::Nothing => continue,
            },
            Some(Input::Resize) => {}
            Some(Input::Signal) => return Ok(way(watched)),
            None => continue,
        }
        is_new = true;
    }
}

/// What the loop does about a key.
enum Pressed {
    Nothing,
    /// The screen is another now.
    Acts,
    Copies(String),
    Quit,
}

fn pressed(screen: &mut Screen, key: KeyEvent, model: &Model) -> Pressed {
    let had_message = screen.message.take().is_some();
    if screen.search.is_open {
        screen.type_key(key, model);
        return Pressed::Acts;
    }
    match keys::act(key) {
        Some(KeyAction::Help) => screen.help = !screen.help,
        Some(KeyAction::Quit) if screen.help => screen.help = false,
        // Escape and `q` close the search first.
        Some(KeyAction::Quit) if screen.search.found.is_some() => screen.search = Search::default(),
        Some(KeyAction::Quit) => return Pressed::Quit,
        Some(act @ (KeyAction::CopyField | KeyAction::CopyValue)) => {
            return screen.copied(act, model).map_or(Pressed::Acts, Pressed::Copies);
        }
        Some(act) => screen.act(act, model),
        None if !had_message => return Pressed::Nothing,
        None => {}
    }
    Pressed::Acts
}

fn way(watched: &impl WatchedStream) -> ViewExit {
    if watched.is_over() { ViewExit::AfterEnd } else { ViewExit::BeforeEnd }
}

/// Takes messages when they are due. Its clock stops while the view pauses.
struct Pacer<M> {
    at: Duration,
    ticked: Option<Duration>,
    /// The next message, if it is not due yet.
    waiting: Option<Timed<M>>,
    /// Whether reading stopped although more messages are due.
    has_more: bool,
    /// Whether there was a message to read.
    took: bool,
}

impl<M> Pacer<M> {
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

    /// Takes the messages that are due.
    fn take(
        &mut self,
        host: &impl ViewHost,
        receiver: &TimedReceiver<M>,
        watched: &mut impl WatchedStream<Message = M>,
    ) {
        let began = host.now();
        while !watched.is_over() {
            let next = match self.waiting.take() {
                Some(waiting) => Ok(waiting),
                None => receiver.next(),
            };
            match next {
                Ok(timed) if timed.due.is_some_and(|due| due > self.at) => {
                    self.waiting = Some(timed);
                    break;
                }
                Ok(Timed { message, arrived, .. }) => watched.take(message, arrived),
                Err(TryRecvError::Disconnected) => watched.close(),
                Err(TryRecvError::Empty) => break,
            }
            self.took = true;
            if host.now() >= began + READING {
                self.has_more = true;
                break;
            }
        }
    }

    /// How long until the next message is due.
    fn next(&self) -> Duration {
        let due = self.waiting.as_ref().and_then(|waiting| waiting.due);
        due.map_or(FRAME, |due| due.saturating_sub(self.at))
    }
}

#[cfg(test)]
mod tests;
