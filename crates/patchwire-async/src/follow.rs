//! Follows one field of the answer in the events.

use std::collections::VecDeque;

use bytestring::ByteString;
use patchwire::{
    OwnedPatch, PatchOp, PathBuf, Pattern,
    document::{DataError, DocId, NodeId},
    path::PatternError,
};
use patchwire::{Value, ValueRef};

use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::tracking::Track;

/// One change of a followed field.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldEvent {
    /// The string grew.
    Delta(ByteString),
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

pub(crate) struct Follow {
    pattern: Pattern,
    /// The pattern as a printed path.
    path: String,
    /// The field, after its first event.
    node: Option<NodeId>,
    /// The number of bytes of its text that were emitted.
    seen: usize,
    out: VecDeque<FieldEvent>,
    closed: bool,
}

impl Follow {
    pub(crate) fn new(path: &str) -> Result<Self, PatternError> {
        let pattern: Pattern = path.parse()?;
        let path = pattern.to_string();
        Ok(Self { pattern, path, node: None, seen: 0, out: VecDeque::new(), closed: false })
    }
}

impl Track for Follow {
    type Item = FieldEvent;

    fn catch_up(&mut self, parsers: &ParserSet) {
        let (answer, queue) = (parsers.value(), &parsers.queue);
        let Some(node) = answer.at(&self.path).and_then(ValueRef::node) else { return };
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
        self.take_so_far(answer, waiting, ends);
    }

    fn take(&mut self, event: &ResponseEvent, answer: ValueRef<'_>) {
        if let Some(patch) = patch_of_answer(event) {
            return self.patch(patch, answer);
        }
        match event {
            ResponseEvent::Snapshot { document: DocId::ANSWER, value, .. } => {
                self.node = None;
                self.take_so_far(value.as_ref(), 0, true);
            }
            ResponseEvent::Reset { attempt } => {
                (self.node, self.seen) = (None, 0);
                self.out.push_back(FieldEvent::Reset { attempt: *attempt });
            }
            _ => {}
        }
    }

    fn pop(&mut self) -> Option<Result<FieldEvent, DataError>> {
        self.out.pop_front().map(Ok)
    }

    fn is_closed(&self) -> bool {
        self.closed
    }
}

impl Follow {
    fn patch(&mut self, patch: &OwnedPatch, answer: ValueRef<'_>) {
        let is_ours = |node: NodeId| node == patch.node;
        if !self.node.map_or_else(|| self.pattern.matches_owned(&patch.path), is_ours) {
            if patch.op == PatchOp::Replace && self.is_in(&patch.path) {
                let value = answer.at(&self.path).map(ValueRef::to_value);
                value.into_iter().for_each(|value| self.end(FieldEvent::Replaced(value)));
            }
            return;
        }
        self.node = Some(patch.node);
        match patch.op {
            PatchOp::Open => {}
            PatchOp::Delta => {
                self.seen += patch.delta.len();
                self.out.push_back(FieldEvent::Delta(patch.delta.clone()));
            }
            PatchOp::Done => self.end(FieldEvent::Done(whole(patch, answer))),
            // Only the shape changed. The value continues.
            PatchOp::Replace if patch.completion.is_none() => {}
            PatchOp::Replace => self.end(FieldEvent::Replaced(whole(patch, answer))),
            PatchOp::Remove => self.node = None,
        }
    }

    fn end(&mut self, event: FieldEvent) {
        self.out.push_back(event);
        self.closed = true;
    }

    /// Emits the text of the field in `answer` that was not emitted yet, except the last `waiting` bytes,
    /// and its end if it is complete.
    fn take_so_far(&mut self, answer: ValueRef<'_>, waiting: usize, ends: bool) {
        let Some(value) = answer.at(&self.path) else { return };
        let text = value.as_str().unwrap_or_default();
        let known = text.len().saturating_sub(waiting);
        if let Some(fresh) = text.get(self.seen..known).filter(|fresh| !fresh.is_empty()) {
            self.seen = known;
            self.out.push_back(FieldEvent::Delta(ByteString::from(fresh)));
        }
        if ends && value.is_complete() {
            self.end(FieldEvent::Done(value.to_value()));
        }
    }

    /// Whether the container at `path` contains the field.
    fn is_in(&self, path: &PathBuf) -> bool {
        is_below(&self.path, &path.to_string())
    }
}

/// Whether the printed path `path` is below `above`.
pub(crate) fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above);
    rest.is_some_and(|rest| !rest.is_empty() && (above.is_empty() || rest.starts_with(['.', '['])))
}

pub(crate) fn patch_of_answer(event: &ResponseEvent) -> Option<&OwnedPatch> {
    event.as_patch().filter(|patch| patch.document == DocId::ANSWER)
}

/// The value of a patch that completes a field; absent if the parser keeps no values.
fn whole(patch: &OwnedPatch, answer: ValueRef<'_>) -> Value {
    let kept = || answer.by_node(patch.node).unwrap_or(answer).to_value();
    patch.value.clone().unwrap_or_else(kept)
}
