//! `set`, `append-text` and `remove`: operations that a client can apply in ten lines of any language.

use patchwire::{ValueKind, wire::append_json_string};
use serde::Serialize;

use crate::change::{Change, Edit, PrintedPointer};
use crate::documents::{DocumentChanges, Documents};
use crate::event_ref::EventRef;
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::{append, json};

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
    pointer: PrintedPointer,
}

impl Ops {
    /// Sets which documents are sent.
    #[must_use]
    pub fn with_documents(documents: Documents) -> Self {
        Self { changes: DocumentChanges::new(documents), ..Self::default() }
    }
}

#[derive(Serialize)]
struct Error<'o> {
    op: &'static str,
    code: &'o str,
    message: &'o str,
}

impl Protocol for Ops {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        let Self { changes, pointer } = self;
        changes.feed(&event.view(), &mut |change| {
            if let Some(op) = op(&change, pointer) {
                sink(Message::new(op).with_name("op"));
            }
        });
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        let (code, message) = (&*failure.code, &*failure.message);
        sink(Message::new(json(&Error { op: "error", code, message })).with_name("error"));
    }
}

/// The change as an operation; none where it changes nothing.
pub(crate) fn op(change: &Change<'_>, pointer: &mut PrintedPointer) -> Option<String> {
    let name = match change.edit {
        Edit::Open(_) | Edit::Set(_) => "set",
        Edit::Append(_) => "append-text",
        Edit::Remove => "remove",
        Edit::Close => return None,
    };
    let mut op = format!("{{\"op\":\"{name}\",\"path\":{}", pointer.of(change));
    match change.edit {
        Edit::Open(kind) => append(format_args!(",\"value\":{}", empty(kind)), &mut op),
        Edit::Set(value) => append(format_args!(",\"value\":{value}"), &mut op),
        Edit::Append(text) => {
            op.push_str(",\"text\":");
            append_json_string(text, &mut op);
        }
        Edit::Remove | Edit::Close => {}
    }
    op.push('}');
    Some(op)
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
