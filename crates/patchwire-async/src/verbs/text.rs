//! The text of one field, delta by delta.

use core::fmt;
use core::ops::Deref;
use std::collections::VecDeque;

use patchwire::{Schema, Value, ValueKind, event::SharedText};

use super::{FieldEvent, Follow};
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::path_error::PathError;
use crate::tracking::{PartError, Verb, View};

/// The deltas of a text. See [`Response::text`](crate::Response::text).
#[derive(Debug)]
pub struct Text {
    follow: Follow,
    attempt: u32,
    /// Whether a delta was emitted that still counts.
    has_begun: bool,
    out: VecDeque<Result<TextDelta, PathError>>,
    closed: bool,
}

/// A piece of a text. It dereferences to `str` and prints as the text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextDelta {
    /// The text to append. Empty if the earlier text is void and no other has come yet.
    pub text: SharedText,
    /// Whether the text begins again: the earlier deltas are void, because the request is repeated, or because the
    /// end of the answer changed the value. Never without retries, unless the end corrects the field.
    pub restarts: bool,
    /// The attempt that wrote it, from 1.
    pub attempt: u32,
}

impl Deref for TextDelta {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl AsRef<str> for TextDelta {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for TextDelta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(f)
    }
}

impl Text {
    pub(crate) fn new(path: &str, schema: Option<&Schema>) -> Result<Self, PathError> {
        let follow = Follow::new(path, schema)?;
        Ok(Self { follow, attempt: 1, has_begun: false, out: VecDeque::new(), closed: false })
    }

    /// Turns the changes of the field into deltas.
    fn forward(&mut self) {
        while let Some(event) = self.follow.pop() {
            match event {
                Err(PartError::Path(error)) => self.out.push_back(Err(error)),
                Err(PartError::Data(_)) => {}
                Ok(FieldEvent::Opened(kind @ (ValueKind::List | ValueKind::Object))) => {
                    self.refuse(kind);
                }
                Ok(FieldEvent::Opened(_)) => {}
                Ok(FieldEvent::Delta(text)) => self.emit(text, false),
                Ok(FieldEvent::Done(value)) => self.complete(&value),
                Ok(FieldEvent::Replaced(value)) => self.replace(&value),
                Ok(FieldEvent::Reset { attempt }) => {
                    self.attempt = attempt;
                    if core::mem::take(&mut self.has_begun) {
                        self.push(SharedText::default(), true);
                    }
                }
            }
        }
        self.closed |= self.follow.is_closed();
    }

    fn emit(&mut self, text: SharedText, restarts: bool) {
        self.has_begun = true;
        self.push(text, restarts);
    }

    fn push(&mut self, text: SharedText, restarts: bool) {
        self.out.push_back(Ok(TextDelta { text, restarts, attempt: self.attempt }));
    }

    /// The deltas of a string are its value. Other scalars are one delta.
    fn complete(&mut self, value: &Value) {
        match value.as_ref().kind() {
            ValueKind::String | ValueKind::Null => {}
            ValueKind::Number | ValueKind::Bool => self.emit(value.to_string().into(), false),
            kind @ (ValueKind::List | ValueKind::Object) => self.refuse(kind),
        }
    }

    fn replace(&mut self, value: &Value) {
        let restarts = self.has_begun;
        match (value.as_ref().as_str(), value.as_ref().kind()) {
            (Some(text), _) => self.emit(text.into(), restarts),
            (None, ValueKind::Null) if restarts => self.emit(SharedText::default(), true),
            (None, ValueKind::Number | ValueKind::Bool) => {
                self.emit(value.to_string().into(), restarts);
            }
            (None, kind @ (ValueKind::List | ValueKind::Object)) => self.refuse(kind),
            (None, _) => {}
        }
    }

    fn refuse(&mut self, kind: ValueKind) {
        let path = self.follow.path().to_owned();
        self.out.push_back(Err(PathError::NoText { path, kind }));
        self.closed = true;
    }
}

impl Verb for Text {
    type Item = TextDelta;

    fn catch_up(&mut self, parsers: &ParserSet) {
        self.attempt = parsers.attempt();
        self.follow.catch_up(parsers);
        self.forward();
    }

    fn take(&mut self, event: &ResponseEvent, view: View<'_>) {
        self.follow.take(event, view);
        self.forward();
    }

    fn end(&mut self, parsers: &ParserSet) {
        self.follow.end(parsers);
        self.forward();
    }

    fn pop(&mut self) -> Option<Result<TextDelta, PartError>> {
        self.out.pop_front().map(|item| item.map_err(PartError::Path))
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}
