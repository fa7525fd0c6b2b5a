//! RFC 6902 JSON Patch.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::change::{Change, Step, What, pointer};
use crate::follow::{Documents, Follow};
use crate::message::Message;
use crate::ops::empty;
use crate::protocol::{Failure, Protocol};
use crate::text::{json, quoted, raw};
use crate::told::{Seen, Told};
use crate::tree::{Put, Tree};

/// RFC 6902: an array of operations for each event that changes the value.
///
/// Applied in order, to `null`, they give the answer. JSON Patch cannot append to a string. So a string
/// goes out whole, when it is twice as long as when it went out last, and when it is complete: all its
/// pieces together are at most three times as long as the string. What is not there yet is added, never
/// replaced. Beside the value nothing is told, so that a failure says nothing: the stream just ends.
#[derive(Debug, Clone, Default)]
pub struct JsonPatch {
    patcher: Patcher,
}

impl JsonPatch {
    /// With other documents than the answer.
    #[must_use]
    pub fn with_documents(documents: Documents) -> Self {
        Self { patcher: Patcher::new(documents) }
    }
}

impl Protocol for JsonPatch {
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        let operations = self.patcher.feed(&event.seen());
        if !operations.is_empty() {
            sink(Message::new(json(&operations)).with_name("patch"));
        }
    }

    fn fail(&mut self, _: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
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

/// Makes operations of events. Keeps the value, because whether something is there, and how much of a
/// string was told, decides what has to be said.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patcher {
    follow: Follow,
    tree: Tree,
    /// A string of which not all was told.
    late: Option<Vec<Step<'static>>>,
}

impl Patcher {
    pub(crate) fn new(documents: Documents) -> Self {
        Self { follow: Follow::new(documents), ..Self::default() }
    }

    pub(crate) fn feed(&mut self, seen: &Seen<'_>) -> Vec<Operation> {
        let Self { follow, tree, late } = self;
        let mut operations = Vec::new();
        follow.feed(seen, &mut |change| {
            let operation = operation(tree, &change);
            if let (None, What::Append(_)) = (&operation, change.what) {
                late.get_or_insert_with(|| change.place.kept_steps());
            } else {
                *late = None;
            }
            operations.extend(operation);
        });
        operations
    }

    /// Nothing more comes: tells what was not told of a string that is open.
    pub(crate) fn catch_up(&mut self) -> Option<Operation> {
        let steps = self.late.take()?;
        Some(retell(&steps, self.tree.string(&steps)?))
    }

    /// The value so far.
    pub(crate) const fn tree(&self) -> &Tree {
        &self.tree
    }
}

fn operation(tree: &mut Tree, change: &Change<'_>) -> Option<Operation> {
    let steps = change.place.steps();
    match change.what {
        What::Open(kind) => {
            let put = tree.open(&steps, kind)?;
            Some(put_at(&steps, put, raw(empty(kind))))
        }
        What::Set(value) => {
            let put = tree.set(&steps, value)?;
            Some(put_at(&steps, put, raw(value)))
        }
        What::Append(text) => {
            let string = tree.string(&steps)?;
            string.text += text;
            (string.text.len() >= 2 * string.told).then(|| retell(&steps, string))
        }
        What::Close => {
            let string = tree.string(&steps)?;
            (string.text.len() > string.told).then(|| retell(&steps, string))
        }
        What::Remove if change.place.is_root() => {
            let null =
                || Operation { op: "replace", path: String::new(), value: Some(raw("null")) };
            tree.remove(&steps).then(null)
        }
        What::Remove => {
            let gone = || Operation { op: "remove", path: pointer(&steps), value: None };
            tree.remove(&steps).then(gone)
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

fn retell(steps: &[Step<'_>], string: &mut crate::tree::Growing) -> Operation {
    string.told = string.text.len();
    put_at(steps, Put::Replaced, raw(quoted(&string.text)))
}
