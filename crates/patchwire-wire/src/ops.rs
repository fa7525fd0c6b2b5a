//! `set`, `append-text` and `remove`: operations that a client can apply in ten lines of any language.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::change::{Change, Edit, pointer};
use crate::documents::{DocumentChanges, Documents};
use crate::event_ref::EventRef;
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, raw};
use patchwire::ValueKind;

/// One operation for each change, with a JSON Pointer:
/// `{"op":"set","path":"/a/0","value":…}`, `{"op":"append-text","path":"/a/0","text":"…"}` and
/// `{"op":"remove","path":"/a/0"}`.
///
/// Applied in order, they give the answer. `set` adds a member, appends an item to a list, or replaces a
/// value; the path `""` is the root. Each piece of a string is sent once. Only failures are sent beside
/// the value: `{"op":"error","code":…,"message":…}`.
#[derive(Debug, Clone, Default)]
pub struct Ops {
    changes: DocumentChanges,
}

impl Ops {
    /// Sets which documents are sent.
    #[must_use]
    pub fn with_documents(documents: Documents) -> Self {
        Self { changes: DocumentChanges::new(documents) }
    }
}

#[derive(Serialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
enum Op<'o> {
    Set { path: String, value: Box<RawValue> },
    AppendText { path: String, text: &'o str },
    Remove { path: String },
    Error { code: &'o str, message: &'o str },
}

impl Protocol for Ops {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        self.changes.feed(&event.view(), &mut |change| {
            if let Some(op) = op(&change) {
                sink(Message::new(op).with_name("op"));
            }
        });
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        let (code, message) = (&*failure.code, &*failure.message);
        sink(Message::new(json(&Op::Error { code, message })).with_name("error"));
    }
}

/// The change as an operation; none where it changes nothing.
pub(crate) fn op(change: &Change<'_>) -> Option<String> {
    let path = pointer(&change.place.steps());
    let op = match change.edit {
        Edit::Open(kind) => Op::Set { path, value: raw(empty(kind)) },
        Edit::Append(text) => Op::AppendText { path, text },
        Edit::Close => return None,
        Edit::Set(value) => Op::Set { path, value: raw(value) },
        Edit::Remove => Op::Remove { path },
    };
    Some(json(&op))
}

/// An empty value as JSON.
pub(crate) const fn empty(kind: ValueKind) -> &'static str {
    match kind {
        ValueKind::Object => "{}",
        ValueKind::List => "[]",
        ValueKind::String => "\"\"",
        _ => "null",
    }
}
