//! Follows one field of the answer in the events.

use std::collections::VecDeque;

use patchwire::{
    OwnedPatch, PatchOp, PathBuf, Pattern, Schema, Value, ValueKind, ValueRef,
    document::{DocId, NodeId},
    event::{Completion, SharedText},
    path::Segment,
};

use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::path_error::PathError;
use crate::tracking::{PartError, Verb, View, located};

/// One change of a followed field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FieldEvent {
    /// The value began. Scalars do not begin before they are complete.
    Opened(ValueKind),
    /// The string grew.
    Delta(SharedText),
    /// The value is complete. This is the last event.
    Done(Value),
    /// The finalizer replaced the value, or a value that contains it. This is the last event.
    Replaced(Value),
    /// The request is repeated. Earlier events of the field are void.
    Reset {
        /// The attempt that begins.
        attempt: u32,
    },
}

/// Follows a field to its end.
#[derive(Debug)]
pub(crate) struct Follow {
    pattern: Pattern,
    /// The path of the field, once it has begun; the pattern before.
    path: String,
    /// The field, after its first event.
    node: Option<NodeId>,
    /// The number of bytes of its text that were emitted.
    seen: usize,
    /// The value ended with the input, because the answer was cut.
    cut: Option<Value>,
    out: VecDeque<Result<FieldEvent, PathError>>,
    closed: bool,
}

impl Follow {
    pub(crate) fn new(path: &str, schema: Option<&Schema>) -> Result<Self, PathError> {
        let pattern: Pattern = path.parse()?;
        located(&pattern, schema)?;
        let path = pattern.to_string();
        let (out, node) = (VecDeque::new(), None);
        Ok(Self { pattern, path, node, seen: 0, cut: None, out, closed: false })
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// The field, if it has begun.
    pub(crate) const fn node(&self) -> Option<NodeId> {
        self.node
    }
}

impl Verb for Follow {
    type Item = FieldEvent;

    fn catch_up(&mut self, parsers: &ParserSet) {
        let (answer, queue) = (parsers.value(), &parsers.queue);
        let Some(node) = self.find(answer) else { return };
        let (mut waiting, mut ends) = (0, true);
        for patch in queue.iter().filter_map(patch_of_answer) {
            let ours = patch.node == node;
            match patch.op {
                PatchOp::Open if ours => return,
                PatchOp::Replace | PatchOp::Remove if ours || self.is_in(&patch.path) => return,
                PatchOp::Delta if ours => waiting += patch.delta.len(),
                PatchOp::Done if ours => ends = false,
                _ => {}
            }
        }
        self.node = Some(node);
        self.take_so_far(answer, waiting);
        if ends {
            self.take_end(answer, parsers);
        }
    }

    fn take(&mut self, event: &ResponseEvent, view: View<'_>) {
        let answer = view.parsers.value();
        if let Some(patch) = patch_of_answer(event) {
            return self.patch(patch, view.parsers);
        }
        match event {
            ResponseEvent::Snapshot { document: DocId::ANSWER, value, .. } => {
                self.node = self.find(answer);
                self.take_so_far(value.as_ref(), 0);
                self.take_end(value.as_ref(), view.parsers);
            }
            ResponseEvent::Reset { attempt } => {
                (self.node, self.seen, self.cut) = (None, 0, None);
                self.path = self.pattern.to_string();
                self.out.push_back(Ok(FieldEvent::Reset { attempt: *attempt }));
            }
            _ if event.as_final().is_some() => self.end(view.parsers),
            _ => {}
        }
    }

    fn end(&mut self, parsers: &ParserSet) {
        if self.closed {
            return;
        }
        self.closed = true;
        let path = self.path.clone();
        self.out.push_back(Err(match self.cut.take() {
            Some(value) => PathError::Cut { path, value },
            None => PathError::Missing { path, names: names_beside(&self.path, parsers) },
        }));
    }

    fn pop(&mut self) -> Option<Result<FieldEvent, PartError>> {
        self.out.pop_front().map(|event| event.map_err(PartError::Path))
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}

/// The names that the answer has where the last name of the path should be.
pub(super) fn names_beside(path: &str, parsers: &ParserSet) -> Vec<String> {
    let above = path.rfind(['.', '[']).map_or("", |end| &path[..end]);
    let value = parsers.value().at(above);
    let names = value.into_iter().flat_map(ValueRef::entries).filter_map(|(name, _)| name);
    names.map(str::to_owned).collect()
}

impl Follow {
    fn patch(&mut self, patch: &OwnedPatch, parsers: &ParserSet) {
        let answer = parsers.value();
        let is_ours = |node: NodeId| node == patch.node;
        if !self.node.map_or_else(|| self.pattern.matches_owned(&patch.path), is_ours) {
            if patch.op == PatchOp::Replace && self.is_in(&patch.path) {
                let value = answer.at(&self.path).map(ValueRef::to_value);
                value.into_iter().for_each(|value| self.close(FieldEvent::Replaced(value)));
            }
            return;
        }
        if self.node.replace(patch.node).is_none() {
            self.path = patch.path.to_string();
        }
        match patch.op {
            PatchOp::Open => {
                let kind = patch.value.as_ref().map_or(ValueKind::String, |it| it.as_ref().kind());
                self.out.push_back(Ok(FieldEvent::Opened(kind)));
            }
            PatchOp::Delta => {
                self.seen += patch.delta.len();
                self.out.push_back(Ok(FieldEvent::Delta(patch.delta.clone())));
            }
            PatchOp::Done => {
                let value = whole(patch, answer);
                self.take_whole_text(value.as_ref());
                match is_cut(patch, parsers) {
                    true => self.cut = Some(value),
                    false => self.close(FieldEvent::Done(value)),
                }
            }
            // Only the shape changed. The value continues.
            PatchOp::Replace if patch.completion.is_none() => {}
            PatchOp::Replace => self.close(FieldEvent::Replaced(whole(patch, answer))),
            PatchOp::Remove => {
                self.node = None;
                self.path = self.pattern.to_string();
            }
        }
    }

    /// The first field of a value that the pattern matches. From now on it is the one that is followed.
    fn find(&mut self, value: ValueRef<'_>) -> Option<NodeId> {
        let path = match self.node {
            Some(_) => self.path.clone(),
            None => first_match(value, &self.pattern.to_string())?,
        };
        let node = value.at(&path).and_then(ValueRef::node);
        if node.is_some() {
            self.path = path;
        }
        node
    }

    /// Emits a text that is known as a whole, such as one of an enum in YAML: it completes without a beginning.
    fn take_whole_text(&mut self, value: ValueRef<'_>) {
        let text = value.as_str().filter(|text| self.seen == 0 && !text.is_empty());
        if let Some(text) = text {
            self.seen = text.len();
            self.out.push_back(Ok(FieldEvent::Delta(SharedText::from(text))));
        }
    }

    fn close(&mut self, event: FieldEvent) {
        self.out.push_back(Ok(event));
        self.closed = true;
    }

    /// Emits the text of the field in `answer` that was not emitted yet, except the last `waiting` bytes.
    fn take_so_far(&mut self, answer: ValueRef<'_>, waiting: usize) {
        let Some(value) = answer.at(&self.path) else { return };
        if !value.is_complete() && self.seen == 0 {
            self.out.push_back(Ok(FieldEvent::Opened(value.kind())));
        }
        let text = value.as_str().unwrap_or_default();
        let known = text.len().saturating_sub(waiting);
        if let Some(fresh) = text.get(self.seen..known).filter(|fresh| !fresh.is_empty()) {
            self.seen = known;
            self.out.push_back(Ok(FieldEvent::Delta(SharedText::from(fresh))));
        }
    }

    /// Emits the end of the field, if it is complete.
    fn take_end(&mut self, answer: ValueRef<'_>, parsers: &ParserSet) {
        let Some(value) = answer.at(&self.path).filter(|value| value.is_complete()) else { return };
        if parsers.is_cut_at(&self.path) {
            self.cut = Some(value.to_value());
        } else {
            self.close(FieldEvent::Done(value.to_value()));
        }
    }

    /// Whether the container at `path` contains the field.
    fn is_in(&self, path: &PathBuf) -> bool {
        is_below(&self.path, &path.to_string())
    }
}

/// The path of the first field that a printed pattern matches. Recurses once for each wildcard.
fn first_match(value: ValueRef<'_>, pattern: &str) -> Option<String> {
    let Some(wildcard) = first_wildcard(pattern) else {
        return value.at(pattern).map(|_| pattern.to_owned());
    };
    let (list, below) = (&pattern[..wildcard], &pattern[wildcard + WILDCARD.len()..]);
    let below = below.strip_prefix('.').unwrap_or(below);
    let entries = value.at(list)?.entries().enumerate();
    entries.into_iter().find_map(|(index, (key, child))| {
        let found = first_match(child, below)?;
        let segment = key.map_or(Segment::Index(index as u32), Segment::Key);
        let item = PathBuf::root().child(segment).to_string();
        Some(joined(&joined(list, &item), &found))
    })
}

const WILDCARD: &str = "[*]";

/// Where the first wildcard of a printed pattern is. A key in quotes may have the same letters.
fn first_wildcard(pattern: &str) -> Option<usize> {
    let found = pattern.find(WILDCARD)?;
    let Some(quoted) = pattern.find("[\"").filter(|quoted| *quoted < found) else {
        return Some(found);
    };
    let mut escaped = false;
    let end = pattern[quoted + 2..].bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    let after = quoted + 2 + end + 1;
    first_wildcard(&pattern[after..]).map(|at| after + at)
}

/// A printed path below another one.
fn joined(above: &str, below: &str) -> String {
    let dot = if above.is_empty() || below.is_empty() || below.starts_with('[') { "" } else { "." };
    format!("{above}{dot}{below}")
}

/// Whether the printed path `path` is below `above`.
pub(crate) fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| !rest.is_empty() && (above.is_empty() || rest.starts_with(['.', '['])))
}

/// Whether the value is complete only because the input ended inside it.
pub(crate) fn is_cut(patch: &OwnedPatch, parsers: &ParserSet) -> bool {
    patch.completion == Some(Completion::EndOfInput) && parsers.is_cut_at(&patch.path.to_string())
}

pub(crate) fn patch_of_answer(event: &ResponseEvent) -> Option<&OwnedPatch> {
    event.as_patch().filter(|patch| patch.document == DocId::ANSWER)
}

/// The value of a patch that completes a field; absent if the parser keeps no values.
fn whole(patch: &OwnedPatch, answer: ValueRef<'_>) -> Value {
    let kept = || answer.by_node(patch.node).unwrap_or(answer).to_value();
    patch.value.clone().unwrap_or_else(kept)
}
