//! Texts that may hold a payload, for the finalizer: that outside elements, and those of elements
//! that closed.

use std::collections::{HashMap, HashSet};

use super::Parser;
use crate::document::{DocId, DocNode, NodeId};
use crate::element::ElementId;
use crate::finalize::TextPart;
use crate::span::Span;
use crate::transcript::{Route, TranscriptItem};

/// A body that was not whole when its element closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CutBody {
    /// The string that was open.
    pub(super) leaf: Option<NodeId>,
}

impl Parser {
    /// An element closes: what its body leaves to the finalizer.
    pub(super) fn keep_part(&mut self, id: u32, end: u64, cut: Option<CutBody>) {
        let (Some((_, body)), Some(record)) = (&self.body, self.transcript.element(id)) else {
            return;
        };
        // Without the text nothing can be read again.
        let is_of_use = self.fold.documents.keeps_values() && (self.raw.is_some() || cut.is_some());
        let Some(candidates) = body.candidates().filter(|_| is_of_use) else { return };
        let document = self.fold.documents.current_id();
        let in_current = |node| DocNode { document, node };
        self.parts.push(TextPart {
            element: Some(ElementId(id)),
            document: record.document,
            span: Span::new(record.inside.start, end),
            alone: None,
            candidates,
            has_payload: body.machine.position().payloads.is_some_and(|it| it.begun > 0),
            hidden: body.machine.hidden_payload(),
            leaf: cut.and_then(|cut| cut.leaf).map(in_current),
            is_truncated: cut.is_some(),
        });
    }

    /// All of them, that outside elements first.
    pub(super) fn take_parts(&mut self, leaf: Option<NodeId>, is_truncated: bool) -> Vec<TextPart> {
        let candidates = self.format.candidates();
        let is_json = candidates.is_some();
        let document = self.fold.documents.current_id();
        let in_current = |node| DocNode { document, node };
        let mut parts = vec![TextPart {
            element: None,
            document: Some(DocId::ANSWER),
            span: Span::new(0, self.fed),
            alone: None,
            candidates: candidates.unwrap_or_default(),
            has_payload: self.format.position().payloads.is_some_and(|it| it.begun > 0),
            hidden: self.format.hidden_payload(),
            leaf: leaf.map(in_current),
            is_truncated,
        }];
        parts.append(&mut self.parts);
        if self.raw.is_some() {
            let alone = self.alone(&parts);
            let number = |part: &TextPart| part.element.map_or(0, ElementId::get);
            let own = |part: &&mut TextPart| is_json || part.element.is_some();
            for part in parts.iter_mut().filter(own) {
                part.alone = alone.get(&number(part)).copied().flatten();
            }
        }
        parts
    }

    /// By the element, 0 for outside: where all that is not blank lies, if that is one run of text.
    fn alone(&self, parts: &[TextPart]) -> HashMap<u32, Option<Span>> {
        let elements: HashSet<u32> =
            parts.iter().filter_map(|part| part.element).map(ElementId::get).collect();
        let mut alone = HashMap::new();
        for item in &self.transcript.items {
            let TranscriptItem::Text { element, route, text, span } = item else { continue };
            let is_own = elements.contains(element);
            if (is_own || *route == Route::Text) && !self.transcript.slice(text).trim().is_empty() {
                let part = if is_own { *element } else { 0 };
                alone.entry(part).and_modify(|run| *run = None).or_insert(Some(*span));
            }
        }
        alone
    }
}
