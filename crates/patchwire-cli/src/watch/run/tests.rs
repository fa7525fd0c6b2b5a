//! The loop, with a simulated clock and keys.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{ExitRule, Input, ViewExit, ViewHost, run};
use crate::pace::Pace;
use crate::settings::Settings;
use crate::source::{SourceError, Stream};
use crate::watch::session::{Session, SessionResult};
use crate::watch::timed_channel::{ByteMessage, Timed, TimedReceiver};
use crate::watch::view::{Palette, Screen};
use crate::watch::watched_stream::ViewContent;

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A host on which time passes only while the view waits or reads.
struct Test {
    at: Cell<Duration>,
    /// The time that one look at the clock takes.
    look: Duration,
    /// Keys and when they are pressed, the last first.
    keys: Vec<(Duration, char)>,
    /// When something was drawn, and how many bytes had arrived.
    drawn: Vec<(Duration, u64)>,
    /// What was copied.
    copied: Vec<String>,
    /// Chunks per second, as they were drawn.
    speeds: Vec<(Duration, Option<f64>)>,
}

impl Test {
    fn new(keys: &[(u64, char)]) -> Self {
        let keys = keys.iter().rev().map(|(at, key)| (millis(*at), *key)).collect();
        Self {
            at: Cell::default(),
            look: Duration::ZERO,
            keys,
            drawn: Vec::new(),
            copied: Vec::new(),
            speeds: Vec::new(),
        }
    }

    fn watch(
        &mut self,
        feed: &TimedReceiver<ByteMessage>,
        ending: ExitRule,
    ) -> (SessionResult, ViewExit) {
        let mut stream = Stream::of("test", Vec::new());
        let mut session = Session::new(&mut stream, &Settings::default());
        let Ok(way) = run(self, feed, &mut session, Palette::new(false), ending);
        (session.leave().unwrap_or_else(|failure| panic!("{failure}")), way)
    }

    /// How many bytes were shown at a time.
    fn shown(&self, at: u64) -> u64 {
        let before = self.drawn.iter().rfind(|(drawn, _)| *drawn <= millis(at));
        before.map_or(0, |(_, bytes)| *bytes)
    }
}

impl ViewHost for Test {
    type Error = Infallible;

    fn copy(&mut self, text: &str) -> Result<(), Infallible> {
        self.copied.push(text.to_owned());
        Ok(())
    }

    fn now(&self) -> Duration {
        self.at.set(self.at.get() + self.look);
        self.at.get()
    }

    fn input(&mut self, most: Duration) -> Result<Option<Input>, Infallible> {
        let end = self.at.get() + most;
        let Some((_, key)) = self.keys.pop_if(|(at, _)| *at <= end) else {
            assert!(self.at.get() < Duration::from_secs(3600), "it ends");
            self.at.set(end);
            return Ok(None);
        };
        let code = if key == '\n' { KeyCode::Enter } else { KeyCode::Char(key) };
        let key = KeyEvent::new(code, KeyModifiers::NONE);
        Ok(Some(Input::Key(key)))
    }

    fn draw(&mut self, shown: &ViewContent, _: &mut Screen) -> Result<(), Infallible> {
        let counters = &shown.model.counters;
        self.drawn.push((self.at.get(), counters.bytes));
        self.speeds.push((self.at.get(), counters.speed().map(|(_, chunks)| chunks)));
        Ok(())
    }
}

/// A stream of these chunks, each with the time it is due.
fn feed<'p>(
    pieces: impl IntoIterator<Item = (&'p str, Option<u64>)>,
) -> TimedReceiver<ByteMessage> {
    let (sender, receiver) = channel();
    for (text, due) in pieces {
        let due = due.map(millis);
        let arrived = due.unwrap_or_default();
        let message = ByteMessage::Chunk(text.as_bytes().to_vec());
        sender.send(Timed { message, arrived, due }).expect("there is a receiver");
    }
    let end = Timed::at_once(ByteMessage::End, Duration::ZERO);
    sender.send(end).expect("there is a receiver");
    TimedReceiver::new(receiver, Pace::Times(1.0))
}

fn live(receiver: Receiver<Timed<ByteMessage>>) -> TimedReceiver<ByteMessage> {
    TimedReceiver::new(receiver, Pace::Live)
}

fn value(left: &SessionResult) -> String {
    left.ended.value().to_string()
}

#[test]
fn pieces_are_shown_when_they_are_due() {
    let feed = feed([("{\"a\"", Some(0)), (": 1", Some(1000)), ("}", Some(3000))]);
    let mut test = Test::new(&[]);
    let (left, way) = test.watch(&feed, ExitRule::AtStreamEnd);
    assert_eq!((value(&left).as_str(), way), (r#"{"a":1}"#, ViewExit::AfterEnd));
    assert_eq!([0, 999, 1034, 2900, 3034].map(|at| test.shown(at)), [4, 4, 7, 7, 8]);
}

#[test]
fn a_pause_stops_the_clock() {
    let feed = feed([("{\"a\"", Some(0)), (": 1", Some(1000)), ("}", Some(3000))]);
    let mut test = Test::new(&[(500, ' '), (100_500, ' ')]);
    let (left, _) = test.watch(&feed, ExitRule::AtStreamEnd);
    assert_eq!(value(&left), r#"{"a":1}"#);
    assert_eq!([600, 99_000, 100_900, 101_600, 104_000].map(|at| test.shown(at)), [4, 4, 4, 7, 8]);
}

#[test]
fn the_view_stays_until_it_is_left() {
    let feed = feed([("{\"a\": 1}", None)]);
    let mut test = Test::new(&[(60_000, 'q')]);
    let (left, way) = test.watch(&feed, ExitRule::OnQuit);
    assert_eq!((value(&left).as_str(), way), (r#"{"a":1}"#, ViewExit::AfterEnd));
    assert!(test.at.get() >= millis(59_000), "{:?}", test.at);
    assert!(test.drawn.len() < 4, "{:?}", test.drawn);
}

#[test]
fn who_leaves_early_has_the_value_so_far() {
    let feed = feed([("{\"a\": \"so f", Some(0)), ("ar\"}", Some(60_000))]);
    let mut test = Test::new(&[(1000, 'q')]);
    let (left, way) = test.watch(&feed, ExitRule::OnQuit);
    assert_eq!((value(&left).as_str(), way), (r#"{"a":"so f"}"#, ViewExit::BeforeEnd));
}

#[test]
fn help_is_left_before_the_view() {
    let feed = feed([("{\"a\": 1}", None)]);
    let mut test = Test::new(&[(100, '?'), (200, 'q'), (9000, 'q')]);
    test.watch(&feed, ExitRule::OnQuit);
    assert!(test.keys.is_empty());
}

#[test]
fn fields_and_the_value_are_copied() {
    let feed = feed([("{\"a\": \"x\\ny\", \"n\": [1, {\"b\": null}]}", None)]);
    let keys = ['y', 'Y', '/', 'b', '\n', 'y', 'q', 'q'];
    let mut test = Test::new(&[]);
    let pressed = |(at, key): (usize, &char)| (millis(100 * (at as u64 + 1)), *key);
    test.keys = keys.iter().enumerate().rev().map(pressed).collect();
    test.watch(&feed, ExitRule::OnQuit);
    let value = r#"{"a":"x\ny","n":[1,{"b":null}]}"#;
    // This host lays out no rows, so a field is there only once it was searched. `q` closes the search first.
    assert_eq!(test.copied, [value, "null"]);
    assert!(test.keys.is_empty());
}

#[test]
fn however_much_comes_there_are_thirty_drawings_a_second() {
    let items: Vec<String> = (0..20_000).map(|n| format!("{n},")).collect();
    let pieces = std::iter::once("[").chain(items.iter().map(String::as_str));
    let feed = feed(pieces.map(|piece| (piece, None)));
    let mut test = Test::new(&[]);
    test.look = Duration::from_micros(100);
    let (left, _) = test.watch(&feed, ExitRule::AtStreamEnd);
    let seconds = test.at.get().as_secs_f64();
    assert_eq!(left.ended.value().len(), 20_000);
    assert!(seconds > 1.0, "it took its time: {seconds}");
    let most = seconds * 31.0 + 3.0;
    assert!((test.drawn.len() as f64) < most, "{} in {seconds}", test.drawn.len());
    assert!(test.drawn.len() > 20, "it is shown while it is read: {}", test.drawn.len());
}

#[test]
fn keys_are_seen_while_much_comes() {
    let items: Vec<String> = (0..20_000).map(|n| format!("{n},")).collect();
    let pieces = std::iter::once("[").chain(items.iter().map(String::as_str));
    let feed = feed(pieces.map(|piece| (piece, None)));
    let mut test = Test::new(&[(300, 'q')]);
    test.look = Duration::from_micros(100);
    let (left, way) = test.watch(&feed, ExitRule::OnQuit);
    assert!(way == ViewExit::BeforeEnd && left.ended.value().len() < 20_000);
    assert!(test.at.get() < millis(400), "{:?}", test.at);
}

#[test]
fn a_source_that_is_dropped_has_ended() {
    let (sender, receiver) = channel();
    let piece = Timed::at_once(ByteMessage::Chunk(b"[1".to_vec()), Duration::ZERO);
    sender.send(piece).expect("there is a receiver");
    drop(sender);
    let (left, way) = Test::new(&[]).watch(&live(receiver), ExitRule::AtStreamEnd);
    assert_eq!(
        (value(&left).as_str(), way, left.broken.is_none()),
        ("[1]", ViewExit::AfterEnd, true)
    );
}

#[test]
fn a_source_that_breaks_off_leaves_what_came() {
    let (sender, receiver) = channel();
    let piece = Timed::at_once(ByteMessage::Chunk(b"[1, 2".to_vec()), Duration::ZERO);
    sender.send(piece).expect("there is a receiver");
    let why = SourceError::NoSuchLine { name: "test".to_owned(), line: 1 };
    let failed = Timed::at_once(ByteMessage::Failed(why), Duration::ZERO);
    sender.send(failed).expect("there is a receiver");
    let (left, way) = Test::new(&[(5000, 'q')]).watch(&live(receiver), ExitRule::OnQuit);
    assert_eq!(
        (value(&left).as_str(), way, left.broken.is_some()),
        ("[1,2]", ViewExit::AfterEnd, true)
    );
}

#[test]
fn the_speed_falls_while_nothing_comes() {
    let mut pieces: Vec<(String, Option<u64>)> =
        (0..120).map(|n| (format!("{n},"), Some(25 * n))).collect();
    pieces.insert(0, ("[".to_owned(), Some(0)));
    pieces.push(("0]".to_owned(), Some(20_000)));
    let feed = feed(pieces.iter().map(|(text, due)| (text.as_str(), *due)));
    let mut test = Test::new(&[]);
    test.watch(&feed, ExitRule::AtStreamEnd);
    let speed = |at: u64| {
        let before = test.speeds.iter().rfind(|(drawn, _)| *drawn <= millis(at));
        before.expect("it was drawn").1.expect("there is something to compare")
    };
    let seen = [2900, 3900, 4900, 6500, 19_000].map(speed);
    assert!((38.0..44.0).contains(&seen[0]), "{seen:?}");
    assert!(seen[1] < seen[0] * 0.8 && seen[2] < seen[1] * 0.7, "{seen:?}");
    assert_eq!(seen[3..], [0.0, 0.0]);
    // A screen without changes is not drawn again.
    let idle = test.drawn.iter().filter(|(at, _)| *at > millis(6600) && *at < millis(19_900));
    assert_eq!(idle.count(), 0);
}

#[test]
fn the_speed_stands_still_while_the_view_does() {
    let pieces: Vec<(String, Option<u64>)> =
        (0..120).map(|n| (format!("{n},"), Some(25 * n))).collect();
    let pieces = pieces.iter().map(|(text, due)| (text.as_str(), *due));
    let feed = feed(std::iter::once(("[", Some(0))).chain(pieces));
    let mut test = Test::new(&[(2000, ' '), (60_000, ' ')]);
    test.watch(&feed, ExitRule::AtStreamEnd);
    let (_, last) = test.speeds.iter().rfind(|(at, _)| *at < millis(60_500)).expect("drawn");
    assert!(last.is_some_and(|speed| (36.0..44.0).contains(&speed)), "{last:?}");
}
