//! What an event does to a value, in the five words that every protocol has to say somehow.

use core::fmt::Write as _;
use std::borrow::Cow;

use patchwire::{PatchOp, ValueKind, ValueRef, document::DocId, path::Segment};

use crate::told::{Patched, Route};

/// One change of one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'e> {
    pub(crate) place: Place<'e>,
    pub(crate) what: What<'e>,
}

/// What happens there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum What<'e> {
    /// An empty string, list or object begins.
    Open(ValueKind),
    /// The string grows.
    Append(&'e str),
    /// The string, list or object is complete.
    Close,
    /// This value, whole.
    Set(ValueRef<'e>),
    /// There is nothing there any more.
    Remove,
}

/// A path in what is shown: in the one document, or below the number of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'e> {
    pub(crate) document: Option<DocId>,
    pub(crate) route: Route<'e>,
}

/// One step to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'e> {
    Key(Cow<'e, str>),
    Index(usize),
}

impl<'e> Place<'e> {
    /// All that is shown.
    pub(crate) const ROOT: Self = Self { document: None, route: Route::ROOT };

    pub(crate) fn is_root(self) -> bool {
        self.document.is_none() && self.route.is_root()
    }

    pub(crate) fn steps(self) -> Vec<Step<'e>> {
        let document = self.document.map(|id| Step::Key(Cow::Owned(id.index().to_string())));
        let below = self.route.segments().into_iter().map(|segment| match segment {
            Segment::Key(key) => Step::Key(Cow::Borrowed(key)),
            Segment::Index(index) => Step::Index(index as usize),
        });
        document.into_iter().chain(below).collect()
    }
}

impl Place<'_> {
    /// The steps on their own.
    pub(crate) fn kept_steps(self) -> Vec<Step<'static>> {
        let steps = self.steps().into_iter();
        let kept = steps.map(|step| match step {
            Step::Key(key) => Step::Key(Cow::Owned(key.into_owned())),
            Step::Index(index) => Step::Index(index),
        });
        kept.collect()
    }
}

/// The steps as an RFC 6901 JSON Pointer.
pub(crate) fn pointer(steps: &[Step<'_>]) -> String {
    let mut out = String::new();
    for step in steps {
        out.push('/');
        match step {
            Step::Key(key) => out += &key.replace('~', "~0").replace('/', "~1"),
            // Writing to a string does not fail.
            Step::Index(index) => drop(write!(out, "{index}")),
        }
    }
    out
}

impl<'e> Patched<'e> {
    /// What the patch does. Nothing where it says only what is known: the parser keeps no value.
    pub(crate) fn what(&self) -> Option<What<'e>> {
        let kind = self.value.map(ValueRef::kind);
        match self.op {
            PatchOp::Open => kind.map(What::Open),
            PatchOp::Delta => Some(What::Append(self.delta)),
            PatchOp::Done => Some(match self.value {
                Some(value) if is_scalar(value.kind()) => What::Set(value),
                _ => What::Close,
            }),
            PatchOp::Replace => self.value.map(What::Set),
            PatchOp::Remove => Some(What::Remove),
        }
    }
}

const fn is_scalar(kind: ValueKind) -> bool {
    matches!(kind, ValueKind::Null | ValueKind::Bool | ValueKind::Number)
}
