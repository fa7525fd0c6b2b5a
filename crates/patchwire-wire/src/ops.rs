//! `set`, `append-text` and `remove`: all a value needs, in ten lines of any language.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::change::{Change, What, pointer};
use crate::follow::{Documents, Follow};
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, raw};
use crate::told::Told;
use patchwire::ValueKind;

/// One operation a change, by JSON Pointer:
/// `{"op":"set","path":"/a/0","value":…}`, `{"op":"append-text","path":"/a/0","text":"…"}` and
/// `{"op":"remove","path":"/a/0"}`.
///
/// Applied in order, to nothing, they give the answer. `set` makes a member, puts an item at the end of
/// a list, or takes the place of what is there; the path `""` is the whole. What a value's string
/// grows by goes over the wire once. Beside the value nothing is told but a failure:
/// `{"op":"error","code":…,"message":…}`.
#[derive(Debug, Clone, Default)]
pub struct Ops {
    follow: Follow,
}

impl Ops {
    /// With other documents than the answer.
    #[must_use]
    pub fn with_documents(documents: Documents) -> Self {
        Self { follow: Follow::new(documents) }
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
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        self.follow.feed(&event.seen(), &mut |change| {
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
    let op = match change.what {
        What::Open(kind) => Op::Set { path, value: raw(empty(kind)) },
        What::Append(text) => Op::AppendText { path, text },
        What::Close => return None,
        What::Set(value) => Op::Set { path, value: raw(value) },
        What::Remove => Op::Remove { path },
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
