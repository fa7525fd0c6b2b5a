//! What a stream could not know while it ran, put right at its end: by patches, each with a notice.
//!
//! In order: items that turned out to be keys go; the last of several members of one name stands; a
//! string that ran past its fence is cut; what followed a closer that came too early is put back; a
//! candidate that fits better takes the root's place. Everything is decided on the raw text, once.

mod candidates;
mod continued;
mod order;
mod reread;

use std::collections::VecDeque;

use crate::document::{DocId, Document, NodeId, Place, ValueRef};
use crate::event::{Completion, Kind};
use crate::fold::{Change, Fold, Told};
use crate::format::json::JsonFormat;
use crate::notice::Code;
use crate::span::Span;
use crate::spec::Settings;
pub(crate) use order::order;

/// What the finalizer looks at.
pub(crate) struct Ended<'a> {
    pub(crate) raw: Option<&'a [u8]>,
    pub(crate) settings: &'a Settings,
    pub(crate) json: Option<&'a JsonFormat>,
    /// The string the input ended in.
    pub(crate) leaf: Option<NodeId>,
    /// Whether the input ended inside the payload.
    pub(crate) truncated: bool,
}

/// One thing to put right.
#[derive(Debug, Clone, PartialEq)]
enum Correction {
    Notice(Code, Span),
    Remove(DocId, NodeId),
    /// A value kept beside takes another's place; silently inside one that is itself kept beside.
    Succeed {
        document: DocId,
        target: NodeId,
        source: NodeId,
        silent: bool,
    },
    /// A string keeps only its first bytes.
    Cut(DocId, NodeId, usize),
    /// The answer's root, a container, gets the children of this document's root too.
    Continue(Document),
    /// The answer's root is this document's.
    Root(Document),
}

/// What is to be put right, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Corrections {
    queue: VecDeque<Correction>,
    truncated: bool,
}

impl Corrections {
    /// Decides everything; changes nothing yet.
    pub(crate) fn plan(fold: &Fold, ended: &Ended<'_>) -> Self {
        let mut queue = VecDeque::new();
        let mut truncated = ended.truncated;
        if fold.keeps_value() {
            plan_edits(fold, &mut queue);
            plan_cut(fold, ended, &mut queue);
            plan_root(fold, ended, &mut queue, &mut truncated);
        }
        Self { queue, truncated }
    }

    /// Whether the answer is one the input ended in.
    pub(crate) const fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// Puts the next thing right and tells of it. False when there is nothing left.
    pub(crate) fn apply_next(&mut self, fold: &mut Fold, end: u64) -> bool {
        let Some(correction) = self.queue.pop_front() else {
            fold.path.clear();
            return false;
        };
        match correction {
            Correction::Notice(code, span) => {
                fold.path.clear();
                fold.notice(code, span);
            }
            Correction::Remove(document, node) => remove(fold, document, node, end),
            Correction::Succeed { document, target, source, silent } => {
                fold.documents[document.index()].take_over(target, source);
                if !silent {
                    tell(fold, Kind::Replace, (document, target), end);
                }
            }
            Correction::Cut(document, node, len) => {
                fold.documents[document.index()].truncate_string(node, len);
                tell(fold, Kind::Replace, (document, node), end);
            }
            Correction::Continue(more) => {
                if let Some(rest) = put_back(fold, more, end) {
                    self.queue.push_front(Correction::Continue(rest));
                }
            }
            Correction::Root(document) => {
                let node = fold.documents[0].replace_root(document.value());
                tell(fold, Kind::Replace, (DocId::ANSWER, node), end);
            }
        }
        true
    }
}

fn plan_edits(fold: &Fold, queue: &mut VecDeque<Correction>) {
    queue.extend(fold.removals.iter().map(|&(document, node)| Correction::Remove(document, node)));
    for &successor in &fold.successors {
        let crate::fold::Successor { document, target, source, silent } = successor;
        queue.push_back(Correction::Succeed { document, target, source, silent });
    }
}

/// A string that was open at the end and swallowed the closing line of the payload's fence.
fn plan_cut(fold: &Fold, ended: &Ended<'_>, queue: &mut VecDeque<Correction>) {
    let fenced = ended.json.and_then(JsonFormat::taken).is_some_and(|taken| taken.fenced);
    let Some(leaf) = ended.leaf.filter(|_| fenced && ended.truncated) else { return };
    let document = fold.current();
    let text = fold.documents[document.index()].at(leaf).as_str().unwrap_or("");
    let fences = ["\n```", "\n~~~"];
    if let Some(at) = fences.iter().filter_map(|fence| text.find(fence)).min() {
        let at = text[..at].trim_end_matches('\r').len();
        queue.push_back(Correction::Notice(Code::FenceInString, Span::at(fold.last_end)));
        queue.push_back(Correction::Cut(document, leaf, at));
    }
}

/// The root itself: continued, replaced, or found only now.
fn plan_root(
    fold: &Fold,
    ended: &Ended<'_>,
    queue: &mut VecDeque<Correction>,
    truncated: &mut bool,
) {
    let (Some(raw), Some(json)) = (ended.raw, ended.json) else { return };
    if ended.settings.strictness == crate::spec::Strictness::Strict {
        return;
    }
    let root = fold.documents[0].value();
    let mut taken = Span::at(0);
    if let Some(more) = continued::find(raw, json, ended.settings, root) {
        queue.push_back(Correction::Notice(Code::ContinuedRoot, more.span));
        queue.push_back(Correction::Continue(more.document));
        taken = more.span;
        *truncated |= !more.complete;
    }
    if let Some(best) = candidates::best(raw, json, ended.settings, (root, taken, *truncated)) {
        if root.exists() {
            queue.push_back(Correction::Notice(Code::BetterCandidate, best.span));
        } else if best.scalar {
            queue.push_back(Correction::Notice(Code::ScalarRoot, best.span));
        }
        *truncated = !best.complete;
        queue.push_back(Correction::Root(best.document));
    }
}

fn remove(fold: &mut Fold, document: DocId, node: NodeId, end: u64) {
    tell(fold, Kind::Remove, (document, node), end);
    fold.documents[document.index()].unlink(node);
}

/// Puts the first child of `more` into the answer's root; what is left of `more`.
fn put_back(fold: &mut Fold, mut more: Document, end: u64) -> Option<Document> {
    let root = fold.documents[0].root()?;
    let (first, place) = more.value().entries().next().map(|(key, value)| {
        let place = key.map(str::to_owned);
        (value.node(), place)
    })?;
    let first = first?;
    let answer = &mut fold.documents[0];
    let value: ValueRef<'_> = more.at(first);
    let known = place.as_deref().and_then(|key| answer.at(root).get(key)).and_then(ValueRef::node);
    let node = match (known, place.as_deref()) {
        (Some(target), _) => {
            let source = answer.graft(Place::Beside, value);
            answer.take_over(target, source);
            target
        }
        (None, Some(key)) => answer.graft(Place::Member(root, key), value),
        (None, None) => answer.graft(Place::Item(root), value),
    };
    tell(fold, Kind::Replace, (DocId::ANSWER, node), end);
    more.unlink(first);
    Some(more)
}

/// Tells of a change the finalizer made, at the path of its node.
fn tell(fold: &mut Fold, kind: Kind, (document, node): (DocId, NodeId), end: u64) {
    let mut path = core::mem::take(&mut fold.path);
    fold.documents[document.index()].path_of(node, &mut path);
    let depth = path.depth() as u32;
    fold.path = path;
    let change = Change {
        document,
        kind,
        node,
        depth,
        completion: Some(Completion::Reconciled),
        repaired: true,
        scalar: false,
    };
    fold.tell(Told::Patch(change), end);
}
