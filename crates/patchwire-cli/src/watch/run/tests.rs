//! The loop with a clock and keys of its own: nobody waits.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::{Desk, Ending, Fed, Input, Piece, Session, run};
use crate::settings::Settings;
use crate::source::{Name, SourceError};
use crate::watch::session::Left;
use crate::watch::view::{Palette, Screen};

const fn millis(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A place to watch from where time passes only while the view waits, or reads.
struct Test {
    at: Cell<Duration>,
    /// What a look at the clock costs.
    look: Duration,
    /// Keys, and when they are pressed; the last first.
    keys: Vec<(Duration, char)>,
    /// When something was drawn, and how many bytes had come.
    drawn: Vec<(Duration, u64)>,
}

impl Test {
    fn new(keys: &[(u64, char)]) -> Self {
        let keys = keys.iter().rev().map(|(at, key)| (millis(*at), *key)).collect();
        Self { at: Cell::default(), look: Duration::ZERO, keys, drawn: Vec::new() }
    }

    fn watch(&mut self, feed: &Receiver<Fed>, ending: Ending) -> Left {
        let name = Name { file: "test".to_owned(), line: None };
        let session = Session::new(name, &Settings::default());
        let Ok(left) = run(self, feed, session, Palette::new(false), ending);
        left
    }

    /// How much was shown at a time.
    fn shown(&self, at: u64) -> u64 {
        let before = self.drawn.iter().rfind(|(drawn, _)| *drawn <= millis(at));
        before.map_or(0, |(_, bytes)| *bytes)
    }
}

impl Desk for Test {
    type Error = Infallible;

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
        let key = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
        Ok(Some(Input::Key(key)))
    }

    fn draw(&mut self, session: &Session, _: &mut Screen) -> Result<(), Infallible> {
        self.drawn.push((self.at.get(), session.model.counters.bytes));
        Ok(())
    }
}

/// A stream of these pieces, with when each is due.
fn feed<'p>(pieces: impl IntoIterator<Item = (&'p str, Option<u64>)>) -> Receiver<Fed> {
    let (sender, receiver) = channel();
    for (text, due) in pieces {
        let due = due.map(millis);
        let came = due.unwrap_or_default();
        let piece = Piece { bytes: text.as_bytes().to_vec(), came, due };
        sender.send(Fed::Piece(piece)).expect("there is a receiver");
    }
    sender.send(Fed::End).expect("there is a receiver");
    receiver
}

fn value(left: &Left) -> String {
    left.ended.value().to_string()
}

#[test]
fn pieces_are_shown_when_they_are_due() {
    let feed = feed([("{\"a\"", Some(0)), (": 1", Some(1000)), ("}", Some(3000))]);
    let mut test = Test::new(&[]);
    let left = test.watch(&feed, Ending::WithStream);
    assert_eq!((value(&left).as_str(), left.early), (r#"{"a":1}"#, false));
    assert_eq!([0, 999, 1034, 2900, 3034].map(|at| test.shown(at)), [4, 4, 7, 7, 8]);
}

#[test]
fn a_pause_stops_the_clock() {
    let feed = feed([("{\"a\"", Some(0)), (": 1", Some(1000)), ("}", Some(3000))]);
    let mut test = Test::new(&[(500, ' '), (100_500, ' ')]);
    let left = test.watch(&feed, Ending::WithStream);
    assert_eq!(value(&left), r#"{"a":1}"#);
    assert_eq!([600, 99_000, 100_900, 101_600, 104_000].map(|at| test.shown(at)), [4, 4, 4, 7, 8]);
}

#[test]
fn the_view_stays_until_it_is_left() {
    let feed = feed([("{\"a\": 1}", None)]);
    let mut test = Test::new(&[(60_000, 'q')]);
    let left = test.watch(&feed, Ending::Left);
    assert_eq!((value(&left).as_str(), left.early), (r#"{"a":1}"#, false));
    assert!(test.at.get() >= millis(59_000), "{:?}", test.at);
    assert!(test.drawn.len() < 4, "{:?}", test.drawn);
}

#[test]
fn who_leaves_early_has_the_value_so_far() {
    let feed = feed([("{\"a\": \"so f", Some(0)), ("ar\"}", Some(60_000))]);
    let mut test = Test::new(&[(1000, 'q')]);
    let left = test.watch(&feed, Ending::Left);
    assert_eq!((value(&left).as_str(), left.early), (r#"{"a":"so f"}"#, true));
}

#[test]
fn help_is_left_before_the_view() {
    let feed = feed([("{\"a\": 1}", None)]);
    let mut test = Test::new(&[(100, '?'), (200, 'q'), (9000, 'q')]);
    test.watch(&feed, Ending::Left);
    assert!(test.keys.is_empty());
}

#[test]
fn however_much_comes_there_are_thirty_drawings_a_second() {
    let items: Vec<String> = (0..20_000).map(|n| format!("{n},")).collect();
    let pieces = std::iter::once("[").chain(items.iter().map(String::as_str));
    let feed = feed(pieces.map(|piece| (piece, None)));
    let mut test = Test::new(&[]);
    test.look = Duration::from_micros(100);
    let left = test.watch(&feed, Ending::WithStream);
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
    let left = test.watch(&feed, Ending::Left);
    assert!(left.early && left.ended.value().len() < 20_000);
    assert!(test.at.get() < millis(400), "{:?}", test.at);
}

#[test]
fn a_source_that_is_dropped_has_ended() {
    let (sender, receiver) = channel();
    let piece = Piece { bytes: b"[1".to_vec(), came: Duration::ZERO, due: None };
    sender.send(Fed::Piece(piece)).expect("there is a receiver");
    drop(sender);
    let left = Test::new(&[]).watch(&receiver, Ending::WithStream);
    assert_eq!((value(&left).as_str(), left.early, left.broken.is_none()), ("[1]", false, true));
}

#[test]
fn a_source_that_breaks_off_leaves_what_came() {
    let (sender, receiver) = channel();
    let piece = Piece { bytes: b"[1, 2".to_vec(), came: Duration::ZERO, due: None };
    sender.send(Fed::Piece(piece)).expect("there is a receiver");
    let why = SourceError::NoSuchLine { name: "test".to_owned(), line: 1 };
    sender.send(Fed::Failed(why)).expect("there is a receiver");
    let left = Test::new(&[(5000, 'q')]).watch(&receiver, Ending::Left);
    assert_eq!((value(&left).as_str(), left.early, left.broken.is_some()), ("[1,2]", false, true));
}
