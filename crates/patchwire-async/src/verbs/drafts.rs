//! The answer so far as a type, again and again.

use std::collections::VecDeque;

use patchwire::ValueRef;
use serde::de::DeserializeOwned;

use super::follow::patch_of_answer;
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::tracking::{PartError, Verb, View};

/// The answer so far as a type. See [`Response::drafts`](crate::Response::drafts).
#[derive(Debug)]
pub struct Drafts<T> {
    /// Whether the value changed after the last draft.
    changed: bool,
    out: VecDeque<Result<T, PartError>>,
    closed: bool,
}

impl<T: DeserializeOwned> Drafts<T> {
    pub(crate) const fn new() -> Self {
        Self { changed: false, out: VecDeque::new(), closed: false }
    }

    /// Emits a draft, if the value can be read. Without its open strings more types can read it.
    fn emit(&mut self, value: ValueRef<'_>) {
        if let Ok(draft) = value.read().or_else(|_| value.settled().read()) {
            self.changed = false;
            self.out.push_back(Ok(draft));
        }
    }
}

impl<T: DeserializeOwned> Verb for Drafts<T> {
    type Item = T;

    fn catch_up(&mut self, parsers: &ParserSet) {
        if parsers.value().exists() {
            self.changed = true;
            self.emit(parsers.value());
        }
    }

    fn take(&mut self, event: &ResponseEvent, view: View<'_>) {
        match event {
            ResponseEvent::Snapshot { .. } => self.changed = true,
            ResponseEvent::Reset { .. } => self.changed = false,
            _ if event.as_final().is_some() => self.end(view.parsers),
            _ => self.changed |= patch_of_answer(event).is_some(),
        }
        if self.changed && !view.more_waits && !self.closed {
            self.emit(view.parsers.value());
        }
    }

    fn end(&mut self, parsers: &ParserSet) {
        if core::mem::replace(&mut self.closed, true) || !self.changed {
            return;
        }
        let value = parsers.value();
        // The last draft says why there is none.
        self.out.push_back(value.read().map_err(PartError::Data));
    }

    fn pop(&mut self) -> Option<Result<T, PartError>> {
        self.out.pop_front()
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}
