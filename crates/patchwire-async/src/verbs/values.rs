//! The value of one field so far, again and again.

use std::collections::VecDeque;

use patchwire::{Schema, Value};

use super::follow::patch_of_answer;
use super::{FieldEvent, Follow};
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::path_error::PathError;
use crate::tracking::{PartError, Verb, View};

/// The value of a field so far. See [`Response::values`](crate::Response::values).
#[derive(Debug)]
pub struct Values {
    follow: Follow,
    /// The last value that was emitted.
    last: Option<Value>,
    out: VecDeque<Result<Value, PathError>>,
}

impl Values {
    pub(crate) fn new(path: &str, schema: Option<&Schema>) -> Result<Self, PathError> {
        Ok(Self { follow: Follow::new(path, schema)?, last: None, out: VecDeque::new() })
    }

    /// Takes the ends of the field and of the response.
    fn forward(&mut self) {
        while let Some(event) = self.follow.pop() {
            match event {
                Err(PartError::Path(error)) => self.out.push_back(Err(error)),
                Ok(FieldEvent::Done(value) | FieldEvent::Replaced(value)) => self.emit(value),
                Ok(FieldEvent::Reset { .. }) => self.last = None,
                Ok(FieldEvent::Opened(_) | FieldEvent::Delta(_)) | Err(PartError::Data(_)) => {}
            }
        }
    }

    /// Emits the value that the parsers have.
    fn emit_so_far(&mut self, parsers: &ParserSet) {
        let node = self.follow.node().filter(|_| !self.follow.is_closed());
        let value = node.and_then(|node| parsers.value().by_node(node));
        value.into_iter().for_each(|value| self.emit(value.to_value()));
    }

    fn emit(&mut self, value: Value) {
        if self.last.as_ref() != Some(&value) {
            self.last = Some(value.clone());
            self.out.push_back(Ok(value));
        }
    }
}

impl Verb for Values {
    type Item = Value;

    fn catch_up(&mut self, parsers: &ParserSet) {
        self.follow.catch_up(parsers);
        self.emit_so_far(parsers);
        self.forward();
    }

    fn take(&mut self, event: &ResponseEvent, view: View<'_>) {
        self.follow.take(event, view);
        let is_change =
            patch_of_answer(event).is_some() || matches!(event, ResponseEvent::Snapshot { .. });
        if is_change && !view.more_waits {
            self.emit_so_far(view.parsers);
        }
        self.forward();
    }

    fn end(&mut self, parsers: &ParserSet) {
        self.follow.end(parsers);
        self.forward();
    }

    fn pop(&mut self) -> Option<Result<Value, PartError>> {
        self.out.pop_front().map(|item| item.map_err(PartError::Path))
    }

    fn is_closed(&self) -> bool {
        self.follow.is_closed()
    }
}
