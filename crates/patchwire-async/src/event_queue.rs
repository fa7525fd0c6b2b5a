//! Events that nobody has taken yet.

use std::collections::{VecDeque, vec_deque};

use patchwire::Event;

use crate::event::ResponseEvent;

/// Events in order. The next ones may be left out: they never come into the queue.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    waiting: VecDeque<ResponseEvent>,
    /// How many events are still left out. While there are any, none waits.
    skip: u64,
}

impl EventQueue {
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn iter(&self) -> vec_deque::Iter<'_, ResponseEvent> {
        self.waiting.iter()
    }

    /// Leaves out the next `events` events: those that wait, and then those to come.
    pub(crate) fn skip(&mut self, events: u64) {
        self.skip = events;
        while self.skip > 0 && self.waiting.front().is_some_and(|event| event.as_final().is_none())
        {
            self.waiting.pop_front();
            self.skip -= 1;
        }
    }

    /// How many events are still to be left out.
    pub(crate) const fn left_to_skip(&self) -> u64 {
        self.skip
    }

    /// Whether this event is the next one and is left out. The last one of an answer never is.
    pub(crate) const fn skips(&self, event: &Event<'_>) -> bool {
        self.skip > 0 && !matches!(event, Event::Final(_))
    }

    /// Counts an event that was left out.
    pub(crate) const fn skip_one(&mut self) {
        self.skip = self.skip.saturating_sub(1);
    }

    /// Adds an event. The last one of an answer is never left out.
    #[inline]
    pub(crate) fn push_back(&mut self, event: ResponseEvent) {
        if self.skip == 0 || event.as_final().is_some() {
            self.waiting.push_back(event);
        } else {
            self.skip -= 1;
        }
    }

    pub(crate) fn extend(&mut self, events: impl IntoIterator<Item = ResponseEvent>) {
        events.into_iter().for_each(|event| self.push_back(event));
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<ResponseEvent> {
        self.waiting.pop_front()
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn drain(&mut self) -> vec_deque::Drain<'_, ResponseEvent> {
        self.waiting.drain(..)
    }

    pub(crate) fn retain(&mut self, keep: impl FnMut(&ResponseEvent) -> bool) {
        self.waiting.retain(keep);
    }

    /// Goes on with the queue of an earlier attempt.
    pub(crate) fn follow(&mut self, earlier: &mut Self) {
        self.skip = earlier.skip;
        self.waiting.append(&mut earlier.waiting);
    }
}
