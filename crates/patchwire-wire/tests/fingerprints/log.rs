//! The messages of a protocol as text.

use core::fmt::Write;

use patchwire_wire::{EventRef, Failure, Message, Protocol, Sse};

use super::numbers::Random;

/// Feeds a protocol, and writes down what it sends.
pub(super) struct Log<'p> {
    protocol: &'p mut dyn Protocol,
    random: Random,
    sse: Sse,
    /// One event in so many is followed by a call to catch up.
    catches_up: usize,
    out: String,
}

impl<'p> Log<'p> {
    pub(super) fn new(protocol: &'p mut dyn Protocol, seed: usize) -> Self {
        let mut random = Random::new(seed as u64);
        let catches_up = random.pick(&[2, 9, usize::MAX]);
        Self { protocol, random, sse: Sse::numbered(), catches_up, out: String::new() }
    }

    pub(super) fn feed(&mut self, event: EventRef<'_>) {
        let Self { protocol, out, sse, .. } = self;
        protocol.feed(event, &mut |message| append(&message, sse, out));
        if self.random.below(self.catches_up) == 0 {
            self.catch_up();
        }
        self.note();
    }

    pub(super) fn fail(&mut self, failure: &Failure<'_>) {
        let Self { protocol, out, sse, .. } = self;
        protocol.fail(failure, &mut |message| append(&message, sse, out));
        self.note();
    }

    pub(super) fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn catch_up(&mut self) {
        let Self { protocol, out, sse, .. } = self;
        protocol.catch_up(&mut |message| append(&message, sse, out));
    }

    fn note(&mut self) {
        self.out.push_str(if self.protocol.is_behind() { "~\n" } else { "\n" });
    }

    /// Everything; some streams end without an end.
    pub(super) fn end(mut self) -> String {
        self.catch_up();
        self.note();
        self.out
    }
}

fn append(message: &Message, sse: &mut Sse, out: &mut String) {
    assert_eq!(message.to_string(), message.as_str());
    assert_eq!(String::from(message.clone()), message.as_str());
    write!(out, "{:?} {}", message.name(), sse.frame(message)).unwrap();
}
