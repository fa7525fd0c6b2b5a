//! RFC 6902 JSON Patch.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::change::{Change, Edit, Step, pointer};
use crate::documents::{DocumentChanges, Documents};
use crate::event_ref::{EventRef, EventView};
use crate::message::Message;
use crate::ops::empty;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, quoted, raw};
use crate::tree::{Put, Tree};

/// RFC 6902: an array of operations for each event that changes the value.
///
/// Applied in order to `null`, they give the answer. JSON Patch cannot append to a string. So the whole
/// string is sent again each time its length has doubled, and when it is complete. All copies of a string
/// together are at most three times as long as the string; [`catch_up`](Protocol::catch_up) sends more. A new value is added, never replaced. Only the
/// value is sent: after a failure the stream ends without a message.
#[derive(Debug, Clone, Default)]
pub struct JsonPatch {
    patcher: Patcher,
}

impl JsonPatch {
    /// Sets which documents are sent.
    #[must_use]
    pub fn with_documents(documents: Documents) -> Self {
        Self { patcher: Patcher::new(documents) }
    }
}

impl Protocol for JsonPatch {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let operations = self.patcher.feed(&event.view());
        if !operations.is_empty() {
            sink(Message::new(json(&operations)).with_name("patch"));
        }
    }

    fn fail(&mut self, _: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        self.catch_up(sink);
    }

    fn is_behind(&self) -> bool {
        self.patcher.is_behind()
    }

    fn catch_up(&mut self, sink: &mut dyn FnMut(Message)) {
        if let Some(operation) = self.patcher.catch_up() {
            sink(Message::new(json(&[operation])).with_name("patch"));
        }
    }
}

/// An operation of RFC 6902.
#[derive(Debug, Serialize)]
pub(crate) struct Operation {
    op: &'static str,
    pub(crate) path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<Box<RawValue>>,
}

/// Turns events into operations. It keeps the value, because an operation depends on whether a value is
/// there and how much of a string was sent.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patcher {
    changes: DocumentChanges,
    tree: Tree,
    /// The place of a string that was not sent to its end.
    late: Option<Vec<Step<'static>>>,
}

impl Patcher {
    pub(crate) fn new(documents: Documents) -> Self {
        Self { changes: DocumentChanges::new(documents), ..Self::default() }
    }

    pub(crate) fn feed(&mut self, view: &EventView<'_>) -> Vec<Operation> {
        let Self { changes, tree, late } = self;
        let mut operations = Vec::new();
        changes.feed(view, &mut |change| {
            let operation = operation(tree, &change);
            if let (None, Edit::Append(_)) = (&operation, change.edit) {
                late.get_or_insert_with(|| change.place.kept_steps());
            } else {
                *late = None;
            }
            operations.extend(operation);
        });
        operations
    }

    /// Whether a string has grown since it was sent.
    pub(crate) const fn is_behind(&self) -> bool {
        self.late.is_some()
    }

    /// Sends the whole of an open string that was not sent to its end.
    pub(crate) fn catch_up(&mut self) -> Option<Operation> {
        let steps = self.late.take()?;
        Some(resend(&steps, self.tree.string(&steps)?))
    }

    /// The value so far.
    pub(crate) const fn tree(&self) -> &Tree {
        &self.tree
    }
}

fn operation(tree: &mut Tree, change: &Change<'_>) -> Option<Operation> {
    let steps = || change.place.steps();
    match change.edit {
        Edit::Open(kind) => {
            let put = tree.open(&steps(), kind)?;
            Some(put_at(&steps(), put, raw(empty(kind))))
        }
        Edit::Set(value) => {
            let put = tree.set(&steps(), value)?;
            Some(put_at(&steps(), put, raw(value)))
        }
        Edit::Append(text) => {
            let string = tree.growing(change)?;
            string.text += text;
            (string.text.len() >= 2 * string.sent).then(|| resend(&steps(), string))
        }
        Edit::Close => {
            let string = tree.growing(change)?;
            (string.text.len() > string.sent).then(|| resend(&steps(), string))
        }
        Edit::Remove if change.place.is_root() => {
            let null =
                || Operation { op: "replace", path: String::new(), value: Some(raw("null")) };
            tree.remove(&steps()).then(null)
        }
        Edit::Remove => {
            let gone = || Operation { op: "remove", path: pointer(&steps()), value: None };
            tree.remove(&steps()).then(gone)
        }
    }
}

fn put_at(steps: &[Step<'_>], put: Put, value: Box<RawValue>) -> Operation {
    let op = match put {
        Put::Added => "add",
        Put::Replaced => "replace",
    };
    Operation { op, path: pointer(steps), value: Some(value) }
}

fn resend(steps: &[Step<'_>], string: &mut crate::tree::GrowingString) -> Operation {
    string.sent = string.text.len();
    put_at(steps, Put::Replaced, raw(quoted(&string.text)))
}
