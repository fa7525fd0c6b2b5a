//! The last events of a stream, numbered.

use core::fmt::Write as _;
use std::collections::VecDeque;

use bytes::Bytes;

use crate::wire_event::WireEvent;

/// An item of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Emitted {
    /// An event, which gets a number.
    Event(WireEvent),
    /// Bytes of a body that is passed on as it is.
    Bytes(Bytes),
    /// The body has no valid end, so the connection is closed.
    Broken,
}

impl From<WireEvent> for Emitted {
    fn from(event: WireEvent) -> Self {
        Self::Event(event)
    }
}

/// The most bytes of an event beside its name and its data: three labels and a number.
const FRAME: usize = "id: \nevent: \ndata: \n\n".len() + 20;

/// The last events of a stream, limited by their bytes. Numbers begin at 1.
#[derive(Debug)]
pub(super) struct EventLog {
    events: VecDeque<Bytes>,
    /// The number of the first stored event.
    first: u64,
    bytes: usize,
    most: usize,
}

/// Where an event is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The event is stored.
    Event(Bytes),
    /// The event was stored and dropped.
    Passed,
    /// The event does not exist yet.
    ToCome,
}

impl EventLog {
    /// A log whose first event has the number `first`.
    pub(super) fn new(first: u64, most: usize) -> Self {
        Self { events: VecDeque::new(), first, bytes: 0, most }
    }

    /// Numbers an event, and returns its form as a server-sent event.
    pub(super) fn push(&mut self, emitted: WireEvent) -> Bytes {
        debug_assert!(!emitted.data.contains(['\n', '\r']), "an event is one line");
        let number = self.first + self.events.len() as u64;
        let WireEvent { name, data } = emitted;
        // Exactly as large as needed: a slow client's window is full of these.
        let mut event = String::with_capacity(FRAME + name.len() + data.len());
        let written = match name {
            "" => write!(event, "id: {number}\ndata: {data}\n\n"),
            name => write!(event, "id: {number}\nevent: {name}\ndata: {data}\n\n"),
        };
        debug_assert!(written.is_ok(), "a string takes all");
        let event = Bytes::from(event);
        drop(data);
        self.keep(event.clone());
        event
    }

    /// Keeps an event, and drops the oldest ones.
    pub(super) fn keep(&mut self, event: Bytes) {
        self.bytes += event.len();
        self.events.push_back(event);
        while self.bytes > self.most
            && let Some(oldest) = self.events.pop_front()
        {
            self.bytes -= oldest.len();
            self.first += 1;
        }
    }

    pub(super) fn find(&self, number: u64) -> Found {
        let Some(at) = number.checked_sub(self.first) else { return Found::Passed };
        let event = usize::try_from(at).ok().and_then(|at| self.events.get(at));
        event.map_or(Found::ToCome, |event| Found::Event(event.clone()))
    }

    /// The number of the last event; without one, the number before the first.
    pub(super) fn last(&self) -> u64 {
        (self.first + self.events.len() as u64).saturating_sub(1)
    }

    /// The number of the last event that was dropped.
    pub(super) const fn passed(&self) -> u64 {
        self.first.saturating_sub(1)
    }

    /// Drops all events. Numbers continue.
    pub(super) fn clear(&mut self) {
        self.first += self.events.len() as u64;
        self.events = VecDeque::new();
        self.bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emitted(data: &str) -> WireEvent {
        WireEvent { name: "text", data: data.to_owned() }
    }

    #[test]
    fn events_are_numbered_from_one_and_found_until_they_are_passed() {
        let mut log = EventLog::new(1, 70);
        assert_eq!((log.find(0), log.find(1), log.last()), (Found::Passed, Found::ToCome, 0));
        let first = log.push(emitted("{}"));
        assert_eq!(first, "id: 1\nevent: text\ndata: {}\n\n");
        let second = log.push(emitted("[]"));
        assert_eq!(log.find(1), Found::Event(first));
        assert_eq!(log.push(emitted("3")).len(), 27);
        assert_eq!((log.find(1), log.find(2)), (Found::Passed, Found::Event(second)));
        assert_eq!((log.find(4), log.last()), (Found::ToCome, 3));
        log.clear();
        assert_eq!((log.find(3), log.find(4), log.last()), (Found::Passed, Found::ToCome, 3));
    }

    #[test]
    fn a_log_that_was_cleared_has_all_its_room() {
        let mut log = EventLog::new(1, 28);
        assert_eq!(log.push(emitted("{}")).len(), 28);
        log.clear();
        let second = log.push(emitted("[]"));
        assert_eq!((second.len(), log.find(2)), (28, Found::Event(second)));
    }

    #[test]
    fn an_event_longer_than_the_window_is_sent_once() {
        let mut log = EventLog::new(5, 8);
        assert_eq!(log.push(emitted("{}")), "id: 5\nevent: text\ndata: {}\n\n");
        assert_eq!((log.find(5), log.find(6), log.last()), (Found::Passed, Found::ToCome, 5));
    }
}
