//! The text of one field, delta by delta.

use core::mem;

use patchwire::event::Completion;
use patchwire::{Patch as EnginePatch, PatchOp, ValueKind, ValueRef};
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::followed::Followed;
use super::{Ended, Next, ended};
use crate::errors;

/// The text of one field, delta by delta.
pub(crate) struct Text {
    pub(super) followed: Followed,
    pub(super) waiting: String,
    /// Whether the text begins again.
    pub(super) restarts: bool,
    /// Whether a text was given that still counts.
    pub(super) has_begun: bool,
    /// What the value is, if it is a list or an object.
    pub(super) refused: Option<ValueKind>,
    pub(super) closed: bool,
    pub(super) error: Option<PyErr>,
}

impl Text {
    pub(crate) const fn new(followed: Followed) -> Self {
        Self {
            followed,
            waiting: String::new(),
            restarts: false,
            has_begun: false,
            refused: None,
            closed: false,
            error: None,
        }
    }

    #[inline]
    pub(super) fn take(&mut self, patch: &EnginePatch<'_>) {
        if self.closed {
            return;
        }
        let is_first = self.followed.node.is_none();
        if !self.followed.is(patch) {
            if self.followed.is_replaced_by(patch)
                && let Some(value) = patch.root().at(&self.followed.path)
            {
                self.begin_again(value);
            }
            return;
        }
        match patch.op {
            PatchOp::Delta => self.waiting.push_str(&patch.delta),
            PatchOp::Open if matches!(patch.value.kind(), ValueKind::List | ValueKind::Object) => {
                (self.refused, self.closed) = (Some(patch.value.kind()), true);
            }
            PatchOp::Open => {}
            PatchOp::Done => {
                // A text that was read whole before it was emitted has no deltas.
                match patch.value.as_str().filter(|_| is_first) {
                    Some(text) => self.waiting.push_str(text),
                    None => self.scalar(patch.value),
                }
                // Only the end knows whether the answer was cut here.
                self.closed = patch.completion != Some(Completion::EndOfInput);
            }
            PatchOp::Replace => {
                self.begin_again(patch.value);
                self.closed = patch.completion.is_some();
            }
            PatchOp::Remove => self.followed.let_go(),
        }
    }

    /// A number or bool is one delta. The deltas of a string are its value.
    pub(super) fn scalar(&mut self, value: ValueRef<'_>) {
        if matches!(value.kind(), ValueKind::Number | ValueKind::Bool) {
            self.waiting.push_str(&value.to_string());
        }
    }

    pub(super) fn begin_again(&mut self, value: ValueRef<'_>) {
        self.restarts |= self.has_begun;
        self.waiting.clear();
        match value.as_str() {
            Some(text) => self.waiting.push_str(text),
            None => self.scalar(value),
        }
    }

    pub(super) fn catch_up(&mut self, value: ValueRef<'_>, ended: Option<&Ended<'_>>) {
        let Some(found) = self.followed.find(value) else { return };
        if matches!(found.kind(), ValueKind::List | ValueKind::Object) {
            (self.refused, self.closed) = (Some(found.kind()), true);
            return;
        }
        self.begin_again(found);
        self.closed = self.followed.is_whole(found, ended);
    }

    pub(super) fn end(&mut self, py: Python<'_>, ended: &Ended<'_>) {
        if mem::replace(&mut self.closed, true) {
            return;
        }
        let found = self.followed.find(ended.answer.value());
        if found.is_none() || ended.answer.is_cut_at(&self.followed.path) {
            self.error = Some(self.followed.missing(py, ended));
        }
    }

    pub(super) fn reset(&mut self) {
        self.restarts |= self.has_begun;
        (self.has_begun, self.closed) = (false, false);
        self.followed.let_go();
        self.waiting.clear();
        (self.refused, self.error) = (None, None);
    }

    #[inline]
    pub(super) fn pop(&mut self, py: Python<'_>, is_over: bool) -> Next {
        if !self.waiting.is_empty() || self.restarts {
            let text = PyString::new(py, &self.waiting);
            self.waiting.clear();
            self.has_begun = true;
            if mem::take(&mut self.restarts) {
                return restart(py, &text).map_or_else(Next::Error, Next::Item);
            }
            return Next::Item(text.into_any().unbind());
        }
        if let Some(kind) = self.refused.take() {
            let kind = match kind {
                ValueKind::List => "a list; `each` gives its items, `values` the list so far",
                _ => "an object; `values` gives the object so far",
            };
            return Next::Error(errors::raised(
                py,
                "PathError",
                format_args!("`{}` is {kind}", self.followed.path),
            ));
        }
        ended(&mut self.error, self.closed || is_over)
    }
}

/// A text that begins again.
pub(super) fn restart(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Py<PyAny>> {
    Ok(py.import("patchwire._values")?.getattr("Restart")?.call1((text,))?.unbind())
}
