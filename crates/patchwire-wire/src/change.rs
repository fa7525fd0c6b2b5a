//! Changes of a value, in the five kinds that every protocol expresses.

use std::borrow::Cow;

use patchwire::{
    PatchOp, ValueKind, ValueRef, document::DocId, path::Segment, wire::append_json_string,
};

use crate::event_ref::{FieldKey, PatchView, PathRef};
use crate::text::append;

/// One change at one place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'e> {
    pub(crate) place: Place<'e>,
    pub(crate) edit: Edit<'e>,
    /// The field, if it is that of a patch.
    pub(crate) field: Option<FieldKey>,
}

impl<'e> Change<'e> {
    /// A change that is not that of one patch.
    pub(crate) const fn of_place(place: Place<'e>, edit: Edit<'e>) -> Self {
        Self { place, edit, field: None }
    }
}

/// What a change does at its place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Edit<'e> {
    /// Puts an empty string, list or object there.
    Open(ValueKind),
    /// Appends to the string.
    Append(&'e str),
    /// Completes the string, list or object.
    Close,
    /// Puts this whole value there.
    Set(ValueRef<'e>),
    /// Removes the value.
    Remove,
}

/// A path in the value that a client sees: in the one document, or below the number of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'e> {
    pub(crate) document: Option<DocId>,
    pub(crate) path: PathRef<'e>,
}

/// One step to a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step<'e> {
    Key(Cow<'e, str>),
    Index(usize),
}

impl<'e> Place<'e> {
    /// The root of the value.
    pub(crate) const ROOT: Self = Self { document: None, path: PathRef::ROOT };

    pub(crate) fn is_root(self) -> bool {
        self.document.is_none() && self.path.is_root()
    }

    pub(crate) fn steps(self) -> Vec<Step<'e>> {
        let document = self.document.map(|id| Step::Key(Cow::Owned(id.index().to_string())));
        let below = self.path.segments().into_iter().map(|segment| match segment {
            Segment::Key(key) => Step::Key(Cow::Borrowed(key)),
            Segment::Index(index) => Step::Index(index as usize),
        });
        document.into_iter().chain(below).collect()
    }
}

impl Place<'_> {
    /// The steps, without borrowing from the event.
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
        match step {
            Step::Key(key) => append_key(key, &mut out),
            Step::Index(index) => append(format_args!("/{index}"), &mut out),
        }
    }
    out
}

/// Appends a step to a member to a JSON Pointer.
fn append_key(key: &str, out: &mut String) {
    out.push('/');
    for char in key.chars() {
        match char {
            '~' => out.push_str("~0"),
            '/' => out.push_str("~1"),
            char => out.push(char),
        }
    }
}

/// The pointer of the last change as a JSON string. The changes of a field one after another share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct PrintedPointer {
    field: Option<FieldKey>,
    pointer: String,
    quoted: String,
}

impl PrintedPointer {
    /// The pointer to the place of a change, as a JSON string.
    pub(crate) fn of(&mut self, change: &Change<'_>) -> &str {
        // A field moves only if a change of another one is between.
        let is_known = change.field.is_some() && self.field == change.field;
        if !is_known {
            self.print(change.place);
            self.field = change.field;
        }
        &self.quoted
    }

    fn print(&mut self, place: Place<'_>) {
        self.pointer.clear();
        if let Some(document) = place.document {
            append(format_args!("/{}", document.index()), &mut self.pointer);
        }
        place.path.for_each(|step| match step {
            Segment::Key(key) => append_key(key, &mut self.pointer),
            Segment::Index(index) => append(format_args!("/{index}"), &mut self.pointer),
        });
        self.quoted.clear();
        append_json_string(&self.pointer, &mut self.quoted);
    }
}

/// Turns patches into changes. It knows which strings have begun: one that is known as a whole, such as a member of an
/// enum in YAML, completes without a beginning.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edits {
    /// One for each document at most: a field grows only while it is the innermost.
    open_strings: Vec<FieldKey>,
}

impl Edits {
    /// The change that a patch makes. None for a patch without a value, from a parser that keeps none.
    pub(crate) fn of<'e>(&mut self, patch: &PatchView<'e>) -> Option<Edit<'e>> {
        let kind = patch.value.map(ValueRef::kind);
        match patch.op {
            PatchOp::Open => {
                if kind == Some(ValueKind::String) {
                    self.open_strings.push(patch.field());
                }
                kind.map(Edit::Open)
            }
            PatchOp::Delta => Some(Edit::Append(patch.delta)),
            PatchOp::Done => Some(match patch.value.filter(|value| self.is_whole(patch, *value)) {
                Some(value) => Edit::Set(value),
                None => Edit::Close,
            }),
            PatchOp::Replace => patch.value.map(Edit::Set),
            PatchOp::Remove => Some(Edit::Remove),
        }
    }

    /// Whether the value of a patch that completes it comes with this patch.
    fn is_whole(&mut self, patch: &PatchView<'_>, value: ValueRef<'_>) -> bool {
        match value.kind() {
            ValueKind::Null | ValueKind::Bool | ValueKind::Number => true,
            ValueKind::List | ValueKind::Object => false,
            ValueKind::String => {
                let field = patch.field();
                let known = self.open_strings.iter().rposition(|open| *open == field);
                known.map(|at| self.open_strings.swap_remove(at)).is_none()
            }
        }
    }
}
